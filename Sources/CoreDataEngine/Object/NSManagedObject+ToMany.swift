import Foundation

/// To-many relationships and their inverses.
extension NSManagedObject {
    final func toManyStateIfAny(_ relationship: RelationshipLayout) -> ToManyState? {
        guard let extras else { return nil }
        guard relationship.index < extras.relationships.count, let state = extras.relationships[relationship.index]
        else { return nil }
        return unsafeDowncast(state, to: ToManyState.self)
    }

    /// What is known of a to-many. An object that was never saved has no members in the store.
    final func toManyState(_ relationship: RelationshipLayout) -> ToManyState {
        if let state = toManyStateIfAny(relationship) { return state }
        let made = ToManyState()
        if hasNoStoredDestinations {
            made.members = MemberList()
            made.committed = MemberList()
        }
        setRelationshipCache(relationship.index, made)
        return made
    }

    /// Whether there is nothing to ask the store or the parent context for.
    final var hasNoStoredDestinations: Bool {
        state.contains(.inserted) && slab == nil || table == nil || state.contains(.inaccessible)
    }

    /// The members of a to-many; asks the store when it was not asked yet. While they can't be read, those that were
    /// added since.
    final func members(_ relationship: RelationshipLayout) -> MemberList {
        prepareToRead()
        let state = loadedState(relationship)
        return state.members ?? state.added
    }

    /// The to-many's state with `members` there, unless they can't be read.
    final func loadedState(_ relationship: RelationshipLayout) -> ToManyState {
        let state = toManyState(relationship)
        guard state.members == nil else { return state }
        guard let context = ownContext else {
            state.fill(with: [])
            return state
        }
        do {
            try context.loadToMany(relationship, of: self)
        } catch {
            context.failures.reads.record(error, .toMany(relationship), of: self)
        }
        return state
    }

    /// Whether members were shown that are not the store's: what an application made of them can't be put in place of
    /// those that are.
    final func hasShownTooFew(_ relationship: RelationshipLayout) -> Bool {
        toManyState(relationship).members == nil && unreadError(.toMany(relationship)) != nil
    }

    /// Replaces the members as an application's write.
    final func setMembers(_ relationship: RelationshipLayout, _ objects: ContiguousArray<NSManagedObject>) {
        let hasShownTooFew = hasShownTooFew(relationship)
        let state = loadedState(relationship)
        guard !hasShownTooFew, state.members != nil else {
            ownContext?.recordBlindChange(of: relationship.name, of: self)
            return
        }
        var new = MemberList()
        for object in objects {
            guard checkSameContext(object, relationship.name) else { continue }
            new.append(object)
        }
        let old = state.members ?? MemberList()
        if observesChanges {
            return changing(relationship) { replaceMembers(relationship, state, old, new) }
        }
        replaceMembers(relationship, state, old, new)
    }

    private func replaceMembers(
        _ relationship: RelationshipLayout, _ state: ToManyState, _ old: MemberList, _ new: MemberList
    ) {
        recordChange(ofRelationship: relationship)
        state.members = new
        if relationship.isOrdered, !new.hasSameOrder(as: old) { state.orderChanged = true }
        let (left, came) = (old.subtracting(new), new.subtracting(old))
        state.dropPending(added: left, removed: came)
        let recorder = recordsMembers(relationship) ? ownContext?.undoRecorder : nil
        for object in left {
            recorder?.didRemove(object, from: relationship, of: self)
            unlinkInverse(relationship, object)
        }
        for object in came {
            recorder?.didAdd(object, to: relationship, of: self)
            linkInverse(relationship, object)
        }
    }

    /// Puts the members of an ordered to-many in another order, as an application's write.
    ///
    /// - Parameter objects: The same members.
    final func reorderMembers(_ relationship: RelationshipLayout, _ objects: ContiguousArray<NSManagedObject>) {
        let state = loadedState(relationship)
        guard let members = state.members, !members.objects.elementsEqual(objects, by: ===) else { return }
        func reorder() {
            recordChange(ofRelationship: relationship)
            state.members?.reorder(objects)
            state.orderChanged = true
        }
        if observesChanges { changing(relationship, reorder) } else { reorder() }
    }

    /// Adds a member at a position of an ordered to-many whose members are known, as an application's write.
    final func insertMember(_ relationship: RelationshipLayout, _ object: NSManagedObject, at index: Int) {
        guard checkSameContext(object, relationship.name) else { return }
        let isNew =
            observesChanges
            ? changing(relationship) { insertSilently(relationship, object, at: index) }
            : insertSilently(relationship, object, at: index)
        if isNew { linkInverse(relationship, object) }
    }

    private func insertSilently(_ relationship: RelationshipLayout, _ object: NSManagedObject, at index: Int) -> Bool {
        let state = toManyState(relationship)
        recordChange(ofRelationship: relationship)
        state.orderChanged = true
        return state.members?.insert(object, at: index) ?? false
    }

    /// Adds a member as an application's write.
    final func addMember(_ relationship: RelationshipLayout, _ object: NSManagedObject) {
        guard checkSameContext(object, relationship.name) else { return }
        guard addToToManySide(relationship, object) else { return }
        linkInverse(relationship, object)
    }

    /// Takes a member out as an application's write.
    final func removeMember(_ relationship: RelationshipLayout, _ object: NSManagedObject) {
        guard removeFromToManySide(relationship, object) else { return }
        unlinkInverse(relationship, object)
    }

    /// Adds to this side alone, without asking the store.
    @discardableResult
    final func addToToManySide(_ relationship: RelationshipLayout, _ object: NSManagedObject) -> Bool {
        if observesChanges {
            return changing(relationship, .union, object) { addSilently(relationship, object) }
        }
        return addSilently(relationship, object)
    }

    @inline(__always)
    private func addSilently(_ relationship: RelationshipLayout, _ object: NSManagedObject) -> Bool {
        let state = toManyState(relationship)
        recordChange(ofRelationship: relationship)
        if relationship.isOrdered, state.members != nil { state.orderChanged = true }
        let recorder = recordsMembers(relationship) ? ownContext?.undoRecorder : nil
        let isReversal = recorder != nil && state.removed.contains(object)
        let isNew = state.add(object)
        if isNew { recorder?.didAdd(object, to: relationship, of: self, isReversal: isReversal) }
        return isNew
    }

    /// Takes out of this side alone, without asking the store.
    @discardableResult
    final func removeFromToManySide(_ relationship: RelationshipLayout, _ object: NSManagedObject) -> Bool {
        if observesChanges {
            return changing(relationship, .minus, object) { removeSilently(relationship, object) }
        }
        return removeSilently(relationship, object)
    }

    @inline(__always)
    private func removeSilently(_ relationship: RelationshipLayout, _ object: NSManagedObject) -> Bool {
        let state = toManyState(relationship)
        recordChange(ofRelationship: relationship)
        let recorder = recordsMembers(relationship) ? ownContext?.undoRecorder : nil
        let isReversal = recorder != nil && state.added.contains(object)
        let wasThere = state.remove(object, keepingOrder: relationship.isOrdered)
        if wasThere { recorder?.didRemove(object, from: relationship, of: self, isReversal: isReversal) }
        return wasThere
    }

    /// Whether single members are recorded for undoing. An ordered to-many is recorded as a whole before it changes.
    private func recordsMembers(_ relationship: RelationshipLayout) -> Bool {
        !relationship.isOrdered && !state.contains(.untracked)
    }

    private func linkInverse(_ relationship: RelationshipLayout, _ object: NSManagedObject) {
        guard let inverse = relationship.inverse else { return }
        if inverse.isToMany {
            object.addToToManySide(inverse, self)
        } else if let slotIndex = inverse.slot, let slot = object.layout.slots[slotIndex] {
            let former = object.toOneObject(slot)
            if former !== self { former?.removeFromToManySide(relationship, object) }
            object.recordIfBlind(slot.name)
            object.setToOneSide(slot, self)
        }
    }

    private func unlinkInverse(_ relationship: RelationshipLayout, _ object: NSManagedObject) {
        guard let inverse = relationship.inverse else { return }
        if inverse.isToMany {
            object.removeFromToManySide(inverse, self)
        } else if let slotIndex = inverse.slot {
            object.clearToOneSide(slotIndex, ifIt: self)
            object.recordIfBlind(inverse.name)
        }
    }

    final func recordChange(ofRelationship relationship: RelationshipLayout) {
        if state.contains(.untracked) { return }
        announceChange(relationship.name)
        if isPlainlyNew { return }
        ownContext?.willChange(self, relationship: relationship)
    }
}

extension ToManyState {
    /// Takes over what the store has and applies the changes that were made before it was asked.
    func fill(with stored: ContiguousArray<NSManagedObject>) {
        committed = MemberList(stored)
        // Others may have deleted what was added here.
        let added: ContiguousArray = self.added.objects.filter {
            $0.state.isDisjoint(with: [.deletedElsewhere, .removed])
        }
        var now: MemberList
        if let arrangement {
            now = MemberList(arrangement.members(of: stored, added: added, removed: removed))
        } else {
            now = removed.isEmpty ? MemberList(stored) : MemberList(MemberList(stored).subtracting(removed))
        }
        for object in added { now.append(object) }
        members = now
        arrangement = nil
        if !self.added.isEmpty || !removed.isEmpty { keepWithoutDifference(stored) }
    }

    /// Keeps, of what was changed before the store was asked, what the store has already, or never had: others may change
    /// that before it is asked again.
    private func keepWithoutDifference(_ stored: ContiguousArray<NSManagedObject>) {
        var stored = MemberList(stored)
        added = MemberList(added.objects.filter { stored.contains($0) })
        removed = MemberList(removed.objects.filter { !stored.contains($0) && !$0.state.contains(.inserted) })
    }

    private static func joined(_ objects: ContiguousArray<NSManagedObject>, _ others: MemberList) -> MemberList {
        var list = MemberList(objects)
        for object in others.objects { list.append(object) }
        return list
    }

    /// What was changed before the store was asked is part of the members, or saved.
    private func forgetPending() {
        added = MemberList()
        removed = MemberList()
        arrangement = nil
    }

    /// Forgets what the store had. What was added, removed and moved since comes on top of what it has when it is asked
    /// again.
    func forgetStored() {
        guard let members else { return }
        let changes = changes()
        arrangement = orderChanged ? MemberArrangement(from: committed ?? MemberList(), to: members) : nil
        orderChanged = arrangement != nil
        // In front of what made no difference to what the store was known to have.
        added = Self.joined(changes.added, added)
        removed = Self.joined(changes.removed, removed)
        self.members = nil
        committed = nil
    }

    /// Like `fill`, unless a method that was called in between has filled it.
    func fillOnce(with stored: ContiguousArray<NSManagedObject>) {
        if members == nil { fill(with: stored) }
    }

    /// Adds a member; false when it is known to be one.
    func add(_ object: NSManagedObject) -> Bool {
        if members != nil { return addToKnown(object) }
        let wasRemoved = removed.remove(object, keepingOrder: false)
        // Others may have removed it too.
        let isNew = added.append(object)
        return wasRemoved || isNew
    }

    /// Removes a member. Returns false if the object is known not to be a member.
    func remove(_ object: NSManagedObject, keepingOrder: Bool) -> Bool {
        if members != nil { return removeFromKnown(object, keepingOrder: keepingOrder) }
        let wasAdded = added.remove(object, keepingOrder: true)
        if wasAdded, object.state.contains(.inserted) { return true }
        // Others may have added it too.
        let isNew = removed.append(object)
        return wasAdded || isNew
    }

    private func addToKnown(_ object: NSManagedObject) -> Bool {
        if !removed.isEmpty { removed.remove(object, keepingOrder: false) }
        if members?.append(object) == true { return true }
        // Others may have taken it out since the store was asked.
        if !object.state.contains(.inserted) { added.append(object) }
        return false
    }

    private func removeFromKnown(_ object: NSManagedObject, keepingOrder: Bool) -> Bool {
        if !added.isEmpty { added.remove(object, keepingOrder: true) }
        let wasThere = members?.remove(object, keepingOrder: keepingOrder) == true
        // Others may have added it since the store was asked.
        let isStored = wasThere && committed?.contains(object) != false
        if !isStored, !object.state.contains(.inserted) { removed.append(object) }
        return wasThere
    }

    /// Whether an object is a member that the store, as far as it was asked, doesn't have.
    func hasAdded(_ object: NSManagedObject) -> Bool {
        guard members != nil else { return added.contains(object) }
        return members?.contains(object) == true && committed?.contains(object) != true
    }

    /// Whether an object was removed while the members weren't known.
    func hasBlindlyRemoved(_ object: NSManagedObject) -> Bool { members == nil && removed.contains(object) }

    /// Notes again that an object was added which the store was known to have already.
    func addWithoutDifference(_ object: NSManagedObject) { if members != nil { added.append(object) } }

    /// Drops of what made no difference what is no longer so.
    func dropPending(
        added left: ContiguousArray<NSManagedObject>, removed came: ContiguousArray<NSManagedObject>
    ) {
        if !added.isEmpty { for object in left { added.remove(object, keepingOrder: true) } }
        if !removed.isEmpty { for object in came { removed.remove(object, keepingOrder: false) } }
    }

    /// Whether anything is to come on top of what the store has when it is asked again.
    var hasPending: Bool { hasChanges || !added.isEmpty || !removed.isEmpty }

    /// What was added and removed since the store was last asked or written.
    func changes() -> (added: ContiguousArray<NSManagedObject>, removed: ContiguousArray<NSManagedObject>) {
        guard let members else { return (added.objects, removed.objects) }
        guard let committed else { return (members.objects, []) }
        return (members.subtracting(committed), committed.subtracting(members))
    }

    /// What is there now is what the store has.
    func commit() {
        committed = members
        forgetPending()
        orderChanged = false
    }
}
