import Foundation

/// A child context reads from its parent's objects, unsaved changes included.
extension NSManagedObjectContext {
    /// What a child hands over to itself from its parent's queue: identities and values, no objects.
    struct ParentRows {
        var slab: RowSlab
        var stores: [NSPersistentStore?]
        var assigned: [NSPersistentStore?] = []
    }

    final func fetchFromParent(
        _ parent: NSManagedObjectContext, _ request: NSFetchRequestBase, _ layout: EntityLayout,
        _ overlay: PendingOverlay?
    ) throws -> [NSManagedObject] {
        adoptPermanentIdentities()
        let box = SendableBox(request)
        let rows = try parent.performAndWait {
            let objects = try parent.fetchObjects(box.value, layout)
            return SendableBox(parent.rows(of: objects, layout))
        }.value
        var objects = self.objects(for: rows, refreshing: request.shouldRefreshRefetchedObjects)
        if let overlay { objects = try apply(overlay, to: objects, request) }
        if !request.returnsObjectsAsFaults { for object in objects { object.fireFault() } }
        return objects
    }

    /// The present values of this context's objects as rows for a child.
    final func rows(of objects: [NSManagedObject], _ layout: EntityLayout) -> ParentRows {
        let slab = RowSlab(entity: layout, expectedCount: objects.count)
        var stores: [NSPersistentStore?] = []
        stores.reserveCapacity(objects.count)
        for object in objects {
            if object.isFault { object.fireFault() }
            slab.appendRow(
                reference: object.reference, entityIndex: object.layout.index, version: object.version)
            for case let slot? in object.layout.slots { slab.set(slot, object.storableValue(slot)) }
            stores.append(object.table?.store)
        }
        slab.timestamp = Date.timeIntervalSinceReferenceDate
        return ParentRows(slab: slab, stores: stores)
    }

    /// This context's objects for rows of the parent.
    private func objects(for rows: ParentRows, refreshing: Bool) -> [NSManagedObject] {
        guard let layout else { return [] }
        return (0..<rows.slab.count).map { row in
            let entity = layout.entities[rows.slab.entityIndex(row)]
            let table = rows.stores[row].map { registry.table(store: $0, root: entity.root) } ?? registry.temporary
            let object = object(reference: rows.slab.reference(row), layout: entity, table: table)
            if rows.stores[row] == nil { identities.borrowed.insert(object.reference) }
            if object.isFault {
                object.adopt(rows.slab, row: row)
            } else if refreshing, !object.hasChanges {
                object.turnIntoFault()
                object.adopt(rows.slab, row: row)
            }
            return object
        }
    }

    /// Gives faults of a child the values that the parent's objects have.
    final func fill(_ faults: [NSManagedObject], from parent: NSManagedObjectContext) {
        adoptPermanentIdentities()
        for (_, group) in Dictionary(grouping: faults, by: { ObjectIdentifier($0.layout.root) }) {
            let layout = group[0].layout.root
            let ids = group.map(\.objectID)
            let rows = parent.performAndWait {
                let originals = ids.map { parent.object(with: $0) }
                for original in originals { original.fireFault() }
                let alive = originals.enumerated().filter { !$0.element.state.contains(.inaccessible) && !$0.element.isDeleted }
                return SendableBox((alive.map(\.offset), parent.rows(of: alive.map(\.element), layout)))
            }.value
            for (row, place) in rows.0.enumerated() { group[place].adopt(rows.1.slab, row: row) }
        }
    }

    /// Loads a to-many of a child's object from the parent's.
    final func loadToMany(
        _ relationship: RelationshipLayout, of object: NSManagedObject, from parent: NSManagedObjectContext
    ) {
        adoptPermanentIdentities()
        let id = object.objectID
        let rows = parent.performAndWait {
            let original = parent.object(with: id)
            let members = original.members(relationship).objects.filter { !$0.isDeleted }
            return SendableBox(parent.rows(of: Array(members), relationship.destination.root))
        }.value
        let members = objects(for: rows, refreshing: false)
        object.toManyState(relationship).fill(with: ContiguousArray(members))
    }
}

extension NSManagedObject {
    /// The present value of a slot in the form that rows have: objects as references, transformables as they are.
    final func storableValue(_ slot: SlotLayout) -> PropertyValue {
        switch currentValue(slot.index) {
        case .object(let object):
            .reference(
                ObjectReference(
                    reference: object.reference, entityIndex: Int32(truncatingIfNeeded: object.layout.index)))
        case .transformed(let box):
            slot.attribute.flatMap { try? TransformableCoding.encode(box.value, attribute: $0) }.map { .data($0) } ?? .null
        case let value: value
        }
    }
}
