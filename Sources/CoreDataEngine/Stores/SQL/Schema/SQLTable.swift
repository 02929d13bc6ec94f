/// The table of a root entity.
///
/// Its subentities share it, and `Z_ENT` distinguishes them.
package final class SQLTable: Sendable {
    /// The name as the database has it, and as SQL text has it.
    package let name: String
    package let sql: String
    /// All columns that the model knows, `Z_PK`, `Z_ENT` and `Z_OPT` first, in the order of a fresh table.
    package let columns: [SQLColumn]
    /// The numbers of the root entity and of all that inherit from it, ascending.
    package let entityNumbers: [Int]

    init(name: String, columns: [SQLColumn], entityNumbers: [Int]) {
        self.name = name
        self.sql = SQLName.quotedIfNeeded(name)
        self.columns = columns
        self.entityNumbers = entityNumbers
    }

    /// The number of the root entity.
    package var rootNumber: Int { entityNumbers.first ?? 0 }

    /// Whether rows of several entities can be in the table.
    package var isShared: Bool { entityNumbers.count > 1 }
}
