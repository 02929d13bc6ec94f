import Foundation

/// Calling `willChangeValue(forKey:)` and `didChangeValue(forKey:)` for changes that the engine makes, where a class
/// overrides them.
extension NSManagedObject {
    /// Whether the class observes each change.
    final var observesChanges: Bool {
        @inline(__always) get { OverriddenMethod.changes.isOverridden(by: type(of: self)) }
    }

    /// Changes a slot between the two calls.
    @inline(never)
    final func changing(_ slot: Int, _ body: () -> Void) {
        guard let name = layout.slots[slot]?.name else { return body() }
        willChangeValue(forKey: name)
        withoutAnnouncing(body)
        // The engine keeps the inverse of its own changes.
        forgetFormerDestination(slot)
        didChangeValue(forKey: name)
    }

    /// Adds to a to-many, or takes out of it, between the two calls.
    @inline(never)
    final func changing(
        _ relationship: RelationshipLayout, _ mutation: KeyValueSetMutationKind, _ member: NSManagedObject,
        _ body: () -> Bool
    ) -> Bool {
        guard !relationship.isOrdered else { return changing(relationship, body) }
        let notify = { self.willChangeValue(forKey: relationship.name, withSetMutation: mutation, using: [member]) }
        if let recorder = ownContext?.undoRecorder {
            recorder.withMemberChange(of: relationship, of: self, notify)
        } else {
            notify()
        }
        let result = withoutAnnouncing(body)
        didChangeValue(forKey: relationship.name, withSetMutation: mutation, using: [member])
        return result
    }

    /// Changes a to-many as a whole between the two calls.
    @inline(never)
    final func changing<Result>(_ relationship: RelationshipLayout, _ body: () -> Result) -> Result {
        willChangeValue(forKey: relationship.name)
        let result = withoutAnnouncing(body)
        didChangeValue(forKey: relationship.name)
        return result
    }
}
