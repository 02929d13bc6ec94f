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
    /// The trigger of a table. Triggers run in the order of their names, and this one sees what others have changed.
    static let trigger = "zzz_ocd_next"
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
}

extension SchemaMigration {
    /// What can be done before tables are locked.
    ///
    /// - Parameters:
    ///   - large: The tables for which that is worth the effort.
    ///   - exchangeable: Those of them whose columns can be exchanged.
    func preparations(of large: Set<String>, exchangeable: Set<String>) -> [TablePreparation] {
        preparable(large).map { preparation(of: $0, exchanges: exchangeable.contains($0.source.name)) }
            .filter { !$0.isEmpty }
    }

    /// The tables whose columns can be exchanged for others: only the store and the model know of them.
    func exchangeableTables(among large: Set<String>) throws -> Set<String> {
        Set(
            try preparable(large).filter { table in
                let prepared = preparation(of: table, exchanges: true)
                let numbers = prepared.names.keys.filter { table.writesRows(for: table.columns[$0]) }
                guard !numbers.isEmpty else { return true }
                let exchanged = Set(numbers.flatMap { table.columns[$0].former.values })
                return try !hasOthers(on: table.source, columns: exchanged)
            }.map(\.source.name))
    }

    private func preparable(_ large: Set<String>) -> [MigratedTable] {
        original.filter { $0.isInPlace && large.contains($0.source.name) }
    }

    private func preparation(of table: MigratedTable, exchanges: Bool) -> TablePreparation {
        let computed = table.columns.indices.filter { number in
            let column = table.columns[number]
            return table.writesRows(for: column) && !isDerived(column.column.name, of: table)
        }
        var names: [Int: String] = [:]
        if exchanges { for number in computed { names[number] = shadowName(table.columns[number], of: table) } }
        let kept = keptIndexes(of: table.prepared(names))
        let written = exchanges ? [] : Set(computed.map { table.columns[$0].column.name })
        let built = table.destination.indexes.filter { index in
            // A unique one would bind programs of the old model.
            kept[index.name] == nil && !index.isUnique
                && index.parts.allSatisfy { part in
                    // Columns that a migration fills at its end have no values before.
                    table.columns.contains { $0.column.name == part.column && !$0.owners.isEmpty }
                        && !isDerived(part.column, of: table) && !written.contains(part.column)
                }
        }
        let indexed = Set(built.flatMap { $0.parts.map(\.column) })
        for (number, column) in table.columns.enumerated() where column.origin == nil && names[number] == nil {
            if indexed.contains(column.column.name) { names[number] = shadowName(column, of: table) }
        }
        let shadowed = table.prepared(names)
        let indexes = built.compactMap { preparedIndex($0, shadowed) }
        let filled = exchanges ? computed : []
        return TablePreparation(
            table: table, names: names, indexes: indexes, statements: statements(names, filled, table),
            filling: filled.first.flatMap { names[$0] }.map { filling(table, $0) })
    }

    private func preparedIndex(_ index: PostgreSQLSchema.Index, _ table: MigratedTable) -> TablePreparation.Index? {
        guard let parts = formerParts(of: index, in: table) else { return nil }
        var prepared = index
        prepared.parts = parts
        prepared.name = PostgreSQLName.fitting(TablePreparation.prefix + index.name)
        let statement = source.indexStatement(prepared, of: table.source.name)
        return TablePreparation.Index(
            name: prepared.name, finalName: index.name,
            statement: statement.replacing("INDEX ", with: "INDEX CONCURRENTLY ", maxReplacements: 1))
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
            // Also where a subscription writes.
            "ALTER TABLE \(name) ENABLE ALWAYS TRIGGER \(TablePreparation.trigger)",
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
