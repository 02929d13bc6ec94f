import Foundation

extension NSManagedObject {
    /// What `mutableSetValue` does.
    final func liveSet(forKey key: String) -> NSMutableSet {
        guard let relationship = layout.relationship(named: key), relationship.isToMany else {
            programmerError("\(layout.name) has no to-many relationship named '\(key)'.")
        }
        return ManagedMutableSet(owner: self, relationship: relationship)
    }

    /// What `mutableOrderedSetValue` does.
    final func liveOrderedSet(forKey key: String) -> NSMutableOrderedSet {
        guard let relationship = layout.relationship(named: key), relationship.isOrdered else {
            programmerError("\(layout.name) has no ordered to-many relationship named '\(key)'.")
        }
        return liveOrderedSet(relationship)
    }

    /// The ordered set through which a to-many was changed in this event, or a new one.
    final func liveOrderedSet(_ relationship: RelationshipLayout) -> ManagedMutableOrderedSet {
        ownContext?.changeTracker.liveSet(of: self, relationship)
            ?? ManagedMutableOrderedSet(owner: self, relationship: relationship)
    }

    /// What `willChangeValue(forKey:withSetMutation:using:)` does.
    final func beginSetChange(
        forKey key: String, withSetMutation mutation: KeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        self.willChangeValue(forKey: key)
    }

    /// What `didChangeValue(forKey:withSetMutation:using:)` does.
    final func endSetChange(
        forKey key: String, withSetMutation mutation: KeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        self.didChangeValue(forKey: key)
    }
}
