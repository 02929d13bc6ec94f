import CSQLite
import Foundation
import TestSupport
import Testing

/// What a store says about its model, read with plain SQLite.
struct StoreContent {
    let metadata: [String: Any]
    let modelCache: Data?

    /// Hashes of entities in the metadata.
    var versionHashes: [String: Data] { metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:] }

    var frameworkVersion: Int { metadata["NSPersistenceFrameworkVersion"] as? Int ?? 0 }

    /// Reads a fixture, from a copy.
    init(fixture path: String) throws {
        let folder = try TemporaryFolder()
        let url = try Fixtures.copy(path, into: folder)
        let plist = try #require(Self.blob("SELECT Z_PLIST FROM Z_METADATA", in: url))
        metadata = try #require(
            PropertyListSerialization.propertyList(from: plist, format: nil) as? [String: Any])
        modelCache = Self.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: url)
    }

    private static func blob(_ sql: String, in url: URL) -> Data? {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open_v2(url.path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { return nil }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let bytes = sqlite3_column_blob(statement, 0)
        else { return nil }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, 0)))
    }
}
