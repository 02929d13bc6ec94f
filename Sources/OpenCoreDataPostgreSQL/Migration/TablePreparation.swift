#if PostgreSQL
import Foundation
import OpenCoreData

/// What is done with a large table before it is locked: columns whose values have to be computed stand beside the old ones, a trigger
/// fills them where programs write, the other rows are filled in parts, and indexes are made while programs save. The migration then
/// only exchanges names.
struct TablePreparation {
    struct Index {
        var name: String
        var finalName: String
        var statement: String
    }

    /// How the names of prepared columns and indexes begin.
    static let prefix = "ocd_next_"
    /// The trigger of a table.
    static let trigger = "ocd_next"
    /// How many rows are filled at a time. Programs that change one of them wait.
    static let rowsAtATime = 1_000
    /// From which size on a table is prepared, in bytes. Others are changed within some milliseconds.
    @TaskLocal static var leastSize: Int64 = 1 << 20

    let table: MigratedTable
    /// The names of prepared columns by the indexes of columns.
    let names: [Int: String]
    let indexes: [Index]
    /// What adds the columns and the trigger.
    let statements: [String]
    /// Fills the next rows behind a key, and returns the last of their keys; nil where no row has to be written.
    let filling: String?

    var isEmpty: Bool { names.isEmpty && indexes.isEmpty }

    static func function(of table: String, in schema: PostgreSQLSchema) -> String {
        schema.qualified(PostgreSQLName.fitting(prefix + table)) + "()"
    }

    /// What removes the trigger.
    func endStatements(_ schema: PostgreSQLSchema) -> [String] {
        guard filling != nil else { return [] }
        return Self.endStatements(table.source.name, schema)
    }

    static func endStatements(_ table: String, _ schema: PostgreSQLSchema) -> [String] {
        [
            "DROP TRIGGER IF EXISTS \(trigger) ON \(schema.qualified(table))",
            "DROP FUNCTION IF EXISTS \(function(of: table, in: schema))",
        ]
    }
}

extension SchemaMigration {
    /// What can be done before tables are locked.
    ///
    /// - Parameter large: The tables for which that is worth the effort.
    func preparations(of large: Set<String>) -> [TablePreparation] {
        original.filter { $0.isInPlace && large.contains($0.source.name) }.map(preparation).filter { !$0.isEmpty }
    }

    private func preparation(of table: MigratedTable) -> TablePreparation {
        let kept = keptIndexes(of: table)
        let built = table.destination.indexes.filter { index in
            // Columns that a migration fills at its end have no values before.
            kept[index.name] == nil
                && index.parts.allSatisfy { part in
                    table.columns.contains { $0.column.name == part.column && (!$0.owners.isEmpty) }
                        && !isDerived(part.column, of: table)
                }
        }
        let indexed = Set(built.flatMap { $0.parts.map(\.column) })
        var names: [Int: String] = [:]
        var computed: [Int] = []
        for (number, column) in table.columns.enumerated() {
            let writesRows = table.writesRows(for: column)
            guard writesRows || (column.origin == nil && indexed.contains(column.column.name)),
                !isDerived(column.column.name, of: table)
            else { continue }
            names[number] = shadowName(column, of: table)
            if writesRows { computed.append(number) }
        }
        let shadowed = table.prepared(names)
        let indexes = built.compactMap { index -> TablePreparation.Index? in
            guard let parts = formerParts(of: index, in: shadowed) else { return nil }
            var prepared = index
            prepared.parts = parts
            prepared.name = PostgreSQLName.fitting(TablePreparation.prefix + index.name)
            let statement = source.indexStatement(prepared, of: table.source.name)
            return TablePreparation.Index(
                name: prepared.name, finalName: index.name,
                statement: statement.replacing("INDEX ", with: "INDEX CONCURRENTLY ", maxReplacements: 1))
        }
        return TablePreparation(
            table: table, names: names, indexes: indexes, statements: statements(names, computed, table),
            filling: computed.first.flatMap { names[$0] }.map { filling(table, $0) })
    }

    /// Whether a column is one that the store computes.
    private func isDerived(_ name: String, of table: MigratedTable) -> Bool {
        table.entities.contains { entity in
            entity.destination.layout.slots.contains { slot in
                guard let slot, slot.isDerivedAttribute else { return false }
                return entity.destination.column(slot)?.name == name
            }
        }
    }

    /// A name that an earlier attempt of the same migration has given too.
    private func shadowName(_ column: MigratedTable.Column, of table: MigratedTable) -> String {
        PostgreSQLName.fitting(TablePreparation.prefix + column.column.name)
    }

    private func statements(_ names: [Int: String], _ computed: [Int], _ table: MigratedTable) -> [String] {
        let name = source.qualified(table.source.name)
        let added = names.sorted { $0.key < $1.key }.map { number, shadow in
            "ADD COLUMN \(definition(of: table.columns[number], named: shadow, in: table))"
        }
        var statements = added.isEmpty ? [] : ["ALTER TABLE \(name) \(added.joined(separator: ", "))"]
        for (number, shadow) in names.sorted(by: { $0.key < $1.key }) where table.columns[number].column.isExternal {
            statements.append("ALTER TABLE \(name) ALTER COLUMN \(SQLName.quoted(shadow)) SET STORAGE EXTERNAL")
        }
        guard !computed.isEmpty else { return statements }
        let assignments = computed.map { number in
            let column = table.columns[number]
            let type = column.column.type.sqlName
            let cases = table.entities.filter { column.owners.contains($0.destination.number) }.map { entity in
                let value = value(of: column, entity, alias: "NEW", isGuarded: true) { SQLName.quoted($0) }
                return "WHEN \(entity.source.number) THEN (\(value))::\(type)"
            }
            return "NEW.\(SQLName.quoted(names[number] ?? "")) := CASE NEW.\(self.number) "
                + "\(cases.joined(separator: " ")) END;"
        }
        let function = TablePreparation.function(of: table.source.name, in: source)
        return statements + [
            "CREATE OR REPLACE FUNCTION \(function) RETURNS trigger LANGUAGE plpgsql AS $ocd$ BEGIN "
                + "\(assignments.joined(separator: " ")) RETURN NEW; END $ocd$",
            "CREATE TRIGGER \(TablePreparation.trigger) BEFORE INSERT OR UPDATE ON \(name) FOR EACH ROW "
                + "EXECUTE FUNCTION \(function)",
        ]
    }

    /// The trigger computes the values. Rows are locked in the order of their keys, as saves do it.
    private func filling(_ table: MigratedTable, _ shadow: String) -> String {
        let name = source.qualified(table.source.name)
        return "WITH rows AS MATERIALIZED (SELECT \(key) FROM \(name) WHERE \(key) > $1::int8 ORDER BY \(key) "
            + "LIMIT \(TablePreparation.rowsAtATime) FOR NO KEY UPDATE), changed AS (UPDATE \(name) AS t "
            + "SET \(SQLName.quoted(shadow)) = NULL FROM rows WHERE t.\(key) = rows.\(key) RETURNING t.\(key)) "
            + "SELECT max(\(key)) FROM changed"
    }
}
#endif
