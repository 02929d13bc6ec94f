public import Foundation

/// The set that `mutableSetValue(forKey:)` gives: a live view of a to-many whose changes are tracked.
final class ManagedMutableSet: NSMutableSet {
    private let owner: NSManagedObject
    private let relationship: RelationshipLayout

    init(owner: NSManagedObject, relationship: RelationshipLayout) {
        self.owner = owner
        self.relationship = relationship
        super.init(capacity: 0)
    }

    required init?(coder: NSCoder) { nil }

    @available(*, unavailable)
    required init(capacity numItems: Int) { preconditionFailure("A live set belongs to an object.") }

    override var count: Int { owner.members(relationship).count }

    override func member(_ object: Any) -> Any? {
        guard let object = object as? NSManagedObject else { return nil }
        var members = owner.members(relationship)
        return members.contains(object) ? object : nil
    }

    override func objectEnumerator() -> NSEnumerator {
        NSArray(array: Array(owner.members(relationship).objects)).objectEnumerator()
    }

    override func add(_ object: Any) {
        if let object = object as? NSManagedObject { owner.addMember(relationship, object) }
    }

    override func remove(_ object: Any) {
        if let object = object as? NSManagedObject { owner.removeMember(relationship, object) }
    }
}

/// The ordered set that `mutableOrderedSetValue(forKey:)` gives: a live view of an ordered to-many.
final class ManagedMutableOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let relationship: RelationshipLayout

    init(owner: NSManagedObject, relationship: RelationshipLayout) {
        self.owner = owner
        self.relationship = relationship
        super.init(capacity: 0)
    }

    required init?(coder: NSCoder) { nil }

    @available(*, unavailable)
    required init(arrayLiteral elements: Any...) { preconditionFailure("A live set belongs to an object.") }

    private var objects: ContiguousArray<NSManagedObject> { owner.members(relationship).objects }

    override var count: Int { objects.count }

    override func object(at index: Int) -> Any { objects[index] }

    override func index(of object: Any) -> Int {
        guard let object = object as? NSManagedObject else { return NSNotFound }
        return objects.firstIndex { $0 === object } ?? NSNotFound
    }

    override func insert(_ object: Any, at index: Int) {
        guard let object = object as? NSManagedObject else { return }
        var changed = objects
        guard !changed.contains(where: { $0 === object }) else { return }
        changed.insert(object, at: index)
        owner.setMembers(relationship, changed)
    }

    override func removeObject(at index: Int) {
        var changed = objects
        changed.remove(at: index)
        owner.setMembers(relationship, changed)
    }

    override func replaceObject(at index: Int, with object: Any) {
        guard let object = object as? NSManagedObject else { return }
        var changed = objects
        changed[index] = object
        owner.setMembers(relationship, changed)
    }
}

extension NSManagedObject {
    /// A live view of a to-many; adding and removing changes the object.
    public final func mutableSetValue(forKey key: String) -> NSMutableSet {
        guard let relationship = layout.relationship(named: key), relationship.isToMany else {
            preconditionFailure("\(layout.name) has no to-many relationship named '\(key)'.")
        }
        return ManagedMutableSet(owner: self, relationship: relationship)
    }

    /// A live view of an ordered to-many; changing it changes the object.
    public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        guard let relationship = layout.relationship(named: key), relationship.isOrdered else {
            preconditionFailure("\(layout.name) has no ordered to-many relationship named '\(key)'.")
        }
        return ManagedMutableOrderedSet(owner: self, relationship: relationship)
    }

    /// The kinds of change that `didChangeValue(forKey:withSetMutation:using:)` tells.
    public enum KeyValueSetMutationKind: UInt, Sendable {
        case union = 1
        case minus = 2
        case intersect = 3
        case set = 4
    }

    /// Says that a to-many is about to change.
    public final func willChangeValue(
        forKey key: String, withSetMutation mutation: KeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        self.willChangeValue(forKey: key)
    }

    /// Says that a to-many changed.
    public final func didChangeValue(
        forKey key: String, withSetMutation mutation: KeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        self.didChangeValue(forKey: key)
    }
}
