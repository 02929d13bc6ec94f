/// Both sides of a relationship, once a newer row lies under the local changes of one of them.
extension NSManagedObject {
    /// Has what this object is linked to agree with it. What was changed here stays, on both sides; what was read before
    /// others changed it is read again.
    ///
    /// - Parameters:
    ///   - former: The slab that the row was in before.
    ///   - row: The row that it was.
    ///   - busy: A to-one that is being changed, the other side of which is left alone.
    final func agreeWithOthers(since former: RowSlab?, _ row: Int32, besides busy: SlotLayout? = nil) {
        leaveStoredDestinations(since: former, row)
        guard !state.isDeleted else { return }
        dropEqualLinks()
        followStoredDestinations(since: former, row, besides: busy)
    }

    // MARK: To-ones

    /// Tells the former and the present destination of to-ones that others have set.
    private func followStoredDestinations(since former: RowSlab?, _ row: Int32, besides busy: SlotLayout?) {
        guard let slab, slab.hasValues else { return }
        for info in layout.slotInfos where info.kind == .toOne && !hasEdit(info.index) && info.index != busy?.index {
            guard let slot = layout.slots[info.index], let inverse = slot.relationship?.inverse else { continue }
            let target = slab.destinationIfAny(Int(self.row), slot)
            let past = former.flatMap { $0.hasValues ? $0.destinationIfAny(Int(row), slot) : nil }
            let isMoved = former?.hasValues == true && past?.reference != target?.reference
            if isMoved, let past, let owner = registeredObject(past) {
                if !inverse.isToMany, owner.hasChange(of: inverse, isLinked: true, to: self) {
                    lead(slot, back: owner, from: target)
                    continue
                }
                owner.noteDeparture(of: self, from: inverse)
            }
            guard let target, isMoved || !inverse.isToMany, let owner = registeredObject(target) else { continue }
            if owner.isLedElsewhere(by: inverse, than: self) {
                setToOneSide(slot, nil)
            } else if isMoved {
                owner.noteArrival(of: self, in: inverse)
            }
        }
    }

    /// The object for a destination, if it is registered.
    private func registeredObject(_ target: ObjectReference) -> NSManagedObject? {
        guard let context = ownContext else { return nil }
        let entities = layout.model.entities
        guard target.reference >= 0, let store = table?.store, entities.indices.contains(Int(target.entityIndex))
        else { return context.object(for: target, near: self) }
        let root = entities[Int(target.entityIndex)].root
        return context.knownObject(target.reference, context.registry.table(store: store, root: root))
    }

    /// Has one side of a one-to-one lead where the other side was set here to come from, whatever the store has by now.
    private func lead(_ slot: SlotLayout, back owner: NSManagedObject, from target: ObjectReference?) {
        if let other = target.flatMap({ registeredObject($0) }), let back = slot.relationship?.inverse?.slot {
            other.clearToOneSide(back, ifIt: self)
        }
        setToOneSide(slot, owner)
    }

    /// Whether a to-one was set here, to something else than an object.
    private func isLedElsewhere(by relationship: RelationshipLayout, than object: NSManagedObject) -> Bool {
        guard let slot = relationship.slot.flatMap({ layout.slots[$0] }), slotIsChanged(slot) else { return false }
        return destinationWithoutFiring(slot) !== object
    }

    /// Notes that the store has an object lead here no longer.
    private func noteDeparture(of object: NSManagedObject, from relationship: RelationshipLayout) {
        if relationship.isToMany {
            guard let state = toManyStateIfAny(relationship) else { return }
            if state.members?.contains(object) == true { state.forgetStored() }
            if state.members == nil { state.added.remove(object, keepingOrder: true) }
        } else if isRead(relationship, toLeadTo: object, true) {
            ownContext?.catchUp(self)
        }
    }

    /// Notes that the store has an object lead here by now.
    private func noteArrival(of object: NSManagedObject, in relationship: RelationshipLayout) {
        if relationship.isToMany {
            guard let state = toManyStateIfAny(relationship) else { return }
            if state.members?.contains(object) == false { state.forgetStored() }
            if state.members == nil { state.removed.remove(object, keepingOrder: false) }
        } else if isRead(relationship, toLeadTo: object, false) {
            ownContext?.catchUp(self)
        }
    }

    /// Whether the row that was read of this object leads to another one, or doesn't, by a to-one that wasn't set here.
    private func isRead(_ relationship: RelationshipLayout, toLeadTo object: NSManagedObject, _ leads: Bool) -> Bool {
        guard let slot = relationship.slot.flatMap({ layout.slots[$0] }), !slotIsChanged(slot), !state.isFault,
            !state.hasNoRow
        else { return false }
        return (destinationWithoutFiring(slot) === object) == leads
    }

    // MARK: To-manys

    /// Drops of what is to come on top of the store's members what is no change of the other side: a link that was made or
    /// removed again is what the store has by now.
    private func dropEqualLinks() {
        guard let extras, !extras.relationships.isEmpty else { return }
        for relationship in layout.relationships where relationship.isToMany {
            guard let inverse = relationship.inverse, let state = toManyStateIfAny(relationship), state.members == nil
            else { continue }
            let added: ContiguousArray = state.added.objects.filter {
                !$0.hasChange(of: inverse, isLinked: true, to: self)
            }
            let removed: ContiguousArray = state.removed.objects.filter {
                !$0.state.isDeleted && !$0.hasChange(of: inverse, isLinked: false, to: self)
            }
            state.dropPending(added: added, removed: removed)
            guard inverse.isToMany else { continue }
            for member in added + removed { member.toManyStateIfAny(inverse)?.forgetStored() }
        }
    }

    /// Whether this side of a relationship was changed here to have an object, or not to have it.
    private func hasChange(of relationship: RelationshipLayout, isLinked: Bool, to object: NSManagedObject) -> Bool {
        if let slot = relationship.slot.flatMap({ layout.slots[$0] }) {
            return slotIsChanged(slot) && (destinationWithoutFiring(slot) === object) == isLinked
        }
        guard let state = toManyStateIfAny(relationship) else { return false }
        guard state.members != nil else {
            return isLinked ? state.added.contains(object) : state.removed.contains(object)
        }
        return state.members?.contains(object) == isLinked && state.committed?.contains(object) != isLinked
    }
}
