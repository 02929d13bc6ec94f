import CSQLite
import Foundation

/// Executes a save plan on one connection, inside a transaction that the caller owns.
///
/// The order frees unique values before it uses them: links and rows are deleted first, then rows are updated, then
/// inserted. A row whose unique values are still used by a row that is about to change waits for the others.
final class SaveExecutor {
    let store: StoreMapping
    let connection: SQLiteConnection
    let plan: SavePlan
    let binder: PropertyBinder
    let statements: SaveStatements
    private let forms: SaveStatementCache
    /// Rows that were changed or deleted elsewhere.
    private(set) var conflicts: [(change: RowChange, isDelete: Bool)] = []
    /// Changes whose unique values another row has.
    var waiting: [WaitingChange] = []
    // Exclusivity is not checked at run time: a statement that runs does not come back to the executor.
    @exclusivity(unchecked) private var held: HeldStatement
    private var lastDelete: (entity: EntityLayout, checksVersion: Bool, sql: String)?

    /// Rows in one statement when many are inserted.
    private static let rowsPerInsert = 50

    init(
        plan: SavePlan, store: StoreMapping, forms: SaveStatementCache, connection: SQLiteConnection,
        externalData: @escaping (Data) throws -> Data
    ) {
        self.plan = plan
        self.store = store
        self.connection = connection
        binder = PropertyBinder(store: store, externalData: externalData)
        statements = SaveStatements(store: store)
        self.forms = forms
        held = HeldStatement(connection)
    }

    /// Writes everything but metadata and history. Look at `conflicts` and `waiting` afterwards.
    func run() throws {
        defer { held.release() }
        try deleteLinks()
        try deleteRows()
        try updateRows()
        let indexes = SuspendedIndexes(connection)
        try indexes.suspend(try newRows())
        if !indexes.isEmpty {
            try insertRows(indexes.before)
            try insertLinks(indexes.before)
            try indexes.resume()
        }
        try insertRows(indexes.after)
        try settleWaiting()
        guard conflicts.isEmpty, waiting.isEmpty else { return }
        try insertLinks(indexes.after)
        try changeHiddenOwners()
        try writeOrders()
    }

    func mapping(_ entity: EntityLayout) throws -> EntityMapping {
        guard let mapping = store[entity] else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The entity \(entity.name) has no table in this store.")
        }
        return mapping
    }

    // MARK: Rows

    /// How many rows each table gets, tables of pairs included.
    private func newRows() throws -> [String: Int] {
        guard plan.inserts.count + plan.linkInserts.count >= SuspendedIndexes.fewestRows else { return [:] }
        var counts: [String: Int] = [:]
        for rows in Self.runs(of: plan.inserts, by: { $0.entity === $1.entity }) {
            counts[try mapping(rows[rows.startIndex].entity).table, default: 0] += rows.count
        }
        for links in Self.runs(of: plan.linkInserts, by: { $0.relationship === $1.relationship }) {
            counts[try join(links[links.startIndex].relationship).table, default: 0] += links.count
        }
        return counts
    }

    /// The parts of a list in which neighbors belong together; none is empty.
    private static func runs<Element>(
        of list: [Element], by belongsTogether: (Element, Element) -> Bool
    ) -> [ArraySlice<Element>] {
        var runs: [ArraySlice<Element>] = []
        var start = 0
        while start < list.count {
            var end = start + 1
            while end < list.count, belongsTogether(list[start], list[end]) { end += 1 }
            runs.append(list[start..<end])
            start = end
        }
        return runs
    }

    private func deleteRows() throws {
        var references: [Int: [Int64]] = [:]
        for change in plan.deletes {
            let statement = try held.use(deleteSQL(change))
            try statement.bind(change.reference, at: 1)
            if change.checksVersion { try statement.bind(change.version, at: 2) }
            try statement.execute()
            if connection.changes == 0, change.checksVersion { conflicts.append((change, true)) }
            references[change.entity.index, default: []].append(change.reference)
        }
        for (entity, references) in references.sorted(by: { $0.key < $1.key }) {
            guard let mapping = store.entities[entity] else { continue }
            try deleteTraces(of: references, mapping)
        }
    }

    private func deleteSQL(_ change: RowChange) throws -> String {
        let checksVersion = change.checksVersion
        if let last = lastDelete, last.entity === change.entity, last.checksVersion == checksVersion { return last.sql }
        let sql = statements.delete(try mapping(change.entity), checksVersion: checksVersion)
        lastDelete = (change.entity, checksVersion, sql)
        return sql
    }

    /// Removes what refers to deleted rows without being a property of another one: their pairs, and the hidden columns
    /// of rows that they owned. The writer need not have read them.
    private func deleteTraces(of references: [Int64], _ entity: EntityMapping) throws {
        for relationship in entity.relationships {
            try ReferenceBatch.forEach(references) { batch, count in
                for sql in statements.deleteTraces(relationship, count: count) {
                    let statement = try held.use(sql)
                    try statement.bind(references: batch, count: count)
                    try statement.execute()
                }
            }
        }
    }

    private func updateRows() throws {
        // Most updates of a save change the same slots of the same entity.
        var entity: EntityLayout?
        var slots: [Int] = []
        var checksVersion = true
        var form = SaveStatementCache.Form(fields: [], sql: "")
        for change in plan.updates {
            guard change.version < RowSlab.lastVersion else { throw try exhaustedVersion(of: change) }
            if entity !== change.entity || slots != change.slots || checksVersion != (change.version >= 0) {
                entity = change.entity
                slots = change.slots
                checksVersion = change.version >= 0
                form = forms.update(try mapping(change.entity), slots: slots, checksVersion: checksVersion)
            }
            try waitingForOthers(change, isInsert: false) { try update(change, form) }
        }
    }

    private func exhaustedVersion(of change: RowChange) throws -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreSaveError,
            "The row \(change.reference) of table \(try mapping(change.entity).table) can't be changed: its version "
                + "(Z_OPT) is out of range, which is damage. Delete the object, or restore the store from a backup.",
            path: connection.path)
    }

    private func update(_ change: RowChange, _ form: SaveStatementCache.Form) throws {
        defer { binder.reset() }
        let statement = try held.use(form.sql)
        let index = try bind(change, form, to: statement, at: 1)
        try statement.bind(change.reference, at: index)
        if change.version >= 0 { try statement.bind(change.version, at: index + 1) }
        try statement.execute()
        if connection.changes == 0 { conflicts.append((change, false)) }
    }

    /// - Parameter part: Which rows of a run are meant, given their number.
    private func insertRows(_ part: (Int) -> Range<Int>) throws {
        for rows in Self.runs(of: plan.inserts, by: { $0.entity === $1.entity }) {
            try insert(Self.part(of: rows, part), of: try mapping(rows[rows.startIndex].entity))
        }
    }

    private static func part<Element>(
        of run: ArraySlice<Element>, _ part: (Int) -> Range<Int>
    ) -> ArraySlice<Element> {
        let range = part(run.count)
        return run[run.startIndex + range.lowerBound..<run.startIndex + range.upperBound]
    }

    private func insert(_ rows: ArraySlice<RowChange>, of entity: EntityMapping) throws {
        var rest = rows
        // One statement for many rows cannot say which of them broke a constraint.
        if rows.count >= Self.rowsPerInsert, UniqueConstraint.all(of: entity.layout).isEmpty {
            let form = forms.insert(entity, rows: Self.rowsPerInsert, rollingBack: true)
            while rest.count >= Self.rowsPerInsert {
                try insert(rest.prefix(Self.rowsPerInsert), form)
                rest = rest.dropFirst(Self.rowsPerInsert)
            }
        }
        guard !rest.isEmpty else { return }
        let form = forms.insert(entity, rows: 1, rollingBack: false)
        for position in rest.indices {
            try waitingForOthers(rest[position], isInsert: true) { try insert(rest[position...position], form) }
        }
    }

    private func insert(_ rows: ArraySlice<RowChange>, _ form: SaveStatementCache.Form) throws {
        defer { binder.reset() }
        let statement = try held.use(form.sql)
        var index: Int32 = 1
        for position in rows.indices {
            try statement.bind(rows[position].reference, at: index)
            index = try bind(rows[position], form, to: statement, at: index + 1)
        }
        try statement.execute()
    }

    /// Binds the values of a row.
    ///
    /// - Returns: The next placeholder.
    private func bind(
        _ change: RowChange, _ form: SaveStatementCache.Form, to statement: SQLiteStatement, at first: Int32
    ) throws -> Int32 {
        var index = first
        for position in form.plainSlots.indices {
            let slot = form.plainSlots[position]
            if slot >= 0, try binder.bind(simple: change.value(slot), to: statement, at: index) {
                index += 1
            } else {
                let field = form.fields[position]
                index = try binder.bind(
                    change.value(field.slot.index), slot: field.slot, column: field.column, to: statement, at: index)
            }
        }
        return index
    }

    // MARK: Unique values

    /// Runs a statement; when a unique index refuses it, the change waits until the others are done.
    private func waitingForOthers(_ change: RowChange, isInsert: Bool, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as SQLiteError where error.isUniquenessViolation && connection.isInTransaction {
            guard !UniqueConstraint.all(of: change.entity).isEmpty else { throw error }
            waiting.append(WaitingChange(change: change, isInsert: isInsert, error: error))
        }
    }

    func retry(_ entry: WaitingChange) throws {
        let entity = try mapping(entry.change.entity)
        try waitingForOthers(entry.change, isInsert: entry.isInsert) {
            if entry.isInsert {
                try insert([entry.change], forms.insert(entity, rows: 1, rollingBack: false))
            } else {
                let slots = entry.change.slots
                try update(
                    entry.change, forms.update(entity, slots: slots, checksVersion: entry.change.version >= 0))
            }
        }
    }

    func clearUniqueColumns(of change: RowChange) throws {
        let entity = try mapping(change.entity)
        let unique = Set(UniqueConstraint.all(of: change.entity).flatMap { $0.slots.map(\.index) })
        let fields = statements.fields(of: entity, slots: change.slots.filter(unique.contains))
        guard !fields.isEmpty else { return }
        try connection.run(statements.clear(entity, fields), [.integer(change.reference)])
    }

    // MARK: Pairs

    /// Deletes pairs of rows that stay; those of rows that go are removed together (`deleteTraces`).
    private func deleteLinks() throws {
        var gone: [Int: Set<Int64>] = [:]
        if !plan.linkDeletes.isEmpty {
            for change in plan.deletes { gone[change.entity.root.index, default: []].insert(change.reference) }
        }
        for link in plan.linkDeletes
        where gone[link.relationship.owner.root.index]?.contains(link.owner) != true {
            let statement = try held.use(statements.deleteLink(try join(link.relationship)))
            try statement.bind(link.owner, at: 1)
            try statement.bind(link.destination, at: 2)
            try statement.execute()
        }
    }

    /// - Parameter part: Which pairs of a run are meant, given their number.
    private func insertLinks(_ part: (Int) -> Range<Int>) throws {
        for links in Self.runs(of: plan.linkInserts, by: { $0.relationship === $1.relationship }) {
            try insert(Self.part(of: links, part), into: try join(links[links.startIndex].relationship))
        }
    }

    private func insert(_ links: ArraySlice<LinkChange>, into join: JoinMapping) throws {
        var rest = links
        while let first = rest.indices.first {
            let count = rest.count >= Self.rowsPerInsert && !join.isReflexive ? Self.rowsPerInsert : 1
            let statement = try held.use(statements.insertLinks(join, rows: count))
            var index: Int32 = 1
            for position in first..<first + count {
                try statement.bind(rest[position].owner, at: index)
                try statement.bind(rest[position].destination, at: index + 1)
                index += 2
            }
            try statement.execute()
            rest = rest.dropFirst(count)
        }
    }

    func join(_ relationship: RelationshipLayout) throws -> JoinMapping {
        if case .join(let join) = try mapping(relationship.owner).mapping(relationship) { return join }
        throw CoreDataError.make(
            NSPersistentStoreSaveError,
            "The relationship \(relationship.name) of \(relationship.owner.name) is not kept in a table of pairs.")
    }
}

extension RowChange {
    /// Whether the row may be deleted only if it still has the version that was read. A damaged version can't be
    /// compared.
    fileprivate var checksVersion: Bool { version >= 0 && version < RowSlab.lastVersion }

    /// The value of a slot; what a new row was given no value for is null.
    @inline(__always)
    func value(_ slot: Int) -> PropertyValue { slot < values.count ? values[slot] : .null }
}
