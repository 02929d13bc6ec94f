#if PostgreSQL
import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// A coordinator over one store in a schema of its own.
final class ServerStack: Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let schema: String
    let url: URL
    /// The statements that the store has sent.
    let statements: SentStatements

    /// - Parameter schema: The schema of another stack, to open its store again.
    init(
        model: NSManagedObjectModel = LibraryModel.make(), schema: String, options: [AnyHashable: Any] = [:],
        server: OwnServer? = nil
    ) throws {
        self.schema = schema
        url = try server?.url(schema: schema) ?? TestServer.url(schema: schema)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let statements = SentStatements()
        self.statements = statements
        var options = options
        let recorder: @Sendable (String) -> Void = { statements.note($0) }
        options[PostgreSQLStore.statementRecorderOption] = recorder
        PostgreSQLStore.register()
        try coordinator.addPersistentStore(
            ofType: PostgreSQLStore.type, configurationName: nil, at: url, options: options)
    }

    /// Runs a block with a stack, whose schema is gone afterwards.
    static func with<Result>(
        model: NSManagedObjectModel = LibraryModel.make(), options: [AnyHashable: Any] = [:],
        _ body: (ServerStack) throws -> Result
    ) throws -> Result {
        try TestServer.withSchema(created: false) { schema in
            let stack = try ServerStack(model: model, schema: schema, options: options)
            defer { stack.close() }
            return try body(stack)
        }
    }

    func close() { for store in coordinator.persistentStores { try? coordinator.remove(store) } }

    func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @discardableResult
    func inContext<Result>(_ block: (NSManagedObjectContext) throws -> Result) rethrows -> Result {
        let context = context()
        return try context.performAndWait { try block(context) }
    }

    /// Waits, at most a minute, for transactions that began before the newest one of the history: those of other tests
    /// hold its end back.
    func waitForOlderTransactions() throws {
        let sql = """
            SELECT 1 FROM ocd_store WHERE (SELECT MAX(number) FROM ocd_transaction)
                >= number_base + pg_snapshot_xmin(pg_current_snapshot())::text::int8
            """
        for _ in 0..<3_000 {
            if try rows(sql).isEmpty { return }
            usleep(20_000)
        }
    }

    /// What the server answers to a statement of the test's own: the text of each value.
    func rows(_ sql: String) throws -> [[String]] {
        let connection = try TestServer.connect()
        defer { connection.close() }
        var rows: [[String]] = []
        try connection.runScript("SET search_path = \(SQLName.quoted(schema))")
        try connection.execute(sql).forEachRow { row in
            rows.append((0..<row.columnCount).map { row.isNull($0) ? "NULL" : row.string($0) })
        }
        return rows
    }
}

/// The statements that a store has sent.
final class SentStatements: Sendable {
    private let texts = Mutex<[String]>([])

    func note(_ text: String) { texts.withLock { $0.append(text) } }

    /// The statements since the last call.
    func take() -> [String] {
        texts.withLock { texts in
            defer { texts = [] }
            return texts
        }
    }
}
#endif
