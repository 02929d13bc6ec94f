/// To-manys without an inverse: deleting a member is no change of theirs, but the store forgets with the member's row whose
/// it was.
extension NSManagedObjectContext {
    /// Records for undoing which registered objects have to-manys without an inverse whose members are to be deleted.
    final func recordOneWayOwners(of deleted: [NSManagedObject]) {
        guard let undoRecorder else { return }
        let roots = Set(deleted.map { ObjectIdentifier($0.layout.root) })
        let members = Set(deleted.map(ObjectIdentifier.init))
        let owners = Dictionary(grouping: registry.objects().filter { !$0.state.isDeleted }) {
            ObjectIdentifier($0.layout)
        }
        for group in owners.values {
            for relationship in group[0].layout.relationships
            where relationship.isToMany && relationship.inverse == nil
                && roots.contains(ObjectIdentifier(relationship.destination.root))
            {
                try? loadToMany(relationship, ofAll: group)
                for owner in group {
                    for member in owner.loadedState(relationship).members?.objects ?? []
                    where members.contains(ObjectIdentifier(member)) {
                        undoRecorder.didDelete(member, of: relationship, of: owner)
                    }
                }
            }
        }
    }
}

extension NSManagedObject {
    /// Makes an object a member of a to-many without an inverse again if its row is a new one, which has no owner yet.
    final func rejoin(_ member: NSManagedObject, _ relationship: RelationshipLayout) {
        guard member.state.isInserted else { return }
        let state = loadedState(relationship)
        guard state.members != nil else {
            ownContext?.recordBlindChange(of: relationship.name, of: self)
            return
        }
        recordChange(ofRelationship: relationship)
        state.members?.append(member)
        state.committed?.remove(member, keepingOrder: true)
    }
}
