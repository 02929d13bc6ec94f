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
        let toManys: [ToManyChange]
    }

    private struct ToManyChange {
        let relationship: Int
        let added: [NSManagedObjectID]
        let removed: [NSManagedObjectID]
        /// The members of an ordered to-many as the child read them, and as it has them now.
        let before: [NSManagedObjectID]
        let now: [NSManagedObjectID]
    }

    final func save(_ changes: ContextChanges, into parent: NSManagedObjectContext) throws {
        adoptPermanentIdentities()
        let changes = try settlingDeletions(changes, in: parent)
        let identities = SavedIdentities(changes)
        try requireOneStore(for: changes)
        let written = (changes.inserted + changes.updated).map { childChange(of: $0) }
        try requireReads()
        let deleted = changes.deleted.map(\.objectID)
        let withdrawn = Set(changes.deleted.lazy.filter { $0.state.contains(.withdrawn) }.map(\.objectID))
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
            var links: [AppliedLink] = []
            let objects = written.map { parent.apply($0, &links) }
            for link in links { link.settle() }
            for id in deleted { parent.deleteForChild(id, isWithdrawn: withdrawn.contains(id)) }
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

    /// The changes without those of objects that the parent has no more: what becomes of these the merge policy says.
    private func settlingDeletions(
        _ changes: ContextChanges, in parent: NSManagedObjectContext
    ) throws -> ContextChanges {
        var conflicts = deletionConflicts(changes, in: parent)
        guard !conflicts.isEmpty else { return changes }
        try settle(conflicts)
        propagateDeletes()
        let settled = collectChanges()
        conflicts = deletionConflicts(settled, in: parent)
        guard conflicts.isEmpty else {
            throw CoreDataError.make(
                NSManagedObjectMergeError, "The merge policy didn't resolve the conflicts of the save.",
                userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts.map(\.conflict)])
        }
        return settled
    }

    /// The objects that were changed here and are deleted in the parent, or have no row.
    private func deletionConflicts(
        _ changes: ContextChanges, in parent: NSManagedObjectContext
    ) -> [StoreConflict] {
        let ids = changes.updated.map(\.objectID)
        let gone = ask(parent) { SendableBox(ids.map { parent.isGone($0) }) }.value
        return zip(changes.updated, gone).filter(\.1).map { object, _ in
            let conflict = NSMergeConflict(
                source: object, newVersion: 0, oldVersion: Int(object.version), cachedSnapshot: nil,
                persistedSnapshot: nil)
            return StoreConflict(conflict: conflict, object: object, current: nil, isDelete: false)
        }
    }

    /// Whether an object is deleted here, or has no row.
    final func isGone(_ id: NSManagedObjectID) -> Bool {
        let object = anyObject(with: id)
        object.fireFault()
        return object.state.isDeleted || object.state.contains(.inaccessible)
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
        var toManys: [ToManyChange] = []
        for relationship in object.layout.relationships where relationship.isToMany {
            guard let state = object.toManyStateIfAny(relationship), state.hasChanges else { continue }
            let now = relationship.isOrdered ? object.members(relationship).objects : []
            let before = relationship.isOrdered ? state.committed?.objects ?? [] : []
            let (added, removed) = state.changes()
            toManys.append(
                ToManyChange(
                    relationship: relationship.index, added: added.map(\.objectID), removed: removed.map(\.objectID),
                    before: before.map(\.objectID), now: now.map(\.objectID)))
        }
        return ChildChange(
            id: object.objectID, isInsert: object.state.contains(.inserted), store: assignedStores[object.reference],
            slots: slots, destinations: destinations, toManys: toManys)
    }

    /// Reads the ordered to-manys that get another order, which can't be put on top of one that is not known.
    private func readOrders(_ changes: [ChildChange]) throws {
        for change in changes where !change.isInsert {
            for toMany in change.toManys {
                let object = anyObject(with: change.id)
                let relationship = object.layout.relationships[toMany.relationship]
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
        if object.state.isDeleted, object.state.isDisjoint(with: [.deletedElsewhere, .inaccessible]) {
            // The child took a deletion back that it had saved.
            object.state.subtract([.deleted, .propagated, .withdrawn])
            return
        }
        guard !object.state.contains(.inserted) else { return }
        object.state.subtract([.fault, .deleted, .propagated, .deletedElsewhere, .inaccessible])
        let extras = object.ensureExtras()
        extras.values = ContiguousArray(repeating: nil, count: id.layout.slotCount)
        // The child may have handed it out.
        object.cachedID = id
        if object.reference >= 0 {
            // The row was deleted, and the child writes it again.
            object.setRow(nil, 0)
            object.restartRelationships()
            extras.pendingReference = object.reference
        }
        markInserted(object)
        // It awakes in each context that it comes to. What it sets then gives way to the child's values.
        object.awakeFromInsert()
    }

    /// - Parameter links: Gets the links that were set.
    private func apply(_ change: ChildChange, _ links: inout [AppliedLink]) -> NSManagedObject {
        let object = anyObject(with: change.id)
        object.fireFault()
        for (index, value) in change.slots {
            object.recordChange(ofSlot: index)
            object.setEdit(index, value)
        }
        for (index, destination) in change.destinations {
            guard let slot = object.layout.slots[index], let relationship = slot.relationship else { continue }
            let former = object.toOneObject(slot)
            let present = destination.map { self.anyObject(with: $0) }
            object.setToOneSide(slot, present)
            guard former != nil || present != nil else { continue }
            links.append(AppliedLink(owner: object, relationship: relationship, former: former, present: present))
        }
        for toMany in change.toManys { apply(toMany, to: object, &links) }
        return object
    }

    private func apply(_ change: ToManyChange, to object: NSManagedObject, _ links: inout [AppliedLink]) {
        func objects(_ ids: [NSManagedObjectID]) -> ContiguousArray<NSManagedObject> {
            ContiguousArray(ids.lazy.map { self.anyObject(with: $0) })
        }
        let relationship = object.layout.relationships[change.relationship]
        let (added, removed) = (objects(change.added), objects(change.removed))
        // The child changes the other side as well, unless that was what the child had read already.
        // Others may have changed the list here since the child read it.
        let former = relationship.isOrdered ? object.loadedState(relationship).members?.objects ?? [] : []
        for member in added {
            object.addToToManySide(relationship, member)
            links.append(AppliedLink(owner: object, relationship: relationship, present: member))
        }
        for member in removed {
            object.removeFromToManySide(relationship, member)
            links.append(AppliedLink(owner: object, relationship: relationship, former: member))
        }
        guard relationship.isOrdered else { return }
        object.recordChange(ofRelationship: relationship)
        let state = object.loadedState(relationship)
        let before = MemberList(objects(change.before))
        if let arrangement = MemberArrangement(from: before, to: MemberList(objects(change.now))) {
            state.members = MemberList(arrangement.members(of: former, added: added, removed: MemberList(removed)))
        }
        state.orderChanged = true
    }

    private func deleteForChild(_ id: NSManagedObjectID, isWithdrawn: Bool) {
        let object = anyObject(with: id)
        delete(object)
        // The child has applied the delete rules to what it knew; here others may have been linked since.
        if isWithdrawn { object.state.insert(.withdrawn) }
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
