/// Finds models by name, and says what there is where none is found.
package enum ModelSearch {
    /// The model that a database asks for.
    ///
    /// - Throws: ``DatabaseError/modelNotFound(name:searched:candidates:cause:)``.
    package static func model(_ source: ModelSource, databaseName: String) throws -> NSManagedObjectModel {
        switch source {
        case .byName: try model(named: databaseName, in: ModelFinder.searchFolders())
        case .named(let name, let bundle): try model(named: name, in: folders(of: bundle))
        case .at(let url): try model(at: url, named: databaseName)
        case .value(let model): model
        }
    }

    /// The model of a name: the program's own where several folders have one, else the first.
    ///
    /// - Parameter name: `nil` for the only model that is there, or the only one that is the program's own.
    package static func model(named name: String?, in folders: [URL]) throws -> NSManagedObjectModel {
        let known = candidates(in: folders)
        guard let wanted = name ?? (known.count == 1 ? known[0] : ownName(in: folders)) else {
            throw DatabaseError.modelNotFound(name: nil, searched: folders, candidates: known)
        }
        guard let url = ModelFinder.best(of: ModelFinder.files(named: wanted, in: folders)).first else {
            throw DatabaseError.modelNotFound(name: wanted, searched: folders, candidates: known)
        }
        return try model(at: url, named: wanted)
    }

    /// The name that the program's own models have, if they all have the same.
    private static func ownName(in folders: [URL]) -> String? {
        let names = Set(
            ModelFinder.best(of: files(in: folders)).map { $0.deletingPathExtension().lastPathComponent })
        return names.count == 1 ? names.first : nil
    }

    /// The folders of a bundle in which models may be: its own and those of the resource bundles in it.
    package static func folders(of bundle: Bundle) -> [URL] {
        let own = [bundle.resourceURL, bundle.bundleURL].compactMap(\.self)
        var seen: Set<String> = []
        return (own + own.flatMap { ModelFinder.resourceBundles(in: $0) })
            .filter { seen.insert($0.standardizedFileURL.path).inserted }
    }

    /// The names of the models in some folders, in alphabetical order.
    package static func candidates(in folders: [URL]) -> [String] {
        Set(files(in: folders).map { $0.deletingPathExtension().lastPathComponent }).sorted()
    }

    /// The models in some folders, folder by folder and there in alphabetical order.
    package static func files(in folders: [URL]) -> [URL] {
        folders.flatMap { folder in
            ModelFinder.items(in: folder).filter { ModelFinder.extensions.contains($0.pathExtension) }
                .sorted { $0.path < $1.path }
        }
    }

    private static func model(at url: URL, named name: String) throws -> NSManagedObjectModel {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw DatabaseError.modelNotFound(
                name: url.lastPathComponent, searched: [url],
                candidates: candidates(in: [url.deletingLastPathComponent()]))
        }
        do {
            return try ModelFinder.model(at: url)
        } catch {
            throw DatabaseError.modelNotFound(name: name, searched: [url], candidates: [], cause: error)
        }
    }
}
