/// The statements that saves use again and again, made once for an open store.
final class SaveStatementCache: Sendable {
    /// A statement and what is bound to its placeholders, in order.
    struct Form: Sendable {
        let fields: [SaveStatements.Field]
        let sql: String
        /// For each field the slot, if it has one placeholder and nothing has to be known of the column; -1 for others. Fields
        /// are many, and to look at one is to count the references in it.
        let plainSlots: [Int]

        init(fields: [SaveStatements.Field], sql: String) {
            self.fields = fields
            self.sql = sql
            plainSlots = fields.map { field in
                field.column.leaves.isEmpty && field.column.entityColumn == nil ? field.slot.index : -1
            }
        }
    }

    private struct UpdateKey: Hashable {
        var entity: Int
        var slots: [Int]
        var checksVersion: Bool
    }

    private struct InsertKey: Hashable {
        var entity: Int
        var rows: Int
        var rollingBack: Bool
    }

    private struct Forms {
        var inserts: [InsertKey: Form] = [:]
        var updates: [UpdateKey: Form] = [:]
    }

    private let store: StoreMapping
    private let forms = UnfairMutex(Forms())

    /// The number of updates to keep; beyond that, the cache is emptied.
    private static let mostUpdates = 256

    init(store: StoreMapping) { self.store = store }

    /// `INSERT` of rows of an entity.
    func insert(_ entity: EntityMapping, rows: Int, rollingBack: Bool) -> Form {
        let key = InsertKey(entity: entity.layout.index, rows: rows, rollingBack: rollingBack)
        if let known = forms.withLock({ $0.inserts[key] }) { return known }
        let statements = SaveStatements(store: store)
        let fields = statements.fields(of: entity)
        let form = Form(
            fields: fields, sql: statements.insert(entity, fields, rows: rows, rollingBack: rollingBack))
        forms.withLock { $0.inserts[key] = form }
        return form
    }

    /// `UPDATE` of some slots of a row of an entity.
    func update(_ entity: EntityMapping, slots: [Int], checksVersion: Bool) -> Form {
        let key = UpdateKey(entity: entity.layout.index, slots: slots, checksVersion: checksVersion)
        if let known = forms.withLock({ $0.updates[key] }) { return known }
        let statements = SaveStatements(store: store)
        let fields = statements.fields(of: entity, slots: slots)
        let form = Form(fields: fields, sql: statements.update(entity, fields, checksVersion: checksVersion))
        forms.withLock { forms in
            if forms.updates.count >= Self.mostUpdates { forms.updates.removeAll() }
            forms.updates[key] = form
        }
        return form
    }
}
