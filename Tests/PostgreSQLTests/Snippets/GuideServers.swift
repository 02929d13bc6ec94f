#if PostgreSQL
import Foundation
import OpenCoreDataKit
import OpenCoreDataPostgreSQL

func openShelf(on server: URL) async throws -> Database {
    try await Database.open(.init(name: "Books", stores: [.postgreSQL(server)]))
}

func openShelf(on server: URL, readingFrom replica: URL) async throws -> Database {
    var options = PostgreSQLOptions()
    options.replicas = [replica]
    return try await Database.open(.init(name: "Books", stores: [.postgreSQL(server, options: options)]))
}

func optionsWithSteps() -> [AnyHashable: Any] {
    var options: [AnyHashable: Any] = [:]
    options[PostgreSQLStore.migrationStepsOption] = [
        PostgreSQLMigrationStep("trim", .beforeTheTables, sql: "UPDATE book SET title = trim(title)"),
        PostgreSQLMigrationStep("count") { transaction in
            let rows = try transaction.rows("SELECT count(*) FROM book WHERE state = $1", ["open"])
            try transaction.execute("INSERT INTO report (open_books) VALUES (\(rows[0][0] ?? "0"))")
        },
    ]
    return options
}

func doNextJob(of database: Database) async throws -> Bool {
    try await database.write(locking: .rows) { context in
        let waiting = Query(Job.self).filter(#Predicate { $0.finished == nil }).sorted(by: \.number)
        guard let job = try context.first(waiting.locked(.skippingLocked)) else { return false }
        try job.run(in: context)
        job.finished = Date()
        return true
    }
}

/// What waits for a worker.
final class Job: NSManagedObject {
    static let numberProperty = ManagedProperty<Int64>("number")
    static let finishedProperty = ManagedProperty<Date?>("finished")

    var number: Int64 {
        get { self[Job.numberProperty] }
        set { self[Job.numberProperty] = newValue }
    }

    var finished: Date? {
        get { self[Job.finishedProperty] }
        set { self[Job.finishedProperty] = newValue }
    }

    func run(in context: Context) throws {}
}
#endif
