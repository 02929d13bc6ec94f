import Foundation
import Synchronization

/// A child context reads from its parent's objects, unsaved changes included.
extension NSManagedObjectContext {
    /// What a child hands over to itself from its parent's queue: identities and values, no objects.
    struct ParentRows {
        var slab: RowSlab
        var stores: [NSPersistentStore?]
        /// The indexes of objects that were found to have no row, in order.
        var missing: [Int] = []
        /// How many identities the ancestors had given when the rows were made.
        var identityChanges = 0
    }

    final func fetchFromParent(
        _ parent: NSManagedObjectContext, _ request: NSFetchRequestBase, _ layout: EntityLayout
    ) throws -> [NSManagedObject] {
        adoptPermanentIdentities()
        let box = SendableBox(request)
        let rows = try ask(parent) {
            let objects = try parent.fetchObjectsForChild(box.value, layout)
            return SendableBox(try parent.rows(of: objects, layout))
        }.value
        var objects = self.objects(for: rows, refreshing: request.shouldRefreshRefetchedObjects)
        // Looked for now, when changed objects have the identities that the parent's have.
        if request.includesPendingChanges, let overlay = try pendingOverlay(for: request, layout) {
            objects = try apply(overlay, to: objects, request)
        }
        if !request.returnsObjectsAsFaults { for object in objects { object.fireFault() } }
        return objects
    }

    /// What a child's request finds here. To the child, unsaved changes of this context are as good as saved: limit and
    /// offset count from what is there now, and not from the rows of the stores.
    private func fetchObjectsForChild(
        _ request: NSFetchRequestBase, _ layout: EntityLayout
    ) throws -> [NSManagedObject] {
        let (limit, offset) = (request.fetchLimit, request.fetchOffset)
        guard limit > 0 || offset > 0, hasChanges, request.includesPendingChanges,
            let wider = request.copy() as? NSFetchRequestBase
        else { return try fetchObjects(request, layout) }
        // As many more as may not belong any longer.
        let changed = changeTracker.changedCountLimit
        wider.fetchOffset = 0
        let (needed, isTooMany) = limit.addingReportingOverflow(max(offset, 0) + changed)
        wider.fetchLimit = limit > 0 && !isTooMany ? needed : 0
        let found = try fetchObjects(wider, layout).dropFirst(max(offset, 0))
        return Array(limit > 0 ? found.prefix(limit) : found)
    }

    /// The present values of this context's objects as rows for a child.
    ///
    /// - Throws: The error of a row that can't be read.
    final func rows(of objects: [NSManagedObject], _ layout: EntityLayout) throws -> ParentRows {
        let slab = RowSlab(entity: layout, expectedCount: objects.count)
        var stores: [NSPersistentStore?] = []
        var missing: [Int] = []
        var ownReferences: Set<Int64> = []
        var destinations: Set<Int64> = []
        stores.reserveCapacity(objects.count)
        for (index, object) in objects.enumerated() {
            if object.state.isFault { try fire(object) }
            if object.state.contains(.inaccessible) { missing.append(index) }
            if object.reference < 0 { ownReferences.insert(object.reference) }
            slab.appendRow(
                reference: object.reference, entityIndex: object.layout.index, version: object.version)
            object.fillRow(of: slab, &destinations)
            stores.append(object.table?.store)
        }
        slab.timestamp = Date.timeIntervalSinceReferenceDate
        slab.origin = ParentOrigin(
            ContiguousArray(objects), ownReferences: ownReferences, destinations: destinations)
        return ParentRows(
            slab: slab, stores: stores, missing: missing,
            identityChanges: identityChanges.given.load(ordering: .acquiring) &+ ancestorIdentityChanges)
    }

    /// Fires a fault for a child, which is notified if it can't be: then it is no matter of this context.
    private func fire(_ fault: NSManagedObject) throws {
        let isKnown = failures.reads.failure(.row, of: fault) != nil
        fault.fireFault()
        guard fault.isUnread else { return }
        guard let failure = failures.reads.failure(.row, of: fault) else {
            throw CoreDataError.make(NSCoreDataError, "The values of \(fault.objectID) are already being read.")
        }
        if !isKnown { failures.reads.forget(failure) }
        throw failure.cause
    }

    /// This context's objects for rows of the parent.
    private func objects(for rows: ParentRows, refreshing: Bool) -> [NSManagedObject] {
        guard let layout else { return [] }
        // The parent may have saved just before it answered: what it has under a new identity is known here already.
        borrow(from: rows.slab.origin, since: rows.identityChanges)
        adoptPermanentIdentities()
        let missing = Set(rows.missing)
        return (0..<rows.slab.count).map { row in
            let entity = layout.entities[rows.slab.entityIndex(row)]
            let object = object(reference: rows.slab.reference(row), layout: entity, store: rows.stores[row])
            if missing.contains(row) {
                // The object reads its row itself, and finds that it is gone.
            } else if object.state.isFault {
                object.adopt(rows.slab, row: row)
            } else if refreshing, !object.state.hasChanges {
                object.turnIntoFault()
                object.adopt(rows.slab, row: row)
            }
            return object
        }
    }

    /// The object that the parent has under an identity, which may be a permanent one here already.
    private func object(reference: Int64, layout: EntityLayout, store: NSPersistentStore?) -> NSManagedObject {
        if let store {
            return object(reference: reference, layout: layout, table: registry.table(store: store, root: layout.root))
        }
        if let identity = identities.byReference[reference] {
            let table = registry.table(store: identity.store, root: layout.root)
            return object(reference: identity.reference, layout: layout, table: table)
        }
        return object(reference: reference, layout: layout, table: registry.temporary)
    }

    /// Gives faults of a child the values that the parent's objects have.
    final func fill(_ faults: [NSManagedObject], from parent: NSManagedObjectContext) throws {
        adoptPermanentIdentities()
        for (_, group) in Dictionary(grouping: faults, by: { ObjectIdentifier($0.layout.root) }) {
            let layout = group[0].layout.root
            let ids = group.map(\.objectID)
            let rows = try ask(parent) {
                let originals = ids.map { parent.anyObject(with: $0) }
                for original in originals where original.state.isFault { try parent.fire(original) }
                let alive = originals.enumerated().filter {
                    !$0.element.state.contains(.inaccessible) && !$0.element.state.isDeleted
                }
                return SendableBox((alive.map(\.offset), try parent.rows(of: alive.map(\.element), layout)))
            }.value
            borrow(from: rows.1.slab.origin, since: rows.1.identityChanges)
            for (row, index) in rows.0.enumerated() { group[index].adopt(rows.1.slab, row: row) }
        }
        adoptPermanentIdentities()
    }

    /// Loads a to-many of a child's object, and of those that were fetched with it, from the parent's objects.
    final func loadToMany(
        _ relationship: RelationshipLayout, of object: NSManagedObject, from parent: NSManagedObjectContext
    ) throws {
        adoptPermanentIdentities()
        let siblings = siblings(of: object, waitingFor: relationship)
        do {
            try loadToMany(relationship, ofAll: [object] + siblings, from: parent)
        } catch {
            guard !siblings.isEmpty else { throw error }
            // It may be another's members that can't be read.
            try loadToMany(relationship, ofAll: [object], from: parent)
        }
    }

    private func loadToMany(
        _ relationship: RelationshipLayout, ofAll owners: [NSManagedObject], from parent: NSManagedObjectContext
    ) throws {
        let ids = owners.map(\.objectID)
        let (rows, counts) = try ask(parent) {
            let originals = ids.map { parent.anyObject(with: $0) }
            try parent.fill(originals.filter { $0.state.isFault && $0.reference >= 0 && parent.needsRow($0) })
            try parent.loadToMany(relationship, ofAll: originals, includesValues: true)
            let members = try originals.map { original in
                if original.state.isFault { try parent.fire(original) }
                let state = original.toManyState(relationship)
                if state.members == nil { try parent.loadToMany(relationship, of: original) }
                // A set that was read before may have members that others have deleted since.
                return original.members(relationship).objects.filter { !$0.state.isDeleted && $0.table != nil }
            }
            let rows = try parent.rows(of: members.flatMap { $0 }, relationship.destination.root)
            return SendableBox((rows, members.map(\.count)))
        }.value
        let members = objects(for: rows, refreshing: false)
        var start = 0
        for (owner, count) in zip(owners, counts) {
            owner.toManyState(relationship).fillOnce(with: ContiguousArray(members[start..<start + count]))
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
    /// Gives a slab's current row the present values.
    ///
    /// - Parameter destinations: Gets the temporary references among them.
    final func fillRow(of slab: RowSlab, _ destinations: inout Set<Int64>) {
        for case let slot? in layout.slots where !slot.isTransient {
            let value = storableValue(slot)
            if case .reference(let target) = value, target.reference < 0 { destinations.insert(target.reference) }
            slab.set(slot, value)
        }
    }

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
