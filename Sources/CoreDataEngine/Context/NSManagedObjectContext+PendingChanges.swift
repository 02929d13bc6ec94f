public import Foundation

/// From a change to the notification that announces it.
extension NSManagedObjectContext {
    /// Called before a slot of an object changes.
    final func willChange(_ object: NSManagedObject, slot: Int) {
        checkQueueClosely(object.description)
        recordUpdate(of: object)
        if let undoRecorder { undoRecorder.willChange(object, slot: slot) }
        guard !object.state.contains(.inserted), !object.isUnread else { return }
        let extras = object.ensureExtras()
        if extras.eventValues[slot] == nil {
            extras.eventValues[slot] = object.edit(slot) ?? object.readableRowValue(slot) ?? .null
            object.forgetUnannounced(slot)
        }
    }

    /// Called before a to-many of an object changes.
    final func willChange(_ object: NSManagedObject, relationship: RelationshipLayout) {
        checkQueueClosely(object.description)
        recordUpdate(of: object)
        if let undoRecorder, relationship.isOrdered { undoRecorder.willReplace(relationship, of: object) }
    }

    @inline(__always)
    private func recordUpdate(of object: NSManagedObject) {
        // What a merge announces as inserted is changed like any other.
        if object.state.isSuperset(of: [.inserted, .insertedInEvent]) { return }
        let known: ObjectState = [.updated, .updatedInEvent]
        if object.state.isSuperset(of: known) { return }
        recordFirstUpdate(of: object)
    }

    private func recordFirstUpdate(of object: NSManagedObject) {
        checkQueue(object.description)
        if !object.state.contains(.updated), !object.state.contains(.inserted) {
            object.state.insert(.updated)
            undoRecorder?.didMakeUpdated(object)
            if !object.state.contains(.listedUpdated) {
                object.state.insert(.listedUpdated)
                updatedList.append(object)
            }
        }
        if !object.state.contains(.updatedInEvent) {
            object.state.insert(.updatedInEvent)
            event.updated.append(object)
            schedulePass()
        }
        if !resultTrackers.isEmpty { resultTrackers.objectWillChange(object) }
    }

    /// A main-queue context processes what changed at the end of the turn, as a run loop would have it.
    final func schedulePass() {
        guard kind == .mainQueueConcurrencyType, !isPassScheduled else { return }
        isPassScheduled = true
        DispatchQueue.main.async { [weakHandle] in
            guard let context = weakHandle.object else { return }
            context.isPassScheduled = false
            context.processPendingChanges()
        }
    }

    /// What `processPendingChanges` does.
    final func processChanges() {
        guard !isProcessing else { return }
        checkQueue()
        isProcessing = true
        defer { isProcessing = false }
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        postEvent()
    }

    /// Posts the pending event, if there is one.
    private func postEvent() {
        undoRecorder?.register(for: self)
        guard !event.isEmpty || event.merged != nil || !trackerNotes.isEmpty else { return }
        let current = event
        event = PendingEvent()
        event.unpropagated = current.unpropagated
        // Updates first: they ask what was inserted.
        let updated = taken(current.updated, .updatedInEvent) { $0.isDisjoint(with: [.insertedInEvent, .deleted]) }
        let inserted = taken(current.inserted, .insertedInEvent) { !$0.contains(.deleted) }
        let deleted = taken(current.deleted, .deletedInEvent) { _ in true }
        let refreshed = taken(current.refreshed, .refreshedInEvent) { _ in true }
        if !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty || !refreshed.isEmpty {
            func set(_ objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObject>? {
                if objects.isEmpty { return nil }
                let set = objects.asSet()
                if isSaving { announced.record(set, of: objects) }
                return set
            }
            var info = ChangeInfo.objects(
                inserted: set(inserted), updated: set(updated), deleted: set(deleted), refreshed: set(refreshed))
            if current.merged != nil { ChangeInfo.markMerge(&info) }
            post(.NSManagedObjectContextObjectsDidChange, info)
        }
        // Observers may still ask what the event changed; an object that they change has begun another one.
        for object in current.updated where !object.state.contains(.updatedInEvent) {
            if let extras = object.extras, !extras.eventValues.isEmpty { extras.eventValues = [:] }
        }
        if let merged = current.merged { postMerge(merged) }
        guard !resultTrackers.isEmpty else { return }
        notifyTrackers(
            TrackedChange(
                inserted: Array(inserted), updated: Array(updated), deleted: Array(deleted),
                refreshed: Array(refreshed), isSaved: current.merged != nil))
    }

    /// The objects of a list that still have something to announce, each once; the mark that says so goes.
    private func taken(
        _ objects: ContiguousArray<NSManagedObject>, _ mark: ObjectState, where isWanted: (ObjectState) -> Bool
    ) -> ContiguousArray<NSManagedObject> {
        if objects.isEmpty { return [] }
        var found = ContiguousArray<NSManagedObject>()
        found.reserveCapacity(objects.count)
        for object in objects where object.state.contains(mark) {
            object.state.remove(mark)
            if isWanted(object.state) { found.append(object) }
        }
        return found
    }

    private func postMerge(_ merged: MergedIDs) {
        var info: [AnyHashable: Any] = [:]
        if !merged.inserted.isEmpty { info[NSInsertedObjectIDsKey] = merged.inserted }
        if !merged.updated.isEmpty { info[NSUpdatedObjectIDsKey] = merged.updated }
        if !merged.refreshed.isEmpty { info[NSRefreshedObjectIDsKey] = merged.refreshed }
        if !merged.deleted.isEmpty { info[NSDeletedObjectIDsKey] = merged.deleted }
        post(.NSManagedObjectContextDidMergeChangesObjectIDs, info)
    }

    final func post(_ name: Notification.Name, _ info: [AnyHashable: Any]) {
        PostingGate.pass { NotificationCenter.default.post(name: name, object: self, userInfo: info) }
    }

    // MARK: Delete rules

    /// Applies the delete rules of the deletions that were not followed up yet, until none is left.
    final func propagateDeletes() {
        guard !event.unpropagated.isEmpty else { return }
        var incomplete: [NSManagedObject] = []
        var members: [NSManagedObject] = []
        let recordsOwners = undoRecorder != nil && layout?.hasOneWayToManys == true
        while !event.unpropagated.isEmpty {
            let objects = takeUnpropagated()
            loadRelationshipsForDelete(objects)
            if recordsOwners { members += objects }
            for object in objects {
                let count = failedReads.count
                applyDeleteRules(of: object)
                if failedReads.count != count { incomplete.append(object) }
            }
        }
        if recordsOwners { recordOneWayOwners(of: members) }
        // The next save follows them again.
        guard let cause = failedReads.latestCause else { return }
        for object in incomplete { failedReads.record(cause, .deletion, of: object) }
    }

    /// The deleted objects whose rules weren't applied yet, each once. Cost follows their number alone, because a chain
    /// of objects comes here once for each link.
    private func takeUnpropagated() -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        let candidates = event.unpropagated
        event.unpropagated = []
        for object in candidates
        where object.table?.registry === registry && object.state.isDeleted && !object.state.contains(.propagated) {
            object.state.insert(.propagated)
            objects.append(object)
        }
        return objects
    }

    /// Asks for the relationships of all objects at once, one statement for a relationship and not one for an object.
    private func loadRelationshipsForDelete(_ objects: [NSManagedObject]) {
        for group in Dictionary(grouping: objects, by: { ObjectIdentifier($0.layout) }).values {
            guard let layout = group.first?.layout else { continue }
            let faults = group.filter { $0.state.isFault && $0.slab?.hasValues != true }
            let needsRows = undoRecorder != nil || layout.relationships.contains { !$0.isToMany }
            if !faults.isEmpty, needsRows { readForDelete(faults) }
            if undoRecorder != nil { for object in group { object.keepExternalValues() } }
            for relationship in layout.relationships
            where relationship.isToMany && (undoRecorder != nil || relationship.deleteRule != .noActionDeleteRule) {
                // What can't be read together is read, or recorded, one by one.
                try? loadToMany(relationship, ofAll: group)
            }
        }
    }

    private func readForDelete(_ faults: [NSManagedObject]) {
        do {
            try fill(faults)
        } catch {
            // Delete rules ask for rows one by one. To be brought back an object needs its row in any case.
            guard undoRecorder != nil else { return }
            for fault in faults where fault.isUnread { failedReads.record(error, .row, of: fault) }
        }
    }

    private func effectiveRule(of relationship: RelationshipLayout, for object: NSManagedObject) -> NSDeleteRule {
        let rule = relationship.deleteRule
        // Undoing an insertion takes the links back and nothing else.
        if object.state.contains(.withdrawn) { return .nullifyDeleteRule }
        // No save denies the deletion of an object that was never saved: links would lead to nothing.
        return object.state.contains(.inserted) && rule != .cascadeDeleteRule ? .nullifyDeleteRule : rule
    }

    private func applyDeleteRules(of object: NSManagedObject) {
        for relationship in object.layout.relationships {
            let rule = effectiveRule(of: relationship, for: object)
            let destinations: ContiguousArray<NSManagedObject>
            if relationship.isToMany {
                if rule == .noActionDeleteRule {
                    // To be brought back the object needs its members in any case.
                    if undoRecorder != nil { _ = object.loadedState(relationship) }
                    continue
                }
                destinations = object.members(relationship).objects
            } else if let slot = relationship.slot.flatMap({ object.layout.slots[$0] }),
                let destination = object.toOneObject(slot)
            {
                destinations = [destination]
            } else {
                continue
            }
            catchUp(destinations, with: object, relationship)
            switch rule {
            case .cascadeDeleteRule:
                for destination in destinations where !destination.state.isDeleted { delete(destination) }
                fallthrough
            case .nullifyDeleteRule:
                guard let inverse = relationship.inverse else { continue }
                for destination in destinations where !destination.state.isDeleted {
                    destination.forget(object, inverse)
                }
            default: continue
            }
        }
    }

    /// Takes the newest rows of members that were read before they were linked to the object elsewhere.
    private func catchUp(
        _ members: ContiguousArray<NSManagedObject>, with owner: NSManagedObject, _ relationship: RelationshipLayout
    ) {
        guard let index = relationship.inverse?.slot else { return }
        for member in members where !member.state.isFault && !member.state.isDeleted {
            guard let slot = member.layout.slots[index], !member.slotIsChanged(slot), let slab = member.slab,
                slab.hasValues,
                slab.destinationIfAny(Int(member.row), slot)?.reference != owner.reference
            else { continue }
            catchUp(member, besides: slot)
        }
    }
}

extension NSManagedObject {
    /// Takes a deleted object out of a relationship; the deleted object keeps its side.
    final func forget(_ deleted: NSManagedObject, _ relationship: RelationshipLayout) {
        if relationship.isToMany {
            removeFromToManySide(relationship, deleted)
        } else if let slot = relationship.slot {
            clearToOneSide(slot, ifIt: deleted)
        }
    }
}

extension Notification.Name {
    /// Posted by a context when objects changed.
    public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
        "NSObjectsChangedInManagingContextNotification")
    /// Posted by a context before it saves.
    public static let NSManagedObjectContextWillSave = Notification.Name(
        "NSManagingContextWillSaveChangesNotification")
    /// Posted by a context after it saved.
    public static let NSManagedObjectContextDidSave = Notification.Name("NSManagingContextDidSaveChangesNotification")
    /// Posted by a context after it saved, with identifiers in place of objects.
    public static let NSManagedObjectContextDidSaveObjectIDs = Notification.Name(
        "NSManagedObjectContextDidSaveObjectIDsNotification")
    /// Posted by a context after it took over changes from elsewhere.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs = Notification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

extension NSManagedObjectContext {
    /// Posted when objects changed.
    public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
    /// Posted before a save.
    public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
    /// Posted after a save.
    public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
    /// Posted after a save, with identifiers.
    public static let didSaveObjectIDsNotification = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
    /// Posted after a merge, with identifiers.
    public static let didMergeChangesObjectIDsNotification =
        Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

    /// The keys of the notifications' user info.
    public enum NotificationKey: String, Sendable {
        /// A set of the inserted objects.
        case insertedObjects = "inserted"
        /// A set of the changed objects.
        case updatedObjects = "updated"
        /// A set of the deleted objects.
        case deletedObjects = "deleted"
        /// A set of the objects that were refreshed but not changed in this context.
        case refreshedObjects = "refreshed"
        /// A set of the objects that can no longer be used.
        case invalidatedObjects = "invalidated"
        /// An array of the object IDs of all objects, after the context was reset.
        case invalidatedAllObjects = "invalidatedAll"
        /// A set of the inserted objects' IDs.
        case insertedObjectIDs = "inserted_objectIDs"
        /// A set of the changed objects' IDs.
        case updatedObjectIDs = "updated_objectIDs"
        /// A set of the deleted objects' IDs.
        case deletedObjectIDs = "deleted_objectIDs"
        /// A set of the refreshed objects' IDs.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// A set of the IDs of objects that can no longer be used.
        case invalidatedObjectIDs = "invalidated_objectIDs"
        /// The query generation token of the context that saved.
        case queryGeneration = "NSManagedObjectContextQueryGenerationKey"
    }
}
