/// One object's part in taking over what others saved.
extension NSManagedObject {
    /// Drops the row of a fault, so that it is read again.
    final func dropRowForReload() {
        setRow(nil, 0)
        forgetWalkedRelationships()
    }

    /// Forgets the destinations that were read. What was changed in a to-many stays, to come on top of what the store has
    /// by now.
    final func forgetWalkedRelationships() {
        guard let extras, !extras.relationships.isEmpty else { return }
        for relationship in layout.relationships {
            if relationship.isToMany, let state = toManyStateIfAny(relationship), state.hasPending {
                if !hasNoStoredDestinations { state.forgetStored() }
            } else {
                extras.relationships[relationship.index] = nil
            }
        }
    }

    /// Drops values that were set to what they were: they are no changes, to be put over what others saved.
    final func dropEqualEdits() {
        guard let extras, !extras.values.isEmpty, slab != nil, !state.contains(.inserted) else { return }
        for case let slot? in layout.slots
        where !slot.isTransient && hasEdit(slot.index) && !slotIsChanged(slot) {
            extras.values[slot.index] = nil
        }
    }

    /// Keeps both sides of a to-one in step that was changed here and, since it was read, in the store too: the object
    /// leaves the destination that the store has now, as it left the former one.
    final func leaveStoredDestinations(since former: RowSlab?, _ row: Int32) {
        guard let extras, !extras.values.isEmpty, let context = ownContext,
            let former, former.hasValues, let slab, slab.hasValues
        else { return }
        for info in layout.slotInfos where info.kind == .toOne && hasEdit(info.index) {
            guard let slot = layout.slots[info.index], let inverse = slot.relationship?.inverse,
                let target = slab.destinationIfAny(Int(self.row), slot),
                // The destination of a one-to-one may have been read before the store had it lead here.
                !inverse.isToMany || former.destinationIfAny(Int(row), slot)?.reference != target.reference,
                let destination = context.object(for: target, near: self)
            else { continue }
            let chosen = destinationWithoutFiring(slot)
            if destination === chosen { continue }
            // Set to what it was, it was not added again.
            if inverse.isToMany, let chosen, !chosen.state.isDeleted { chosen.addToToManySide(inverse, self) }
            if let back = inverse.slot.flatMap({ destination.layout.slots[$0] }), !destination.slotIsChanged(back),
                destination.toOneObject(back) !== self
            {
                // Read before the store had it lead here.
                context.catchUp(destination, besides: back)
            }
            destination.forget(self, inverse)
        }
    }

    /// Takes the object, whose row is gone, out of what was linked to it since the last save.
    final func dropPendingLinks() {
        for relationship in layout.relationships {
            guard let inverse = relationship.inverse else { continue }
            if relationship.isToMany {
                guard let state = toManyStateIfAny(relationship), state.hasPending else { continue }
                // A to-one that was set to what it was is a change of that object alone.
                let known = inverse.slot == nil ? state.changes().added : state.members?.objects ?? []
                for member in known + state.added.objects where inverse.slot.map(member.hasEdit) ?? true {
                    member.forgetIfPresent(self, inverse)
                }
            } else if let slot = relationship.slot.flatMap({ layout.slots[$0] }), hasEdit(slot.index) {
                destinationWithoutFiring(slot)?.forgetIfPresent(self, inverse)
            }
        }
    }

    private func forgetIfPresent(_ gone: NSManagedObject, _ relationship: RelationshipLayout) {
        if table != nil, !state.isDeleted { forget(gone, relationship) }
    }

    /// Takes objects whose rows are gone out of a to-one, or a to-many without an inverse, if they were linked since the
    /// last save.
    final func dropPendingLinks(_ relationship: RelationshipLayout, where isGone: (NSManagedObject) -> Bool) {
        if let slot = relationship.slot.flatMap({ layout.slots[$0] }) {
            if hasEdit(slot.index), destinationWithoutFiring(slot).map(isGone) == true { setToOneSide(slot, nil) }
        } else if let state = toManyStateIfAny(relationship), state.hasChanges {
            for member in state.changes().added where isGone(member) { removeFromToManySide(relationship, member) }
        }
    }

    /// Whether the stored row, or what was read of a to-many, has one of some destinations.
    final func refers(to references: Set<Int64>, by relationship: RelationshipLayout) -> Bool {
        if let slot = relationship.slot.flatMap({ layout.slots[$0] }) {
            guard let slab, slab.hasValues, let target = slab.destinationIfAny(Int(row), slot) else { return false }
            return references.contains(target.reference)
        }
        guard let state = toManyStateIfAny(relationship), let members = state.members else { return false }
        return members.objects.contains { references.contains($0.reference) }
    }
}

extension RowSlab {
    /// The destination that a row has of a to-one.
    func destinationIfAny(_ row: Int, _ slot: SlotLayout) -> ObjectReference? {
        isNull(row, slot.index) ? nil : destination(row, slot)
    }
}
