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
        if !object.isUpdateRecorded { recordFirstUpdate(of: object) }
    }

    private func recordFirstUpdate(of object: NSManagedObject) {
        checkQueue(object.description)
        let update = changeTracker.update(object)
        if update.isFirst { undoRecorder?.didMakeUpdated(object) }
        if update.isFirstInEvent { schedulePass() }
        observers.objectWillChange(object)
    }

    /// A main-queue context processes what changed at the end of the turn, as a run loop would have it.
    final func schedulePass() {
        guard kind == .mainQueueConcurrencyType, !activity.isPassScheduled else { return }
        activity.isPassScheduled = true
        DispatchQueue.main.async { [weakHandle] in
            guard let context = weakHandle.object else { return }
            context.activity.isPassScheduled = false
            context.processPendingChanges()
        }
    }

    /// What `processPendingChanges` does.
    final func processChanges() {
        guard !activity.isProcessing else { return }
        checkQueue()
        activity.isProcessing = true
        defer { activity.isProcessing = false }
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        postEvent()
    }

    /// Posts the pending event, if there is one.
    private func postEvent() {
        undoRecorder?.register(for: self)
        guard changeTracker.hasEvent || observers.hasNotes else { return }
        let event = changeTracker.process()
        if !event.isEmpty { post(event) }
        // Observers may still ask what the event changed.
        event.forgetFormerValues()
        if let merged = event.merged { postMerge(merged) }
        guard observers.hasTrackers else { return }
        observers.notify(
            TrackedChange(
                inserted: Array(event.inserted), updated: Array(event.updated), deleted: Array(event.deleted),
                refreshed: Array(event.refreshed), isSaved: event.merged != nil))
    }

    private func post(_ event: ProcessedEvent) {
        func set(_ objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObject>? {
            if objects.isEmpty { return nil }
            let set = objects.asSet()
            if activity.isSaving { changeTracker.recordAnnounced(set, of: objects) }
            return set
        }
        var info = ChangeInfo.objects(
            inserted: set(event.inserted), updated: set(event.updated), deleted: set(event.deleted),
            refreshed: set(event.refreshed))
        if event.merged != nil { ChangeInfo.markMerge(&info) }
        post(.NSManagedObjectContextObjectsDidChange, info)
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
        guard changeTracker.hasUnpropagatedDeletions else { return }
        var incomplete: [NSManagedObject] = []
        var members: [NSManagedObject] = []
        let recordsOwners = undoRecorder != nil && layout?.hasOneWayToManys == true
        while changeTracker.hasUnpropagatedDeletions {
            let objects = changeTracker.takeUnpropagated(in: registry)
            loadRelationshipsForDelete(objects)
            if recordsOwners { members += objects }
            for object in objects {
                let count = failures.reads.count
                applyDeleteRules(of: object)
                if failures.reads.count != count { incomplete.append(object) }
            }
        }
        if recordsOwners { recordOneWayOwners(of: members) }
        // The next save follows them again.
        guard let cause = failures.reads.latestCause else { return }
        for object in incomplete { failures.reads.record(cause, .deletion, of: object) }
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
            for fault in faults where fault.isUnread { failures.reads.record(error, .row, of: fault) }
        }
    }

    private func effectiveRule(of relationship: RelationshipLayout, for object: NSManagedObject) -> NSDeleteRule {
        let rule = relationship.deleteRule
        // Undoing an insertion takes the links back and nothing else.
        if object.isWithdrawn { return .nullifyDeleteRule }
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

/// Inserting an object again whose deletion wasn't saved yet.
extension NSManagedObjectContext {
    /// Takes the deletion of an object back. What its delete rules did to its links is taken back too; objects that they
    /// deleted stay deleted.
    final func takeBackDeletion(of object: NSManagedObject) {
        if object.state.contains(.deletedElsewhere) {
            // Its row is gone: it becomes a new one.
            leave(object)
            ChangeTracker.forgetMergedDeletion(of: object)
            return insertAgain(object, isReturn: true)
        }
        let deletion = changeTracker.undelete(object)
        undoRecorder?.didInsert(object, isReturn: true)
        if deletion.hadRulesApplied { object.restoreLinks() }
        if deletion.wasAnnounced { changeTracker.announceReturn(of: object) }
        schedulePass()
    }

    /// Inserts an object that has left a context, deleted or rolled back, as a new one with the values that it has.
    final func insertRemoved(_ object: NSManagedObject) {
        guard !object.isUnread else { return recordInsertionWithoutValues(object) }
        insertAgain(object)
        object.restoreLinks()
    }
}

extension NSManagedObject {
    /// Links the object again with what its own side leads to, as far as that still stands: not with objects that are
    /// deleted or in another context, nor with those that lead to another object since.
    fileprivate final func restoreLinks() {
        for relationship in layout.relationships {
            if relationship.isToMany {
                restoreMembers(relationship)
            } else if let slot = relationship.slot.flatMap({ layout.slots[$0] }) {
                restoreDestination(slot, relationship)
            }
        }
    }

    /// Links the object again with what it was linked to here. The other sides have let go of it.
    final func restoreChangedLinks() {
        for relationship in layout.relationships {
            if relationship.isToMany {
                restore(toManyStateIfAny(relationship)?.changes().added ?? [], relationship)
            } else if let slot = relationship.slot.flatMap({ layout.slots[$0] }), slotIsChanged(slot) {
                restoreDestination(slot, relationship)
            }
        }
    }

    private func restoreDestination(_ slot: SlotLayout, _ relationship: RelationshipLayout) {
        guard let destination = toOneObject(slot) else { return }
        if canLink(destination, relationship) {
            link(destination, relationship)
        } else {
            setToOneSide(slot, nil)
        }
    }

    private func restoreMembers(_ relationship: RelationshipLayout) {
        guard let members = toManyStateIfAny(relationship)?.members else { return }
        restore(members.objects, relationship)
    }

    private func restore(_ members: ContiguousArray<NSManagedObject>, _ relationship: RelationshipLayout) {
        for member in members {
            if canLink(member, relationship) {
                link(member, relationship)
            } else {
                removeFromToManySide(relationship, member)
            }
        }
    }

    /// Whether another object may be, or is, linked with this one.
    private func canLink(_ other: NSManagedObject, _ relationship: RelationshipLayout) -> Bool {
        guard !other.state.isDeleted, other.table?.registry === table?.registry else { return false }
        guard let slot = relationship.inverse?.slot.flatMap({ other.layout.slots[$0] }) else { return true }
        let present = other.toOneObject(slot)
        return present == nil || present === self
    }

    private func link(_ other: NSManagedObject, _ relationship: RelationshipLayout) {
        guard let inverse = relationship.inverse else { return }
        if inverse.isToMany {
            other.addToToManySide(inverse, self)
        } else if let slot = inverse.slot.flatMap({ other.layout.slots[$0] }), other.toOneObject(slot) !== self {
            other.setToOneSide(slot, self)
        }
    }
}
