package import Foundation

extension StoreFile {
    /// The bytes of the model that a store keeps; nil when it has none, as stores of old frameworks.
    package static func modelCache(in connection: SQLiteConnection) throws -> Data? {
        let isThere = try connection.firstValue(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'Z_MODELCACHE'")
        guard isThere != nil, case .blob(let data)? = try connection.firstValue("SELECT Z_CONTENT FROM Z_MODELCACHE"),
            !data.isEmpty
        else { return nil }
        return data
    }

    /// Replaces the model that a store keeps, in the caller's transaction.
    package static func setModelCache(_ data: Data?, in connection: SQLiteConnection) throws {
        try connection.run("DELETE FROM Z_MODELCACHE")
        guard let data else { return }
        try connection.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.blob(data)])
    }
}

extension StoreFile {
    /// The model that a store keeps, with the version hashes of its metadata.
    ///
    /// For tools that have no model file.
    ///
    /// - Throws: `CocoaError` naming the file: as `metadata(at:)`, and `migrationMissingSourceModel` when the store keeps
    ///   no model.
    package static func model(inStoreAt url: URL) throws -> NSManagedObjectModel {
        let metadata = try metadata(at: url)
        guard let cache = try reading(url, modelCache(in:)) else {
            throw CoreDataError.make(
                NSMigrationMissingSourceModelError,
                "The store “\(url.lastPathComponent)” contains no model; a model file is needed to read it.",
                path: url.path)
        }
        let model: NSManagedObjectModel
        do {
            model = try NSManagedObjectModel.decode(modelCache: cache)
        } catch {
            throw CoreDataError.make(
                CocoaError.Code.fileReadCorruptFile.rawValue,
                "The model in the store “\(url.lastPathComponent)” can't be read.", path: url.path,
                underlying: error)
        }
        if let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] {
            model.setKnownVersionHashes(hashes)
        }
        return model
    }
}
