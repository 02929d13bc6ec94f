#if PostgreSQL
import Foundation
import OpenCoreData

/// Reads transactions and changes of a store's history on a server.
struct PostgreSQLHistoryReader: HistoryReading {
    let store: PostgreSQLStore
    let runtime: PostgreSQLRuntime
    let connection: PostgreSQLConnection

    /// The history's own entities as a store would keep them.
    private static let schema: Result<PostgreSQLSchema, any Error> = Result {
        let model = ModelLayout.layout(of: HistoryModel.shared.model)
        var builder = PostgreSQLSchemaBuilder(
            name: "", model: model, numbers: ["Transaction": 1, "Change": 2], usesForeignKeys: false)
        return try builder.build()
    }

    var storeIdentifier: String { runtime.storeIdentifier }
    var mapping: StoreMapping { runtime.mapping }

    /// The number of the last transaction that nothing can come before any more, also of one that was deleted
    /// since, or 0 without such a transaction.
    func lastNumber() throws -> Int64 {
        let result = try connection.execute(
            "SELECT GREATEST((SELECT MAX(number) FROM \(runtime.schema.qualified("ocd_transaction")) "
                + "WHERE number < \(Self.border(runtime))), "
                + "(SELECT z_max FROM \(runtime.schema.qualified("ocd_key")) WHERE number = 0), 0)")
        return try result.first?.integer(0) ?? 0
    }

    /// The number from which on a transaction may still appear: that of the oldest one which runs.
    ///
    /// A query of its own, so that the server finds it once and not for each row.
    static func border(_ runtime: PostgreSQLRuntime) -> String {
        "(SELECT \(runtime.numberBase) + pg_snapshot_xmin(pg_current_snapshot())::text::int8)"
    }

    /// Waits a little for transactions that began before one which was committed: the history is reported without
    /// gaps.
    static func waitForOlder(_ runtime: PostgreSQLRuntime, _ connection: PostgreSQLConnection) throws {
        // The last one, by the index: a condition on the number would read the whole history where none fulfills it.
        let sql =
            "SELECT 1 WHERE (SELECT MAX(number) FROM \(runtime.schema.qualified("ocd_transaction"))) "
            + ">= \(border(runtime))"
        for delay in [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2] {
            guard try connection.execute(sql).count > 0 else { return }
            Thread.sleep(forTimeInterval: delay)
        }
    }

    /// Refuses a position after which transactions are gone, and one that is no transaction's. Numbers have gaps,
    /// so that of the last transaction that was deleted is kept in the store's row of keys.
    func checkBorder(_ border: HistoryBorder) throws {
        guard case .number(let number, isToken: true) = border else { return }
        let token = NSPersistentHistoryToken([storeIdentifier: number])
        let result = try connection.execute(
            "SELECT (SELECT MAX(number) FROM \(runtime.schema.qualified("ocd_transaction"))), "
                + "(SELECT z_max FROM \(runtime.schema.qualified("ocd_key")) WHERE number = 0), "
                + "EXISTS (SELECT 1 FROM \(runtime.schema.qualified("ocd_transaction")) WHERE number = $1::int8), "
                + "(SELECT MIN(number) FROM \(runtime.schema.qualified("ocd_transaction")))",
            values: [.int8(number)])
        guard let row = result.first else { return }
        let deleted = row.isNull(1) ? 0 : try row.integer(1)
        let last = max(row.isNull(0) ? 0 : try row.integer(0), deleted)
        guard number <= last else {
            throw HistoryError.expired(token, "The store's history ends with transaction \(last).")
        }
        guard number >= deleted else {
            let start = row.isNull(3) ? "after transaction \(deleted)" : "with transaction \(try row.integer(3))"
            throw HistoryError.expired(token, "The store's history now begins \(start).")
        }
        guard try number == 0 || number == deleted || row.bool(2) else {
            throw HistoryError.expired(token, "The store's history has no transaction \(number).")
        }
    }

    // MARK: Statements

    func transactionList(_ alias: String) -> String {
        ["z_pk", "timestamp", "author", "bundle_id", "context_name", "process_id"].map { "\(alias).\"\($0)\"" }
            .joined(separator: ", ")
    }

    func changeList(_ alias: String) -> String {
        ["z_pk", "change_type", "changed_entity", "changed_object_id", "transaction", "columns", "tombstone"]
            .map { "\(alias).\"\($0)\"" }.joined(separator: ", ")
    }

    /// The named queries that represent the entities of `HistoryModel`.
    private var namedQueries: String {
        let number = SQLName.quoted("transaction")
        return "WITH \(number) AS (SELECT t.number AS z_pk, 1::int2 AS z_ent, 1 AS z_opt, t.at AS \"timestamp\", "
            + "t.number AS token, t.number AS transaction_number, t.author, t.bundle AS bundle_id, "
            + "t.context AS context_name, t.process AS process_id FROM \(runtime.schema.qualified("ocd_transaction")) t "
            + "WHERE t.number < \(Self.border(runtime))), "
            + "\"change\" AS (SELECT c.number * 1048576 + c.ordinal AS z_pk, 2::int2 AS z_ent, 1 AS z_opt, "
            + "c.number * 1048576 + c.ordinal AS change_id, c.type::int8 AS change_type, "
            + "c.entity::int8 AS changed_entity, c.reference AS changed_object_id, c.number AS \"transaction\", "
            + "c.columns, c.tombstone FROM \(runtime.schema.qualified("ocd_change")) c "
            + "WHERE c.number < \(Self.border(runtime))) "
    }

    func rows(_ search: StoreQuery, selectList: (String) -> String) throws -> [[SQLValue]] {
        let builder = SQLQueryBuilder(
            store: try Self.schema.get().mapping, storeIdentifier: "",
            dialect: PostgreSQLDialect(schema: nil, functions: runtime.schema.name))
        var statement = try builder.rows(search, selectList: selectList)
        statement.sql = namedQueries + statement.sql
        return try rows(NumberedStatement(statement).statement)
    }

    private func rows(_ statement: PostgreSQLStatement) throws -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        try connection.forEachRow(statement.sql, statement.parameters) { row in
            rows.append(try (0..<row.columnCount).map { try row.value($0) })
        }
        return rows
    }

    func transactions(numbered numbers: [Int64]) throws -> [HistoryTransactionRecord] {
        let sql =
            "\(namedQueries)SELECT \(transactionList("t0")) FROM \"transaction\" t0 "
            + "WHERE t0.z_pk = ANY($1::int8[]) ORDER BY t0.z_pk"
        return try rows(PostgreSQLStatement(sql, PostgreSQLStore.keys(numbers))).compactMap(transaction)
    }

    func changeRows(of transactions: [HistoryTransactionRecord]) throws -> [[SQLValue]] {
        let sql =
            "\(namedQueries)SELECT \(changeList("t0")) FROM \"change\" t0 "
            + "WHERE t0.\"transaction\" = ANY($1::int8[]) ORDER BY t0.\"transaction\", t0.z_pk"
        return try rows(PostgreSQLStatement(sql, PostgreSQLStore.keys(transactions.map(\.number))))
    }

    // MARK: Rows

    func changes(
        _ rows: [[SQLValue]], of transactions: [Int64: HistoryTransactionRecord]
    ) -> [HistoryChangeRecord] {
        rows.compactMap { row in
            guard let entity = row[2].integer.flatMap({ runtime.mapping.entity(number: $0) }),
                let transaction = row[Self.transactionColumn].integer.flatMap({ transactions[$0] }),
                let number = row[0].integer, let reference = row[3].integer, reference >= 0,
                let type = row[1].integer.flatMap({ NSPersistentHistoryChangeType(rawValue: Int($0)) })
            else { return nil }
            var change = HistoryChangeRecord(
                transaction: transaction, number: number, type: type,
                objectID: NSManagedObjectID(layout: entity.layout, reference: reference, store: store))
            switch type {
            case .insert: break
            case .update:
                change.updatedProperties = (row[5].string ?? "").split(separator: ",").map(String.init)
            case .delete: change.tombstone = tombstone(row[6].string, entity).map { SendableBox($0) }
            @unknown default: break
            }
            return change
        }
    }

    private func tombstone(_ string: String?, _ entity: EntityMapping) -> [AnyHashable: Any]? {
        let slots = HistoryStatements.tombstones(of: entity)
        guard !slots.isEmpty else { return nil }
        let list =
            string.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) } as? [String: Any] ?? [:]
        var kept: [AnyHashable: Any] = [:]
        for slot in slots {
            guard let string = list[slot.name] as? String, let value = slot.any(from: Self.value(string, slot.kind))
            else {
                continue
            }
            kept[slot.name] = value
        }
        return kept
    }

    private static func value(_ string: String, _ kind: SlotKind) -> PropertyValue {
        switch kind {
        case .integer16, .integer32, .integer64: Int64(string).map { .integer($0) } ?? .null
        case .boolean: .integer(string == "true" ? 1 : 0)
        case .double, .float: Double(string).map { .double($0) } ?? .null
        // Seconds since 1970, exact to the microsecond.
        case .date: Decimal(string: string).flatMap { Double("\($0 - 978_307_200)") }.map { .double($0) } ?? .null
        case .decimal: Decimal(string: string).map { .decimal(DecimalBox($0)) } ?? .null
        case .string: .string(string)
        case .uri: URL(string: string).map { .uri($0) } ?? .null
        case .uuid: UUID(uuidString: string).map { .uuid($0) } ?? .null
        case .data, .transformable:
            Data(base64Encoded: string, options: .ignoreUnknownCharacters).map { .data($0) } ?? .null
        case .toOne, .composite, .objectID, .undefined: .null
        }
    }
}
#endif
