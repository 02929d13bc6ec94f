#if PostgreSQL
import Foundation
import OpenCoreData

/// An entity that a store has before and after a migration.
struct MigratedEntity {
    let match: EntityMatch
    let source: EntityMapping
    let destination: EntityMapping
}

extension EntityMapping {
    /// The attribute that a column represents; for a leaf of a composite attribute its path.
    func attributeName(ofColumn name: String) -> String {
        for case let slot? in layout.slots where !slot.isTransient && slot.kind != .toOne {
            guard let column = self.column(slot) else { continue }
            if let index = column.leaves.firstIndex(of: name) { return slot.leaves[index].name }
            if column.leaves.isEmpty, column.name == name { return slot.name }
        }
        return name
    }
}

/// What becomes of one table with objects.
///
/// A table of the new layout gets its rows from one table of the old layout at most. It is that table with other columns,
/// unless the objects of the old one go to several.
struct MigratedTable {
    /// A column of the new layout, and what it was.
    struct Column {
        var column: PostgreSQLSchema.Column
        /// The former column by the entity's number. Entities to which the column is new aren't included.
        var former: [Int64: String] = [:]
        /// By the entity's number: what has to be done with the former column's numbers.
        var conversions: [Int64: NumberConversion] = [:]
        /// The numbers of the entities that have the column.
        var owners: Set<Int64> = []
        /// The default value in SQL.
        var fallback: String?
        /// The numbers of the entities whose rows get the default value where they have none.
        var filled: Set<Int64> = []
        /// The column of the old table that becomes this one.
        var origin: String?
    }

    private(set) var source: PostgreSQLSchema.Table
    let destination: PostgreSQLSchema.Table
    let entities: [MigratedEntity]
    /// Whether the old table becomes the new one.
    let isInPlace: Bool
    private(set) var columns: [Column]

    init(
        source: PostgreSQLSchema.Table, destination: PostgreSQLSchema.Table, entities: [MigratedEntity],
        isInPlace: Bool, columns: [Column]
    ) {
        self.source = source
        self.destination = destination
        self.entities = entities
        self.isInPlace = isInPlace
        self.columns = columns
        if isInPlace { findOrigins() }
    }

    /// A column becomes another where that is what it was for all entities that have it, and no other column was.
    private mutating func findOrigins() {
        var claims: [String: Int] = [:]
        for column in columns { for former in Set(column.former.values) { claims[former, default: 0] += 1 } }
        let types = Dictionary(source.columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        for index in columns.indices {
            let former = Set(columns[index].former.values)
            guard let only = former.first, former.count == 1, claims[only] == 1, columns[index].conversions.isEmpty,
                let type = types[only],
                Self.canBecome(type, columns[index].column.type)
            else { continue }
            columns[index].origin = only
        }
    }

    private static func canBecome(_ old: PostgreSQLType, _ new: PostgreSQLType) -> Bool {
        let integers: [PostgreSQLType] = [.int2, .int4, .int8]
        if let from = integers.firstIndex(of: old), let to = integers.firstIndex(of: new) { return from <= to }
        return old == new
    }

    /// The columns of the old table that are nothing any longer.
    var leftColumns: [PostgreSQLSchema.Column] {
        let kept = Set(columns.compactMap(\.origin))
        return source.columns.filter { !kept.contains($0.name) }
    }

    /// The old columns that are the same after the migration, by name and type.
    var unchangedColumns: Set<String> {
        let types = Dictionary(source.columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        return Set(
            columns.filter { $0.origin == $0.column.name && types[$0.column.name] == $0.column.type }
                .map(\.column.name))
    }

    /// The table with columns that stand beside the old ones already, with their values: their names by the indexes of columns.
    func prepared(_ names: [Int: String]) -> MigratedTable {
        var table = self
        for (index, name) in names.sorted(by: { $0.key < $1.key }) {
            var column = columns[index].column
            column.name = name
            column.isMandatory = false
            table.source.columns.append(column)
            table.columns[index].origin = name
            table.columns[index].conversions = [:]
            table.columns[index].filled = []
        }
        return table
    }

    /// Whether the rows that are there get the default value of a new column without being written.
    func isForAll(_ column: Column) -> Bool {
        column.former.isEmpty && column.filled.count == entities.count
    }

    /// Whether rows have to be written for a column.
    func writesRows(for column: Column) -> Bool {
        guard let origin = column.origin else {
            return !column.former.isEmpty || (!column.filled.isEmpty && !isForAll(column))
        }
        return !column.filled.isEmpty || source.columns.contains { $0.name == origin && $0.type != column.column.type }
    }

    /// Whether rows or columns of the table change at all.
    var isChanged: Bool {
        !isInPlace || source.name != destination.name || source.columns.count != columns.count
            || unchangedColumns.count != columns.count || columns.contains { !$0.filled.isEmpty }
    }
}
#endif
