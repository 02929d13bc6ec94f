import Foundation

/// What an open store works with. Made when the store is opened, and immutable but for its caches.
final class StoreRuntime: Sendable {
    let pool: SQLiteConnectionPool
    let schema: SQLSchema
    let mapping: StoreMapping
    let builder: SQLQueryBuilder
    let externalData: ExternalData
    let unusedFiles: UnusedFiles
    let history: HistoryTables.Presence
    let references = ReferenceAllocator()
    let saveStatements: SaveStatementCache
    let strays: StrayRows
    let derivedSums: DerivedSums

    private struct Caches {
        var plans: [Int: RowReadPlan] = [:]
        var plansWithoutValues: [Int: RowReadPlan] = [:]
        var referenceStatements: [ReferenceStatement: String] = [:]
        /// The same for one reference, by the entity's index and whether values are read.
        var rowStatements: [String?] = []
        var counts: [Int: Int] = [:]
        var statements: [QueryShape: String] = [:]
    }

    /// The number of query shapes to keep; beyond that, the cache is emptied.
    private static let mostShapes = 512

    private struct ReferenceStatement: Hashable {
        var entity: Int
        var hasValues: Bool
        var count: Int
    }

    private let caches = UnfairMutex(Caches())

    init(
        pool: SQLiteConnectionPool, schema: SQLSchema, mapping: StoreMapping, storeIdentifier: String,
        externalData: ExternalData, history: HistoryTables.Presence
    ) {
        self.schema = schema
        derivedSums = DerivedSums(schema)
        self.history = history
        self.pool = pool
        self.mapping = mapping
        strays = StrayRows(storeName: pool.url.lastPathComponent)
        saveStatements = SaveStatementCache(store: mapping)
        self.externalData = externalData
        unusedFiles = UnusedFiles(externalData)
        builder = SQLQueryBuilder(store: mapping, storeIdentifier: storeIdentifier, dialect: SQLiteDialect())
    }

    /// Removes files with large values that are no longer needed. Files that can't be removed now are left for the next
    /// time.
    ///
    /// - Parameter ifDue: Whether to do it only if there are many.
    /// - Returns: Whether all were removed.
    @discardableResult
    func removeUnusedFiles(ifDue: Bool = false) -> Bool {
        guard pool.configuration.isWritable else { return false }
        guard ifDue ? unusedFiles.isRemovalDue : unusedFiles.areKnown else { return !ifDue }
        return (try? pool.write { try unusedFiles.remove(with: $0) }) ?? false
    }

    /// Closes the connections, and removes files with large values that are no longer needed.
    func close() {
        pool.close { writer in
            guard pool.configuration.isWritable, unusedFiles.areKnown else { return }
            // The next opening of the store tries again.
            _ = try? unusedFiles.remove(with: writer)
        }
        unusedFiles.close()
    }

    /// The columns that a fetch of an entity reads.
    func plan(for entity: EntityLayout, hasValues: Bool) throws -> RowReadPlan {
        let cached = caches.withLock { caches in
            hasValues ? caches.plans[entity.index] : caches.plansWithoutValues[entity.index]
        }
        if let cached { return cached }
        guard let mapping = mapping[entity] else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The entity \(entity.name) is not kept in this store.")
        }
        let plan = RowReadPlan(
            mapping: mapping, store: self.mapping, hasValues: hasValues, dialect: builder.dialect)
        caches.withLock { caches in
            if hasValues {
                caches.plans[entity.index] = plan
            } else {
                caches.plansWithoutValues[entity.index] = plan
            }
        }
        return plan
    }

    func reader(_ plan: RowReadPlan, expecting count: Int) -> RowReader {
        let reader = RowReader(plan: plan, expectedCount: count, externalData: externalData, strays: strays)
        if let read = CancellableRead.current { read.rowCount = { reader.slab.count } }
        return reader
    }

    /// The statement that reads some rows by primary key.
    func statement(of plan: RowReadPlan, references count: Int) -> String {
        // A single one is what most faults ask for, and needs no hash.
        if count == 1 {
            let index = plan.mapping.layout.index * 2 + (plan.hasValues ? 1 : 0)
            if let sql = caches.withLock({ index < $0.rowStatements.count ? $0.rowStatements[index] : nil }) {
                return sql
            }
            let sql = builder.rows(entity: plan.mapping, count: 1, selectList: plan.selectList)
            caches.withLock { caches in
                while caches.rowStatements.count <= index { caches.rowStatements.append(nil) }
                caches.rowStatements[index] = sql
            }
            return sql
        }
        let key = ReferenceStatement(
            entity: plan.mapping.layout.index, hasValues: plan.hasValues, count: count)
        return caches.withLock { caches in
            if let sql = caches.referenceStatements[key] { return sql }
            let sql = builder.rows(entity: plan.mapping, count: count, selectList: plan.selectList)
            caches.referenceStatements[key] = sql
            return sql
        }
    }

    /// The statement of a query. The text of a plain one is made once and kept.
    func statement(
        for query: StoreQuery, _ purpose: QueryShape.Purpose, keys: ClosedRange<Int64>? = nil,
        make: () throws -> SQLQueryBuilder.Statement
    ) throws -> SQLQueryBuilder.Statement {
        var values: [SQLValue] = []
        guard let shape = QueryShape(query, purpose, values: &values) else { return try make() }
        if let keys { values += [.integer(keys.lowerBound), .integer(keys.upperBound)] }
        if let sql = caches.withLock({ $0.statements[shape] }) {
            return SQLQueryBuilder.Statement(sql: sql, bindings: values)
        }
        let statement = try make()
        // A translation may convert a value; then another value need not give the same text.
        guard statement.bindings == values else { return statement }
        caches.withLock { caches in
            if caches.statements.count >= Self.mostShapes { caches.statements.removeAll() }
            caches.statements[shape] = statement.sql
        }
        return statement
    }

    // MARK: Stray rows

    /// The query as it has to be put to SQL so that stray rows neither count nor take a position in a window.
    func leavingOutStrays(_ query: StoreQuery) -> StoreQuery {
        guard strays.knowledge(of: query.entity) != .none else { return query }
        var guarded = query
        guarded.leavesOutStrays = true
        return guarded
    }

    /// The query as it is put to SQL first when its rows are read: they show for themselves whether they are stray, but
    /// not those that an offset passes over.
    func readingStrays(_ query: StoreQuery) -> StoreQuery {
        let isSure = query.offset == 0 && (query.limit == 0 || strays.knowledge(of: query.entity) != .some)
        return isSure ? query : leavingOutStrays(query)
    }

    /// Notes that all rows of a table were read, and none was stray.
    func recordNoStrays(in query: StoreQuery) {
        guard isAboutAllRows(query), strays.knowledge(of: query.entity) == .unknown else { return }
        strays.recordNone(in: query.entity)
    }

    /// Whether a query is about a whole table, row for row.
    func isAboutAllRows(_ query: StoreQuery) -> Bool {
        query.predicate == nil && query.limit == 0 && query.offset == 0 && builder.isAboutWholeTable(query)
    }

    // MARK: How much to expect

    /// How many rows the last fetch of all rows of an entity gave, so that the next one reserves its memory at once.
    func countHint(of query: StoreQuery) -> Int {
        let count = knownCount(of: query) ?? 64
        return count + count / 16
    }

    /// How many rows the last fetch of all rows of an entity gave; `nil` before the first one.
    func knownCount(of query: StoreQuery) -> Int? { caches.withLock { $0.counts[hintKey(query)] } }

    func recordCount(_ count: Int, of query: StoreQuery) {
        caches.withLock { $0.counts[hintKey(query)] = count }
    }

    private func hintKey(_ query: StoreQuery) -> Int { query.entity.index * 2 + (query.includesSubentities ? 1 : 0) }
}
