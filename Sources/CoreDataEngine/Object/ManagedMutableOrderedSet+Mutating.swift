import Foundation

/// The other mutating methods of `NSMutableOrderedSet`, most of which Foundation applies to its storage alone.
extension ManagedMutableOrderedSet {
    /// Adds those of some objects that are no members yet.
    func addAll(_ objects: some Sequence<Any>) {
        guard mayChange() else { return }
        var known: Set<ObjectIdentifier> = []
        let new = objects.lazy.compactMap { $0 as? NSManagedObject }
            .filter { !self.contains($0) && known.insert(ObjectIdentifier($0)).inserted }
        let members = ContiguousArray(new)
        if !members.isEmpty { append(members) }
    }

    /// Takes out the members that a closure doesn't want.
    func keep(_ isWanted: (NSManagedObject) -> Bool) {
        guard mayChange() else { return }
        let left = known.indices.filter { !isWanted(known[$0]) }
        switch left.count {
        case 0: return
        case 1: removeMember(at: left[0])
        default: replaceAll(members(notAt: IndexSet(left)))
        }
    }

    /// Takes some objects out.
    func drop(_ objects: some Sequence<Any>) {
        let gone = Set(objects.lazy.compactMap { ($0 as? NSManagedObject).map(ObjectIdentifier.init) })
        if let only = gone.first, gone.count == 1 {
            guard mayChange(), let index = known.firstIndex(where: { ObjectIdentifier($0) == only }) else { return }
            return removeMember(at: index)
        }
        if !gone.isEmpty { keep { !gone.contains(ObjectIdentifier($0)) } }
    }

    /// Puts objects in the places of some members, one after the other. One that is a member elsewhere leaves its place.
    func replace(_ indexes: IndexSet, with objects: some Sequence<Any>) {
        let new = objects.compactMap { $0 as? NSManagedObject }
        let moved = Set(new.map(ObjectIdentifier.init))
        var rest = new[...]
        var members: ContiguousArray<NSManagedObject> = []
        var placed: Set<ObjectIdentifier> = []
        for (index, member) in known.enumerated() {
            if indexes.contains(index) {
                // The last place takes what is left over.
                while let next = rest.popFirst() {
                    if placed.insert(ObjectIdentifier(next)).inserted { members.append(next) }
                    if index != indexes.last { break }
                }
            } else if !moved.contains(ObjectIdentifier(member)) {
                members.append(member)
            }
        }
        for next in rest where placed.insert(ObjectIdentifier(next)).inserted { members.append(next) }
        replaceAll(members)
    }

    /// Sorts a part of the members; those that compare as the same keep their order.
    func sort(_ range: Range<Int>, by compare: (Any, Any) -> ComparisonResult) {
        let sorted = known[range].enumerated().sorted { left, right in
            switch compare(left.element, right.element) {
            case .orderedAscending: true
            case .orderedSame: left.offset < right.offset
            case .orderedDescending: false
            }
        }
        var order = known
        order.replaceSubrange(range, with: sorted.map(\.element))
        reorder(order)
    }

    func members(at indexes: IndexSet) -> [NSManagedObject] {
        indexes.map { index in
            require(known.indices, has: index)
            return known[index]
        }
    }

    func members(notAt indexes: IndexSet) -> ContiguousArray<NSManagedObject> {
        ContiguousArray(known.indices.lazy.filter { !indexes.contains($0) }.map { self.known[$0] })
    }

    /// The indexes of a range.
    func indexes(in range: NSRange) -> Range<Int> {
        guard let range = Range(range), range.lowerBound >= 0, range.upperBound <= known.count else {
            programmerError("The range \(range) is not in the \(known.count) members of an ordered to-many.")
        }
        return range
    }

    /// Stops the program at an index that is not among some.
    func require<Indexes: RangeExpression<Int>>(_ indexes: Indexes, has index: Int) {
        programmerError(
            unless: indexes.contains(index),
            "The index \(index) is not in the \(known.count) members of an ordered to-many.")
    }
}

extension ManagedMutableOrderedSet: Reorderable {
    func reorder(_ elements: [Any]) {
        guard mayChange() else { return }
        let order = ContiguousArray(elements.compactMap { $0 as? NSManagedObject })
        if order.count == known.count { reorder(order) }
    }
}
