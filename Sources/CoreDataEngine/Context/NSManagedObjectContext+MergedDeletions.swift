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
            if !resultTrackers.isEmpty, let local = localized(id) { trackerNotes.gone.append(local) }
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
