/// One object's part in undoing.
extension NSManagedObject {
    /// Notifies the object that its values changed without its doing; what it changes itself then leaves it as clean as
    /// it is.
    final func awaken(after events: NSSnapshotEventType) {
        withoutTracking { awake(fromSnapshotEvents: events) }
    }

    /// Gives a slot its former value.
    final func restore(_ slot: SlotLayout, to value: PropertyValue) {
        guard table != nil else {
            // Its deletion was saved. If more is undone, it comes back with the values that it has now.
            if slot.relationship == nil, !state.contains(.fault) { restoreSilently(slot, to: value) }
            return
        }
        if state.contains(.fault) { fireFault() }
        if observesChanges { return changing(slot.index) { restoreSilently(slot, to: value) } }
        restoreSilently(slot, to: value)
    }

    private func restoreSilently(_ slot: SlotLayout, to value: PropertyValue) {
        recordChange(ofSlot: slot.index)
        switch value {
        // A link without an inverse led to the deleted object before, too, which may come back when more is undone.
        case .object(let destination)
        where destination.state.contains(.removed)
            && (destination.reference < 0 || slot.relationship?.inverse != nil):
            setEdit(slot.index, .null)
        case .data where slot.kind == .transformable:
            // Decoded values are remembered by slot, and what is remembered may be of another row by now.
            setEdit(slot.index, slot.any(from: value).map { .transformed(TransformedValue($0)) } ?? .null)
        default:
            setEdit(slot.index, value)
        }
        if let index = slot.relationshipIndex { setRelationshipCache(index, nil) }
        extras?.unmodeled.removeValue(forKey: Self.invalidKey(slot.name))
    }

    /// Gives a to-many its former members, in their order.
    final func restore(_ relationship: RelationshipLayout, to members: MemberList) {
        let state = loadedState(relationship)
        guard state.members != nil else {
            ownContext?.recordBlindChange(of: relationship.name, of: self)
            return
        }
        recordChange(ofRelationship: relationship)
        if !relationship.isOrdered { ownContext?.undoRecorder?.willReplace(relationship, of: self) }
        let alive = MemberList(members.objects.filter { !$0.state.contains(.removed) })
        if let former = state.members {
            state.dropPending(added: former.subtracting(alive), removed: alive.subtracting(former))
        }
        state.members = alive
        state.orderChanged = relationship.isOrdered && state.committed?.hasSameOrder(as: alive) != true
        extras?.unmodeled.removeValue(forKey: Self.invalidKey(relationship.name))
    }

    /// Takes out of a returned object's to-manys what has left the context since.
    final func dropRemovedMembers() {
        for relationship in layout.relationships where relationship.isToMany {
            guard let state = toManyStateIfAny(relationship), let members = state.members,
                members.objects.contains(where: { $0.state.contains(.removed) })
            else { continue }
            state.members = MemberList(members.objects.filter { !$0.state.contains(.removed) })
        }
    }

    /// Takes an object that was never saved out of the relationships of others; its own side stays unchanged.
    final func unlinkFromOthers() {
        for relationship in layout.relationships {
            guard let inverse = relationship.inverse else { continue }
            if relationship.isToMany {
                guard let members = toManyStateIfAny(relationship)?.members else { continue }
                for member in members.objects { member.unlink(self, inverse) }
            } else if let slot = relationship.slot.flatMap({ layout.slots[$0] }) {
                toOneObject(slot)?.unlink(self, inverse)
            }
        }
    }

    private func unlink(_ other: NSManagedObject, _ relationship: RelationshipLayout) {
        guard table != nil else { return }
        if let slot = relationship.slot {
            clearToOneSide(slot, ifIt: other)
            recordIfBlind(relationship.name)
        } else if let state = toManyStateIfAny(relationship), state.has(other) {
            removeFromToManySide(relationship, other)
        }
    }

    /// Makes an object that is as it was saved one without unsaved changes.
    final func becomeCleanIfUnchanged() {
        guard state.isUpdated, extras?.detectsConflicts != true, !hasPersistentChangedValues,
            extras?.unmodeled.keys.contains(where: { $0.hasPrefix("\u{0}") }) != true
        else { return }
        state.remove(.updated)
        guard let extras, !extras.values.isEmpty else { return }
        for info in layout.slotInfos where !info.isTransient { extras.values[info.index] = nil }
        if extras.values.allSatisfy({ $0 == nil }) { extras.values = [] }
        markRowWord()
    }

    /// Takes values into memory whose files a save of the deletion removes.
    final func keepExternalValues() {
        guard let slab, slab.hasValues, slab.externalData != nil else { return }
        for case let slot? in layout.slots
        where slot.isExternal && !hasEdit(slot.index) {
            if case .data(let value) = rowValue(slot.index) { setEdit(slot.index, .data(value)) }
        }
    }
}

extension ToManyState {
    /// Nothing of the relationship is stored any longer.
    func restart(isOrdered: Bool) {
        if members == nil { members = added }
        committed = MemberList()
        added = MemberList()
        removed = MemberList()
        arrangement = nil
        orderChanged = isOrdered
    }

    /// Whether an object is known to be a member.
    func has(_ object: NSManagedObject) -> Bool {
        members != nil ? members?.contains(object) == true : added.contains(object)
    }
}
