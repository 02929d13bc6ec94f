package import Foundation
import OpenCoreData

/// A model as a user names it: a path, and of a folder with versions one of them, as in `Shop.xcdatamodeld:Shop 2`.
package struct ModelReference {
    package let path: String
    /// The version that was requested; nil for the current one.
    package let version: String?

    /// - Parameter version: A version that was given apart from the path.
    package init(_ string: String, version: String? = nil) {
        guard version == nil, !StoreAddress.isServer(string), !FileManager.default.fileExists(atPath: string),
            let colon = string.lastIndex(of: ":"), string[..<colon].hasSuffix("d") || string[..<colon].hasSuffix("d/")
        else {
            path = string
            self.version = version
            return
        }
        path = String(string[..<colon])
        self.version = String(string[string.index(after: colon)...])
    }

    /// Where the file is; that of a store on a server is of no use as one.
    package var url: URL { URL(fileURLWithPath: path) }

    /// The model's name without what says its kind.
    package var name: String {
        guard StoreAddress.isServer(path) else { return url.deletingPathExtension().lastPathComponent }
        return (try? StoreAddress(path))?.name ?? "Model"
    }

    /// The model, and where it came from. That of a store has the hashes that the store has.
    ///
    /// - Parameter reconstructs: Whether the model of a store that keeps none is worked out from its tables.
    package func source(reconstructs: Bool = true) throws -> ModelSource {
        guard let version else {
            let source = try ModelSource(path: path, reconstructs: reconstructs)
            return try source.origin.store.map { try source.adoptingHashes(ofStoreAt: $0) } ?? source
        }
        if let address = StoreAddress.isServer(path) ? try StoreAddress(path) : nil {
            throw ToolFailure("\(address.name) has no versions, but \(version) was requested.")
        }
        let url = try InputFile.url(path, orFolder: true)
        switch url.pathExtension {
        case "momd":
            let versions = try CompiledModelBundle(contentsOf: url).versions
            guard let found = versions.first(where: { $0.name == version }) else {
                throw unknown(version, versions.map(\.name))
            }
            found.model.fileURLs = [url]
            return ModelSource(model: found.model, origin: .file(url.appendingPathComponent(version + ".mom")))
        default:
            let folder = try sourceFolders().first { $0.name == version }?.url
            guard let folder else { throw unknown(version, try sourceFolders().map(\.name)) }
            return ModelSource(model: try NSManagedObjectModel(contentsOfModelFile: folder), origin: .file(folder))
        }
    }

    /// The folders with the source of the versions, by name; none where the path is no `.xcdatamodeld`.
    package func sourceFolders() throws -> [(name: String, url: URL)] {
        guard url.pathExtension == "xcdatamodeld" else { return [] }
        let url = try InputFile.url(path, orFolder: true)
        return try FileManager.default.contentsOfDirectory(atPath: url.path)
            .filter { $0.hasSuffix(".xcdatamodel") }.sorted()
            .map { (String($0.dropLast(".xcdatamodel".count)), url.appendingPathComponent($0, isDirectory: true)) }
    }

    /// The path of the source: that of the version that was requested, or of the whole model.
    package func sourcePath() throws -> String {
        guard let version else { return path }
        let folders = try sourceFolders()
        guard let folder = folders.first(where: { $0.name == version }) else {
            throw unknown(version, folders.map(\.name))
        }
        return folder.url.relativePath
    }

    private func unknown(_ version: String, _ names: [String]) -> ToolFailure {
        guard !names.isEmpty else { return ToolFailure("\(path) has no versions, but \(version) was requested.") }
        return ToolFailure("\(path) has no version \(version); \(Suggestion.hint(for: version, among: names))")
    }
}
