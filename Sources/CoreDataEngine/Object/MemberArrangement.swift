/// How the members of an ordered to-many were moved by hand, to be repeated on those that the store has by now.
final class MemberArrangement {
    private let after: ContiguousArray<NSManagedObject>
    /// Whether members that were there before are in another order.
    private let isReordered: Bool

    /// - Returns: `nil` if members were only removed, and added at the end.
    init?(from before: MemberList, to after: MemberList) {
        let former = Set(before.objects.lazy.map(ObjectIdentifier.init))
        let present = Set(after.objects.lazy.map(ObjectIdentifier.init))
        let kept = after.objects.filter { former.contains(ObjectIdentifier($0)) }
        isReordered = !before.objects.lazy.filter { present.contains(ObjectIdentifier($0)) }.elementsEqual(
            kept, by: ===)
        self.after = after.objects
        if !isReordered, after.objects.prefix(kept.count).elementsEqual(kept, by: ===) { return nil }
    }

    /// The members in the order that was made by hand, with those that others have added.
    ///
    /// - Parameters:
    ///   - stored: What the store has.
    ///   - added: What was added here.
    ///   - removed: What was removed here.
    func members(
        of stored: ContiguousArray<NSManagedObject>, added: ContiguousArray<NSManagedObject>, removed: MemberList
    ) -> ContiguousArray<NSManagedObject> {
        let theirs = removed.isEmpty ? stored : MemberList(stored).subtracting(removed)
        let present = Set((theirs + added).lazy.map(ObjectIdentifier.init))
        let mine: ContiguousArray = after.filter { present.contains(ObjectIdentifier($0)) }
        return isReordered ? Self.inserting(theirs, into: mine) : Self.inserting(mine, into: theirs)
    }

    /// A list with what it lacks of another one: each after the neighbor that it has there, and at the end what stands
    /// at the end there.
    private static func inserting(
        _ other: ContiguousArray<NSManagedObject>, into list: ContiguousArray<NSManagedObject>
    ) -> ContiguousArray<NSManagedObject> {
        let present = Set(list.lazy.map(ObjectIdentifier.init))
        var following: [ObjectIdentifier?: ContiguousArray<NSManagedObject>] = [:]
        var neighbor: ObjectIdentifier?
        var waiting: ContiguousArray<NSManagedObject> = []
        for object in other {
            guard present.contains(ObjectIdentifier(object)) else {
                waiting.append(object)
                continue
            }
            following[neighbor] = waiting
            waiting = []
            neighbor = ObjectIdentifier(object)
        }
        var result = following[nil] ?? []
        result.reserveCapacity(list.count + other.count)
        for object in list {
            result.append(object)
            if let others = following[ObjectIdentifier(object)] { result.append(contentsOf: others) }
        }
        return result + waiting
    }
}
