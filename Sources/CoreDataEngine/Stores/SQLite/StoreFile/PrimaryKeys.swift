import Foundation

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
    /// - Throws: `CocoaError` naming the table when it has no keys left.
    package func reserve(_ count: Int, in table: SQLTable) throws -> Range<Int64> {
        let keys = try Self.keys(
            after: try highest(in: table), count: Int64(count), table: table.name, path: connection.path)
        try setHighest(keys.upperBound - 1, in: table)
        return keys
    }

    /// The keys that come after the highest one of a table.
    ///
    /// - Throws: `CocoaError` naming the table when there are not that many.
    static func keys(after highest: Int64, count: Int64, table: String, path: String) throws -> Range<Int64> {
        // Negative numbers stand for objects that were never saved.
        let first = max(highest, 0)
        guard count <= Int64.max - 1 - first else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The table \(table) of the store “\(URL(fileURLWithPath: path).lastPathComponent)” has no primary keys "
                    + "left for \(count) new \(count == 1 ? "row" : "rows"): its highest is \(highest). Such a number is "
                    + "damage, in a row (Z_PK) or in Z_PRIMARYKEY (Z_MAX); the command 'opencoredata check' tells where.",
                path: path)
        }
        return first + 1..<first + 1 + count
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
