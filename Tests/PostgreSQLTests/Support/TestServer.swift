#if PostgreSQL
import Foundation
import Testing

@testable import OpenCoreDataPostgreSQL

/// The server that `Scripts/with-postgres` made for the tests.
enum TestServer {
    static let url = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL"]

    static func address(schema: String? = nil) throws -> PostgreSQLAddress {
        let url = try #require(url)
        return try PostgreSQLAddress(url + (schema.map { "?schema=\($0)" } ?? ""))
    }

    static func connect(_ options: PostgreSQLOptions = PostgreSQLOptions()) throws -> PostgreSQLConnection {
        try PostgreSQLConnection(address(), options: options)
    }

    /// Runs a block with the name of a schema that no other test has, and removes the schema afterwards. The block makes
    /// it, or has a store make it.
    static func withSchema<Result>(
        created: Bool = true, _ body: (_ schema: String) throws -> Result
    ) throws -> Result {
        let schema = try makeSchema(created: created)
        defer { dropSchema(schema) }
        return try body(schema)
    }

    /// The same for a block that waits.
    static func withSchema<Result>(
        created: Bool = true, _ body: (_ schema: String) async throws -> Result
    ) async throws -> Result {
        let schema = try makeSchema(created: created)
        defer { dropSchema(schema) }
        return try await body(schema)
    }

    /// The URL of a store in a schema.
    static func url(schema: String) throws -> URL {
        let url = try #require(url)
        return try #require(URL(string: url + "?schema=\(schema)"))
    }

    private static func makeSchema(created: Bool) throws -> String {
        let schema = "t_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        if created { try connect().runScript("CREATE SCHEMA \(schema)") }
        return schema
    }

    private static func dropSchema(_ schema: String) {
        // What a test left behind is not worth a failure of its own: the cluster goes anyway.
        try? connect().runScript("DROP SCHEMA IF EXISTS \(schema) CASCADE")
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests where there is no server.
    static var needsServer: Self {
        .enabled(if: TestServer.url != nil, "needs a PostgreSQL server: run the tests with Scripts/with-postgres")
    }
}
#endif
