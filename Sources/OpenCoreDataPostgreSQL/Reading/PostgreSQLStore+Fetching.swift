#if PostgreSQL
import Foundation
package import OpenCoreData

extension PostgreSQLStore {
    package func fetchRows(_ query: StoreQuery) throws -> RowSlab {
        if let lock = query.lock { return try lockRows(query, lock) }
        return try answering(query) {
            try readRows($0)
        } evaluating: {
            try RowEvaluation(store: self).rows($0)
        }
    }

    private func readRows(_ query: StoreQuery) throws -> RowSlab {
        let runtime = try runtime()
        let query = runtime.readingStrays(query)
        let plan = try runtime.plan(for: query.entity, hasValues: query.includesValues)
        let statement = try runtime.statement(for: query, .rows) {
            try runtime.builder.rows(query, selectList: plan.selectList)
        }
        let reader = reader(plan, expecting: query.limit > 0 ? min(query.limit, 4_096) : 64)
        try runtime.connections.with { connection in
            try connection.forEachRow(statement.sql, statement.parameters) { try reader.append($0) }
        }
        return reader.slab
    }

    package func countRows(_ query: StoreQuery) throws -> Int {
        try answering(query) { query in
            let runtime = try runtime()
            let query = runtime.leavingOutStrays(query)
            let statement = try runtime.statement(for: query, .count) { try runtime.builder.count(query) }
            return try runtime.connections.with { connection in
                let result = try connection.execute(statement.sql, statement.parameters)
                return Int(try result.first?.integer(0) ?? 0)
            }
        } evaluating: { query in
            var query = query
            query.sortDescriptors = []
            query.includesValues = false
            return try RowEvaluation(store: self).rows(query).count
        }
    }

    package func fetchRows(references: [Int64], entity: EntityLayout, includesValues: Bool) throws -> RowSlab {
        try translatingErrors(NSPersistentStoreOperationError) {
            let runtime = try runtime()
            let plan = try runtime.plan(for: entity, hasValues: includesValues)
            let reader = reader(plan, expecting: references.count)
            guard !references.isEmpty else { return reader.slab }
            let statement = PostgreSQLStatement(
                "SELECT \(plan.selectList(alias: "t0")) FROM \(runtime.schema.source(plan.mapping.table)) t0 "
                    + "WHERE t0.\(SQLName.quoted(plan.mapping.system.key)) = ANY($1::int8[])",
                Self.keys(references))
            try runtime.connections.with { connection in
                try connection.forEachRow(statement.sql, statement.parameters) { try reader.append($0) }
            }
            return reader.slab
        }
    }

    func reader(_ plan: PostgreSQLReadPlan, expecting count: Int) -> PostgreSQLRowReader {
        let reader = PostgreSQLRowReader(plan, expecting: count)
        if let read = CancellableRead.current { read.rowCount = { reader.slab.count } }
        return reader
    }

    static func keys(_ references: [Int64]) -> PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        parameters.append(SaveStatements.array(references))
        return parameters
    }

    // MARK: To-many relationships

    package func fetchToMany(
        _ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool
    ) throws -> ToManyRows {
        try translatingErrors(NSPersistentStoreOperationError) {
            let runtime = try runtime()
            guard let source = toManySource(relationship, runtime), !owners.isEmpty else {
                return ToManyRows(
                    rows: RowSlab(entity: relationship.destination), ranges: owners.map { _ in 0..<0 })
            }
            let plan = try runtime.plan(for: relationship.destination, hasValues: includesValues)
            let reader = reader(plan, expecting: max(16, owners.count * 8))
            let sql =
                "SELECT \(plan.selectList(alias: "t0")), \(source.owner) FROM \(source.from) "
                + "WHERE \(source.owner) = ANY($1::int8[]) ORDER BY \(source.owner), \(source.order)"
            var ranges: [Int64: Range<Int>] = [:]
            let ownerColumn = plan.columnCount
            try runtime.connections.with { connection in
                try connection.forEachRow(sql, Self.keys(owners)) { row in
                    let owner = try row.integer(ownerColumn)
                    guard try reader.append(row) else { return }
                    let end = reader.slab.count
                    ranges[owner] = (ranges[owner]?.lowerBound ?? end - 1)..<end
                }
            }
            let end = reader.slab.count
            return ToManyRows(rows: reader.slab, ranges: owners.map { ranges[$0] ?? end..<end })
        }
    }

    /// Where the destinations of a to-many are read from; the destination's table goes by `t0`.
    private func toManySource(
        _ relationship: RelationshipLayout, _ runtime: PostgreSQLRuntime
    ) -> (from: String, owner: String, order: String)? {
        guard let owner = runtime.mapping[relationship.owner],
            let destination = runtime.mapping[relationship.destination]
        else { return nil }
        let key = "t0.\(SQLName.quoted(destination.system.key))"
        func order(_ alias: String, _ column: String?) -> String {
            column.map { "\(alias).\(SQLName.quoted($0)) NULLS FIRST, \(key)" } ?? key
        }
        switch owner.mapping(relationship) {
        case .inverse(let table, let column), .hidden(let table, let column):
            return (
                "\(runtime.schema.source(table)) t0", "t0.\(SQLName.quoted(column.name))",
                order("t0", column.orderColumn)
            )
        case .join(let join):
            let pairs = join.source(runtime.dialect).sql
            return (
                "\(pairs) j JOIN \(runtime.schema.source(destination.table)) t0 "
                    + "ON \(key) = j.\(SQLName.quoted(join.destinationColumn))",
                "j.\(SQLName.quoted(join.ownerColumn))", order("j", join.orderColumn)
            )
        case .toOne, .none: return nil
        }
    }
}
#endif
