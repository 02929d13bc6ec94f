#if PostgreSQL
import OpenCoreData

/// What an application does when a store is migrated, in the same transaction: all of it happens, or nothing.
///
/// The option ``PostgreSQLStore/migrationStepsOption`` takes an array of them. Programs wait for the tables while a step runs, and the
/// migration may be tried several times, so a step is short and changes nothing outside of the database.
public struct PostgreSQLMigrationStep: Sendable {
    /// The time at which a step runs.
    public enum Moment: Sendable, Hashable {
        /// While the tables are those of the old model.
        case beforeTheTables
        /// After the tables were changed to the new model.
        case afterTheTables
    }

    /// The name, for messages.
    public let name: String
    /// The time at which the step runs.
    public let moment: Moment
    let body: @Sendable (PostgreSQLMigrationTransaction) throws -> Void

    /// A step in Swift.
    ///
    /// - Parameters:
    ///   - name: The name, for messages.
    ///   - moment: When the step runs.
    ///   - body: What it does. If it throws, the store stays as it was.
    public init(
        _ name: String, _ moment: Moment = .afterTheTables,
        body: @escaping @Sendable (PostgreSQLMigrationTransaction) throws -> Void
    ) {
        self.name = name
        self.moment = moment
        self.body = body
    }

    /// A step in SQL: one or more statements. The store's schema is in their search path.
    ///
    /// - Parameters:
    ///   - name: The name, for messages.
    ///   - moment: When the step runs.
    ///   - sql: The statements. If one fails, the store stays as it was.
    public init(_ name: String, _ moment: Moment = .afterTheTables, sql: String) {
        self.init(name, moment) { try $0.execute(sql) }
    }
}

/// The transaction of a migration, for a step of the application.
public struct PostgreSQLMigrationTransaction {
    /// The schema of the store, which is in the search path.
    public let schema: String
    let connection: PostgreSQLConnection

    /// Runs one or more statements.
    public func execute(_ sql: String) throws {
        do {
            try connection.runScript(sql)
        } catch let error as PostgreSQLError where connection.transactionState == .none {
            var error = error
            error.message = "A step of a migration can't end its transaction. " + error.message
            throw error
        }
        guard connection.transactionState == .open else {
            throw PostgreSQLError(.misuse, "A step of a migration can't end its transaction.")
        }
    }

    /// Runs a statement and returns the rows, with the values as text.
    ///
    /// - Parameters:
    ///   - sql: The statement, with `$1`, `$2`, … for values, which are text: `$1::text::int4` makes a number of one.
    ///   - values: The values.
    public func rows(_ sql: String, _ values: [String?] = []) throws -> [[String?]] {
        var parameters = PostgreSQLParameters()
        for value in values {
            if let value { try parameters.append(text: value) } else { parameters.appendNull(.text) }
        }
        // The server sends values in their binary form; as JSON they are text, in the order of the columns.
        let result = try connection.execute(
            "WITH ocd_rows AS (\(sql)) SELECT ARRAY(SELECT value FROM json_each_text(row_to_json(ocd_rows))) FROM ocd_rows",
            parameters, isPrepared: false)
        var rows: [[String?]] = []
        try result.forEachRow { row in
            var values: [String?] = []
            var array = try row.array(0)
            for _ in 0..<array.count { values.append(try array.next().map { String(decoding: $0, as: UTF8.self) }) }
            rows.append(values)
        }
        return rows
    }
}

extension PostgreSQLStore {
    /// Option of a store that may be migrated: an array of ``PostgreSQLMigrationStep``.
    public static let migrationStepsOption = "OpenCoreDataPostgreSQLMigrationSteps"
}
#endif
