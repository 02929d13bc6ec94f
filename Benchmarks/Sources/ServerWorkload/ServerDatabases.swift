public import Bookshelf
public import Foundation
import RawPostgreSQL

/// The databases of one implementation on a PostgreSQL server.
///
/// A run that changes the store works on a copy that the server makes of a database without connections.
public struct ServerDatabases: StoreSupply {
    private let server: URL
    private let name: String

    /// - Parameters:
    ///   - server: The URL of any database of the server, by a role that may make databases.
    ///   - name: The implementation's.
    public init(server: URL, name: String, bookCount: Int) {
        self.server = server
        self.name = "benchmark_\(name.filter(\.isLetter))_\(bookCount)"
    }

    public var fullStore: URL { url("\(name)_full") }

    public var hasFullStore: Bool {
        get throws { try run("SELECT count(*) FROM pg_database WHERE datname = '\(name)_copied'") == 1 }
    }

    public func markFullStoreComplete() throws {
        try run("VACUUM ANALYZE", in: fullStore)
        try run("CREATE DATABASE \(name)_copied TEMPLATE \(name)_full")
        try run("CHECKPOINT")
    }

    public func removeFullStore() throws {
        try remove("\(name)_copied")
        try remove("\(name)_full")
        try run("CREATE DATABASE \(name)_full")
    }

    public func emptyScratchStore() throws -> URL {
        try remove("\(name)_scratch")
        try run("CREATE DATABASE \(name)_scratch")
        return url("\(name)_scratch")
    }

    public func copiedScratchStore() throws -> URL {
        try remove("\(name)_scratch")
        try run("CREATE DATABASE \(name)_scratch TEMPLATE \(name)_copied")
        try run("CHECKPOINT")
        return url("\(name)_scratch")
    }

    private func url(_ database: String) -> URL { server.deletingLastPathComponent().appendingPathComponent(database) }

    private func remove(_ database: String) throws { try run("DROP DATABASE IF EXISTS \(database) WITH (FORCE)") }

    /// Runs a statement, and answers its number where it gives one.
    @discardableResult
    private func run(_ statement: String, in database: URL? = nil) throws -> Int64 {
        let connection = try ServerConnection(database ?? server)
        var value: Int64 = 0
        try connection.check(rawServerRun(connection.pointer, statement, &value))
        return value
    }
}
