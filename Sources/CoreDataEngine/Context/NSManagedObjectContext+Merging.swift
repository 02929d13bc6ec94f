import Foundation

/// What was saved elsewhere, as identifiers.
struct RemoteChange: Sendable {
    var inserted: [NSManagedObjectID] = []
    var updated: [NSManagedObjectID] = []
    var deleted: [NSManagedObjectID] = []
    var refreshed: [NSManagedObjectID] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }
}

/// Taking over what others saved.
extension NSManagedObjectContext {
    /// What `mergeChanges` does.
    final func mergeSaved(fromContextDidSave notification: Notification) {
        let change = RemoteChange(notification.userInfo ?? [:])
        let saver = notification.object as? NSManagedObjectContext
        if saver == nil || saver?.persistentStoreCoordinator !== persistentStoreCoordinator {
            // Saved past this coordinator, which may have older rows in memory.
            mergeForeign(change)
        } else {
            merge(change)
        }
    }

    /// Merges what no context of this coordinator has saved: rows that are in memory may be old, and what refers to
    /// deleted rows need not be named as changed.
    private func mergeForeign(_ change: RemoteChange) {
        var change = change
        change.updated += referrers(toDeleted: change)
        forgetCachedRows(change)
        merge(change)
    }

    /// Forgets the coordinator's rows of objects that were changed or deleted elsewhere.
    private func forgetCachedRows(_ change: RemoteChange) {
        for id in change.updated + change.deleted {
            guard let local = localized(id) else { continue }
            local.persistentStore?.rowCache.forget(reference: local.reference, root: local.layout.root)
        }
    }

    /// What `mergeChanges` does.
    static func mergeRemote(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        let coordinator = contexts.lazy.compactMap(\.persistentStoreCoordinator).first
        let change = RemoteChange(changeNotificationData, coordinator)
        for context in contexts {
            context.performAndWait {
                context.mergeForeign(change)
                context.processChanges()
            }
        }
    }

    /// Merges: registered objects get the newest values under their own changes, others are left alone.
    final func merge(_ change: RemoteChange) {
        adoptPermanentIdentities()
        // What is merged is newer than what a pinned context reads.
        advanceGeneration()
        cohorts.removeAll()
        var merged = MergedIDs()
        var returned: [NSManagedObject] = []
        for id in change.inserted { mergeInsert(id, &merged, &returned) }
        recordUnknown(change.updated + change.refreshed)
        let updated = returned + (change.updated + change.refreshed).compactMap { registeredObject($0) }
        mergeUpdates(updated, &merged)
        mergeDeletes(change.deleted, &merged)
        leaveFormerOwners(toOwners: change.inserted + change.updated + change.refreshed)
        changeTracker.merge(merged)
        processChanges()
        changeTracker.forgetMergedDeletions()
    }

    /// Notes what is not registered here for the controllers, whose results it may belong to now.
    private func recordUnknown(_ ids: [NSManagedObjectID]) {
        guard !resultTrackers.isEmpty else { return }
        trackerNotes.unknown += ids.compactMap { localized($0) }.filter { registeredObject($0) == nil }
    }

    /// - Parameter returned: Gets an object whose deletion was merged before, and that is there again.
    private func mergeInsert(
        _ id: NSManagedObjectID, _ merged: inout MergedIDs, _ returned: inout [NSManagedObject]
    ) {
        guard let local = localized(id) else { return }
        if let known = registeredObject(local) {
            if isBack(known) {
                endMergedDeletion(of: known)
                returned.append(known)
            }
            if !resultTrackers.isEmpty { trackerNotes.met.append(known) }
            return
        }
        let object = anyObject(with: local)
        changeTracker.mergeInsertion(of: object)
        merged.inserted.insert(object.objectID)
    }

    private func mergeUpdates(_ objects: [NSManagedObject], _ merged: inout MergedIDs) {
        let realized = objects.filter { !$0.state.isFault && !$0.state.isDeleted }
        if !resultTrackers.isEmpty {
            for object in objects { resultTrackers.objectWillChange(object) }
            // Whether it is to be deleted here or not, the row that changed counts for what offset and limit cut out.
            trackerNotes.silent += objects.filter { $0.state.isFault || $0.state.isDeleted }
        }
        for object in objects { object.announceChange() }
        for object in objects where object.state.isFault { object.dropRowForReload() }
        refreshRows(of: realized)
        putNewestRows(under: objects.filter { !$0.state.isFault && $0.state.isDeleted })
        for object in objects where object.state.isDeleted { followDeletionAgain(object) }
        for object in realized {
            object.awaken(after: .refresh)
            changeTracker.refresh(object)
            merged.updated.insert(object.objectID)
            merged.refreshed.insert(object.objectID)
        }
    }

    /// Objects that are to be deleted keep what they show; should the deletion be rolled back, they have the newest
    /// values.
    private func putNewestRows(under deleted: [NSManagedObject]) {
        let former = deleted.map { ($0.slab, $0.row) }
        for object in deleted { object.setRow(nil, 0) }
        try? fill(deleted)
        putBack(former, of: deleted)
        for (object, (slab, row)) in zip(deleted, former) { object.leaveStoredDestinations(since: slab, row) }
    }

    /// Gives objects their former rows that got no newer ones.
    private func putBack(_ former: [(RowSlab?, Int32)], of objects: [NSManagedObject]) {
        for (object, (slab, row)) in zip(objects, former) where object.slab == nil {
            object.setRow(slab, Int(row))
        }
    }

    /// Puts the newest rows under objects, and lets their to-manys be asked for again: unsaved changes come on top.
    private func refreshRows(of objects: [NSManagedObject]) {
        let former = objects.map { ($0.slab, $0.row) }
        for object in objects {
            object.dropEqualEdits()
            object.forgetWalkedRelationships()
            object.setRow(nil, 0)
        }
        do {
            try fill(objects)
        } catch {
            // Without a row they would show no values. Should they be saved, the store knows that these are old.
            putBack(former, of: objects)
        }
        for (object, (slab, row)) in zip(objects, former) { object.agreeWithOthers(since: slab, row) }
    }

    // MARK: Giving up changes

    /// What `rollback` does.
    final func rollBackChanges() {
        checkQueue()
        forgetUndo()
        failedReads = FailedReads()
        mistake = nil
        let changes = changeTracker.collect()
        let discarded = changes.discarded
        changeTracker.dropEvent()
        for object in changes.updated + changes.deleted {
            object.announceChange()
            let isRowGone = object.state.contains(.deletedElsewhere) || object.extras?.isRowGone == true
            object.restoreSaved()
            if isRowGone { object.turnIntoFault(keepingRow: false) }
        }
        for object in changes.missing {
            object.restoreSaved()
            object.turnIntoFault(keepingRow: false)
        }
        for object in changes.inserted + discarded {
            ChangeTracker.leaveEvent(object)
            leave(object)
            if !resultTrackers.isEmpty { trackerNotes.departed.append(object) }
        }
        for object in changes.inserted + discarded { object.releaseRemovedDestinations() }
        changeTracker.compact()
        cohorts.removeAll()
        let restored = changes.updated + changes.deleted
        for object in restored {
            object.awaken(after: .rollback)
            changeTracker.refresh(object)
        }
        processChanges()
    }

    /// What `reset` does.
    final func forgetAll() {
        checkQueue()
        forgetUndo()
        let objects = registry.objects()
        let ids = objects.map(\.objectID)
        changeTracker.dropEvent()
        for object in objects {
            object.turnIntoFault(keepingRow: false)
            leave(object)
            object.state.insert(.fault)
        }
        changeTracker.reset()
        retained = []
        assignedStores = [:]
        cohorts.removeAll()
        failedReads = FailedReads()
        mistake = nil
        unreadable.removeAll()
        notifyTrackersOfReset()
        advanceGeneration()
        post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedAllObjectsKey: ids])
    }

    /// What `detectConflicts` does.
    final func expectConflict(for object: NSManagedObject) {
        checkQueue()
        guard object.reference >= 0, object.table?.registry === registry else { return }
        // A change of a to-many alone may leave the version alone.
        object.ensureExtras().detectsConflicts = true
        if !object.state.hasChanges { willChange(object, slot: 0) }
    }
}

extension NSManagedObject {
    /// Goes back to the row: edits and pending relationship changes are gone.
    final func restoreSaved() {
        ChangeTracker.rollback(self)
        guard let extras else { return }
        extras.values = []
        markRowWord()
        extras.detectsConflicts = false
        extras.isRowGone = false
        extras.eventValues = [:]
        extras.unmodeled = [:]
        for index in extras.relationships.indices { extras.relationships[index] = nil }
    }
}

extension RemoteChange {
    /// Takes identifiers from a notification's user info, which may have objects, identifiers or URIs.
    ///
    /// - Parameter coordinator: Makes identifiers of URIs.
    init(_ info: [AnyHashable: Any], _ coordinator: NSPersistentStoreCoordinator? = nil) {
        inserted = Self.ids(info, coordinator, NSInsertedObjectsKey, NSInsertedObjectIDsKey)
        updated = Self.ids(info, coordinator, NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
        deleted = Self.ids(info, coordinator, NSDeletedObjectsKey, NSDeletedObjectIDsKey)
        refreshed = Self.ids(info, coordinator, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey)
    }

    private static func ids(
        _ info: [AnyHashable: Any], _ coordinator: NSPersistentStoreCoordinator?, _ keys: String...
    ) -> [NSManagedObjectID] {
        for key in keys {
            guard let value = info[key] else { continue }
            let elements: [Any]
            switch value {
            case let set as NSSet: elements = set.allObjects
            case let array as [Any]: elements = array
            case let set as Set<AnyHashable>: elements = set.map(\.base)
            default: continue
            }
            return elements.compactMap { element in
                switch element {
                case let object as NSManagedObject: object.objectID
                case let id as NSManagedObjectID: id
                case let uri as URL: coordinator?.managedObjectID(forURIRepresentation: uri)
                default: nil
                }
            }
        }
        return []
    }
}
