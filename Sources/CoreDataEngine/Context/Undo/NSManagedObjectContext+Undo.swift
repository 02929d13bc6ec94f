import Foundation

/// Undoing and redoing what was done in a context.
extension NSManagedObjectContext {
    /// What `undo` does.
    final func undoLast() {
        checkQueue()
        undoManager?.undo()
    }

    /// What `redo` does.
    final func redoLast() {
        checkQueue()
        undoManager?.redo()
    }

    /// Forgets what could be undone: its objects are not what they were any longer.
    final func forgetUndo() {
        undoRecorder?.forget()
        undoRecorder?.manager.removeAllActions()
    }

    /// Closes the group of the block that ends, as the end of a turn does on the main queue.
    final func endUndoEvent() {
        guard let manager = undoRecorder?.manager, kind != .mainQueueConcurrencyType, manager.groupsByEvent,
            manager.groupingLevel == 1, !manager.isUndoing, !manager.isRedoing
        else { return }
        manager.endUndoGrouping()
    }

    /// Takes the changes of one event back. What that changes is recorded like any change, and so can be redone.
    final func takeBack(_ journal: UndoJournal) {
        checkQueue()
        processChanges()
        let returned = journal.vanished.filter { bringBack($0) }.map(\.object)
        for object in returned {
            object.dropRemovedMembers()
            // What is taken back of the object itself is recorded for redoing too, unlike changes of a new object.
            object.state.remove(.insertedInEvent)
        }
        for change in journal.changes.reversed() { takeBack(change) }
        let gone = journal.appeared.filter { takeOut($0) }.map(\.object)
        propagateDeletes()
        for case .madeUpdated(let object) in journal.changes { object.becomeCleanIfUnchanged() }
        awaken(journal, returned: returned, gone: gone)
        undoRecorder?.register(for: self, takesBack: true)
        for object in returned where !object.state.isDeleted && !object.state.contains(.insertedInEvent) {
            object.state.insert(.insertedInEvent)
            event.inserted.append(object)
        }
        processChanges()
    }

    // MARK: Objects

    /// Puts an object back that was deleted, or whose insertion was undone.
    private func bringBack(_ move: UndoJournal.Move) -> Bool {
        let object = move.object
        if object.table?.registry === registry {
            guard object.state.isDeleted else { return false }
            object.state.subtract([.deleted, .propagated, .withdrawn, .deletedInEvent])
            list(object)
            undoRecorder?.didInsert(object, isReturn: !move.isReversal)
            schedulePass()
            return true
        }
        guard object.table == nil else { return false }
        insertAgain(object, isReturn: !move.isReversal)
        return true
    }

    /// A save that failed has taken new objects that were deleted off the list.
    final func list(_ object: NSManagedObject) {
        if object.state.isInserted, !object.state.contains(.listedInserted) {
            object.state.insert(.listedInserted)
            insertedList.append(object)
        }
        if object.state.isUpdated, !object.state.contains(.listedUpdated) {
            object.state.insert(.listedUpdated)
            updatedList.append(object)
        }
    }

    /// Inserts an object that left the context, under its former identifier if its store is still there.
    final func insertAgain(_ object: NSManagedObject, isReturn: Bool = false) {
        // What can't be read has to be set before the object can be saved.
        try? object.makeInsertAgain { slot, error in
            let refusal = UnacceptableValue(sentence: (error as NSError).localizedDescription)
            object.ensureExtras().unmodeled[NSManagedObject.invalidKey(slot.name)] = (nil as Any?, refusal)
            return .null
        }
        object.extras?.pendingReference = 0
        object.state.subtract([.removed, .inaccessible])
        for relationship in object.layout.relationships where relationship.isToMany {
            object.toManyStateIfAny(relationship)?.restart(isOrdered: relationship.isOrdered)
        }
        if object.reference >= 0, let store = object.cachedID?.persistentStore,
            persistentStoreCoordinator?.persistentStores.contains(store) == true
        {
            let table = registry.table(store: store, root: object.layout.root)
            if let standIn = table.object(for: object.reference) { leave(standIn) }
            object.table = table
        } else {
            if object.reference >= 0 {
                object.reference = TemporaryReference.next()
                object.state.insert(.renumbered)
                object.cachedID = nil
            }
            object.table = registry.temporary
        }
        object.table?.register(object)
        if retainsRegisteredObjects { retained.append(object) }
        markInserted(object, isReturn: isReturn)
    }

    /// Takes out an object that an event brought: deletes again what had come back from a deletion, and withdraws what was
    /// inserted.
    private func takeOut(_ move: UndoJournal.Move) -> Bool {
        let object = move.object
        guard object.table?.registry === registry, !object.state.isDeleted else { return false }
        if move.isReversal {
            markDeleted(object)
        } else {
            withdraw(object)
        }
        return true
    }

    /// Deletes an object whose insertion is undone, or drops it if it was never saved. Others that are still linked to it
    /// lose the link. Delete rules don't apply: nothing is deleted that the event didn't insert.
    private func withdraw(_ object: NSManagedObject) {
        guard object.state.contains(.inserted) else {
            markDeleted(object, isWithdrawal: true)
            object.state.insert(.withdrawn)
            return
        }
        object.unlinkFromOthers()
        undoRecorder?.didDelete(object, isWithdrawal: true)
        // The lists keep its place: they are compacted by the next save, and `insertAgain` finds it there.
        let listed = object.state.intersection([.listedInserted, .listedUpdated, .listedDeleted])
        leave(object)
        object.state.formUnion(listed)
        object.state.insert(.deletedInEvent)
        event.deleted.append(object)
    }

    // MARK: Properties

    private func takeBack(_ change: UndoJournal.Change) {
        switch change {
        case .value(let object, let slot, let value):
            object.restore(slot, to: value)
        case .added(let object, let relationship, let member, let isReversal):
            guard !member.state.contains(.removed), object.table != nil else { return }
            let state = object.toManyState(relationship)
            let wasPending = state.hasAdded(member)
            object.removeFromToManySide(relationship, member)
            if wasPending, !isReversal { state.dropPending(added: [], removed: [member]) }
        case .removed(let object, let relationship, let member, let isReversal):
            guard !member.state.contains(.removed), object.table != nil else { return }
            let state = object.toManyState(relationship)
            let wasPending = state.hasBlindlyRemoved(member)
            object.addToToManySide(relationship, member)
            if isReversal {
                state.addWithoutDifference(member)
            } else if wasPending {
                state.dropPending(added: [member], removed: [])
            }
        case .members(let object, let relationship, let members):
            guard object.table != nil else { return }
            object.restore(relationship, to: members)
        case .deletedMember(let owner, let relationship, let member):
            guard owner.table?.registry === registry else { return }
            owner.rejoin(member, relationship)
        case .madeUpdated: break
        }
    }

    /// Notifies the objects that their values are others now.
    private func awaken(
        _ journal: UndoJournal, returned: [NSManagedObject], gone: [NSManagedObject]
    ) {
        for object in returned { object.awaken(after: .undoDeletion) }
        for object in gone { object.awaken(after: .undoInsertion) }
        var notified = Set(returned).union(gone)
        for change in journal.changes {
            let object = change.object
            guard object.table?.registry === registry, notified.insert(object).inserted else { continue }
            object.awaken(after: .undoUpdate)
        }
    }
}

extension UndoJournal.Change {
    /// The object that changed.
    fileprivate var object: NSManagedObject {
        switch self {
        case .value(let object, _, _), .added(let object, _, _, _), .removed(let object, _, _, _),
            .members(let object, _, _), .deletedMember(let object, _, _), .madeUpdated(let object):
            object
        }
    }
}
