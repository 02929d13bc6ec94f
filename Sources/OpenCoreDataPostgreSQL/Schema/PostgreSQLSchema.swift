#if PostgreSQL
import Foundation
import OpenCoreData

/// How the entities of a model are laid out in a schema of the server: tables, columns, tables of pairs, and the mapping
/// that the shared SQL works with. Immutable.
final class PostgreSQLSchema: Sendable {
    struct Column: Sendable, Hashable {
        var name: String
        var type: PostgreSQLType
        /// Large values are kept apart from the row as they are, not compressed.
        var isExternal = false
        /// Whether each row of the table has a value.
        var isMandatory = false
        /// What a row gets that is inserted without a value, in SQL.
        var fallback: String?
        /// The names that the model has for it.
        var comment: String?
    }

    /// A condition that each row fulfills.
    struct Check: Sendable, Hashable {
        var name: String
        var condition: String
        /// What the model says; a check whose comment differs from it is one of another model.
        var comment: String
    }

    struct Table: Sendable {
        var name: String
        /// Those of the properties, without the system's.
        var columns: [Column]
        var indexes: [Index] = []
        var foreignKeys: [ForeignKey] = []
        var checks: [Check] = []
        /// The number of the entity of rows that are inserted without one.
        var entityNumber: Int64?
        /// The names of the entities whose objects it has.
        var comment: String?
    }

    struct Index: Sendable {
        var name: String
        var parts: [Part]
        var condition: String?
        var isUnique = false

        /// A column and its direction, as SQL has it.
        struct Part: Sendable {
            var column: String
            var direction = ""
        }

        /// The columns with their directions, as text.
        var columns: String {
            parts.map { SQLName.quoted($0.column) + $0.direction }.joined(separator: ", ")
        }
    }

    struct ForeignKey: Sendable {
        var column: String
        var table: String
        /// The column of the other table.
        var key: String
    }

    /// A table of pairs.
    struct Pairs: Sendable {
        var name: String
        var first: Column
        var second: Column
        var orders: [Column]
        var foreignKeys: [ForeignKey]
        /// The name of the relationship.
        var comment: String?
    }

    static let system = SystemColumns(key: "z_pk", entity: "z_ent", version: "z_opt")

    /// The first key that the server gives to rows of other programs. The store's own, from `ocd_key`, begin at 1 and don't
    /// get there.
    static let firstForeignKey: Int64 = 1 << 40

    /// The schema's name.
    let name: String
    let tables: [Table]
    let pairs: [Pairs]
    let mapping: StoreMapping
    /// The types of a table's columns, by table and column.
    let types: [String: [String: PostgreSQLType]]
    /// By name: the tables of entities, where others have made them; none in a store of its own.
    let existing: [String: ExistingTable]

    var isExisting: Bool { !existing.isEmpty }

    init(
        name: String, tables: [Table], pairs: [Pairs], mapping: StoreMapping,
        existing: [String: ExistingTable] = [:]
    ) {
        self.existing = existing
        self.name = name
        self.tables = tables
        self.pairs = pairs
        self.mapping = mapping
        var types: [String: [String: PostgreSQLType]] = [:]
        for table in tables {
            types[table.name] = Dictionary(
                table.columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        }
        self.types = types
    }

    /// A table of objects as what stands behind FROM, with the columns that tables of stores have.
    func source(_ table: String) -> String { existing[table]?.source ?? qualified(table) }

    /// By the name of a column with text: its collation in tables that others have made; none where columns of the name differ.
    var collations: [String: String] {
        var found: [String: Set<String?>] = [:]
        for (name, column) in existing.values.flatMap(\.columns) {
            found[name, default: []].insert(column.collation)
        }
        return found.compactMapValues { $0.count == 1 ? $0.first ?? nil : nil }
    }

    /// The names of columns that have a value in each row of the tables that others have made.
    var mandatory: Set<String> {
        let columns = existing.values.flatMap(\.columns)
        return Set(columns.filter(\.value.isMandatory).map(\.key))
            .subtracting(columns.filter { !$0.value.isMandatory }.map(\.key))
    }

    /// The column of an entity's table that its rows are known by when they are written.
    func writtenKey(of entity: EntityMapping) -> String {
        SQLName.quoted(existing[entity.table]?.key ?? entity.system.key)
    }

    func type(of column: String, in table: String) -> PostgreSQLType { types[table]?[column] ?? .int8 }

    /// The type of a column for the values of a slot; `nil` for what can't be stored, and for composite attributes.
    static func type(of kind: SlotKind) -> PostgreSQLType? {
        switch kind {
        case .integer16: .int2
        case .integer32: .int4
        case .integer64, .toOne: .int8
        case .boolean: .bool
        case .double, .float: .float8
        case .decimal: .numeric
        case .date: .timestamptz
        case .string, .uri: .text
        case .uuid: .uuid
        case .data, .transformable: .bytea
        case .composite, .objectID, .undefined: nil
        }
    }
}
#endif
