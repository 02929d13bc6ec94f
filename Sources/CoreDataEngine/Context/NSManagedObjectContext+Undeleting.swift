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
