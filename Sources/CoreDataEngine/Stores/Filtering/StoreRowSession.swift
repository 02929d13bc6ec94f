import Foundation

/// A session over the rows of a store that keeps them elsewhere: rows and relationships are read when a predicate asks
/// for them, for all rows at once that are known by then. So a key path costs a read for each of its steps, however
/// many rows there are.
final class StoreRowSession: InMemorySession {
    private let store: any RowStore
    private let model: ModelLayout
    /// Rows by table that were looked for in vain.
    private var missing: [Set<Int64>]
    private var members: [RelationshipKey: [Int64: [Int64]]] = [:]
    private var externalData: ExternalData?

    init(_ store: any RowStore, model: ModelLayout) {
        self.store = store
        self.model = model
        missing = Array(repeating: [], count: model.entities.count)
        super.init(contents: InMemoryContents(layout: model), storeIdentifier: store.identifier)
    }

    // MARK: Rows

    /// Reads rows of an entity's tree.
    ///
    /// - Returns: Those that there are, in the order of the references.
    func rows(_ references: [Int64], of entity: EntityLayout) throws -> [InMemoryRow] {
        try read(references, root: entity.root)
        return references.compactMap { row(reference: $0, root: entity.root) }
    }

    /// The rows that match, by reference. The store finds them as for any other fetch.
    override func matchingRows(_ query: StoreQuery) throws -> [InMemoryRow] {
        var search = StoreQuery(entity: query.entity)
        search.includesSubentities = query.includesSubentities
        search.predicate = query.predicate
        search.variables = query.variables
        search.references = query.references
        let list = try store.fetchReferences(search)
        return try rows((0..<list.count).map { list[$0].reference }.sorted(), of: query.entity)
    }

    override func record(_ reference: Int64, root: EntityLayout) -> InMemoryRecord? {
        let table = root.root.index
        if let known = contents.tables[table][reference] { return known }
        guard failure == nil, !missing[table].contains(reference) else { return nil }
        var wanted = Set([reference])
        for record in contents.tables.joined() {
            for case let slot? in record.value.entity.slots
            where slot.kind == .toOne && slot.relationship?.destination.root.index == table {
                guard case .reference(let target) = record.value.values[slot.index],
                    contents.tables[table][target.reference] == nil, !missing[table].contains(target.reference)
                else { continue }
                wanted.insert(target.reference)
            }
        }
        noting { try read(wanted.sorted(), root: root.root) }
        return contents.tables[table][reference]
    }

    private func read(_ references: [Int64], root: EntityLayout) throws {
        guard !references.isEmpty else { return }
        try add(try store.fetchRows(references: references, entity: root, includesValues: true))
        for reference in references where contents.tables[root.index][reference] == nil {
            missing[root.index].insert(reference)
        }
    }

    private func add(_ slab: RowSlab) throws {
        if let files = slab.externalData { externalData = files }
        for row in 0..<slab.count {
            let entity = model.entities[slab.entityIndex(row)]
            var values = ContiguousArray<PropertyValue>(repeating: .null, count: entity.slotCount)
            for case let slot? in entity.slots where !slot.isTransient {
                // A value in a file of its own is read when it is asked for.
                let isInFile = slot.isExternal && slab.externalData != nil && !slab.isNull(row, slot.index)
                values[slot.index] = isInFile ? .data(slab.data(row, slot.index)) : try slab.value(row, slot)
            }
            let reference = slab.reference(row)
            contents.tables[entity.root.index][reference] = InMemoryRecord(
                entity: entity, reference: reference, version: slab.version(row), values: values)
        }
    }

    override func value(of slot: SlotLayout, in record: InMemoryRecord) throws -> PropertyValue {
        let value = record.values[slot.index]
        guard slot.isExternal, case .data(let column) = value, let externalData else { return value }
        return .data(try externalData.decode(column))
    }

    // MARK: To-many relationships

    override func destinationReferences(of relationship: RelationshipLayout, owner: Int64) -> [Int64] {
        let key = RelationshipKey(relationship)
        if let known = members[key]?[owner] { return known }
        guard failure == nil else { return [] }
        let owners = contents.tables[relationship.owner.root.index].values
            .filter { $0.entity.isKind(of: relationship.owner) && members[key]?[$0.reference] == nil }
            .map(\.reference).sorted()
        noting {
            let found = try store.fetchToMany(relationship, owners: owners, includesValues: true)
            try add(found.rows)
            for (owner, range) in zip(owners, found.ranges) {
                let references = range.map { found.rows.reference($0) }
                members[key, default: [:]][owner] = relationship.isOrdered ? references : references.sorted()
            }
        }
        return members[key]?[owner] ?? []
    }

    // MARK: Constants

    /// A column holds a decimal with the digits of a double, so that is what a constant is compared as.
    override func constant(_ value: Any) -> Any {
        guard case .decimal(let decimal) = PredicateValue(value), case .real(let number) = SQLNumber.value(of: decimal)
        else { return value }
        return Decimal(shortestStringOf: number).map { $0 as Any } ?? value
    }

    /// Predicates can't be notified of a read that failed, so it is kept for who evaluates them.
    private func noting(_ read: () throws -> Void) {
        do { try read() } catch { failure = failure ?? error }
    }
}
