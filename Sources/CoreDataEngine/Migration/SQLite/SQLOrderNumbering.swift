import Foundation

/// Gives order numbers to the elements of a relationship that has become ordered, in the order of their keys.
struct SQLOrderNumbering {
    let table: String
    let order: SQLColumn
    let owner: SQLColumn
    /// The column with the key of the element.
    let element: String

    func run(_ plan: SQLMigrationPlan) throws {
        let first = OrderKeys.first - OrderKeys.step
        try plan.run(
            "UPDATE main.\(table) SET \(order.sql) = n.k FROM (SELECT rowid AS r, \(first) + \(OrderKeys.step) * "
                + "row_number() OVER (PARTITION BY \(owner.sql) ORDER BY \(element)) AS k FROM main.\(table) "
                + "WHERE \(owner.sql) IS NOT NULL) AS n WHERE main.\(table).rowid = n.r AND main.\(table).\(order.sql) IS NULL"
        )
    }

    /// Numbers the rows of all to-one relationships whose inverse has become ordered.
    static func numberNewOrders(of pair: SQLMigrationPlan.EntityPair, plan: SQLMigrationPlan) throws {
        for new in pair.destination.relationships {
            guard case .toOne(let toOne) = new.storage, let order = toOne.orderColumn,
                let oldDescription = pair.match.source(of: new.relationship),
                case .toOne(let old)? = pair.source.relationship(named: oldDescription.name)?.storage,
                old.orderColumn == nil
            else { continue }
            try SQLOrderNumbering(
                table: pair.destination.table.sql, order: order, owner: toOne.column, element: "Z_PK"
            ).run(plan)
        }
    }
}
