import CSQLite
import Foundation

extension SQLiteStore {
    package func fetchRows(_ query: StoreQuery) throws -> RowSlab { try answering(query, readRows) }

    private func readRows(_ query: StoreQuery) throws -> RowSlab {
        let runtime = try runtime()
        let plan = try runtime.plan(for: query.entity, hasValues: query.includesValues)
        if query.isUnordered, plan.columnCount <= RowFillFunction.maximumArguments {
            return try fetchUnordered(query, plan, runtime)
        }
        return try runtime.pool.read { connection in
            try runtime.lookForStrays(passedOverBy: query, connection)
            let first = runtime.readingStrays(query)
            let reader = try read(first, plan, runtime, connection)
            guard reader.hasStrays, query.limit > 0, !first.leavesOutStrays else { return reader.slab }
            // They took the positions of others.
            return try read(runtime.leavingOutStrays(query), plan, runtime, connection).slab
        }
    }

    private func read(
        _ query: StoreQuery, _ plan: RowReadPlan, _ runtime: StoreRuntime, _ connection: SQLiteConnection
    ) throws -> RowReader {
        let statement = try runtime.statement(for: query, .rows) {
            try runtime.builder.rows(query, selectList: plan.selectList)
        }
        let reader = runtime.reader(plan, expecting: query.limit > 0 ? min(query.limit, 4_096) : 64)
        try connection.withStatement(statement.sql) { prepared in
            try prepared.bind(statement.bindings)
            try reader.appendAll(prepared)
        }
        return reader
    }

    /// Reads all rows of a query in one step of the statement.
    private func fetchUnordered(_ query: StoreQuery, _ plan: RowReadPlan, _ runtime: StoreRuntime) throws -> RowSlab {
        let hint = query.predicate == nil ? runtime.countHint(of: query) : 8
        return try runtime.pool.read { connection in
            let reader = try runtime.filledReader(query, plan, expecting: hint, with: connection)
            if query.predicate == nil { runtime.recordCount(reader.slab.count, of: query) }
            if !reader.hasStrays { runtime.recordNoStrays(in: query) }
            return reader.slab
        }
    }

    package func countRows(_ query: StoreQuery) throws -> Int { try answering(query, countInSQL) }

    private func countInSQL(_ query: StoreQuery) throws -> Int {
        let runtime = try runtime()
        return try runtime.pool.read { connection in
            let isPlain = runtime.isAboutAllRows(query)
            if isPlain, runtime.strays.knowledge(of: query.entity) == .unknown {
                return try countLookingForStrays(query, runtime, connection)
            }
            let query = runtime.leavingOutStrays(query)
            let statement = try runtime.statement(for: query, .count) { try runtime.builder.count(query) }
            guard case .integer(let count)? = try connection.firstValue(statement.sql, statement.bindings) else {
                return 0
            }
            return Int(count)
        }
    }

    /// Counts the rows of a table of which nothing is known yet.
    private func countLookingForStrays(
        _ query: StoreQuery, _ runtime: StoreRuntime, _ connection: SQLiteConnection
    ) throws -> Int {
        let statement = try runtime.builder.countWithStrays(query)
        let row = try connection.rows(statement.sql, statement.bindings).first
        guard case .integer(let all)? = row?.first, case .integer(let count)? = row?.last else { return 0 }
        if all == count {
            runtime.strays.recordNone(in: query.entity)
        } else if let mapping = runtime.mapping[query.entity],
            let stray = try connection.strayRow(of: mapping, in: runtime.mapping)
        {
            runtime.strays.record(stray.reference, number: stray.number, in: mapping)
        }
        return Int(count)
    }

    package func fetchRows(references: [Int64], entity: EntityLayout, includesValues: Bool) throws -> RowSlab {
        let runtime = try runtime()
        let plan = try runtime.plan(for: entity, hasValues: includesValues)
        return try runtime.pool.read { connection in
            let reader = runtime.reader(plan, expecting: references.count)
            try ReferenceBatch.forEach(references) { batch, count in
                // Few shapes of statement, so that they stay prepared: the last reference fills the list up.
                let sql = runtime.statement(of: plan, references: count)
                try connection.withStatement(sql) { prepared in
                    try prepared.bind(references: batch, count: count)
                    try reader.appendAll(prepared)
                }
            }
            return reader.slab
        }
    }
}

extension StoreRuntime {
    /// Looks once for stray rows in a table that a query, which does not show its rows, is about to read as a whole:
    /// afterwards nothing has to be left out while such queries run.
    func lookForStrays(before query: StoreQuery, _ connection: SQLiteConnection) throws {
        guard isAboutAllRows(query), strays.knowledge(of: query.entity) == .unknown, let mapping = mapping[query.entity]
        else { return }
        try lookForStrays(in: mapping, for: query, connection)
    }

    /// Looks once for stray rows in a table of which fetches with an offset have passed over a good part of the rows:
    /// while each such row has to be looked at, an index that has the order doesn't help.
    func lookForStrays(passedOverBy query: StoreQuery, _ connection: SQLiteConnection) throws {
        guard query.offset > 0, query.predicate == nil, builder.isAboutWholeTable(query),
            strays.knowledge(of: query.entity) == .unknown, let mapping = mapping[query.entity]
        else { return }
        let passed = strays.recordPassedOver(query.offset, in: query.entity)
        guard passed >= Self.fewestPassedOver else { return }
        let sql = "SELECT MAX(Z_PK) FROM \(SQLName.quotedIfNeeded(mapping.table))"
        guard case .integer(let highest)? = try connection.firstValue(sql), passed >= highest / 4 else { return }
        try lookForStrays(in: mapping, for: query, connection)
    }

    /// To look at fewer rows than these costs nothing to speak of.
    private static let fewestPassedOver: Int64 = 1_000

    private func lookForStrays(
        in mapping: EntityMapping, for query: StoreQuery, _ connection: SQLiteConnection
    ) throws {
        if let stray = try connection.strayRow(of: mapping, in: self.mapping) {
            strays.record(stray.reference, number: stray.number, in: mapping)
        } else {
            strays.recordNone(in: query.entity)
        }
    }
}

extension SQLiteConnection {
    /// The first stray row of the table of an entity's tree.
    fileprivate func strayRow(
        of entity: EntityMapping, in store: StoreMapping
    ) throws -> (reference: Int64, number: Int64)? {
        let isMember = store.membershipCondition(of: entity.layout.root.subtree, alias: "t0")
        let row = try rows(
            "SELECT t0.Z_PK, CAST(t0.Z_ENT AS INTEGER) FROM \(SQLName.quotedIfNeeded(entity.table)) t0 "
                + "WHERE (\(isMember)) IS NOT TRUE LIMIT 1"
        ).first
        guard case .integer(let reference)? = row?.first else { return nil }
        return if case .integer(let number)? = row?.last { (reference, number) } else { (reference, 0) }
    }
}

extension RowReader {
    /// Appends the remaining rows of a statement.
    func appendAll(_ statement: SQLiteStatement) throws {
        statement.willRun()
        let handle = statement.handle
        while true {
            let code = sqlite3_step(handle)
            guard code == SQLITE_ROW else { return try statement.finishStep(code) }
            try append { sqlite3_column_value(handle, $0) }
        }
    }
}
