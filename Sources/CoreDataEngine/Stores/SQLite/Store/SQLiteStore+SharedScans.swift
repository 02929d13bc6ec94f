import CSQLite
import Synchronization

/// Large tables, read by two threads.
extension SQLiteStore {
    package func fetchRowParts(_ query: StoreQuery) throws -> [RowSlab] {
        guard query.predicate == nil, query.isUnordered, !query.isBatched, let parts = try fetchTogether(query) else {
            return [try fetchRows(query)]
        }
        return parts
    }

    /// - Returns: `nil` for a table that is not large, or when no two readers are free.
    private func fetchTogether(_ query: StoreQuery) throws -> [RowSlab]? {
        let runtime = try runtime()
        let plan = try runtime.plan(for: query.entity, hasValues: query.includesValues)
        guard plan.columnCount <= RowFillFunction.maximumArguments else { return nil }
        let known = runtime.knownCount(of: query)
        guard try known.map({ $0 >= SharedScan.fewestRows }) ?? mayBeLarge(plan.mapping) else { return nil }
        let expected = known.map { $0 / SharedScan.mostRanges } ?? 64
        let strays = SharedFlag()
        let slabs = try runtime.pool.readTogether { connection, helping -> [RowSlab] in
            guard let keys = try connection.keys(of: plan.mapping) else { return [] }
            let scan = SharedScan(keys, helping: helping) { connection, keys in
                let reader = try runtime.filledReader(query, plan, keys: keys, expecting: expected, with: connection)
                if reader.hasStrays { strays.set() }
                return reader.slab
            }
            return try scan.run(connection)
        }
        if let slabs {
            runtime.recordCount(slabs.reduce(0) { $0 + $1.count }, of: query)
            if !strays.isSet { runtime.recordNoStrays(in: query) }
        }
        return slabs
    }

    /// Whether an entity's table may have many rows, by the file's size and the keys.
    private func mayBeLarge(_ mapping: EntityMapping) throws -> Bool {
        let pool = try runtime().pool
        // A small file is not worth the statement that asks.
        guard LogState(of: pool.url).byteCount >= SharedScan.fewestBytes,
            let keys = try pool.read({ try $0.keys(of: mapping) })
        else { return false }
        let (span, isHuge) = keys.upperBound.subtractingReportingOverflow(keys.lowerBound)
        return isHuge || span >= SharedScan.fewestRows
    }
}

extension StoreRuntime {
    /// Reads a query's rows in one step of its statement.
    ///
    /// - Parameters:
    ///   - keys: Reads only rows whose primary key is one of these.
    ///   - count: How many rows to make room for.
    func filledReader(
        _ query: StoreQuery, _ plan: RowReadPlan, keys: ClosedRange<Int64>? = nil, expecting count: Int,
        with connection: SQLiteConnection
    ) throws -> RowReader {
        let statement = try statement(for: query, keys == nil ? .fill : .fillRange, keys: keys) {
            try builder.rows(query, keys: keys) { "\(RowFillFunction.name)(\(plan.selectList(alias: $0)))" }
        }
        let reader = reader(plan, expecting: count)
        try connection.withStatement(statement.sql) { prepared in
            try prepared.bind(statement.bindings)
            try connection.rowFill.fill(reader, with: prepared)
        }
        return reader
    }
}

/// Something that one of two threads notices.
private final class SharedFlag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
}

extension SQLiteConnection {
    /// The lowest and the highest primary key of an entity's table; `nil` for a table without rows.
    fileprivate func keys(of mapping: EntityMapping) throws -> ClosedRange<Int64>? {
        let table = SQLName.quotedIfNeeded(mapping.table)
        // Each looks at one end of the table; both in one SELECT would read all of it.
        let ends = try rows("SELECT (SELECT MIN(Z_PK) FROM \(table)), (SELECT MAX(Z_PK) FROM \(table))").first
        guard case .integer(let first)? = ends?.first, case .integer(let last)? = ends?.last, first <= last else {
            return nil
        }
        return first...last
    }
}
