#if PostgreSQL
import Foundation
import OpenCoreData

/// What an open store works with. Made when the store is opened, and immutable but for its caches.
final class PostgreSQLRuntime: Sendable {
    let connections: StoreConnections
    let schema: PostgreSQLSchema
    let builder: SQLQueryBuilder
    /// The same for conditions in which texts that the server can't fold fulfill each search; nil without indexes for searches.
    let wideBuilder: SQLQueryBuilder?
    let dialect: PostgreSQLDialect
    let forms: SaveForms
    let references = KeyBlocks()
    /// Whether the store records its history.
    let isRecording: Bool
    /// What is added to the server's transaction numbers.
    let numberBase: Int64
    /// Looks whether the version of the model is still one of the store's; nil where versions are ignored.
    let version: ModelVersions.Guard?
    let storeIdentifier: String
    /// The database for messages.
    let location: String
    let derived: [DerivedAttribute]
    let owners: UncheckedOwners
    let history: HistoryStatements.Constants

    var mapping: StoreMapping { schema.mapping }

    private struct PlanKey: Hashable {
        var entity: Int
        var hasValues: Bool
    }

    /// The text of a query, and as it was last sent.
    private struct KnownStatement {
        var sql: String
        var form: NumberedStatement.Form?
    }

    private struct Caches {
        var plans: [PlanKey: PostgreSQLReadPlan] = [:]
        var statements: [QueryShape: KnownStatement] = [:]
        var dateSlots: [Int: Set<Int>] = [:]
    }

    private let caches = UnfairMutex(Caches())

    /// The number of query shapes to keep; beyond that, the cache is emptied.
    private static let mostShapes = 512

    init(
        connections: StoreConnections, schema: PostgreSQLSchema, storeIdentifier: String, isRecording: Bool,
        numberBase: Int64, version: ModelVersions.Guard?, owners: UncheckedOwners, location: String,
        texts: TextIndexes = TextIndexes()
    ) {
        self.owners = owners
        self.connections = connections
        self.schema = schema
        self.storeIdentifier = storeIdentifier
        self.isRecording = isRecording
        self.numberBase = numberBase
        self.version = version
        self.location = location
        dialect = PostgreSQLDialect(
            schema: schema.name, sources: schema.existing.mapValues(\.source),
            collations: schema.collations, mandatory: schema.mandatory, texts: texts)
        builder = SQLQueryBuilder(store: schema.mapping, storeIdentifier: storeIdentifier, dialect: dialect)
        var wide = dialect
        wide.findsUnfolded = true
        wideBuilder =
            texts.searched.isEmpty
            ? nil : SQLQueryBuilder(store: schema.mapping, storeIdentifier: storeIdentifier, dialect: wide)
        forms = SaveForms(schema)
        history = HistoryStatements.Constants(schema, numberBase: numberBase)
        derived = schema.mapping.entities.compactMap { $0 }.flatMap { entity in
            entity.layout.slots.compactMap { $0 }
                .filter { slot in
                    // An inherited one belongs to the entity that declares it.
                    entity.layout.parent.flatMap { schema.mapping[$0] }.map { $0.layout.slotCount <= slot.index }
                        ?? true
                }
                .compactMap { DerivedAttribute($0, of: entity, in: schema) }
        }
    }

    /// How rows of an entity are read.
    func plan(for entity: EntityLayout, hasValues: Bool) throws -> PostgreSQLReadPlan {
        let key = PlanKey(entity: entity.index, hasValues: hasValues)
        if let known = caches.withLock({ $0.plans[key] }) { return known }
        guard let mapping = mapping[entity] else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The entity \(entity.name) is not kept in this store.")
        }
        let plan = PostgreSQLReadPlan(
            mapping: mapping, store: self.mapping, hasValues: hasValues, dialect: dialect,
            existing: schema.existing[mapping.table])
        caches.withLock { $0.plans[key] = plan }
        return plan
    }

    /// The slots of an entity that have dates.
    func dateSlots(of entity: EntityLayout) -> Set<Int> {
        if let known = caches.withLock({ $0.dateSlots[entity.index] }) { return known }
        let slots = Set(entity.slots.compactMap { $0 }.filter { $0.kind == .date && !$0.isTransient }.map(\.index))
        caches.withLock { $0.dateSlots[entity.index] = slots }
        return slots
    }

    // MARK: Stray rows

    /// The query as it is put to SQL so that rows of no entity, and those with negative keys, neither count nor take a
    /// position in a window. Tables of others have none.
    func leavingOutStrays(_ query: StoreQuery) -> StoreQuery {
        guard !schema.isExisting else { return query }
        var guarded = query
        guarded.leavesOutStrays = true
        return guarded
    }

    /// The same for a query whose rows are read: they show for themselves whether they are stray, unless others stand in
    /// their positions.
    func readingStrays(_ query: StoreQuery) -> StoreQuery {
        query.limit > 0 || query.offset > 0 ? leavingOutStrays(query) : query
    }

    /// The statement of a query. The text of a plain one is made once and kept.
    func statement(
        for query: StoreQuery, _ purpose: QueryShape.Purpose, make: () throws -> SQLQueryBuilder.Statement
    ) throws -> PostgreSQLStatement {
        var values: [SQLValue] = []
        guard let shape = QueryShape(query, purpose, values: &values) else {
            return try NumberedStatement(make()).statement
        }
        if let known = caches.withLock({ $0.statements[shape] }) {
            if let form = known.form, form.fits(values) { return try NumberedStatement(form, values).statement }
            let numbered = try NumberedStatement(SQLQueryBuilder.Statement(sql: known.sql, bindings: values))
            let form = NumberedStatement.form(of: numbered, values)
            caches.withLock { $0.statements[shape]?.form = form }
            return numbered.statement
        }
        let statement = try make()
        // A translation may convert a value; then another value need not give the same text.
        if statement.bindings == values, query.predicate == nil || !Self.hasReals(values) {
            caches.withLock { caches in
                if caches.statements.count >= Self.mostShapes { caches.statements.removeAll() }
                caches.statements[shape] = KnownStatement(sql: statement.sql)
            }
        }
        return try NumberedStatement(statement).statement
    }

    /// How a number in floating point is compared depends on what it is.
    private static func hasReals(_ values: [SQLValue]) -> Bool {
        values.contains { if case .real = $0 { true } else { false } }
    }
}
#endif
