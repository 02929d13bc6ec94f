#if PostgreSQL
import Foundation
import OpenCoreData

/// The statements that record a save in the store's history, before anything of it is written: values of rows that are going
/// to be deleted can then still be read.
struct HistoryStatements {
    /// What is the same in all saves of an open store.
    struct Constants: Sendable {
        /// What records a transaction.
        let transaction: String
        /// What records changes, as the first of a transaction and behind others.
        let changes: String
        let followingChanges: String
        /// What comes before the first change of those behind others.
        let before: String
        let bundle = Bundle.main.bundleIdentifier
        let process = ProcessInfo.processInfo.processName

        init(_ schema: PostgreSQLSchema, numberBase: Int64) {
            let (table, number) = (schema.qualified("ocd_change"), HistoryStatements.number(numberBase))
            transaction =
                "INSERT INTO \(schema.qualified("ocd_transaction")) AS t "
                + "(number, at, author, bundle, context, process, token) "
                + "VALUES (\(number), clock_timestamp(), $1::text, $2::text, $3::text, $4::text, "
                + "$5::uuid) ON CONFLICT (number) DO UPDATE SET at = t.at RETURNING number"
            let before = " + (SELECT COALESCE(MAX(ordinal), 0) FROM \(table) WHERE number = \(number))"
            func changes(_ before: String) -> String {
                "INSERT INTO \(table) (number, ordinal, type, entity, reference, columns) "
                    + "SELECT \(number), u.o\(before), u.t, u.e, u.r, u.c "
                    + "FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::text[], $5::int8[]) AS u(t, e, r, c, o)"
            }
            self.before = before
            self.changes = changes("")
            followingChanges = changes(before)
        }
    }

    /// Returns the number of the transaction.
    let transaction: PostgreSQLStatement
    private let plan: SavePlan
    private let schema: PostgreSQLSchema
    private let numberBase: Int64
    private let constants: Constants
    /// Whether the transaction may have changes already: those of other saves.
    private let follows: Bool

    /// - Parameter follows: Whether the transaction may have changes already.
    /// - Returns: `nil` for a store without history, and for a plan that changes no row.
    init?(_ plan: SavePlan, token: UUID, runtime: PostgreSQLRuntime, follows: Bool) throws {
        guard runtime.isRecording, !(plan.inserts.isEmpty && plan.updates.isEmpty && plan.deletes.isEmpty) else {
            return nil
        }
        self.plan = plan
        schema = runtime.schema
        numberBase = runtime.numberBase
        constants = runtime.history
        self.follows = follows
        transaction = try Self.transaction(plan.author, plan.contextName, token: token, runtime)
    }

    /// A random UUID. `UUID()` opens a file for each, which takes a fiftieth of a save's processor time.
    static func newToken() -> UUID {
        var generator = SystemRandomNumberGenerator()
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { buffer in
            buffer.storeBytes(of: generator.next(), toByteOffset: 0, as: UInt64.self)
            buffer.storeBytes(of: generator.next(), toByteOffset: 8, as: UInt64.self)
        }
        // The version and the variant of RFC 9562.
        bytes.6 = bytes.6 & 0x0F | 0x40
        bytes.8 = bytes.8 & 0x3F | 0x80
        return UUID(uuid: bytes)
    }

    /// The number that the transaction of the connection has in the history.
    static func number(_ base: Int64) -> String { "(\(base) + pg_current_xact_id()::text::int8)" }

    /// The statement that begins a transaction of the history, unless it has begun.
    static func transaction(
        _ author: String?, _ contextName: String?, token: UUID, _ runtime: PostgreSQLRuntime
    ) throws -> PostgreSQLStatement {
        var parameters = PostgreSQLParameters()
        for string in [author, runtime.history.bundle, contextName, runtime.history.process] {
            guard let string else {
                parameters.appendNull(.text)
                continue
            }
            try parameters.append(text: string.utf8.contains(0) ? string.replacing("\0", with: "") : string)
        }
        parameters.append(uuid: token)
        return PostgreSQLStatement(runtime.history.transaction, parameters)
    }

    /// Inserts, then updates, then deletes.
    func changes() throws -> [PostgreSQLStatement] {
        let store = schema.mapping
        var types = PostgreSQLArrayBuilder(.int8)
        var entities = PostgreSQLArrayBuilder(.int8)
        var references = PostgreSQLArrayBuilder(.int8)
        var columns = PostgreSQLArrayBuilder(.text)
        var ordinals = PostgreSQLArrayBuilder(.int8)
        var ordinal: Int64 = 0
        func add(_ type: NSPersistentHistoryChangeType, _ change: RowChange, names: [String]?) throws {
            ordinal += 1
            guard let number = store[change.entity]?.number else { return }
            types.append(int8: Int64(type.rawValue))
            entities.append(int8: number)
            references.append(int8: change.reference)
            ordinals.append(int8: ordinal)
            if let names { try columns.append(text: names.joined(separator: ",")) } else { columns.appendNull() }
        }
        for change in plan.inserts { try add(.insert, change, names: nil) }
        for change in plan.updates {
            let names = change.slots.compactMap { change.entity.slots[$0]?.name } + change.changedToManys
            try add(.update, change, names: names)
        }
        var withTombstones: [Int: (keys: [Int64], ordinals: [Int64])] = [:]
        for change in plan.deletes {
            guard let entity = store[change.entity], !Self.tombstones(of: entity).isEmpty else {
                try add(.delete, change, names: nil)
                continue
            }
            ordinal += 1
            withTombstones[change.entity.index, default: ([], [])].keys.append(change.reference)
            withTombstones[change.entity.index, default: ([], [])].ordinals.append(ordinal)
        }
        var statements: [PostgreSQLStatement] = []
        if types.count > 0 {
            var parameters = PostgreSQLParameters()
            for array in [types, entities, references, columns, ordinals] { parameters.append(array) }
            statements.append(
                PostgreSQLStatement(follows ? constants.followingChanges : constants.changes, parameters))
        }
        for (index, rows) in withTombstones.sorted(by: { $0.key < $1.key }) {
            guard let entity = store.entities[index] else { continue }
            var parameters = PostgreSQLParameters()
            parameters.append(SaveStatements.array(rows.keys))
            parameters.append(SaveStatements.array(rows.ordinals))
            statements.append(
                PostgreSQLStatement(
                    deletions(of: entity) + "FROM unnest($1::int8[], $2::int8[]) AS u(r, o) "
                        + "LEFT JOIN \(schema.qualified(entity.table)) t ON t.\(SQLName.quoted(entity.system.key)) = u.r",
                    parameters))
        }
        return statements
    }

    private func deletions(of entity: EntityMapping) -> String {
        "INSERT INTO \(schema.qualified("ocd_change")) (number, ordinal, type, entity, reference, tombstone) "
            + "SELECT \(Self.number(numberBase)), u.o\(follows ? constants.before : ""), 2, \(entity.number), u.r, "
            + "\(Self.tombstone(of: entity, alias: "t")) "
    }

    /// The values of a row that outlive it, as JSON.
    static func tombstone(of entity: EntityMapping, alias: String) -> String {
        let values = tombstones(of: entity).compactMap { slot -> String? in
            guard let column = entity.column(slot) else { return nil }
            let value = "\(alias).\(SQLName.quoted(column.name))"
            let string =
                switch slot.kind {
                case .date: "extract(epoch FROM \(value))::text"
                case .data, .transformable: "encode(\(value), 'base64')"
                default: "\(value)::text"
                }
            return "\(SQLName.literal(slot.name)), \(string)"
        }
        guard !values.isEmpty else { return "NULL" }
        return "CASE WHEN \(alias).\(SQLName.quoted(entity.system.key)) IS NULL THEN NULL "
            + "ELSE json_build_object(\(values.joined(separator: ", ")))::text END"
    }

    /// Attributes of an entity whose values are kept when an object is deleted.
    static func tombstones(of entity: EntityMapping) -> [SlotLayout] {
        entity.layout.slots.compactMap { $0 }
            .filter { slot in
                guard let column = entity.column(slot), column.leaves.isEmpty else { return false }
                return slot.attribute?.preservesValueInHistoryOnDeletion ?? false
            }
            .sorted { $0.name < $1.name }
    }
}
#endif
