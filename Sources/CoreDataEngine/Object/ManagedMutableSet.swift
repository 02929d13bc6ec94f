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
    required init(capacity numItems: Int) { programmerError("A live set belongs to an object.") }

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

    /// Members that stay don't leave the relationship in between.
    override func setSet(_ otherSet: Set<AnyHashable>) {
        owner.setMembers(relationship, ContiguousArray(otherSet.compactMap { $0.base as? NSManagedObject }))
    }

    /// Foundation's is of the storage of the superclass.
    override var description: String { NSSet(array: allObjects).description }
}
