import Foundation

/// A child context reads from its parent's objects, unsaved changes included.
extension NSManagedObjectContext {
    /// What a child hands over to itself from its parent's queue: identities and values, no objects.
    struct ParentRows {
        var slab: RowSlab
        var stores: [NSPersistentStore?]
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
        slab.originals = ContiguousArray(objects)
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
                let alive = originals.enumerated().filter {
                    !$0.element.state.contains(.inaccessible) && !$0.element.isDeleted
                }
                return SendableBox((alive.map(\.offset), parent.rows(of: alive.map(\.element), layout)))
            }.value
            for (row, place) in rows.0.enumerated() { group[place].adopt(rows.1.slab, row: row) }
        }
    }

    /// Loads a to-many of a child's object, and of those that were fetched with it, from the parent's objects.
    final func loadToMany(
        _ relationship: RelationshipLayout, of object: NSManagedObject, from parent: NSManagedObjectContext
    ) {
        adoptPermanentIdentities()
        let owners = [object] + siblings(of: object, waitingFor: relationship)
        let ids = owners.map(\.objectID)
        let (rows, counts) = parent.performAndWait {
            let originals = ids.map { parent.object(with: $0) }
            try? parent.fill(originals.filter { $0.isFault && $0.reference >= 0 && parent.needsRow($0) })
            parent.loadToMany(relationship, ofAll: originals, includesValues: true)
            let members = originals.map { $0.members(relationship).objects.filter { !$0.isDeleted } }
            let rows = parent.rows(of: members.flatMap { $0 }, relationship.destination.root)
            return SendableBox((rows, members.map(\.count)))
        }.value
        let members = objects(for: rows, refreshing: false)
        var start = 0
        for (owner, count) in zip(owners, counts) {
            owner.toManyState(relationship).fill(with: ContiguousArray(members[start..<start + count]))
            start += count
        }
    }

    /// The objects after one in its slab whose to-many was not read either.
    private func siblings(of object: NSManagedObject, waitingFor relationship: RelationshipLayout)
        -> [NSManagedObject]
    {
        guard faultsFireForCohort, let slab = object.slab, let table = object.table else { return [] }
        let first = Int(object.row) + 1
        return (first..<max(first, min(slab.count, first + Self.cohortSize))).compactMap { row in
            guard let sibling = table.object(for: slab.reference(row)), sibling.slab === slab,
                sibling.toManyStateIfAny(relationship)?.members == nil
            else { return nil }
            return sibling
        }
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
            (try? slot.archived(box.value)).map { .data($0) } ?? .null
        case let value: value
        }
    }
}
