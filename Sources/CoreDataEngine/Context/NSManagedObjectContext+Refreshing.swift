import Foundation

/// Reading objects again.
extension NSManagedObjectContext {
    /// What `refresh` does.
    final func refreshObject(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue()
        guard object.table?.registry === registry else { return }
        failedReads.forget(object)
        object.announceChange()
        if !resultTrackers.isEmpty { resultTrackers.objectWillChange(object) }
        if object.state.contains(.inaccessible) {
            // Whether there is a row will show.
            object.restoreSaved()
            object.turnIntoFault(keepingRow: false)
        } else {
            if isBackInParent(object) { endMergedDeletion(of: object) }
            if flag, object.state.hasChanges {
                if object.slab != nil || object.reference >= 0 { refreshUnderChanges(object) }
            } else {
                ChangeTracker.forgetUpdate(of: object)
                object.turnIntoFault()
                takeNewestRow(object)
            }
        }
        changeTracker.refresh(object)
        schedulePass()
    }

    /// Whether the parent has an object whose deletion there was merged: the parent has rolled it back, or was reset.
    private func isBackInParent(_ object: NSManagedObject) -> Bool {
        guard let parent, object.state.contains(.deletedElsewhere) else { return false }
        let id = object.objectID
        return !ask(parent) { parent.isGone(id) }
    }

    /// Whether an object whose deletion was merged is there again: others have saved that they took the deletion back.
    final func isBack(_ object: NSManagedObject) -> Bool {
        guard object.state.contains(.deletedElsewhere) else { return false }
        if parent != nil { return isBackInParent(object) }
        let (former, row) = (object.slab, object.row)
        object.setRow(nil, 0)
        try? fill([object])
        if object.slab != nil { return true }
        object.setRow(former, Int(row))
        return false
    }

    /// Ends a deletion that was merged. What was changed in the object before comes on top of what is there again.
    final func endMergedDeletion(of object: NSManagedObject) {
        changeTracker.endMergedDeletion(of: object)
        object.extras?.isRowGone = false
        object.restoreChangedLinks()
    }

    /// Takes what the store, or the parent, has by now under the unsaved changes of an object.
    ///
    /// - Parameter slot: A to-one that is being changed, the other side of which is left alone.
    final func refreshUnderChanges(_ object: NSManagedObject, besides slot: SlotLayout? = nil) {
        let (former, row) = (object.slab, object.row)
        object.dropEqualEdits()
        object.forgetWalkedRelationships()
        takeNewestRow(object)
        object.agreeWithOthers(since: former, row, besides: slot)
        followDeletionAgain(object)
        object.awaken(after: .refresh)
    }

    /// Takes the newest row of an object that others linked, or unlinked, since it was read, and announces that.
    ///
    /// - Parameter slot: A to-one that is being changed, the other side of which is left alone.
    final func catchUp(_ object: NSManagedObject, besides slot: SlotLayout? = nil) {
        object.announceChange()
        if !resultTrackers.isEmpty { resultTrackers.objectWillChange(object) }
        refreshUnderChanges(object, besides: slot)
        changeTracker.refresh(object)
        schedulePass()
    }

    private func takeNewestRow(_ object: NSManagedObject) {
        guard parent == nil else {
            if object.state.isFault {
                object.setRow(nil, 0)
            } else if !object.state.contains(.inserted) {
                try? fill([object])
            }
            return
        }
        guard let store = object.table?.store else { return }
        if let (slab, row) = rowCache(of: store).row(reference: object.reference, root: object.layout.root),
            !isTooOld(slab)
        {
            object.adopt(slab, row: row)
        } else if object.state.isFault {
            // A newer row was in memory once and went with the objects that read from it: the store has it.
            object.setRow(nil, 0)
        } else {
            try? fill([object])
        }
    }

    /// What `refreshAllObjects` does.
    final func refreshRegistered() {
        checkQueue()
        cohorts.removeAll()
        for object in registry.objects() { refresh(object, mergeChanges: true) }
        processChanges()
    }

    /// Refreshes the objects that have values in memory, which are released; those with unsaved changes keep them.
    final func releaseValues(except keepsValues: (NSManagedObject) -> Bool = { _ in false }) {
        cohorts.removeAll()
        for object in registry.objects() where !object.isFault || object.extras != nil || object.slab != nil {
            if keepsValues(object) { continue }
            refresh(object, mergeChanges: true)
            // Its row would keep all rows in memory that came with it.
            if object.isFault { object.setRow(nil, 0) }
        }
        processPendingChanges()
    }
}
