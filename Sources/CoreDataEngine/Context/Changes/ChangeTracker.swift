/// The unsaved changes of a context: which objects are inserted, updated or deleted, what of that isn't announced yet, and
/// what a running save has announced.
///
/// It is the only place where objects enter or leave a list, and where their `ChangeMarks` are set. Used on the context's
/// queue. No operation calls code of an application, unless it releases the last reference to an object of a class that has a
/// `deinit`, which must not use the context.
struct ChangeTracker {
    // An object that has no change of the kind any more keeps its place until the list is compacted; its state is the
    // truth.
    private var insertedList: ContiguousArray<NSManagedObject> = []
    private var updatedList: ContiguousArray<NSManagedObject> = []
    private var deletedList: ContiguousArray<NSManagedObject> = []
    /// Whether `deletedList` may have objects that other contexts deleted.
    private var hasMergedDeletions = false
    /// What changed since changes were last processed.
    private var event = PendingEvent()
    /// What the running save has announced.
    private(set) var announced = AnnouncedSets()
}

/// Where an object stands in the lists of its context.
private struct ChangeMarks: OptionSet {
    let rawValue: UInt16

    /// Among the changes of the pending event.
    static let insertedInEvent = ChangeMarks(rawValue: 1 << 0)
    static let updatedInEvent = ChangeMarks(rawValue: 1 << 1)
    static let deletedInEvent = ChangeMarks(rawValue: 1 << 2)
    static let refreshedInEvent = ChangeMarks(rawValue: 1 << 3)
    /// In the list of that name, until it is compacted.
    static let listedInserted = ChangeMarks(rawValue: 1 << 4)
    static let listedUpdated = ChangeMarks(rawValue: 1 << 5)
    static let listedDeleted = ChangeMarks(rawValue: 1 << 6)
    /// The delete rules of the pending deletion are applied.
    static let propagated = ChangeMarks(rawValue: 1 << 7)
    /// To be deleted because its insertion was undone: its delete rules don't apply.
    static let withdrawn = ChangeMarks(rawValue: 1 << 8)

    static let listed: ChangeMarks = [.listedInserted, .listedUpdated, .listedDeleted]
}

extension NSManagedObject {
    fileprivate final var changeMarks: ChangeMarks {
        @inline(__always) get { ChangeMarks(rawValue: changeBits) }
        @inline(__always) set { changeBits = newValue.rawValue }
    }

    /// Whether the pending event has the object among the inserted ones.
    @inline(__always)
    final var isInsertedInEvent: Bool { changeMarks.contains(.insertedInEvent) }

    /// Whether the object is new, and nothing is announced of it yet: what changes in it needs no record.
    @inline(__always)
    final var isNewInEvent: Bool { changeMarks.contains(.insertedInEvent) && state.contains(.inserted) }

    /// Whether the object is to be deleted because its insertion was undone.
    final var isWithdrawn: Bool { changeMarks.contains(.withdrawn) }

    /// Whether another change of the object has nothing to record.
    @inline(__always)
    final var isUpdateRecorded: Bool {
        // What a merge announces as inserted is changed like any other.
        isNewInEvent || changeMarks.contains(.updatedInEvent) && state.contains(.updated)
    }
}

// MARK: Changes

extension ChangeTracker {
    /// Makes an object one that the next save inserts.
    mutating func insert(_ object: NSManagedObject) {
        let former = object.state
        object.state.insert(.inserted)
        object.changeMarks.insert(.insertedInEvent)
        listInserted(object)
        event.inserted.append(object)
        ObjectTransition.check(.insert, of: object, from: former)
    }

    /// Makes an object one that the next save updates, unless it is new or has changes already.
    mutating func update(_ object: NSManagedObject) -> Update {
        let former = object.state
        let isFirst = object.state.isDisjoint(with: [.updated, .inserted])
        if isFirst {
            object.state.insert(.updated)
            listUpdated(object)
        }
        let isFirstInEvent = !object.changeMarks.contains(.updatedInEvent)
        if isFirstInEvent {
            object.changeMarks.insert(.updatedInEvent)
            event.updated.append(object)
        }
        ObjectTransition.check(.update, of: object, from: former)
        return Update(isFirst: isFirst, isFirstInEvent: isFirstInEvent)
    }

    /// Makes an object one that the next save deletes. Its delete rules are to be applied.
    ///
    /// - Parameter isWithdrawal: Whether an insertion is undone.
    mutating func delete(_ object: NSManagedObject, isWithdrawal: Bool) {
        let former = object.state
        object.state.insert(.deleted)
        object.changeMarks.insert(.deletedInEvent)
        object.changeMarks.subtract([.propagated, .withdrawn])
        if isWithdrawal { object.changeMarks.insert(.withdrawn) }
        listDeleted(object)
        event.deleted.append(object)
        event.unpropagated.append(object)
        ObjectTransition.check(.delete, of: object, from: former)
    }

    /// Takes the deletion of an object back.
    mutating func undelete(_ object: NSManagedObject) -> Undeletion {
        let (former, formerMarks) = (object.state, object.changeMarks)
        object.state.remove(.deleted)
        object.changeMarks.subtract([.propagated, .withdrawn, .deletedInEvent])
        // A save that failed has taken new objects that were deleted off the list.
        if object.state.isInserted { listInserted(object) }
        if object.state.isUpdated { listUpdated(object) }
        ObjectTransition.check(.undelete, of: object, from: former)
        return Undeletion(
            wasAnnounced: !formerMarks.contains(.deletedInEvent), hadRulesApplied: formerMarks.contains(.propagated))
    }

    /// Has the next notification name an object whose deletion was in an earlier one.
    mutating func announceReturn(of object: NSManagedObject) {
        if object.state.contains(.inserted) {
            object.changeMarks.insert(.insertedInEvent)
            event.inserted.append(object)
        } else if !object.changeMarks.contains(.updatedInEvent) {
            // Not among the inserted ones: what is changed in the same event would not be saved.
            object.changeMarks.insert(.updatedInEvent)
            event.updated.append(object)
        }
    }

    /// Drops a new object whose insertion is undone, and that has left the registry. The lists keep its place: they are
    /// compacted by the next save, and `insert` finds it there.
    mutating func withdraw(_ object: NSManagedObject) {
        let listed = object.changeMarks.intersection(.listed)
        Self.leave(object)
        object.changeMarks.formUnion(listed)
        object.changeMarks.insert(.deletedInEvent)
        event.deleted.append(object)
    }

    /// Makes a new object one that updates a row, which it collapsed onto.
    mutating func makeUpdate(of object: NSManagedObject) {
        let former = object.state
        object.state.remove(.inserted)
        object.state.insert(.updated)
        listUpdated(object)
        ObjectTransition.check(.makeUpdate, of: object, from: former)
    }

    /// Announces that an object was read again.
    mutating func refresh(_ object: NSManagedObject) {
        object.changeMarks.insert(.refreshedInEvent)
        event.refreshed.append(object)
    }

    /// Keeps an object that came back out of the pending event, so that its changes are recorded.
    static func holdInsertion(of object: NSManagedObject) { object.changeMarks.remove(.insertedInEvent) }

    /// Announces an object that came back.
    mutating func announceInsertion(of object: NSManagedObject) {
        guard !object.state.isDeleted, !object.changeMarks.contains(.insertedInEvent) else { return }
        object.changeMarks.insert(.insertedInEvent)
        event.inserted.append(object)
    }

    @inline(__always)
    private mutating func listInserted(_ object: NSManagedObject) {
        guard !object.changeMarks.contains(.listedInserted) else { return }
        object.changeMarks.insert(.listedInserted)
        insertedList.append(object)
    }

    @inline(__always)
    private mutating func listUpdated(_ object: NSManagedObject) {
        guard !object.changeMarks.contains(.listedUpdated) else { return }
        object.changeMarks.insert(.listedUpdated)
        updatedList.append(object)
    }

    @inline(__always)
    private mutating func listDeleted(_ object: NSManagedObject) {
        guard !object.changeMarks.contains(.listedDeleted) else { return }
        object.changeMarks.insert(.listedDeleted)
        deletedList.append(object)
    }
}

// MARK: States of single objects

extension ChangeTracker {
    /// The object is not to be deleted any more. It keeps its place in the pending event.
    static func endDeletion(of object: NSManagedObject) {
        let former = object.state
        object.state.remove(.deleted)
        object.changeMarks.subtract([.propagated, .withdrawn])
        ObjectTransition.check(.endDeletion, of: object, from: former)
    }

    /// The object, which the parent had deleted, is about to be inserted again.
    static func prepareInsertion(of object: NSManagedObject) {
        let former = object.state
        object.state.subtract([.fault, .deleted, .deletedElsewhere, .inaccessible])
        object.changeMarks.remove(.propagated)
        ObjectTransition.check(.prepareInsertion, of: object, from: former)
    }

    /// The object goes back to its row, which replaces its changes.
    static func rollback(_ object: NSManagedObject) {
        let former = object.state
        object.state.subtract([.updated, .deleted, .deletedElsewhere])
        object.changeMarks.subtract([.propagated, .updatedInEvent, .deletedInEvent])
        ObjectTransition.check(.rollback, of: object, from: former)
    }

    /// As `rollback`, for an object whose conflict is settled so: what was announced of it is announced still.
    static func rollbackConflict(of object: NSManagedObject) {
        let former = object.state
        object.state.subtract([.updated, .deleted])
        object.changeMarks.remove(.propagated)
        ObjectTransition.check(.rollbackConflict, of: object, from: former)
    }

    /// The changes of an object are given up, as it is read again.
    static func forgetUpdate(of object: NSManagedObject) {
        let former = object.state
        object.state.remove(.updated)
        object.changeMarks.remove(.updatedInEvent)
        ObjectTransition.check(.forgetUpdate, of: object, from: former)
    }

    /// The object is as it was saved. What the pending event announces of it stays.
    static func makeClean(_ object: NSManagedObject) {
        let former = object.state
        object.state.remove(.updated)
        ObjectTransition.check(.makeClean, of: object, from: former)
    }

    /// The object is saved.
    static func commit(_ object: NSManagedObject) {
        let former = object.state
        object.state.subtract([.inserted, .updated])
        object.changeMarks.subtract([.listedInserted, .listedUpdated])
        ObjectTransition.check(.commit, of: object, from: former)
    }

    /// The object is deleted because its insertion was undone in a child.
    static func markWithdrawn(_ object: NSManagedObject) { object.changeMarks.insert(.withdrawn) }

    /// The object has left the context.
    static func leave(_ object: NSManagedObject) {
        let former = object.state
        object.state.subtract([.inserted, .updated, .deleted, .deletedElsewhere])
        object.state.insert(.removed)
        object.changeMarks.subtract(.listed)
        object.changeMarks.subtract([.propagated, .withdrawn])
        ObjectTransition.check(.leave, of: object, from: former)
    }

    /// The object, which had left the context or never was in one, is about to be inserted again.
    static func comeBack(_ object: NSManagedObject) {
        let former = object.state
        object.state.subtract([.removed, .inaccessible])
        ObjectTransition.check(.comeBack, of: object, from: former)
    }

    /// Nothing is to be announced of an object any more.
    static func leaveEvent(_ object: NSManagedObject) {
        object.changeMarks.subtract([.insertedInEvent, .updatedInEvent, .deletedInEvent])
    }
}

// MARK: Delete rules

extension ChangeTracker {
    /// Whether the delete rules of some deletions are still to be applied.
    var hasUnpropagatedDeletions: Bool { !event.unpropagated.isEmpty }

    /// The deleted objects whose rules weren't applied yet, each once. Cost follows their number alone, because a chain
    /// of objects comes here once for each link.
    mutating func takeUnpropagated(in registry: ObjectRegistry) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        let candidates = event.unpropagated
        event.unpropagated = []
        for object in candidates
        where object.table?.registry === registry && object.state.isDeleted
            && !object.changeMarks.contains(.propagated)
        {
            object.changeMarks.insert(.propagated)
            objects.append(object)
        }
        return objects
    }

    /// Has the delete rules of an object applied again.
    mutating func propagateAgain(_ object: NSManagedObject) {
        object.changeMarks.remove(.propagated)
        event.unpropagated.append(object)
    }
}

// MARK: Merging

extension ChangeTracker {
    /// Announces an object that another context inserted. It has nothing to save.
    mutating func mergeInsertion(of object: NSManagedObject) {
        object.changeMarks.insert(.insertedInEvent)
        event.inserted.append(object)
    }

    /// Makes an object one that is to be deleted whose row is gone already.
    mutating func mergeDeletion(of object: NSManagedObject) {
        let former = object.state
        object.state.insert([.deleted, .deletedElsewhere])
        object.changeMarks.insert([.deletedInEvent, .propagated])
        hasMergedDeletions = true
        listDeleted(object)
        event.deleted.append(object)
        ObjectTransition.check(.mergeDeletion, of: object, from: former)
    }

    /// Ends a deletion that was merged: the row is there again.
    mutating func endMergedDeletion(of object: NSManagedObject) {
        let former = object.state
        object.state.subtract([.deleted, .deletedElsewhere])
        object.changeMarks.subtract([.propagated, .deletedInEvent])
        compact()
        // A save that failed has taken it off the list.
        if object.state.isInserted { listInserted(object) }
        if object.state.isUpdated { listUpdated(object) }
        ObjectTransition.check(.endMergedDeletion, of: object, from: former)
    }

    /// Makes the pending event the one of a merge.
    mutating func merge(_ merged: MergedIDs) { event.merged = merged }

    /// An object that other contexts deleted becomes a new one: its deletion is not announced.
    static func forgetMergedDeletion(of object: NSManagedObject) { object.changeMarks.remove(.deletedInEvent) }

    /// Releases objects that were deleted elsewhere, once they have no other references: there is nothing to save for
    /// them. Otherwise a context that only merges would keep all objects that were ever deleted, with their rows.
    mutating func forgetMergedDeletions() {
        guard hasMergedDeletions else { return }
        hasMergedDeletions = false
        var kept = 0
        for index in deletedList.indices {
            if deletedList[index].state.contains(.deletedElsewhere) {
                if isKnownUniquelyReferenced(&deletedList[index]) { continue }
                hasMergedDeletions = true
            }
            deletedList.swapAt(kept, index)
            kept += 1
        }
        deletedList.removeSubrange(kept...)
    }

    /// The objects to be deleted whose rows are gone already.
    var mergedDeletions: ContiguousArray<NSManagedObject> {
        guard hasMergedDeletions else { return [] }
        return deletedList.filter { $0.state.isSuperset(of: [.deleted, .deletedElsewhere]) }
    }
}

// MARK: What is to be saved

extension ChangeTracker {
    /// The objects that the next save inserts.
    var inserted: ContiguousArray<NSManagedObject> { insertedList.filter { $0.state.isInserted } }
    /// The objects that the next save updates.
    var updated: ContiguousArray<NSManagedObject> { updatedList.filter { $0.state.isUpdated } }
    /// The objects that are to be deleted, those included that no store has.
    var deleted: ContiguousArray<NSManagedObject> { deletedList.filter { $0.state.isDeleted } }

    /// Those of the unsaved changes that meet a condition.
    func changes(where condition: (NSManagedObject) -> Bool) -> ContextChanges {
        var changes = ContextChanges()
        changes.inserted = insertedList.filter { $0.state.isInserted && condition($0) }
        changes.updated = updatedList.filter { $0.state.isUpdated && condition($0) }
        changes.deleted = deletedList.filter { $0.state.isDeleted && condition($0) }
        return changes
    }

    /// How many updated and deleted objects there are at most.
    var changedCountLimit: Int { updatedList.count + deletedList.count }

    /// Whether there is anything to save.
    var hasChanges: Bool {
        insertedList.contains { $0.state.isInserted } || updatedList.contains { $0.state.isUpdated }
            || deletedList.contains { $0.state.isDeleted && !$0.state.contains(.inserted) }
    }

    /// What is to be saved now; compacts the lists.
    mutating func collect() -> ContextChanges {
        var changes = ContextChanges()
        changes.inserted = inserted
        changes.updated = updated
        for object in deletedList where object.state.isDeleted {
            if object.state.contains(.inserted) {
                changes.discarded.append(object)
            } else if object.state.contains(.inaccessible) {
                changes.missing.append(object)
            } else {
                changes.deleted.append(object)
            }
        }
        for object in insertedList where !object.state.isInserted { object.changeMarks.remove(.listedInserted) }
        for object in updatedList where !object.state.isUpdated { object.changeMarks.remove(.listedUpdated) }
        insertedList = changes.inserted
        updatedList = changes.updated
        return changes
    }

    /// Drops objects from the lists that have nothing to save any more.
    mutating func compact() {
        func compact(_ list: inout ContiguousArray<NSManagedObject>, _ bit: ObjectState, _ listed: ChangeMarks) {
            list.removeAll { object in
                if object.state.contains(bit) { return false }
                object.changeMarks.remove(listed)
                return true
            }
        }
        compact(&insertedList, .inserted, .listedInserted)
        compact(&updatedList, .updated, .listedUpdated)
        compact(&deletedList, .deleted, .listedDeleted)
    }

    /// Releases all objects of the lists, which have left the context.
    mutating func reset() {
        // One whose insertion was undone may come back, here or in another context.
        for object in insertedList { object.changeMarks.subtract(.listed) }
        for object in updatedList { object.changeMarks.subtract(.listed) }
        for object in deletedList { object.changeMarks.subtract(.listed) }
        insertedList = []
        updatedList = []
        deletedList = []
    }
}

// MARK: The pending event

extension ChangeTracker {
    /// Whether something changed that isn't announced yet, or a merge ends.
    var hasEvent: Bool { !event.isEmpty || event.merged != nil }
    /// Whether something changed that isn't announced yet.
    var isEventEmpty: Bool { event.isEmpty }

    /// The objects that the pending event announces as inserted, and some that were deleted since.
    var insertedInEvent: ContiguousArray<NSManagedObject> { event.inserted }

    /// The objects with changes that aren't announced yet.
    var changedInEvent: ContiguousArray<NSManagedObject> {
        event.inserted + event.updated.filter { $0.changeMarks.contains(.updatedInEvent) } + event.deleted
    }

    /// Ends the pending event. Deletions whose rules are to be applied stay.
    mutating func process() -> ProcessedEvent {
        let current = event
        event = PendingEvent()
        event.unpropagated = current.unpropagated
        // Updates first: they ask what was inserted.
        let updated = Self.taken(current.updated, .updatedInEvent) {
            !$0.changeMarks.contains(.insertedInEvent) && !$0.state.contains(.deleted)
        }
        let inserted = Self.taken(current.inserted, .insertedInEvent) { !$0.state.contains(.deleted) }
        let deleted = Self.taken(current.deleted, .deletedInEvent) { _ in true }
        let refreshed = Self.taken(current.refreshed, .refreshedInEvent) { _ in true }
        return ProcessedEvent(
            inserted: inserted, updated: updated, deleted: deleted, refreshed: refreshed, merged: current.merged,
            changed: current.updated)
    }

    /// The objects of a list that still have something to announce, each once; the mark that says so goes.
    private static func taken(
        _ objects: ContiguousArray<NSManagedObject>, _ mark: ChangeMarks, where isIncluded: (NSManagedObject) -> Bool
    ) -> ContiguousArray<NSManagedObject> {
        if objects.isEmpty { return [] }
        var found = ContiguousArray<NSManagedObject>()
        found.reserveCapacity(objects.count)
        for object in objects where object.changeMarks.contains(mark) {
            object.changeMarks.remove(mark)
            if isIncluded(object) { found.append(object) }
        }
        return found
    }

    /// Drops the pending event: nothing of it is announced.
    mutating func dropEvent() {
        for object in event.inserted { object.changeMarks.remove(.insertedInEvent) }
        for object in event.updated { object.changeMarks.remove(.updatedInEvent) }
        for object in event.deleted { object.changeMarks.remove(.deletedInEvent) }
        for object in event.refreshed { object.changeMarks.remove(.refreshedInEvent) }
        event = PendingEvent()
    }

    /// The ordered set through which a to-many was changed in the pending event.
    func liveSet(of object: NSManagedObject, _ relationship: RelationshipLayout) -> ManagedMutableOrderedSet? {
        event.liveSets[PendingEvent.LiveSetKey(object, relationship)]
    }

    /// Keeps an ordered set through which a to-many was changed, until the event ends.
    mutating func keep(
        _ set: ManagedMutableOrderedSet, of object: NSManagedObject, _ relationship: RelationshipLayout
    ) {
        event.liveSets[PendingEvent.LiveSetKey(object, relationship)] = set
    }
}

/// What a processed event announces.
struct ProcessedEvent {
    let inserted: ContiguousArray<NSManagedObject>
    let updated: ContiguousArray<NSManagedObject>
    let deleted: ContiguousArray<NSManagedObject>
    let refreshed: ContiguousArray<NSManagedObject>
    /// Identifiers for the notification of a merge; `nil` if the event is no merge.
    let merged: MergedIDs?
    /// The objects that were changed, whether the event announces that or not.
    fileprivate let changed: ContiguousArray<NSManagedObject>

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

    /// Forgets the values that objects had before the event. An object that observers changed has begun another one.
    func forgetFormerValues() {
        for object in changed where !object.changeMarks.contains(.updatedInEvent) {
            if let extras = object.extras, !extras.eventValues.isEmpty { extras.eventValues = [:] }
        }
    }
}

// MARK: What a save has announced

extension ChangeTracker {
    /// Keeps a set that is announced during a save, which may announce the same objects as saved.
    mutating func recordAnnounced(_ set: Set<NSManagedObject>, of objects: ContiguousArray<NSManagedObject>) {
        announced.record(set, of: objects)
    }

    /// Keeps the identifiers of objects, which were made while a store worked.
    mutating func recordIdentifiers(_ set: Set<NSManagedObjectID>, of objects: ContiguousArray<NSManagedObject>) {
        announced.record(set, of: objects)
    }

    /// Releases what the save has announced.
    mutating func endSave() { announced.forget() }
}

// MARK: Checking

extension ChangeTracker {
    /// What is wrong with lists, event and marks, for tests.
    ///
    /// - Parameter registered: The objects of the context.
    func checkInvariants(of registered: [NSManagedObject]) -> [String] {
        var broken = ObjectTransition.illegal
        func check(
            _ name: String, _ list: ContiguousArray<NSManagedObject>, _ mark: ChangeMarks,
            isComplete: (NSManagedObject) -> Bool = { _ in false }
        ) {
            let members = Set(list.lazy.map(ObjectIdentifier.init))
            for object in registered {
                let isListed = members.contains(ObjectIdentifier(object))
                if object.changeMarks.contains(mark), !isListed {
                    broken.append("\(object.reference) is marked as \(name), but not listed")
                }
                if !object.changeMarks.contains(mark), isComplete(object) {
                    broken.append("\(object.reference) is \(name), but not marked")
                }
            }
        }
        check("inserted", insertedList, .listedInserted) { $0.state.isInserted }
        check("updated", updatedList, .listedUpdated) { $0.state.isUpdated }
        check("deleted", deletedList, .listedDeleted) { $0.state.isDeleted }
        check("inserted in the event", event.inserted, .insertedInEvent)
        check("updated in the event", event.updated, .updatedInEvent)
        check("deleted in the event", event.deleted, .deletedInEvent)
        check("refreshed in the event", event.refreshed, .refreshedInEvent)
        let waiting = Set(event.unpropagated.lazy.map(ObjectIdentifier.init))
        for object in registered where object.state.isDeleted && !object.changeMarks.contains(.propagated) {
            if !waiting.contains(ObjectIdentifier(object)) {
                broken.append("the delete rules of \(object.reference) are neither applied nor to be applied")
            }
        }
        for object in registered { broken += object.checkState() }
        if !hasMergedDeletions, deletedList.contains(where: { $0.state.contains(.deletedElsewhere) }) {
            broken.append("a deletion was merged that isn't going to be forgotten")
        }
        return broken
    }
}

extension NSManagedObject {
    /// What is wrong with the state of a registered object.
    fileprivate final func checkState() -> [String] {
        var broken: [String] = []
        if state.contains(.removed) { broken.append("\(reference) has left the context, and is registered") }
        if changeMarks.contains(.propagated), !state.contains(.deleted) {
            broken.append("the delete rules of \(reference), which isn't deleted, are applied")
        }
        return broken
    }
}
