import Foundation

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
        source.cohorts.removeAll()
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
        guard observers.hasTrackers else { return }
        observers.recordUnknown(ids.compactMap { localized($0) }.filter { registeredObject($0) == nil })
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
            observers.recordKnown(known)
            return
        }
        let object = anyObject(with: local)
        changeTracker.mergeInsertion(of: object)
        merged.inserted.insert(object.objectID)
    }

    private func mergeUpdates(_ objects: [NSManagedObject], _ merged: inout MergedIDs) {
        let realized = objects.filter { !$0.state.isFault && !$0.state.isDeleted }
        if observers.hasTrackers {
            for object in objects { observers.objectWillChange(object) }
            // Whether it is to be deleted here or not, the row that changed counts for what offset and limit cut out.
            for object in objects where object.state.isFault || object.state.isDeleted {
                observers.recordSilent(object)
            }
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
        failures.rollback()
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
            observers.recordDeparted(object)
        }
        for object in changes.inserted + discarded { object.releaseRemovedDestinations() }
        changeTracker.compact()
        source.cohorts.removeAll()
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
        retained.removeAll()
        identities.assignedStores = [:]
        source.cohorts.removeAll()
        failures.reset()
        observers.notifyOfReset()
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
        extras.refused = [:]
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

/// Taking over what others deleted, and what their changes mean for what is to be deleted here.
extension NSManagedObjectContext {
    final func mergeDeletes(_ ids: [NSManagedObjectID], _ merged: inout MergedIDs) {
        var gone: [NSManagedObject] = []
        for id in ids {
            guard let object = mergeDelete(id) else { continue }
            merged.deleted.insert(object.objectID)
            gone.append(object)
        }
        dropPendingLinks(to: gone)
    }

    private func mergeDelete(_ id: NSManagedObjectID) -> NSManagedObject? {
        guard let object = registeredObject(id), !object.state.isDeleted else {
            if observers.hasTrackers, let local = localized(id) { observers.recordGone(local) }
            registeredObject(id)?.ensureExtras().isRowGone = true
            return nil
        }
        object.fireFault()
        // Its row may have been found missing.
        if !object.state.isDeleted { recordDeletedElsewhere(object) }
        return object
    }

    /// Makes an object one that is to be deleted whose row is gone already.
    final func recordDeletedElsewhere(_ object: NSManagedObject) {
        changeTracker.mergeDeletion(of: object)
        schedulePass()
    }

    /// Has the delete rules of an object that is to be deleted followed again, with what the store has of its
    /// relationships by now: others may have linked more to it.
    final func followDeletionAgain(_ object: NSManagedObject) {
        guard object.state.isDeleted, object.state.isDisjoint(with: [.deletedElsewhere, .inaccessible]) else { return }
        object.forgetWalkedRelationships()
        changeTracker.propagateAgain(object)
        schedulePass()
    }

    /// Takes objects whose rows are gone out of what was linked to them here: saved, that would lead to nothing.
    final func dropPendingLinks(to gone: [NSManagedObject]) {
        for object in gone { object.dropPendingLinks() }
        guard !gone.isEmpty else { return }
        let identities = Set(gone.lazy.map(ObjectIdentifier.init))
        for object in changeTracker.inserted + changeTracker.updated {
            for relationship in object.layout.relationships
            where relationship.inverse == nil || !relationship.isToMany {
                object.dropPendingLinks(relationship) { identities.contains(ObjectIdentifier($0)) }
            }
        }
    }

    /// The registered objects that refer to rows that were deleted past this coordinator's contexts, as by a batch.
    final func referrers(toDeleted change: RemoteChange) -> [NSManagedObjectID] {
        guard let layout, !change.deleted.isEmpty else { return [] }
        var deleted: [EntityLayout: Set<Int64>] = [:]
        for id in change.deleted.compactMap({ localized($0) }) {
            deleted[id.layout.root, default: []].insert(id.reference)
        }
        var relationships: [[(RelationshipLayout, Set<Int64>)]] = []
        for entity in layout.entities {
            relationships.append(
                entity.relationships.compactMap { relationship in
                    deleted[relationship.destination.root].map { (relationship, $0) }
                })
        }
        guard relationships.contains(where: { !$0.isEmpty }) else { return [] }
        var known = Set(change.updated + change.refreshed + change.deleted)
        return registry.objects().compactMap { object in
            let isReferring = relationships[object.layout.index].contains { object.refers(to: $0.1, by: $0.0) }
            guard isReferring, object.reference >= 0, known.insert(object.objectID).inserted else { return nil }
            return object.objectID
        }
    }
}

/// To-manys without an inverse, whose members have one owner each: what others gave to one is the former one's no longer,
/// and only the new one is announced as changed.
extension NSManagedObjectContext {
    fileprivate struct OneWay: Hashable {
        let root: ObjectIdentifier
        let name: String
    }

    /// Has registered owners that were read before others took their members read them again.
    ///
    /// - Parameter ids: What others changed, which may have taken members.
    final func leaveFormerOwners(toOwners ids: [NSManagedObjectID]) {
        guard layout?.hasOneWayToManys == true else { return }
        let changed = ids.compactMap { localized($0) }.filter { $0.layout.relationships.contains(where: \.isOneWay) }
        guard !changed.isEmpty else { return }
        let taking = Set(changed)
        var former: [OneWay: [NSManagedObject]] = [:]
        for object in registry.objects() where object.extras?.relationships.isEmpty == false {
            for relationship in object.layout.relationships where relationship.isOneWay {
                guard object.toManyStateIfAny(relationship)?.committed?.isEmpty == false,
                    !taking.contains(object.objectID)
                else { continue }
                former[OneWay(relationship, object.layout), default: []].append(object)
            }
        }
        if former.isEmpty { return }
        for group in Dictionary(grouping: changed, by: { ObjectIdentifier($0.layout) }).values {
            let owners = group.map { anyObject(with: $0) }.filter { !$0.state.isDeleted }
            for relationship in group[0].layout.relationships where relationship.isOneWay {
                guard let others = former[OneWay(relationship, group[0].layout)] else { continue }
                try? loadToMany(relationship, ofAll: owners)
                let taken = Set(
                    owners.flatMap { $0.loadedState(relationship).committed?.objects ?? [] }.map(ObjectIdentifier.init))
                for other in others { other.readAgain(relationship.name, without: taken) }
            }
        }
    }
}

extension NSManagedObjectContext.OneWay {
    fileprivate init(_ relationship: RelationshipLayout, _ layout: EntityLayout) {
        self.init(root: ObjectIdentifier(layout.root), name: relationship.name)
    }
}

extension RelationshipLayout {
    fileprivate var isOneWay: Bool { isToMany && inverse == nil && !isTransient }
}

extension NSManagedObject {
    /// Lets the members of a to-many be asked for again if others took some of them.
    fileprivate final func readAgain(_ name: String, without taken: Set<ObjectIdentifier>) {
        guard let relationship = layout.relationship(named: name), let state = toManyStateIfAny(relationship),
            let stored = state.committed, stored.objects.contains(where: { taken.contains(ObjectIdentifier($0)) }),
            let context = ownContext, !self.state.isDeleted
        else { return }
        announceChange()
        context.observers.objectWillChange(self)
        state.forgetStored()
        context.changeTracker.refresh(self)
    }
}

/// Objects that were changed here and deleted by others.
extension NSManagedObjectContext {
    /// The objects whose unsaved values can't be saved, because their rows are gone since they were merged.
    final package var editedObjectsDeletedElsewhere: [NSManagedObject] {
        changeTracker.mergedDeletions.filter { $0.extras?.values.contains { $0 != nil } ?? false }
    }
}

/// Reading objects again.
extension NSManagedObjectContext {
    /// What `refresh` does.
    final func refreshObject(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue()
        guard object.table?.registry === registry else { return }
        failures.reads.forget(object)
        object.announceChange()
        observers.objectWillChange(object)
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
        observers.objectWillChange(object)
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
        source.cohorts.removeAll()
        for object in registry.objects() { refresh(object, mergeChanges: true) }
        processChanges()
    }

    /// Refreshes the objects that have values in memory, which are released; those with unsaved changes keep them.
    final func releaseValues(except keepsValues: (NSManagedObject) -> Bool = { _ in false }) {
        source.cohorts.removeAll()
        for object in registry.objects() where !object.isFault || object.extras != nil || object.slab != nil {
            if keepsValues(object) { continue }
            refresh(object, mergeChanges: true)
            // Its row would keep all rows in memory that came with it.
            if object.isFault { object.setRow(nil, 0) }
        }
        processPendingChanges()
    }
}
