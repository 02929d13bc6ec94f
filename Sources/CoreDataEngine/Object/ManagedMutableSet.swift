import Foundation

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

/// The ordered set that `mutableOrderedSetValue(forKey:)` gives: it starts with the members, and each change to it
/// changes the object.
///
/// Foundation's own methods work on the superclass's storage, so that has to hold the members too.
final class ManagedMutableOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let relationship: RelationshipLayout
    private var isFilling = true
    /// The members as this set has them.
    private var known: ContiguousArray<NSManagedObject> = []
    /// Whether the members could not be read, so that these are too few.
    private let isIncomplete: Bool

    init(owner: NSManagedObject, relationship: RelationshipLayout) {
        self.owner = owner
        self.relationship = relationship
        isIncomplete = owner.loadedState(relationship).members == nil
        super.init(capacity: 0)
        known = owner.members(relationship).objects
        for (index, object) in known.enumerated() { super.insert(object, at: index) }
        isFilling = false
    }

    required init?(coder: NSCoder) { nil }

    @available(*, unavailable)
    required init(arrayLiteral elements: Any...) { preconditionFailure("A live set belongs to an object.") }

    override var count: Int {
        synchronize()
        return super.count
    }

    override func insert(_ object: Any, at idx: Int) { change { super.insert(object, at: idx) } }
    override func removeObject(at idx: Int) { change { super.removeObject(at: idx) } }
    override func replaceObject(at idx: Int, with obj: Any) { change { super.replaceObject(at: idx, with: obj) } }
    override func add(_ object: Any) { change { super.add(object) } }
    override func addObjects(from array: [Any]) { change { super.addObjects(from: array) } }
    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
        change { super.exchangeObject(at: idx1, withObjectAt: idx2) }
    }
    override func moveObjects(at indexes: IndexSet, to idx: Int) { change { super.moveObjects(at: indexes, to: idx) } }
    override func setObject(_ obj: Any, at idx: Int) { change { super.setObject(obj, at: idx) } }
    override func insert(_ objects: [Any], at indexes: IndexSet) { change { super.insert(objects, at: indexes) } }
    override func removeObjects(at indexes: IndexSet) { change { super.removeObjects(at: indexes) } }
    override func removeObjects(in range: NSRange) { change { super.removeObjects(in: range) } }
    override func removeAllObjects() { change { super.removeAllObjects() } }
    override func removeObjects(in array: [Any]) { change { super.removeObjects(in: array) } }
    override func remove(_ object: Any) { change { super.remove(object) } }
    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        change { super.replaceObjects(at: indexes, with: objects) }
    }
    override func intersect(_ other: NSOrderedSet) { change { super.intersect(other) } }
    override func minus(_ other: NSOrderedSet) { change { super.minus(other) } }
    override func union(_ other: NSOrderedSet) { change { super.union(other) } }

    /// Lets Foundation change its storage and hands the result to the object once.
    private func change(_ body: () -> Void) {
        let isOutermost = !isFilling
        synchronize()
        isFilling = true
        body()
        guard isOutermost else { return }
        isFilling = false
        passOn()
    }

    /// Takes over what was changed otherwise since, by the object's accessors or from the other side of the
    /// relationship.
    private func synchronize() {
        guard !isFilling, !isIncomplete else { return }
        let members = owner.members(relationship).objects
        guard !known.sharesMemory(with: members) else { return }
        isFilling = true
        super.removeAllObjects()
        for (index, object) in members.enumerated() { super.insert(object, at: index) }
        isFilling = false
        known = members
    }

    private func passOn() {
        if isIncomplete {
            owner.ownContext?.recordBlindChange(of: relationship.name, of: owner)
            return
        }
        isFilling = true
        let members = ContiguousArray((0..<super.count).compactMap { super.object(at: $0) as? NSManagedObject })
        isFilling = false
        owner.setMembers(relationship, members)
        let now = owner.members(relationship).objects
        if now.elementsEqual(members, by: ===) { known = now } else { synchronize() }
    }
}

extension NSManagedObject {
    /// What `mutableSetValue` does.
    final func liveSet(forKey key: String) -> NSMutableSet {
        guard let relationship = layout.relationship(named: key), relationship.isToMany else {
            preconditionFailure("\(layout.name) has no to-many relationship named '\(key)'.")
        }
        return ManagedMutableSet(owner: self, relationship: relationship)
    }

    /// What `mutableOrderedSetValue` does.
    final func liveOrderedSet(forKey key: String) -> NSMutableOrderedSet {
        guard let relationship = layout.relationship(named: key), relationship.isOrdered else {
            preconditionFailure("\(layout.name) has no ordered to-many relationship named '\(key)'.")
        }
        return ManagedMutableOrderedSet(owner: self, relationship: relationship)
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
