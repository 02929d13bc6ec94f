import Foundation

/// Copies the rows and relationships of one store into another of the same model, some thousand rows at a time.
///
/// What stays in memory for the whole store is two numbers for each row.
package struct StoreCopy {
    let source: any RowStore
    let destination: any RowStore
    /// The entities that the stores keep.
    let entities: [EntityLayout]
    /// Called with the number of rows that were copied since it was called last; an error of it ends the copying.
    private let didCopy: (Int) throws -> Void
    /// By the root entity's index in the model: new references by old ones.
    private var references: [Int: [Int64: Int64]] = [:]
    /// By the root entity's index in the model: the old references and whose they are.
    private var identities: [Int: RowSlab] = [:]

    private static let rowsAtOnce = 2_000
    private static let ownersAtOnce = 500

    package init(
        source: any RowStore, destination: any RowStore, entities: [EntityLayout],
        didCopy: @escaping (Int) throws -> Void = { _ in }
    ) {
        self.source = source
        self.destination = destination
        self.entities = entities
        self.didCopy = didCopy
    }

    /// The new number of a row, after `run`; nil for a row that was not there.
    package func newReference(of reference: Int64, root: EntityLayout) -> Int64? {
        references[root.root.index]?[reference]
    }

    /// The numbers that the rows of a tree had, after `run`, and whose they are: a slab without values.
    package func identities(of root: EntityLayout) -> RowSlab? { identities[root.root.index] }

    /// Old and new identifiers, one pair after the other.
    ///
    /// - Parameter store: The store that the copy became.
    func identifierPairs(in store: NSPersistentStore) -> [NSManagedObjectID] {
        identities.values.flatMap { slab in
            (0..<slab.count).flatMap { row -> [NSManagedObjectID] in
                let entity = slab.entity.model.entities[slab.entityIndex(row)]
                let old = slab.reference(row)
                guard let new = references[entity.root.index]?[old] else { return [] }
                return [
                    NSManagedObjectID(layout: entity, reference: old, store: source),
                    NSManagedObjectID(layout: entity, reference: new, store: store),
                ]
            }
        }
    }

    /// Copies everything. When it fails, a part may be in the destination, which is of no use then.
    package mutating func run() throws {
        guard let file = destination as? FileAtomicStore else { return try copyAll() }
        var copy = self
        defer { self = copy }
        try file.writingOnce { try copy.copyAll() }
    }

    private mutating func copyAll() throws {
        for root in entities where root.isRoot { try number(root) }
        for root in entities where root.isRoot { try copyRows(of: root) }
        for entity in entities {
            for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
                guard relationship.description.declaringEntity === entity.entity else { continue }
                try copyMembers(of: relationship, entity: entity)
            }
        }
    }

    private func write(_ plan: SavePlan) throws {
        guard !plan.isEmpty else { return }
        guard case .saved = try destination.execute(plan) else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The objects of the store \(source.shortName) break a uniqueness constraint and can't be copied.",
                path: destination.url?.path)
        }
    }

    // MARK: Rows

    /// Gives all rows of a tree their new numbers.
    private mutating func number(_ root: EntityLayout) throws {
        var query = StoreQuery(entity: root)
        query.includesValues = false
        let slab = try source.fetchRows(query)
        identities[root.index] = slab
        guard slab.count > 0 else { return }
        let first = try destination.allocateReferences(count: slab.count, root: root)
        var map: [Int64: Int64] = [:]
        map.reserveCapacity(slab.count)
        for row in 0..<slab.count { map[slab.reference(row)] = first + Int64(row) }
        references[root.index] = map
    }

    private func copyRows(of root: EntityLayout) throws {
        guard let identities = identities[root.index] else { return }
        for start in stride(from: 0, to: identities.count, by: Self.rowsAtOnce) {
            let wanted = (start..<min(start + Self.rowsAtOnce, identities.count)).map { identities.reference($0) }
            let slab = try source.fetchRows(references: wanted, entity: root, includesValues: true)
            guard slab.count == wanted.count else {
                throw CoreDataError.make(
                    NSPersistentStoreOperationError,
                    "The store \(source.shortName) was changed by another coordinator or process while it was copied.",
                    path: source.url?.path)
            }
            var plan = SavePlan()
            try addInserts(of: slab, to: &plan)
            try write(plan)
            try didCopy(wanted.count)
        }
    }

    private func addInserts(of slab: RowSlab, to plan: inout SavePlan) throws {
        let layouts = slab.entity.model.entities
        for row in 0..<slab.count {
            let entity = layouts[slab.entityIndex(row)]
            guard let reference = references[entity.root.index]?[slab.reference(row)] else { continue }
            var values = ContiguousArray<PropertyValue>()
            for slot in entity.slots {
                guard let slot else {
                    values.append(.null)
                    continue
                }
                // A value in a file of its own that can't be read is an error here, and not a value less.
                values.append(mapped(try slab.value(row, slot), layouts: layouts))
            }
            plan.inserts.append(RowChange(entity: entity, reference: reference, version: 0, values: values))
        }
    }

    /// A value for the new store; a reference to an object that is not there becomes none.
    private func mapped(_ value: PropertyValue, layouts: [EntityLayout]) -> PropertyValue {
        guard case .reference(let target) = value else { return value }
        let root = layouts[Int(target.entityIndex)].root
        guard let reference = references[root.index]?[target.reference] else { return .null }
        return .reference(ObjectReference(reference: reference, entityIndex: target.entityIndex))
    }

    // MARK: To-many relationships

    private func copyMembers(of relationship: RelationshipLayout, entity: EntityLayout) throws {
        let isManyToMany = relationship.inverse?.isToMany ?? false
        guard isManyToMany || relationship.isOrdered || relationship.inverse == nil else { return }
        let owners = owners(of: entity)
        for start in stride(from: 0, to: owners.count, by: Self.ownersAtOnce) {
            let chunk = Array(owners[start..<min(start + Self.ownersAtOnce, owners.count)])
            let members = try source.fetchToMany(relationship, owners: chunk, includesValues: false)
            var plan = SavePlan()
            for (owner, range) in zip(chunk, members.ranges) where !range.isEmpty {
                let destinations = range.map { (members.rows.reference($0), members.rows.entityIndex($0)) }
                add(destinations, of: relationship, oldOwner: owner, isManyToMany: isManyToMany, to: &plan)
            }
            try write(plan)
            try didCopy(0)
        }
    }

    private func add(
        _ destinations: [(reference: Int64, entityIndex: Int)], of relationship: RelationshipLayout, oldOwner: Int64,
        isManyToMany: Bool, to plan: inout SavePlan
    ) {
        let root = relationship.destination.root.index
        guard let owner = references[relationship.owner.root.index]?[oldOwner] else { return }
        let side = relationship.linkSide
        var order: [Int64] = []
        for (old, entityIndex) in destinations {
            guard let new = references[root]?[old] else { continue }
            order.append(new)
            if relationship.inverse == nil {
                plan.hiddenOwners.append(
                    HiddenOwnerChange(
                        relationship: relationship, owner: owner, formerOwner: nil, destination: new,
                        destinationEntity: relationship.owner.model.entities[entityIndex]))
            } else if isManyToMany, side.isFirst, !side.isReflexive || oldOwner <= old {
                plan.linkInserts.append(LinkChange(relationship: relationship, owner: owner, destination: new))
            }
        }
        if relationship.isOrdered {
            plan.orders.append(OrderChange(relationship: relationship, owner: owner, destinations: order))
        }
    }

    private func owners(of entity: EntityLayout) -> [Int64] {
        guard let slab = identities[entity.root.index] else { return [] }
        return (0..<slab.count).compactMap { row in
            entity.model.entities[slab.entityIndex(row)].isKind(of: entity) ? slab.reference(row) : nil
        }
    }
}
