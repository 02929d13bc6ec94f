import Foundation

/// The set that `primitiveValue(forKey:)` gives for a to-many that isn't ordered. What was added to it and removed from it
/// becomes the object's when `didChangeValue` is called for the relationship.
///
/// It is of Foundation's own class, as `as? Set<Book>` turns every instance of a subclass of `NSSet` into an empty set.
final class PrimitiveSet {
    let set = NSMutableSet()
    /// The members that the set was last made equal to.
    private var known: ContiguousArray<NSManagedObject> = []

    /// Makes the set equal to the members.
    func fill(with members: ContiguousArray<NSManagedObject>) {
        guard !known.sharesMemory(with: members) else { return }
        set.removeAllObjects()
        for object in members { set.add(object) }
        known = members
    }

    /// What was added to the set and what was removed from it since it was filled.
    func takeChanges() -> (added: [NSManagedObject], removed: [NSManagedObject]) {
        let before = Set(known.map(ObjectIdentifier.init))
        let added = set.allObjects.compactMap { $0 as? NSManagedObject }.filter {
            !before.contains(ObjectIdentifier($0))
        }
        if added.isEmpty, set.count == known.count { return ([], []) }
        let removed = known.filter { !set.contains($0) }
        known.append(contentsOf: added)
        known.removeAll { !set.contains($0) }
        return (added, Array(removed))
    }
}

extension NSManagedObject {
    /// The set that represents a to-many's members without hooks.
    final func primitiveSet(_ relationship: RelationshipLayout) -> NSMutableSet {
        takeOverPrimitiveSet(relationship)
        let extras = ensureExtras()
        let kept = extras.primitiveSets[relationship.index] ?? PrimitiveSet()
        extras.primitiveSets[relationship.index] = kept
        kept.fill(with: members(relationship).objects)
        return kept.set
    }

    /// What `didChangeValue` does.
    final func endChange(forKey key: String) {
        guard let extras else { return }
        if !extras.formerDestinations.isEmpty, let slot = layout.slot(named: key) { keepInverse(of: slot) }
        guard !extras.primitiveSets.isEmpty, let relationship = layout.relationship(named: key) else { return }
        takeOverPrimitiveSet(relationship)
    }

    /// Changes the members as the set that was given out was changed.
    private func takeOverPrimitiveSet(_ relationship: RelationshipLayout) {
        guard let changes = extras?.primitiveSets[relationship.index]?.takeChanges() else { return }
        for object in changes.removed { removeMember(relationship, object) }
        for object in changes.added { addMember(relationship, object) }
    }
}
