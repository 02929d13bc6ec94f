#if PostgreSQL
import Foundation
import OpenCoreData

/// The metadata of a store and the model that it was last used with, in the tables `ocd_store` and `ocd_model`.
struct StoreMetadata {
    var values: [String: Any]
    var layout: Int64
    var numberBase: Int64

    /// Reads the metadata.
    ///
    /// - Returns: `nil` where there is no store.
    static func read(_ schema: String, _ connection: PostgreSQLConnection, location: String) throws
        -> StoreMetadata?
    {
        guard try exists(schema, connection) else { return nil }
        let result = try connection.execute(
            "SELECT uuid, plist, layout, number_base FROM \(SQLName.quoted(schema)).ocd_store WHERE id = 1")
        guard let row = result.first else { throw damaged(location, nil) }
        var values: [String: Any] = [:]
        do {
            values = try PropertyListFile.read(row.data(1)) as? [String: Any] ?? [:]
        } catch { throw damaged(location, error) }
        values[NSStoreUUIDKey] = row.string(0)
        if values[NSStoreTypeKey] == nil { values[NSStoreTypeKey] = PostgreSQLStore.type }
        return StoreMetadata(values: values, layout: try row.integer(2), numberBase: try row.integer(3))
    }

    /// Whether a schema has a store.
    static func exists(_ schema: String, _ connection: PostgreSQLConnection) throws -> Bool {
        let result = try connection.execute(
            "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                + "WHERE n.nspname = $1::text AND c.relname = 'ocd_store' AND c.relkind IN ('r', 'p')",
            values: [.text(schema)])
        return result.count > 0
    }

    /// The keys that say of which version of the model a store is.
    static let versionKeys = [
        NSStoreModelVersionHashesKey, "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest",
        NSPersistentStoreModelVersionChecksumKey, NSStoreModelVersionIdentifiersKey,
    ]

    /// Metadata with the version that the store has by now, in a transaction that is going to write them.
    static func withPresentVersion(
        _ values: [String: Any], _ schema: String, _ connection: PostgreSQLConnection, location: String
    ) throws -> [String: Any] {
        try connection.execute("SELECT 1 FROM \(SQLName.quoted(schema)).ocd_store WHERE id = 1 FOR UPDATE")
        guard let present = try read(schema, connection, location: location)?.values else { return values }
        var values = values
        for key in versionKeys { values[key] = present[key] }
        return values
    }

    /// The statement that writes metadata.
    static func statement(_ values: [String: Any], schema: String, location: String) throws -> PostgreSQLStatement {
        var parameters = PostgreSQLParameters()
        parameters.append(bytea: try encoded(values, location: location))
        if let uuid = values[NSStoreUUIDKey] as? String {
            try parameters.append(text: uuid)
        } else {
            parameters.appendNull(.text)
        }
        return PostgreSQLStatement(
            "UPDATE \(SQLName.quoted(schema)).ocd_store SET plist = $1::bytea, uuid = COALESCE($2::text, uuid) "
                + "WHERE id = 1", parameters)
    }

    static func encoded(_ values: [String: Any], location: String) throws -> Data {
        var list = values
        list[NSStoreUUIDKey] = nil
        guard PropertyListSerialization.propertyList(list, isValidFor: .binary) else {
            throw CoreDataError.make(
                CocoaError.Code.propertyListWriteInvalid.rawValue,
                "The metadata of the store \(location) has a value that a property list can't contain.")
        }
        return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }

    /// The model that a store was last used with.
    static func model(
        _ schema: String, _ metadata: [String: Any], _ connection: PostgreSQLConnection, location: String
    ) throws -> NSManagedObjectModel {
        let result = try connection.execute(
            "SELECT archive FROM \(SQLName.quoted(schema)).ocd_model WHERE state = 'active' AND archive IS NOT NULL "
                + "ORDER BY (checksum = $1::text) DESC LIMIT 1",
            values: [.text(metadata[NSPersistentStoreModelVersionChecksumKey] as? String ?? "")])
        guard let row = result.first else {
            throw CoreDataError.make(
                NSMigrationMissingSourceModelError,
                "The store \(location) contains no model; a model file is needed to read it.")
        }
        let model: NSManagedObjectModel
        do {
            model = try NSManagedObjectModel.decode(modelCache: row.data(0))
        } catch {
            throw CoreDataError.make(
                CocoaError.Code.fileReadCorruptFile.rawValue,
                "The model in the store \(location) can't be read.", underlying: error)
        }
        if let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] {
            model.setKnownVersionHashes(hashes)
        }
        return model
    }

    private static func damaged(_ location: String, _ cause: (any Error)?) -> CocoaError {
        CoreDataError.make(
            CocoaError.Code.fileReadCorruptFile.rawValue, "The metadata of the store \(location) cannot be read.",
            underlying: cause)
    }
}
#endif
