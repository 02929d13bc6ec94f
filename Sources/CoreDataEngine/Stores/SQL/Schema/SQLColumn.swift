/// A column of a store's table.
package struct SQLColumn: Hashable, Sendable {
    /// The types that a store's columns are declared with.
    package enum Kind: String, Sendable {
        case integer = "INTEGER"
        case float = "FLOAT"
        case timestamp = "TIMESTAMP"
        case decimal = "DECIMAL"
        case varchar = "VARCHAR"
        case blob = "BLOB"
    }

    /// The name as the database has it.
    package let name: String
    /// The name as SQL text has it: quoted when it is no plain word.
    package let sql: String
    package let kind: Kind

    package init(_ name: String, _ kind: Kind) {
        self.name = name
        self.sql = SQLName.quotedIfNeeded(name)
        self.kind = kind
    }

    /// The three columns that every entity's table begins with.
    package static let primaryKey = SQLColumn("Z_PK", .integer)
    package static let entity = SQLColumn("Z_ENT", .integer)
    package static let version = SQLColumn("Z_OPT", .integer)
}
