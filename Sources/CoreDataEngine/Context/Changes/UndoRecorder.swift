import Foundation

/// Notes what changes in a context that has an undo manager, and hands it to the manager event by event.
final class UndoRecorder {
    let manager: UndoManager
    private var journal = UndoJournal()
    /// Slots and to-manys whose former value is in the journal.
    private var noted: Set<Key> = []
    /// The to-many of an object that the engine changes by one member, which it records itself.
    private var changedByMember: Key?
    private let observer: NoticeObserver
    private let handle: WeakHandle<NSManagedObjectContext>
    private var context: NSManagedObjectContext? { handle.object }

    private struct Key: Hashable {
        let object: ObjectIdentifier
        /// A slot, or the complement of a relationship's index.
        let property: Int
    }

    init(manager: UndoManager, context: NSManagedObjectContext) {
        self.manager = manager
        handle = context.weakHandle
        observer = NoticeObserver(.NSUndoManagerCheckpoint, of: manager) { [handle] _ in
            // A manager may be shared; a checkpoint on another context's queue is not this one's moment.
            if let context = handle.object, context.isOnQueue { context.processChanges() }
        }
    }

    // MARK: Noting

    func didInsert(_ object: NSManagedObject, isReturn: Bool = false) {
        journal.appeared.append(UndoJournal.Move(object: object, isReversal: isReturn))
    }

    func didDelete(_ object: NSManagedObject, isWithdrawal: Bool = false) {
        journal.vanished.append(UndoJournal.Move(object: object, isReversal: isWithdrawal))
    }

    func didMakeUpdated(_ object: NSManagedObject) { journal.changes.append(.madeUpdated(object)) }

    func willChange(_ object: NSManagedObject, slot index: Int) {
        // Undoing takes an object that is new in this event out as it is.
        guard !object.isInsertedInEvent, let slot = object.layout.slots[index],
            noted.insert(Key(object: ObjectIdentifier(object), property: index)).inserted
        else { return }
        if object.isUnread { object.fireFault() }
        if object.isUnread {
            // Undoing would put nothing in place of what could not be read.
            context?.recordBlindChange(of: slot.name, of: object)
            return
        }
        let value: PropertyValue
        if slot.kind == .toOne {
            value = object.destinationWithoutFiring(slot).map { .object($0) } ?? .null
        } else if let known = object.edit(index) ?? object.readableRowValue(index) {
            value = known
        } else {
            // A value that can't be read can't be given back either.
            return
        }
        journal.changes.append(.value(object, slot, value))
    }

    /// Records all members of a to-many, for a change that can't be expressed as members that come and go.
    func willReplace(_ relationship: RelationshipLayout, of object: NSManagedObject) {
        let key = Key(object: ObjectIdentifier(object), property: ~relationship.index)
        guard !object.isInsertedInEvent, noted.insert(key).inserted else { return }
        guard let members = object.loadedState(relationship).members else {
            context?.recordBlindChange(of: relationship.name, of: object)
            return
        }
        journal.changes.append(.members(object, relationship, members))
    }

    /// Has an object notified of a change of a to-many by one member, without recording all of its members for it.
    func withMemberChange(of relationship: RelationshipLayout, of object: NSManagedObject, _ body: () -> Void) {
        let outer = changedByMember
        changedByMember = Key(object: ObjectIdentifier(object), property: ~relationship.index)
        body()
        changedByMember = outer
    }

    /// Records all members of a to-many that an application is about to change, unless the engine changes it by a member.
    func willChange(_ relationship: RelationshipLayout, of object: NSManagedObject) {
        let key = Key(object: ObjectIdentifier(object), property: ~relationship.index)
        if key != changedByMember { willReplace(relationship, of: object) }
    }

    func didAdd(
        _ member: NSManagedObject, to relationship: RelationshipLayout, of object: NSManagedObject,
        isReversal: Bool = false
    ) {
        guard !object.isInsertedInEvent else { return }
        journal.changes.append(.added(object, relationship, member, isReversal: isReversal))
    }

    func didRemove(
        _ member: NSManagedObject, from relationship: RelationshipLayout, of object: NSManagedObject,
        isReversal: Bool = false
    ) {
        guard !object.isInsertedInEvent else { return }
        journal.changes.append(.removed(object, relationship, member, isReversal: isReversal))
    }

    func didDelete(_ member: NSManagedObject, of relationship: RelationshipLayout, of owner: NSManagedObject) {
        journal.changes.append(.deletedMember(owner, relationship, member))
    }

    // MARK: Registering

    /// Registers what the event changed as one action.
    ///
    /// - Parameter takesBack: Whether the event takes another one back. It is registered even if it changed nothing,
    ///   because the manager's groups have to stay in step.
    func register(for context: NSManagedObjectContext, takesBack: Bool = false) {
        guard takesBack || !journal.isEmpty else { return }
        var event = journal
        forget()
        event.dropShortLivedObjects()
        guard takesBack || !event.isEmpty, manager.isUndoRegistrationEnabled else { return }
        let isOutsideGroups = !manager.groupsByEvent && manager.groupingLevel == 0
        if isOutsideGroups { manager.beginUndoGrouping() }
        manager.registerUndo(withTarget: context) { $0.takeBack(event) }
        if isOutsideGroups { manager.endUndoGrouping() }
    }

    func forget() {
        journal = UndoJournal()
        noted = []
    }
}
