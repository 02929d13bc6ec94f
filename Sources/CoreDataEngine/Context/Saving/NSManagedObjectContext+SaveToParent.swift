import Foundation
import Synchronization

/// Saving a child: its changes become unsaved changes of the parent.
extension NSManagedObjectContext {
    /// A changed object of a child, as values that may cross to the parent's queue.
    private struct ChildChange {
        let id: NSManagedObjectID
        let isInsert: Bool
        /// The store that a new object was assigned to.
        let store: NSPersistentStore?
        let slots: [(Int, PropertyValue)]
        /// A to-one's destination, by slot.
        let destinations: [(Int, NSManagedObjectID?)]
        let toManys: [(Int, [NSManagedObjectID], added: [NSManagedObjectID], removed: [NSManagedObjectID])]
    }

    final func save(_ changes: ContextChanges, into parent: NSManagedObjectContext) throws {
        adoptPermanentIdentities()
        let identities = SavedIdentities(changes)
        let written = (changes.inserted + changes.updated).map { childChange(of: $0) }
        try requireReads()
        let deleted = changes.deleted.map(\.objectID)
        let box = SendableBox((written, deleted))
        let (originals, identityChanges) = try ask(parent) {
            let (written, deleted) = box.value
            try parent.readOrders(written)
            try parent.unreadable.throwIfAny(besides: { object, slot in
                let id = object.objectID
                return deleted.contains(id)
                    || written.contains { $0.id == id && $0.slots.contains { $0.0 == slot.index } }
            })
            for change in written where change.isInsert { parent.insertForChild(change.id, assignedTo: change.store) }
            let objects = written.map { parent.apply($0) }
            for id in deleted { parent.deleteForChild(id) }
            parent.processChanges()
            let identityChanges =
                parent.identityChanges.load(ordering: .acquiring) &+ parent.ancestorIdentityChanges
            return SendableBox((objects, identityChanges))
        }.value
        for object in changes.inserted where object.reference < 0 {
            borrow(object.reference, since: identityChanges)
        }
        adoptAsSaved(changes, originals, since: identityChanges)
        discard(changes.discarded + changes.missing)
        closeSave(changes, identities)
    }

    private func childChange(of object: NSManagedObject) -> ChildChange {
        var slots: [(Int, PropertyValue)] = []
        var destinations: [(Int, NSManagedObjectID?)] = []
        for case let slot? in object.layout.slots where object.hasEdit(slot.index) {
            let value = object.currentValue(slot.index)
            if slot.kind == .toOne {
                destinations.append((slot.index, object.toOneObject(slot)?.objectID))
            } else {
                slots.append((slot.index, value))
            }
        }
        var toManys: [(Int, [NSManagedObjectID], added: [NSManagedObjectID], removed: [NSManagedObjectID])] = []
        for relationship in object.layout.relationships where relationship.isToMany {
            guard let state = object.toManyStateIfAny(relationship), state.hasChanges else { continue }
            let (added, removed) = state.changes()
            let order = relationship.isOrdered ? object.members(relationship).objects.map(\.objectID) : []
            toManys.append((relationship.index, order, added.map(\.objectID), removed.map(\.objectID)))
        }
        return ChildChange(
            id: object.objectID, isInsert: object.state.contains(.inserted), store: assignedStores[object.reference],
            slots: slots, destinations: destinations, toManys: toManys)
    }

    /// Reads the ordered to-manys that get another order, which can't be put on top of one that is not known.
    private func readOrders(_ changes: [ChildChange]) throws {
        for change in changes where !change.isInsert {
            for (index, _, _, _) in change.toManys {
                let object = anyObject(with: change.id)
                let relationship = object.layout.relationships[index]
                guard relationship.isOrdered, object.toManyState(relationship).members == nil else { continue }
                try loadToMany(relationship, of: object)
            }
        }
    }

    /// Makes the parent's object for one that is new in the child, under the same temporary identity.
    private func insertForChild(_ id: NSManagedObjectID, assignedTo store: NSPersistentStore?) {
        let table = registry.table(for: id) ?? registry.temporary
        let object = object(reference: id.reference, layout: id.layout, table: table)
        if let store, object.reference < 0 { assignedStores[object.reference] = store }
        if object.state.isDeleted {
            // The child took a deletion back that it had saved.
            object.state.subtract([.deleted, .propagated])
            return
        }
        guard !object.state.contains(.inserted) else { return }
        object.state.remove(.fault)
        object.ensureExtras().values = ContiguousArray(repeating: nil, count: id.layout.slotCount)
        markInserted(object)
        // It awakes in each context that it comes to. What it sets then gives way to the child's values.
        object.awakeFromInsert()
    }

    private func apply(_ change: ChildChange) -> NSManagedObject {
        let object = anyObject(with: change.id)
        object.fireFault()
        for (index, value) in change.slots {
            object.recordChange(ofSlot: index)
            object.setEdit(index, value)
        }
        for (index, destination) in change.destinations {
            guard let slot = object.layout.slots[index] else { continue }
            object.setToOneSide(slot, destination.map { self.anyObject(with: $0) })
        }
        for (index, order, added, removed) in change.toManys {
            let relationship = object.layout.relationships[index]
            for id in added { object.addToToManySide(relationship, self.anyObject(with: id)) }
            for id in removed { object.removeFromToManySide(relationship, self.anyObject(with: id)) }
            guard relationship.isOrdered else { continue }
            object.recordChange(ofRelationship: relationship)
            let state = object.loadedState(relationship)
            var members = MemberList()
            for id in order { members.append(self.anyObject(with: id)) }
            state.members = members
            state.orderChanged = true
        }
        return object
    }

    private func deleteForChild(_ id: NSManagedObjectID) {
        let object = anyObject(with: id)
        delete(object)
        // The child has applied the delete rules already; what they changed arrives as its other changes.
        object.state.insert(.propagated)
    }

    /// The child's values are now what its parent has.
    ///
    /// - Parameter originals: The parent's objects for the inserted, then the updated ones.
    private func adoptAsSaved(
        _ changes: ContextChanges, _ originals: [NSManagedObject], since identityChanges: Int
    ) {
        for (object, original) in zip(changes.inserted + changes.updated, originals) {
            if object.state.isFault, object.slab?.hasValues != true {
                object.commitEdits()
                continue
            }
            let slab = RowSlab(entity: object.layout, expectedCount: 1)
            var destinations: Set<Int64> = []
            slab.appendRow(
                reference: object.reference, entityIndex: object.layout.index, version: object.version)
            object.fillRow(of: slab, &destinations)
            slab.timestamp = Date.timeIntervalSinceReferenceDate
            slab.origin = ParentOrigin([original], destinations: destinations)
            borrow(from: slab.origin, since: identityChanges)
            object.adopt(slab, row: 0)
            object.commitEdits()
        }
        for object in changes.deleted { leave(object) }
    }
}
