import Foundation

/// Copies the rows and relationships of one store into another of the same model.
struct StoreCopy {
    let source: any RowStore
    let destination: any RowStore
    /// The entities that the stores keep.
    let entities: [EntityLayout]
    /// By the root entity's place in the model: new references by old ones.
    private var references: [Int: [Int64: Int64]] = [:]
    private var rows: [Int: RowSlab] = [:]
    private var plan = SavePlan()

    private static let ownersAtOnce = 500

    init(source: any RowStore, destination: any RowStore, entities: [EntityLayout]) {
        self.source = source
        self.destination = destination
        self.entities = entities
    }

    /// Old and new identifiers, one pair after the other.
    var identifierPairs: [NSManagedObjectID] {
        rows.values.flatMap { slab in
            (0..<slab.count).flatMap { row -> [NSManagedObjectID] in
                let entity = slab.entity.model.entities[slab.entityIndex(row)]
                let old = slab.reference(row)
                guard let new = references[entity.root.index]?[old] else { return [] }
                return [
                    NSManagedObjectID(layout: entity, reference: old, store: source),
                    NSManagedObjectID(layout: entity, reference: new, store: destination),
                ]
            }
        }
    }

    /// Copies everything in one transaction.
    mutating func run() throws {
        for root in entities where root.isRoot { try read(root) }
        for (_, slab) in rows { insertRows(of: slab) }
        for entity in entities {
            for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
                guard relationship.description.declaringEntity === entity.entity else { continue }
                try copyMembers(of: relationship, entity: entity)
            }
        }
        guard case .saved = try destination.execute(plan) else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The objects of the store \(source.shortName) break a uniqueness constraint and can't be copied.",
                path: destination.url?.path)
        }
    }

    private mutating func read(_ root: EntityLayout) throws {
        let slab = try source.fetchRows(StoreQuery(entity: root))
        rows[root.index] = slab
        guard slab.count > 0 else { return }
        let first = try destination.allocateReferences(count: slab.count, root: root)
        var map: [Int64: Int64] = [:]
        map.reserveCapacity(slab.count)
        for row in 0..<slab.count { map[slab.reference(row)] = first + Int64(row) }
        references[root.index] = map
    }

    private mutating func insertRows(of slab: RowSlab) {
        let layouts = slab.entity.model.entities
        for row in 0..<slab.count {
            let entity = layouts[slab.entityIndex(row)]
            guard let reference = references[entity.root.index]?[slab.reference(row)] else { continue }
            let values = ContiguousArray(
                entity.slots.map { slot -> PropertyValue in
                    guard let slot else { return .null }
                    return mapped(slab.value(row, slot), layouts: layouts)
                })
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

    private mutating func copyMembers(of relationship: RelationshipLayout, entity: EntityLayout) throws {
        let isManyToMany = relationship.inverse?.isToMany ?? false
        guard isManyToMany || relationship.isOrdered || relationship.inverse == nil else { return }
        for owners in owners(of: entity).chunks(of: Self.ownersAtOnce) {
            let members = try source.fetchToMany(relationship, owners: owners, includesValues: false)
            for (owner, range) in zip(owners, members.ranges) where !range.isEmpty {
                let destinations = range.map { (members.rows.reference($0), members.rows.entityIndex($0)) }
                copy(destinations, of: relationship, oldOwner: owner, isManyToMany: isManyToMany)
            }
        }
    }

    private mutating func copy(
        _ destinations: [(reference: Int64, entityIndex: Int)], of relationship: RelationshipLayout, oldOwner: Int64,
        isManyToMany: Bool
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
        guard let slab = rows[entity.root.index] else { return [] }
        return (0..<slab.count).compactMap { row in
            entity.model.entities[slab.entityIndex(row)].isKind(of: entity) ? slab.reference(row) : nil
        }
    }
}

extension Array {
    fileprivate func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
