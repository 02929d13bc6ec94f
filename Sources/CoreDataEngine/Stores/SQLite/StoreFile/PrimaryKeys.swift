/// Gives out primary keys.
///
/// Keys come from `Z_MAX` of the root entity's row, which never goes down, so a key is never used twice. Call it inside
/// the transaction of the save; with the rollback of the transaction the keys are free again.
package struct PrimaryKeys {
    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Takes the next keys of a table.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - table: The table.
    /// - Returns: The keys, ascending and without gaps.
    package func reserve(_ count: Int, in table: SQLTable) throws -> Range<Int64> {
        let first = try highest(in: table) + 1
        let end = first + Int64(count)
        try setHighest(end - 1, in: table)
        return first..<end
    }

    /// The highest key given out in a table.
    ///
    /// A store whose log was lost can have a row above `Z_MAX`; it counts.
    package func highest(in table: SQLTable) throws -> Int64 {
        var highest: Int64 = 0
        if case .integer(let stored)? = try connection.firstValue(
            "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(table.rootNumber))])
        {
            highest = stored
        }
        if case .integer(let last)? = try connection.firstValue("SELECT max(Z_PK) FROM \(table.sql)") {
            highest = max(highest, last)
        }
        return highest
    }

    private func setHighest(_ key: Int64, in table: SQLTable) throws {
        let changed = try connection.run(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(key), .integer(Int64(table.rootNumber))])
        guard changed == 0 else { return }
        // A table without its row in `Z_PRIMARYKEY` is damage, and giving out a key twice would make it worse.
        throw CoreDataError.make(
            NSPersistentStoreIncompatibleSchemaError,
            "The store has no entity number \(table.rootNumber) for table \(table.name).", path: connection.path)
    }
}
