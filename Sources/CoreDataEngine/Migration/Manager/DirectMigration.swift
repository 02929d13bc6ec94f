import Foundation

/// What `usesStoreSpecificMigrationManager` represents: a SQLite store becomes another with SQL, without any object, when
/// the mapping model is an inferred one.
struct DirectMigration {
    private let source: MigrationEnd
    private let destination: MigrationEnd
    private let match: ModelMatch
    private let progress: MigrationProgress

    /// Nil when it can't be done that way.
    init?(from source: MigrationEnd, to destination: MigrationEnd, mapping: NSMappingModel, progress: MigrationProgress)
    {
        guard source.type == NSSQLiteStoreType, destination.type == NSSQLiteStoreType, source.url.isFileURL,
            destination.url.isFileURL, mapping.isInferred,
            let match = try? ModelMatch(from: source.model.entities, to: destination.model.entities),
            mapping.isInferred(by: match)
        else { return nil }
        self.source = source
        self.destination = destination
        self.match = match
        self.progress = progress
    }

    func run() throws {
        let metadata = try sourceMetadata()
        guard !FileManager.default.fileExists(atPath: destination.url.path) else {
            throw CoreDataError.make(
                NSMigrationManagerDestinationStoreError,
                "The destination store of the migration can't be created: there is already a file at "
                    + "\(destination.url.path).", path: destination.url.path, userInfo: ["URL": destination.url])
        }
        let snapshot = destination.url.deletingLastPathComponent()
            .appendingPathComponent(".\(destination.url.lastPathComponent)-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: snapshot) }
        do {
            try SQLiteFileCopy.copy(from: source.url, to: snapshot)
            let migration = SQLiteStoreMigration(
                source: snapshot, externalData: ExternalData(storeURL: source.url), match: match,
                model: destination.model, metadata: metadata, options: destination.options
            ) { fraction in
                try progress.check()
                progress.fraction = fraction
            }
            _ = try migration.write(to: destination.url)
            try copyExternalData()
        } catch {
            try? StoreFiles(url: destination.url, type: NSSQLiteStoreType).remove()
            throw error
        }
    }

    private func sourceMetadata() throws -> [String: Any] {
        do {
            let metadata = try StoreFile.metadata(at: source.url)
            let compatibility = StoreCompatibility(metadata: metadata, entities: source.model.entities)
            guard compatibility.isCompatible else {
                throw compatibility.error(metadata: metadata, url: source.url, reason: "The migration can't begin.")
            }
            return metadata
        } catch {
            let reason = (error as? CocoaError)?.userInfo[NSLocalizedDescriptionKey] as? String ?? "\(error)"
            throw CoreDataError.make(
                NSMigrationManagerSourceStoreError,
                "The source store of the migration can't be opened: \(reason)", path: source.url.path,
                underlying: error, userInfo: ["URL": source.url])
        }
    }

    /// The files with large values that rows of the new store name.
    private func copyExternalData() throws {
        let (old, new) = (ExternalData(storeURL: source.url), ExternalData(storeURL: destination.url))
        guard FileManager.default.fileExists(atPath: old.folder.path) else { return }
        let schema = try SQLSchema(entities: match.destinationEntities)
        let names = try StoreFile.reading(destination.url) { try ExternalData.namedFiles(of: schema, in: $0) }
        guard !names.isEmpty else { return }
        try new.makeFolders(like: old)
        for name in names.sorted()
        where old.hasValue(name) {
            try FileManager.default.copyItem(
                at: old.folder.appendingPathComponent(name), to: new.folder.appendingPathComponent(name))
        }
    }
}
