import CSQLite
import Foundation

extension SQLiteStore {
    package func fetchToMany(
        _ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool
    ) throws -> ToManyRows {
        let runtime = try runtime()
        let plan = try runtime.plan(for: relationship.destination, hasValues: includesValues)
        guard let source = try toManySource(relationship, runtime) else {
            // Not in the store, so no owner has destinations.
            let slab = RowSlab(entity: relationship.destination, hasValues: includesValues, expectedCount: 1)
            return ToManyRows(rows: slab, ranges: owners.map { _ in 0..<0 })
        }
        return try runtime.pool.read { connection in
            if let table = source.scannedTable, plan.columnCount < RowFillFunction.maximumArguments,
                try isMostOf(source.ownerTable, owners, connection)
            {
                return try scan(table, source.ownerColumn, owners, plan, runtime, connection)
            }
            for isSorted in [source.isOrdered, true] {
                let reader = runtime.reader(plan, expecting: max(16, owners.count * 8))
                var groups = OwnerGroups()
                let select = "SELECT \(plan.selectList(alias: "t0")), \(source.ownerColumn) \(source.from)"
                let order = isSorted ? source.order : ""
                try ReferenceBatch.forEach(owners) { batch, count in
                    let marks = Array(repeating: "?", count: count).joined(separator: ",")
                    let sql = "\(select) WHERE \(source.ownerColumn) IN (\(marks))\(order)"
                    try connection.withStatement(sql) { statement in
                        try statement.bind(references: batch, count: count)
                        try groups.read(statement, reader, ownerColumn: plan.columnCount)
                    }
                }
                if groups.isContiguous || isSorted { return groups.rows(reader.slab, owners: owners) }
            }
            return ToManyRows(rows: RowSlab(entity: relationship.destination), ranges: owners.map { _ in 0..<0 })
        }
    }

    /// Whether enough of a table's rows are owners that reading the whole destination table is faster than looking up
    /// each destination through an index.
    private func isMostOf(_ table: String, _ owners: [Int64], _ connection: SQLiteConnection) throws -> Bool {
        guard owners.count >= 64 else { return false }
        let sql = "SELECT MAX(Z_PK) FROM \(SQLName.quotedIfNeeded(table))"
        guard case .integer(let highest)? = try connection.firstValue(sql) else { return false }
        return Int64(owners.count) * 4 >= highest && owners.allSatisfy { $0 <= highest }
    }

    /// Reads the whole table of the destinations and keeps those of the owners.
    private func scan(
        _ table: String, _ ownerColumn: String, _ owners: [Int64], _ plan: RowReadPlan, _ runtime: StoreRuntime,
        _ connection: SQLiteConnection
    ) throws -> ToManyRows {
        let reader = runtime.reader(plan, expecting: owners.count * 8)
        let collector = OwnerCollector(owners, column: plan.columnCount)
        reader.owners = collector
        let list = "\(plan.selectList(alias: "t0")), \(ownerColumn)"
        let sql = "SELECT \(RowFillFunction.name)(\(list)) FROM \(SQLName.quotedIfNeeded(table)) t0"
        try connection.withStatement(sql) { try connection.rowFill.fill(reader, with: $0) }
        return collector.group(reader.slab)
    }

    /// Where the destinations of a to-many are read from; the destination's table goes by `t0`.
    private struct ToManySource {
        /// The table, when all that is needed stands in its rows and in any order.
        var scannedTable: String?
        var ownerTable: String
        var from: String
        var ownerColumn: String
        var isOrdered: Bool
        var order: String
    }

    private func toManySource(_ relationship: RelationshipLayout, _ runtime: StoreRuntime) throws -> ToManySource? {
        guard let owner = runtime.mapping[relationship.owner] else { return nil }
        switch owner.mapping(relationship) {
        case .inverse(let table, let column), .hidden(let table, let column):
            let ownerColumn = "t0." + SQLName.quotedIfNeeded(column.name)
            let order = column.orderColumn.map { "t0.\(SQLName.quotedIfNeeded($0)), " } ?? ""
            return ToManySource(
                scannedTable: column.orderColumn == nil ? table : nil, ownerTable: owner.table,
                from: "FROM \(SQLName.quotedIfNeeded(table)) t0", ownerColumn: ownerColumn,
                isOrdered: column.orderColumn != nil, order: " ORDER BY \(ownerColumn), \(order)t0.Z_PK")
        case .join(let join):
            guard let destination = runtime.mapping[relationship.destination] else { return nil }
            let ownerColumn = "j." + SQLName.quotedIfNeeded(join.ownerColumn)
            let destinationColumn = "j." + SQLName.quotedIfNeeded(join.destinationColumn)
            let order = join.orderColumn.map { "j.\(SQLName.quotedIfNeeded($0)), " } ?? ""
            let pairs = join.source(SQLiteDialect()).sql
            // CROSS JOIN keeps SQLite from beginning with all rows of the destination.
            return ToManySource(
                ownerTable: owner.table,
                from: "FROM \(pairs) j CROSS JOIN \(SQLName.quotedIfNeeded(destination.table)) t0 "
                    + "ON t0.Z_PK = \(destinationColumn)",
                ownerColumn: ownerColumn, isOrdered: join.orderColumn != nil,
                order: " ORDER BY \(ownerColumn), \(order)t0.Z_PK")
        case .toOne, .none: return nil
        }
    }
}

/// Which rows of a result belong to which owner, recorded while the rows are read.
private struct OwnerGroups {
    private var rangeByOwner: [Int64: Range<Int>] = [:]
    private var current: Int64?
    private var start = 0
    /// Whether the rows of each owner stood together. SQLite walks an index that way; it only promises it with ORDER
    /// BY.
    private(set) var isContiguous = true

    mutating func read(_ statement: SQLiteStatement, _ reader: RowReader, ownerColumn: Int32) throws {
        statement.willRun()
        let handle = statement.handle
        while true {
            let code = sqlite3_step(handle)
            guard code == SQLITE_ROW else {
                close(at: reader.slab.count)
                return try statement.finishStep(code)
            }
            let owner = sqlite3_column_int64(handle, ownerColumn)
            if owner != current {
                close(at: reader.slab.count)
                current = owner
            }
            try reader.append { sqlite3_column_value(handle, $0) }
        }
    }

    private mutating func close(at end: Int) {
        if let current, start < end {
            if rangeByOwner.updateValue(start..<end, forKey: current) != nil { isContiguous = false }
        }
        current = nil
        start = end
    }

    func rows(_ slab: RowSlab, owners: [Int64]) -> ToManyRows {
        ToManyRows(rows: slab, ranges: owners.map { rangeByOwner[$0] ?? slab.count..<slab.count })
    }
}
