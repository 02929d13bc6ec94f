import Foundation

/// Reports rows that a migration leaves behind: those that belong to no entity of their table, and those with negative
/// primary keys. They are damage, and no object was ever made of them.
struct SQLStrayRows {
    let plan: SQLMigrationPlan
    /// The file name of the store.
    let storeName: String

    func report() throws {
        for table in plan.source.tables {
            let numbers = table.entityNumbers.map(String.init).joined(separator: ", ")
            let condition = "Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers)) OR Z_PK < 0"
            let row = try plan.connection.rows(
                "SELECT count(*), min(Z_PK) FROM source.\(table.sql) WHERE \(condition)"
            ).first
            guard case .integer(let count)? = row?.first, count > 0, let key = row?.last else { continue }
            DiagnosticLog.warn(
                "OpenCoreData",
                "The migration of the store \(storeName) leaves out \(count) rows of table \(table.name), which belong to "
                    + "no entity of the model or have negative primary keys; the first is row \(key.described).")
        }
    }
}
