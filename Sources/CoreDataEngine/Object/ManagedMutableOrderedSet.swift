import Foundation

/// The ordered set that `mutableOrderedSetValue(forKey:)` gives: a live view of an ordered to-many whose changes are tracked.
///
/// Some of Foundation's methods, such as `firstObject` and enumeration, read the superclass's storage and can't be overridden,
/// so that has to hold the members too. A change of one member changes both in place; others write the members as a whole.
final class ManagedMutableOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let relationship: RelationshipLayout
    /// The members as the superclass's storage has them. While it shares its memory with the object's list, they are the same.
    private(set) var known: ContiguousArray<NSManagedObject> = []
    /// Whether the superclass works on its storage: what it calls then is meant for that.
    private(set) var isMirroring = false
    /// Whether the members could not be read, so that these are too few.
    private let isIncomplete: Bool

    init(owner: NSManagedObject, relationship: RelationshipLayout) {
        self.owner = owner
        self.relationship = relationship
        isIncomplete = owner.loadedState(relationship).members == nil
        super.init(capacity: 0)
        takeOver(owner.members(relationship).objects)
    }

    required init?(coder: NSCoder) { nil }

    @available(*, unavailable)
    required init(arrayLiteral elements: Any...) { programmerError("A live set belongs to an object.") }

    // MARK: Reading

    override var count: Int {
        synchronize()
        return super.count
    }

    override func object(at idx: Int) -> Any {
        synchronize()
        return super.object(at: idx)
    }

    override func contains(_ object: Any) -> Bool {
        synchronize()
        return super.contains(object)
    }

    override func index(of object: Any) -> Int {
        synchronize()
        guard let object = object as? NSManagedObject, super.contains(object) else { return NSNotFound }
        return owner.toManyState(relationship).members?.index(of: object)
            ?? known.firstIndex { $0 === object } ?? NSNotFound
    }

    /// Takes over what was changed otherwise since, by the object's accessors or from the other side of the relationship.
    private func synchronize() {
        guard !isMirroring, !isIncomplete else { return }
        let members = owner.members(relationship).objects
        if !known.sharesMemory(with: members) { takeOver(members) }
    }

    private func takeOver(_ members: ContiguousArray<NSManagedObject>) {
        mirror {
            super.removeAllObjects()
            for member in members { super.add(member) }
        }
        known = members
    }

    private func mirror(_ body: () -> Void) {
        isMirroring = true
        body()
        isMirroring = false
    }

    // MARK: Changing the object

    /// Whether the members may be changed, which are known then.
    func mayChange() -> Bool {
        guard !isIncomplete else {
            owner.ownContext?.recordBlindChange(of: relationship.name, of: owner)
            return false
        }
        synchronize()
        return true
    }

    /// Appends new members.
    func append(_ members: ContiguousArray<NSManagedObject>) {
        if members.count > 1, owner.observesChanges { return replaceAll(known + members) }
        let count = known.count + members.count
        // Held, the memory would be copied to be changed.
        known = []
        for member in members { owner.addMember(relationship, member) }
        follow {
            $0.count == count && $0.last === members.last
        } mirroring: {
            for member in members { super.add(member) }
        }
    }

    /// Inserts a new member.
    func insert(member: NSManagedObject, at index: Int) {
        let count = known.count + 1
        known = []
        owner.insertMember(relationship, member, at: index)
        follow {
            $0.count == count && $0[index] === member
        } mirroring: {
            super.insert(member, at: index)
        }
    }

    func removeMember(at index: Int) {
        let (member, count) = (known[index], known.count - 1)
        known = []
        owner.removeMember(relationship, member)
        follow {
            $0.count == count
        } mirroring: {
            super.removeObject(at: index)
        }
    }

    /// Writes all members.
    func replaceAll(_ members: ContiguousArray<NSManagedObject>) {
        guard !members.elementsEqual(known, by: ===) else { return }
        known = []
        owner.setMembers(relationship, members)
        follow { _ in
            false
        } mirroring: {
        }
    }

    /// Puts the members in another order.
    func reorder(_ order: ContiguousArray<NSManagedObject>, mirroring body: (() -> Void)? = nil) {
        guard !order.elementsEqual(known, by: ===) else { return }
        known = []
        owner.reorderMembers(relationship, order)
        follow {
            $0.count == order.count && body != nil
        } mirroring: {
            body?()
        }
    }

    /// Does in the superclass's storage what was done to the object. Where that has come to something else, as an
    /// application's own code may have it, the members are taken over.
    private func follow(
        _ isExpected: (ContiguousArray<NSManagedObject>) -> Bool, mirroring body: () -> Void
    ) {
        let members = owner.members(relationship).objects
        if !owner.observesChanges, isExpected(members) {
            mirror(body)
            known = members
        } else {
            takeOver(members)
        }
        owner.ownContext?.changeTracker.keep(self, of: owner, relationship)
    }

    // MARK: What others are made of

    override func insert(_ object: Any, at idx: Int) {
        if isMirroring { return super.insert(object, at: idx) }
        guard mayChange(), let member = object as? NSManagedObject, !super.contains(member) else { return }
        require(0...known.count, has: idx)
        insert(member: member, at: idx)
    }

    override func removeObject(at idx: Int) {
        if isMirroring { return super.removeObject(at: idx) }
        guard mayChange() else { return }
        require(known.indices, has: idx)
        removeMember(at: idx)
    }

    override func removeAllObjects() {
        if isMirroring { return super.removeAllObjects() }
        if mayChange() { replaceAll([]) }
    }

    override func add(_ object: Any) {
        if isMirroring { return super.add(object) }
        addAll(CollectionOfOne(object))
    }

    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
        guard mayChange() else { return }
        for index in [idx1, idx2] { require(known.indices, has: index) }
        var order = known
        order.swapAt(idx1, idx2)
        reorder(order) { super.exchangeObject(at: idx1, withObjectAt: idx2) }
    }

    override func moveObjects(at indexes: IndexSet, to idx: Int) {
        guard mayChange() else { return }
        let moved = members(at: indexes)
        var order = members(notAt: indexes)
        require(0...order.count, has: idx)
        order.insert(contentsOf: moved, at: idx)
        reorder(order) { super.moveObjects(at: indexes, to: idx) }
    }

    // MARK: All other mutating methods

    override func addObjects(from array: [Any]) { addAll(array) }
    override func union(_ other: NSOrderedSet) { addAll(other.array) }
    override func unionSet(_ other: Set<AnyHashable>) { addAll(other.lazy.map(\.base)) }
    override func insert(_ objects: [Any], at indexes: IndexSet) {
        for (object, index) in zip(objects, indexes) { insert(object, at: index) }
    }

    override func remove(_ object: Any) { drop(CollectionOfOne(object)) }
    override func removeObjects(in array: [Any]) { drop(array) }
    override func minus(_ other: NSOrderedSet) { drop(other.array) }
    override func minusSet(_ other: Set<AnyHashable>) { drop(other.lazy.map(\.base)) }
    override func intersect(_ other: NSOrderedSet) { keep { other.contains($0) } }
    override func intersectSet(_ other: Set<AnyHashable>) { keep { other.contains($0) } }
    override func removeObjects(in range: NSRange) {
        if mayChange() { removeObjects(at: IndexSet(integersIn: indexes(in: range))) }
    }
    override func removeObjects(at indexes: IndexSet) {
        guard mayChange() else { return }
        drop(members(at: indexes))
    }

    override func replaceObject(at idx: Int, with obj: Any) { replaceObjects(at: [idx], with: [obj]) }
    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        guard mayChange() else { return }
        for index in indexes { require(known.indices, has: index) }
        replace(indexes, with: objects)
    }

    override func sort(comparator cmptr: (Any, Any) -> ComparisonResult) {
        if mayChange() { sort(known.indices, by: cmptr) }
    }
    override func sort(options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult) {
        if mayChange() { sort(known.indices, by: cmptr) }
    }
    override func sortRange(
        _ range: NSRange, options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult
    ) {
        if mayChange() { sort(indexes(in: range), by: cmptr) }
    }
    override func sort(using sortDescriptors: [Foundation.NSSortDescriptor]) {
        if mayChange() { reorder(NSArray(array: Array(known)).sortedArray(using: sortDescriptors)) }
    }

    #if !canImport(ObjectiveC)
    override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
        addAll(UnsafeBufferPointer(start: objects, count: count).lazy.map { $0 as Any })
    }
    override func replaceObjects(in range: NSRange, with objects: UnsafePointer<AnyObject>!, count: Int) {
        guard mayChange() else { return }
        let new = UnsafeBufferPointer(start: objects, count: count).map { $0 as Any }
        let indexes = indexes(in: range)
        guard indexes.isEmpty else { return replace(IndexSet(integersIn: indexes), with: new) }
        for (offset, object) in new.enumerated() { insert(object, at: range.location + offset) }
    }
    #endif
}
