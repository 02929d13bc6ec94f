import Foundation

/// A conflict, and what the context needs to apply the policy's decision.
struct StoreConflict {
    let conflict: NSObject
    let object: NSManagedObject?
    let current: RowSlab?
    let isDelete: Bool
}

/// From a store's refusal to another try.
extension NSManagedObjectContext {
    /// The conflicts that a policy is to settle. A deletion of a row that is gone already is settled here.
    final func conflicts(
        _ rows: [RowConflict], _ constraints: [ConstraintViolation], _ builder: SavePlanBuilder,
        _ changes: ContextChanges
    ) throws -> [StoreConflict] {
        var objects: [SavedSlabs.Key: NSManagedObject] = [:]
        for object in builder.inserts + builder.updates + builder.deletes {
            objects[SavedSlabs.Key(root: object.layout.root.index, reference: object.futureReference)] = object
        }
        var result: [StoreConflict] = []
        for row in rows {
            guard let object = objects[SavedSlabs.Key(root: row.entity.root.index, reference: row.reference)] else {
                continue
            }
            if row.isDelete, row.current == nil, !isStrict || mergePolicyType != .errorMergePolicyType {
                builder.store.rowCache.forget(reference: row.reference, root: row.entity.root)
                leave(object)
                if !resultTrackers.isEmpty { trackerNotes.departed.append(object) }
                result.append(StoreConflict(conflict: NSObject(), object: nil, current: nil, isDelete: true))
                continue
            }
            result.append(try lockingConflict(row, object, builder.store))
        }
        for violation in constraints {
            result.append(try constraintConflict(violation, objects, builder.store, builder.moment))
        }
        guard !result.isEmpty else {
            throw CoreDataError.make(
                NSManagedObjectMergeError, "The store refused the save with conflicts in objects it was not given.")
        }
        return result
    }

    private func lockingConflict(
        _ row: RowConflict, _ object: NSManagedObject, _ store: any RowStore
    ) throws -> StoreConflict {
        let cached = store.rowCache.row(reference: row.reference, root: row.entity.root)
            .flatMap { $0.slab.version($0.row) > object.version && row.current != nil ? $0 : nil }
        // What was read a while ago may have lost its files since.
        let cachedValues = cached.flatMap { try? snapshot($0.slab, $0.row, object.layout, store) }
        let conflict = NSMergeConflict(
            source: object, newVersion: row.current.map { Int($0.version(0)) } ?? 0, oldVersion: Int(object.version),
            cachedSnapshot: cachedValues,
            persistedSnapshot: cachedValues == nil
                ? try row.current.map { try snapshot($0, 0, object.layout, store) } : nil)
        let current = row.current
        // A later read must not return the old row.
        if let cached = store.rowCache.row(reference: row.reference, root: row.entity.root),
            current.map({ $0.version(0) != cached.slab.version(cached.row) }) ?? true
        {
            store.rowCache.forget(reference: row.reference, root: row.entity.root)
        }
        if let current {
            conflict.onRebase = { [unowned object] in object.rebase(on: current, row: 0) }
        }
        return StoreConflict(conflict: conflict, object: object, current: current, isDelete: row.isDelete)
    }

    private func constraintConflict(
        _ violation: ConstraintViolation, _ objects: [SavedSlabs.Key: NSManagedObject], _ store: any RowStore,
        _ moment: RowCache.Moment
    ) throws -> StoreConflict {
        let sources = violation.references.compactMap {
            objects[SavedSlabs.Key(root: violation.entity.root.index, reference: $0)]
        }
        var database: NSManagedObject?
        var isNew = false
        var values: [AnyHashable: Any]?
        if let stored = violation.stored, stored.count > 0, let layout {
            let entity = layout.entities[stored.entityIndex(0)]
            store.rowCache.register(stored, since: moment)
            let table = registry.table(store: store, root: entity.root)
            isNew = table.object(for: stored.reference(0)) == nil
            database = object(stored, row: 0, table: table, layout: entity)
            values = Dictionary(
                uniqueKeysWithValues: try snapshot(stored, 0, entity, store).map { (AnyHashable($0.key), $0.value) })
        }
        let conflict = NSConstraintConflict(
            constraint: violation.constraint, database: database, databaseSnapshot: values, conflicting: sources,
            conflictingSnapshots: sources.map { $0.committedValues(forKeys: nil) })
        conflict.canBeInherited = isNew
        return StoreConflict(conflict: conflict, object: nil, current: nil, isDelete: false)
    }

    /// The values of a row by name, related objects as identifiers.
    ///
    /// - Throws: `CocoaError` that names the file of a value that can't be read.
    final func snapshot(
        _ slab: RowSlab, _ row: Int, _ layout: EntityLayout, _ store: NSPersistentStore
    ) throws -> [String: Any] {
        var result: [String: Any] = [:]
        for case let slot? in layout.slots where !slot.isTransient {
            let value = try slab.value(row, slot)
            if case .reference(let target) = value {
                result[slot.name] = NSManagedObjectID(
                    layout: layout.model.entities[Int(target.entityIndex)], reference: target.reference, store: store)
            } else {
                result[slot.name] = slot.any(from: value) ?? NSNull()
            }
        }
        return result
    }

    /// Lets the merge policy decide, and applies its decisions.
    final func settle(_ conflicts: [StoreConflict]) throws {
        let list = conflicts.map(\.conflict).filter { $0 is NSMergeConflict || $0 is NSConstraintConflict }
        if !list.isEmpty {
            let policy = mergePolicy as? NSMergePolicy ?? NSMergePolicy.error
            try policy.resolve(mergeConflicts: list)
        }
        for conflict in conflicts {
            if let constraint = conflict.conflict as? NSConstraintConflict, let successor = constraint.successor {
                takeOver(constraint, by: successor)
            }
            guard let merge = conflict.conflict as? NSMergeConflict, let object = conflict.object else { continue }
            try carryOut(merge, object, conflict)
            guard !resultTrackers.isEmpty else { continue }
            if object.table == nil { trackerNotes.departed.append(object) } else { trackerNotes.silent.append(object) }
        }
        compactLists()
    }

    private func carryOut(_ merge: NSMergeConflict, _ object: NSManagedObject, _ conflict: StoreConflict) throws {
        switch merge.outcome {
        case .pending, .deletionStands:
            merge.rebase()
            followDeletionAgain(object)
        case .merged:
            merge.rebase()
            object.awaken(after: .mergePolicy)
        case .rolledBack:
            object.state.subtract([.updated, .deleted, .propagated])
            object.turnIntoFault(keepingRow: false)
            if let current = conflict.current { object.adopt(current, row: 0) }
        case .recreated:
            try object.makeInsertAgain()
            object.restartRelationships()
            markInserted(object)
            object.awaken(after: .mergePolicy)
        case .vanished:
            dropPendingLinks(to: [object])
            leave(object)
        }
    }
}

extension NSManagedObject {
    /// Puts a newer row under the unsaved changes, and lets relationships be asked for again.
    final func rebase(on slab: RowSlab, row: Int) {
        let (former, formerRow) = (self.slab, self.row)
        dropEqualEdits()
        adopt(slab, row: row)
        state.remove(.fault)
        forgetWalkedRelationships()
        agreeWithOthers(since: former, formerRow)
    }

    /// Keeps of the to-manys of an object whose row is gone what was added here: those that the row had are no longer
    /// linked to it.
    final func restartRelationships() {
        for relationship in layout.relationships where relationship.isToMany {
            guard let state = toManyStateIfAny(relationship) else { continue }
            state.forgetStored()
            state.restart(isOrdered: relationship.isOrdered)
        }
    }

    /// Turns an object whose row is gone into a new one with the same values.
    ///
    /// - Parameter standIn: Gives what represents a value that can't be read.
    /// - Throws: What `standIn` threw, without one `CocoaError` with the object and the file; the object is then as it
    ///   was.
    final func makeInsertAgain(_ standIn: (SlotLayout, any Error) throws -> PropertyValue = { throw $1 }) throws {
        if state.contains(.fault) { fireFault() }
        if let name = layout.slots.first??.name { recordIfBlind(name) }
        let values = try layout.slots.compactMap { $0 }.map { slot in
            do {
                return (slot.index, try edit(slot.index) ?? rowValueToWrite(slot.index))
            } catch {
                return (slot.index, try standIn(slot, error))
            }
        }
        for (index, value) in values { setEdit(index, value) }
        setRow(nil, 0)
        state.subtract([.updated])
        if reference >= 0 { extras?.pendingReference = reference }
    }
}
