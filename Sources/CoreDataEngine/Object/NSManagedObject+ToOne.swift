import Foundation

/// To-one relationships and their inverses.
extension NSManagedObject {
    /// The destination of a to-one; made as a fault when it is not in the context yet. Fires the fault.
    final func toOneObject(_ slot: SlotLayout) -> NSManagedObject? {
        prepareToRead()
        return destinationWithoutFiring(slot)
    }

    /// Like `toOneObject`, but returns `nil` for a fault without values.
    final func destinationWithoutFiring(_ slot: SlotLayout) -> NSManagedObject? {
        if let extras {
            if slot.index < extras.values.count, let edit = extras.values[slot.index] {
                return object(for: edit)
            }
            if let index = slot.relationshipIndex, index < extras.relationships.count,
                let cached = extras.relationships[index]
            {
                return unsafeDowncast(cached, to: NSManagedObject.self)
            }
        }
        guard let slab, slab.hasValues, !slab.isNull(Int(row), slot.index), let index = slot.relationshipIndex else {
            return object(for: valueInsteadOfNull(slot.index))
        }
        guard let destination = object(for: .reference(slab.destination(Int(row), slot))) else { return nil }
        if destination.slab == nil {
            ownContext?.cohorts.lastWalk = ToOneWalk(slab: slab, row: Int(row), slot: slot)
        }
        setRelationshipCache(index, destination)
        return destination
    }

    /// The destination of a property's to-one, without a reference to count, if it was walked and nothing is to be asked.
    package final func walkedDestination(_ property: ResolvedProperty) -> Unmanaged<NSManagedObject>? {
        let known = property.lastResolved
        guard UInt32(truncatingIfNeeded: known >> 32) == layoutIdentifier, state.isDisjoint(with: .unready), let extras
        else { return nil }
        let index = Int(truncatingIfNeeded: known & 0xFFFF_FFFF)
        if index < extras.values.count, let edit = extras.values[index] {
            if case .object(let destination) = edit { return .passUnretained(destination) }
            return nil
        }
        guard let relationship = layout.slots[index]?.relationshipIndex, relationship < extras.relationships.count,
            let destination = extras.relationships[relationship]
        else { return nil }
        return .passUnretained(unsafeDowncast(destination, to: NSManagedObject.self))
    }

    private func object(for value: PropertyValue) -> NSManagedObject? {
        switch value {
        case .object(let object): object
        case .reference(let target): ownContext?.object(for: target, near: self)
        default: nil
        }
    }

    final func setRelationshipCache(_ index: Int, _ object: AnyObject?) {
        let extras = ensureExtras()
        if extras.relationships.isEmpty {
            if object == nil { return }
            extras.relationships = ContiguousArray(repeating: nil, count: layout.relationships.count)
        }
        extras.relationships[index] = object
    }

    /// Sets a to-one as an application's write: tracks the change and keeps the inverse.
    final func setToOne(_ slot: SlotLayout, _ destination: NSManagedObject?) {
        let former = toOneObject(slot)
        if let destination, !checkSameContext(destination, slot.name) { return setToOne(slot, destination.original) }
        recordIfBlind(slot.name)
        setToOneSide(slot, destination)
        moveInverse(of: slot, from: former, to: destination)
        if extras?.formerDestinations.isEmpty == false { renewFormerDestination(slot, destination) }
    }

    /// Gives the inverse of a to-one that was set.
    final func moveInverse(of slot: SlotLayout, from former: NSManagedObject?, to destination: NSManagedObject?) {
        guard former !== destination, let relationship = slot.relationship, let inverse = relationship.inverse else {
            return
        }
        if inverse.isToMany {
            former?.removeFromToManySide(inverse, self)
            destination?.addToToManySide(inverse, self)
        } else if let inverseSlot = inverse.slot {
            former?.clearToOneSide(inverseSlot, ifIt: self)
            former?.recordIfBlind(inverse.name)
            if let destination, let slotBack = destination.layout.slots[inverseSlot] {
                let formerOwner = destination.toOneObject(slotBack)
                if formerOwner !== self { formerOwner?.clearToOneSide(slot.index, ifIt: destination) }
                formerOwner?.recordIfBlind(slot.name)
                destination.recordIfBlind(slotBack.name)
                destination.setToOneSide(slotBack, self)
            }
        }
    }

    /// Sets this side of a to-one, and leaves that of the other object as it is, for tools that say what each is.
    package final func setSide(ofToOne name: String, _ destination: NSManagedObject?) {
        guard let index = layout.relationship(named: name)?.slot, let slot = layout.slots[index] else { return }
        if state.contains(.fault) { fireFault() }
        setToOneSide(slot, destination)
    }

    /// Sets this side of a to-one alone.
    final func setToOneSide(_ slot: SlotLayout, _ destination: NSManagedObject?) {
        if observesChanges { return changing(slot.index) { setToOneSideSilently(slot, destination) } }
        setToOneSideSilently(slot, destination)
    }

    @inline(__always)
    private func setToOneSideSilently(_ slot: SlotLayout, _ destination: NSManagedObject?) {
        recordChange(ofSlot: slot.index)
        setEdit(slot.index, destination.map { .object($0) } ?? .null)
        if let index = slot.relationshipIndex { setRelationshipCache(index, nil) }
    }

    /// Sets this side of a to-one to nil if it points to `object`, which was linked to this one.
    final func clearToOneSide(_ slotIndex: Int, ifIt object: NSManagedObject) {
        guard let slot = layout.slots[slotIndex] else { return }
        if toOneObject(slot) !== object {
            // Others may have led it there since it was read.
            guard !slotIsChanged(slot), !state.isFault, !state.hasNoRow, !object.state.isInserted else { return }
            ownContext?.catchUp(self, besides: slot)
            guard toOneObject(slot) === object else { return }
            setToOneSide(slot, nil)
            // The other object may have caught up too, and taken its own change for one that this side doesn't share.
            if let inverse = slot.relationship?.inverse, inverse.isToMany { object.removeFromToManySide(inverse, self) }
            return
        }
        setToOneSide(slot, nil)
    }

    /// Stops at an object of another context.
    ///
    /// - Returns: Whether the two can be related: an object that only represents a missing one is related to nothing.
    final func checkSameContext(_ other: NSManagedObject, _ key: String) -> Bool {
        programmerError(
            unless:
                other.table?.registry === table?.registry || other.table == nil || table == nil,
            "Illegal attempt to establish the relationship '\(key)' between objects in different contexts "
                + "(source = \(self), destination = \(other)).")
        return (other.table != nil || !other.isStandIn) && (table != nil || !isStandIn)
    }
}
