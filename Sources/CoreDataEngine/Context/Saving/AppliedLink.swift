/// A link that a child set and its parent took over. What else leads to one of the two objects in the parent may have
/// changed since the child read it.
struct AppliedLink {
    let owner: NSManagedObject
    let relationship: RelationshipLayout
    /// What the parent had a to-one lead to, or a member that was taken out.
    var former: NSManagedObject?
    /// What it leads to now, or a member that was added.
    var present: NSManagedObject?

    /// Has both sides agree in the parent.
    func settle() {
        renewOwnSide()
        if let former, former !== present, let inverse = relationship.inverse { former.leave(owner, inverse) }
        guard let present else { return }
        if present.isGone {
            // Saved, it would lead to nothing.
            owner.forget(present, relationship)
        } else if let inverse = relationship.inverse {
            present.join(owner, inverse, from: relationship)
        }
    }

    /// Changes a to-many again where another link has had it read again: what only one side said was dropped then.
    private func renewOwnSide() {
        guard relationship.isToMany else { return }
        if let former, owner.isKnown(toLeadTo: former, relationship) != false {
            owner.removeFromToManySide(relationship, former)
        }
        if let present, owner.isKnown(toLeadTo: present, relationship) != true {
            owner.addToToManySide(relationship, present)
        }
    }
}

extension NSManagedObject {
    /// Whether the object is deleted, or was given up before it was saved. No store is asked.
    fileprivate final var isGone: Bool {
        if reference < 0, state.isFault { fireFault() }
        if state.isDeleted || state.contains(.inaccessible) { return true }
        return state.isFault && ownContext?.isDeletedAbove(objectID) == true
    }

    /// Takes an object out of a relationship that may still lead to it.
    fileprivate final func leave(_ object: NSManagedObject, _ relationship: RelationshipLayout) {
        if relationship.isToMany {
            if isKnown(toLeadTo: object, relationship) != false { removeFromToManySide(relationship, object) }
        } else if let slot = relationship.slot {
            clearToOneSide(slot, ifIt: object)
        }
    }

    /// Has a relationship lead to an object, in place of what it led to until now.
    fileprivate final func join(
        _ object: NSManagedObject, _ relationship: RelationshipLayout, from inverse: RelationshipLayout
    ) {
        if relationship.isToMany {
            if isKnown(toLeadTo: object, relationship) != true { addToToManySide(relationship, object) }
            return
        }
        guard let slot = relationship.slot.flatMap({ layout.slots[$0] }) else { return }
        if toOneObject(slot) === object {
            // Others may have led it elsewhere since it was read.
            guard !slotIsChanged(slot), !state.isFault, !state.hasNoRow else { return }
            ownContext?.catchUp(self, besides: slot)
        }
        let former = toOneObject(slot)
        if former !== object {
            former?.leave(self, inverse)
            setToOneSide(slot, object)
        }
        // It may have caught up too, and taken its own change for one that this side doesn't share.
        if inverse.isToMany, object.isKnown(toLeadTo: self, inverse) != true { object.addToToManySide(inverse, self) }
    }

    /// Whether a to-many has an object; nil if the store has to be asked, or has it perhaps by now.
    fileprivate final func isKnown(toLeadTo object: NSManagedObject, _ relationship: RelationshipLayout) -> Bool? {
        let state = toManyState(relationship)
        if state.members != nil {
            if state.members?.contains(object) == true { return true }
            return state.committed?.contains(object) == true ? false : nil
        }
        if state.added.contains(object) { return true }
        return state.removed.contains(object) ? false : nil
    }
}

extension NSManagedObjectContext {
    /// Whether a parent, or one of its own, is going to delete an object.
    fileprivate final func isDeletedAbove(_ id: NSManagedObjectID) -> Bool {
        var ancestor = parent
        while let context = ancestor {
            if context.performAndWait({ context.registeredObject(id)?.state.isDeleted }) == true { return true }
            ancestor = context.parent
        }
        return false
    }
}
