#if PostgreSQL
import Foundation
import OpenCoreData

/// Prepares the large tables of a store for a migration, and cleans up when it doesn't come about.
///
/// Only one program does it at a time. What a program that was killed has left is removed by the next.
struct MigrationPreparing {
    private let migration: LocatedMigration
    private let transactions: BriefTransactions
    private var connection: PostgreSQLConnection { transactions.connection }

    init(_ migration: LocatedMigration, _ transactions: BriefTransactions) {
        self.migration = migration
        self.transactions = transactions
    }

    func run(_ body: ([TablePreparation]) throws -> PostgreSQLSchema?) throws -> PostgreSQLSchema? {
        // Behind a pool that changes sessions there are no locks that last.
        guard migration.location.options.pooling == .session else { return try body([]) }
        let found = try preparations()
        guard try !found.isEmpty || hasLeftovers() else { return try body([]) }
        guard try waitForTurn() else { return nil }
        defer {
            _ = try? connection.execute(
                "SELECT pg_advisory_unlock(hashtextextended($1::text, 0))", values: [.text(turn)])
        }
        guard let preparations = try preparationsNow() else { return nil }
        do {
            try removeLeftovers()
            for preparation in preparations { try prepare(preparation) }
            let result = try body(preparations)
            if result == nil { try? removeLeftovers() }
            return result
        } catch {
            connection.rollback()
            do {
                if !connection.isBroken { try removeLeftovers() }
            } catch let failure {
                DiagnosticLog.warn(
                    "OpenCoreData.PostgreSQL",
                    "A migration of the store \(migration.displayName) failed, and columns and indexes whose names begin with "
                        + "“\(TablePreparation.prefix)” remain until the next one: \(failure)")
            }
            throw error
        }
    }

    // MARK: Turns

    private var turn: String { "OpenCoreData preparation " + migration.schemaName }

    /// - Returns: Whether the store is still to be migrated.
    private func waitForTurn() throws -> Bool {
        while true {
            let got = try connection.execute(
                "SELECT pg_try_advisory_lock(hashtextextended($1::text, 0))", values: [.text(turn)])
            if try got.first?.bool(0) == true { return true }
            guard try preparationsNow() != nil else { return false }
            BriefTransactions.pause()
        }
    }

    // MARK: Preparing

    private func preparations() throws -> [TablePreparation] { try preparationsNow() ?? [] }

    /// What there is to prepare; nil if the store was migrated by now.
    private func preparationsNow() throws -> [TablePreparation]? {
        try transactions.run {
            guard let planned = try migration.plan(connection) else { return nil }
            let large = try MigrationPreparing.largeTables(of: migration.schemaName, connection)
            return try planned.migration.preparations(
                of: large, exchangeable: planned.migration.exchangeableTables(among: large))
        }
    }

    static func largeTables(of schema: String, _ connection: PostgreSQLConnection) throws -> Set<String> {
        var names: Set<String> = []
        try connection.execute(
            "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                + "WHERE n.nspname = $1::text AND c.relkind = 'r' AND pg_relation_size(c.oid) >= $2::int8",
            values: [.text(schema), .int8(TablePreparation.leastSize)]
        ).forEachRow { names.insert($0.string(0)) }
        return names
    }

    private func prepare(_ preparation: TablePreparation) throws {
        try transactions.run(preparation.statements)
        if let filling = preparation.filling {
            var last: Int64? = .min
            while let key = last {
                last = try transactions.run {
                    let row = try connection.execute(filling, values: [.int8(key)]).first
                    return try row.flatMap { try $0.isNull(0) ? nil : $0.integer(0) }
                }
            }
        }
        for index in preparation.indexes { try make(index) }
    }

    /// Makes an index while programs save. It waits for all transactions that were there before, and nothing waits for it.
    private func make(_ index: TablePreparation.Index) throws {
        do {
            try transactions.runOutside(index.statement)
        } catch let error as PostgreSQLError where error.isTooLongForIndex {
            // The migration makes it as one that takes long values.
            try drop(index.name)
        }
    }

    private func drop(_ index: String) throws {
        try transactions.runOutside("DROP INDEX CONCURRENTLY IF EXISTS \(qualified(index))")
    }

    private func qualified(_ name: String) -> String { "\(migration.own).\(SQLName.quoted(name))" }

    // MARK: Leftovers

    /// What migrations that didn't come about have left.
    private struct Leftovers {
        var columns: [(table: String, column: String)] = []
        var triggers: [SchemaMigration.FillingTrigger] = []
        var indexes: [String] = []
    }

    private func leftovers() throws -> Leftovers {
        var left = Leftovers()
        try connection.execute(
            "SELECT c.relname::text, a.attname::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
                + "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1::text AND c.relkind = 'r' "
                + "AND NOT a.attisdropped AND starts_with(a.attname::text, '\(TablePreparation.prefix)')",
            values: [.text(migration.schemaName)]
        ).forEachRow { left.columns.append(($0.string(0), $0.string(1))) }
        left.triggers = try SchemaMigration.fillingTriggers(of: migration.schemaName, connection)
        try connection.execute(
            "SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
                + "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1::text "
                + "AND starts_with(c.relname::text, '\(TablePreparation.prefix)')",
            values: [.text(migration.schemaName)]
        ).forEachRow { left.indexes.append($0.string(0)) }
        return left
    }

    private func hasLeftovers() throws -> Bool {
        let left = try leftovers()
        return !left.columns.isEmpty || !left.triggers.isEmpty || !left.indexes.isEmpty
    }

    /// Triggers go first: programs work on without the rest.
    private func removeLeftovers() throws {
        let left = try leftovers()
        for trigger in left.triggers { try transactions.run(trigger.endStatements(migration.own)) }
        for index in left.indexes { try drop(index) }
        for (table, columns) in Dictionary(grouping: left.columns, by: \.table).sorted(by: { $0.key < $1.key }) {
            let dropped = columns.map { "DROP COLUMN IF EXISTS \(SQLName.quoted($0.column))" }
            try transactions.run(["ALTER TABLE \(qualified(table)) \(dropped.joined(separator: ", "))"])
        }
    }
}
#endif
