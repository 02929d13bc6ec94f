#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataPostgreSQL
import Testing

/// A schema of the tests' database that no other test has, and what `psql`, which knows nothing of this project,
/// says of it.
final class ServerDatabase: Sendable {
    /// The URL of the database that `Scripts/with-postgres` made.
    static let address = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL"]

    /// A statement that the server refused.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let schema: String
    /// The URL of the schema, with a password.
    let url: String
    /// The password of the URL.
    let password: String

    init(isMade: Bool = false) throws {
        let address = try #require(Self.address)
        schema = "t_" + UUID().uuidString.lowercased().replacing("-", with: "")
        url = "\(address)?schema=\(schema)"
        password = try #require(URLComponents(string: address)?.password)
        if isMade { try sql("CREATE SCHEMA \(schema)") }
    }

    deinit {
        // What a test left behind is not worth a failure of its own: the cluster goes anyway.
        _ = try? sql("DROP SCHEMA IF EXISTS \(schema) CASCADE")
    }

    /// Runs SQL; names without a schema are those of this one.
    ///
    /// - Returns: what the command prints, columns separated by `|`, without the last line end.
    @discardableResult
    func sql(_ string: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", Self.address ?? "", "-c",
            "SET search_path TO \(schema)", "-c", string,
        ]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let found = try output.fileHandleForReading.readToEnd() ?? Data()
        let message = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: String(decoding: message, as: UTF8.self))
        }
        return String(decoding: found, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// A coordinator with the schema as its store.
    func coordinator(_ model: NSManagedObjectModel) throws -> NSPersistentStoreCoordinator {
        PostgreSQLStore.register()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: PostgreSQLStore.type, configurationName: nil,
            at: try #require(URLComponents(string: url)?.url), options: nil)
        return coordinator
    }

    /// Whether the schema has a store.
    func hasStore() throws -> Bool {
        try sql("SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema)' AND tablename = 'ocd_store'") == "1"
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests where there is no server, or no command.
    static var needsServer: Self {
        .enabled(
            if: ServerDatabase.address != nil && CommandRunner.isBuilt,
            "needs a PostgreSQL server: run the tests with Scripts/with-postgres")
    }
}
#endif
