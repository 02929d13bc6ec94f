/// The table of a many-to-many relationship.
package final class SQLJoinTable: Sendable {
    /// The name as the database has it, and as SQL text has it.
    package let name: String
    package let sql: String
    /// The two columns of primary keys, in the table's order.
    package let first: SQLColumn
    package let second: SQLColumn
    /// The columns that order an end, in the order of the columns above.
    package let orderColumns: [SQLColumn]
    /// The number of the entity after which the table is named.
    package let namingNumber: Int
    /// Whether a relationship that is its own inverse is kept.
    ///
    /// A pair may be there in one direction or in both; readers take both.
    package let isReflexive: Bool

    init(
        name: String, first: SQLColumn, second: SQLColumn, orderColumns: [SQLColumn], namingNumber: Int,
        isReflexive: Bool
    ) {
        self.name = name
        self.sql = SQLName.quotedIfNeeded(name)
        self.first = first
        self.second = second
        self.orderColumns = orderColumns
        self.namingNumber = namingNumber
        self.isReflexive = isReflexive
    }
}
