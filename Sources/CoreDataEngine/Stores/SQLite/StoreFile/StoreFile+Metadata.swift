package import Foundation

extension StoreFile {
    /// The metadata of a store, with `NSStoreUUID` and `NSStoreType`, without opening the store.
    ///
    /// A file without tables, as `destroyPersistentStore` leaves it, has metadata with a type and a new identifier only.
    ///
    /// - Throws: `CocoaError` with Apple's codes, naming the file.
    package static func metadata(at url: URL) throws -> [String: Any] {
        switch try examine(url) {
        case .missing:
            throw CoreDataError.make(
                CocoaError.Code.fileReadNoSuchFile.rawValue,
                "The store “\(url.lastPathComponent)” does not exist.", path: url.path)
        case .empty:
            return [NSStoreTypeKey: NSSQLiteStoreType, NSStoreUUIDKey: UUID().uuidString]
        case .store:
            return try reading(url, metadata(in:))
        }
    }

    /// Replaces the metadata of a store that is not open.
    ///
    /// The identifier stays when the dictionary has none.
    ///
    /// - Throws: `CocoaError`; `propertyListWriteInvalid` when a value is not one that a property list can have.
    package static func setMetadata(_ metadata: [String: Any], at url: URL) throws {
        guard try examine(url) == .store else {
            throw CoreDataError.make(
                CocoaError.Code.fileReadNoSuchFile.rawValue,
                "There is no store “\(url.lastPathComponent)” to set the metadata of.", path: url.path)
        }
        try writing(url, keepsLog: true) { connection in
            try connection.transaction { try setMetadata(metadata, in: connection) }
        }
    }

    /// The metadata of an open store.
    package static func metadata(in connection: SQLiteConnection) throws -> [String: Any] {
        let row = try connection.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1").first
        guard let row, case .text(let uuid) = row[0] else {
            throw damagedMetadata(connection.path, cause: nil)
        }
        var metadata: [String: Any] = [:]
        if case .blob(let data) = row[1] {
            do {
                metadata = try PropertyListFile.read(data) as? [String: Any] ?? [:]
            } catch {
                throw damagedMetadata(connection.path, cause: error)
            }
        }
        metadata[NSStoreUUIDKey] = uuid
        if metadata[NSStoreTypeKey] == nil { metadata[NSStoreTypeKey] = NSSQLiteStoreType }
        return metadata
    }

    /// Writes the metadata of an open store, in the caller's transaction.
    ///
    /// All keys are kept as given, the application's own included; the identifier goes into a column of its own.
    package static func setMetadata(_ metadata: [String: Any], in connection: SQLiteConnection) throws {
        let data = try encoded(metadata, path: connection.path)
        let uuid = metadata[NSStoreUUIDKey] as? String
        let isThere = try connection.firstValue("SELECT 1 FROM Z_METADATA WHERE Z_VERSION = 1") != nil
        if isThere, let uuid {
            try connection.run("UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ?", [.text(uuid), .blob(data)])
        } else if isThere {
            try connection.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(data)])
        } else {
            try connection.run(
                "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
                [.text(uuid ?? UUID().uuidString), .blob(data)])
        }
    }

    /// The metadata that a new store of a model gets.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - entities: The entities of the configuration in use.
    ///   - type: The type of the store.
    package static func newMetadata(
        model: NSManagedObjectModel, entities: [NSEntityDescription], type: String = NSSQLiteStoreType
    ) -> [String: Any] {
        let names = Set(entities.compactMap(\.name))
        let hashes = model.entityVersionHashesByName.filter { names.contains($0.key) }
        return [
            NSStoreTypeKey: type,
            NSStoreUUIDKey: UUID().uuidString,
            "NSPersistenceFrameworkVersion": frameworkVersion,
            "NSPersistenceMaximumFrameworkVersion": frameworkVersion,
            NSStoreModelVersionHashesKey: hashes,
            "NSStoreModelVersionHashesVersion": 3,
            "NSStoreModelVersionHashesDigest": NSManagedObjectModel.versionHashesDigest(of: hashes),
            NSPersistentStoreModelVersionChecksumKey: NSManagedObjectModel.versionChecksum(of: hashes),
            NSStoreModelVersionIdentifiersKey: model.versionIdentifiers.compactMap { $0.base as? String }.sorted(),
            "_NSAutoVacuumLevel": "2",
        ]
    }

    private static func encoded(_ metadata: [String: Any], path: String) throws -> Data {
        var list = metadata
        list[NSStoreUUIDKey] = nil
        guard PropertyListSerialization.propertyList(list, isValidFor: .binary) else {
            throw CoreDataError.make(
                CocoaError.Code.propertyListWriteInvalid.rawValue,
                "The metadata of the store “\(URL(fileURLWithPath: path).lastPathComponent)” has a value that "
                    + "a property list can't contain.", path: path)
        }
        return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }

    private static func damagedMetadata(_ path: String, cause: (any Error)?) -> CocoaError {
        CoreDataError.make(
            CocoaError.Code.fileReadCorruptFile.rawValue,
            "The metadata of the store “\(URL(fileURLWithPath: path).lastPathComponent)” cannot be read.",
            path: path, underlying: cause)
    }
}
