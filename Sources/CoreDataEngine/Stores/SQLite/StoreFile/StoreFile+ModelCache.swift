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
