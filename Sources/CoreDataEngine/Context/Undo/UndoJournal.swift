/// What one event changed, in the form that takes it back.
struct UndoJournal {
    enum Change {
        /// The value that a slot had before the event.
        case value(NSManagedObject, SlotLayout, PropertyValue)
        /// A member that came into a to-many without order.
        case added(NSManagedObject, RelationshipLayout, NSManagedObject)
        /// A member that went out of a to-many without order.
        case removed(NSManagedObject, RelationshipLayout, NSManagedObject)
        /// All members that a to-many had before the event.
        case members(NSManagedObject, RelationshipLayout, MemberList)
        /// The object had no unsaved changes before the event.
        case madeUpdated(NSManagedObject)
    }

    /// Objects that are in the context since the event: inserted, or brought back.
    var appeared: ContiguousArray<NSManagedObject> = []
    /// Objects that are not in the context, or marked to be deleted, since the event.
    var vanished: ContiguousArray<NSManagedObject> = []
    var changes: ContiguousArray<Change> = []

    var isEmpty: Bool { appeared.isEmpty && vanished.isEmpty && changes.isEmpty }

    /// Forgets objects that came and went in the same event.
    mutating func dropShortLivedObjects() {
        guard !appeared.isEmpty, !vanished.isEmpty else { return }
        let both = Set(appeared.map(ObjectIdentifier.init)).intersection(vanished.map(ObjectIdentifier.init))
        guard !both.isEmpty else { return }
        appeared.removeAll { both.contains(ObjectIdentifier($0)) }
        vanished.removeAll { both.contains(ObjectIdentifier($0)) }
    }
}
