/// What one event changed, in the form that takes it back.
struct UndoJournal {
    enum Change {
        /// The value that a slot had before the event.
        case value(NSManagedObject, SlotLayout, PropertyValue)
        /// A member that came into a to-many without order. It is a reversal if the member had been removed before the
        /// store was asked for the members.
        case added(NSManagedObject, RelationshipLayout, NSManagedObject, isReversal: Bool)
        /// A member that went out of a to-many without order. It is a reversal if the member had been added before the
        /// store was asked for the members.
        case removed(NSManagedObject, RelationshipLayout, NSManagedObject, isReversal: Bool)
        /// All members that a to-many had before the event.
        case members(NSManagedObject, RelationshipLayout, MemberList)
        /// A member of a to-many without an inverse that was deleted: it stays a member in memory, but in no store.
        case deletedMember(NSManagedObject, RelationshipLayout, NSManagedObject)
        /// The object had no unsaved changes before the event.
        case madeUpdated(NSManagedObject)
    }

    /// An object that came into the context or left it.
    struct Move {
        let object: NSManagedObject
        /// Whether it is the reverse of the other kind of move: the object came back from a deletion, or left because its
        /// insertion was undone. What takes a deletion back is taken back by a deletion, with its rules; what takes an
        /// insertion back, or is one, has nothing to do with rules.
        let isReversal: Bool
    }

    /// Objects that are in the context since the event: inserted, or brought back.
    var appeared: ContiguousArray<Move> = []
    /// Objects that are not in the context, or marked to be deleted, since the event.
    var vanished: ContiguousArray<Move> = []
    var changes: ContiguousArray<Change> = []

    var isEmpty: Bool { appeared.isEmpty && vanished.isEmpty && changes.isEmpty }

    /// Forgets objects that came and went in the same event.
    mutating func dropShortLivedObjects() {
        guard !appeared.isEmpty, !vanished.isEmpty else { return }
        // An object may come and go several times.
        var balance: [ObjectIdentifier: Int] = [:]
        for move in appeared { balance[ObjectIdentifier(move.object), default: 0] += 1 }
        for move in vanished { balance[ObjectIdentifier(move.object), default: 0] -= 1 }
        func keepOnce(_ moves: inout ContiguousArray<Move>, _ isKept: (Int) -> Bool) {
            moves.removeAll { move in
                guard let count = balance[ObjectIdentifier(move.object)], isKept(count) else { return true }
                balance[ObjectIdentifier(move.object)] = 0
                return false
            }
        }
        keepOnce(&appeared) { $0 > 0 }
        keepOnce(&vanished) { $0 < 0 }
    }
}
