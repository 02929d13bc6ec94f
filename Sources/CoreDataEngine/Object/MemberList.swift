import Foundation

/// Objects without duplicates, in order, with fast membership once it is asked for.
struct MemberList {
    private(set) var objects: ContiguousArray<NSManagedObject> = []
    /// Index by identity; made when a list that isn't short is asked for membership twice without a change of its order in
    /// between, and empty after the first time. Objects that were added since it was made may be missing at the end.
    private var indexes: [ObjectIdentifier: Int]?
    /// The lowest number among those that the members had before they were saved, 0 without such a member: an object
    /// with a lower one was made after all of them. The lowest there is where the numbers are not known.
    private var newest: Int64 = 0

    init() {}

    /// - Parameter objects: Without duplicates.
    init(_ objects: ContiguousArray<NSManagedObject>) {
        self.objects = objects
        if !objects.isEmpty { newest = .min }
    }

    var isEmpty: Bool { objects.isEmpty }

    var count: Int { objects.count }

    /// Up to this number, members are compared one after the other: they are adjacent in memory, while a table of
    /// indexes takes more memory than they do, and more time to fill than it saves.
    private static let linearLimit = 128

    mutating func index(of object: NSManagedObject) -> Int? {
        if objects.count <= Self.linearLimit { return scannedIndex(of: object) }
        if indexes == nil {
            // Between two changes of the order a table would serve this one question.
            indexes = [:]
            return scannedIndex(of: object)
        }
        return tabledIndex(of: object)
    }

    private mutating func tabledIndex(of object: NSManagedObject) -> Int? {
        if indexes?.count != objects.count { updateIndexes() }
        return indexes?[ObjectIdentifier(object)]
    }

    private func scannedIndex(of object: NSManagedObject) -> Int? {
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        return objects.withUnsafeBytes { bytes in
            let words = bytes.assumingMemoryBound(to: UInt.self)
            var start = 0
            // Eight at a time, without a branch for each.
            while start &+ 8 <= words.count {
                var isAmong = false
                for offset in start..<start &+ 8 where words[offset] == address { isAmong = true }
                if isAmong { break }
                start &+= 8
            }
            return words[start...].firstIndex(of: address)
        }
    }

    mutating func contains(_ object: NSManagedObject) -> Bool { index(of: object) != nil }

    /// Adds an object at the end; false when it is there already.
    @discardableResult
    mutating func append(_ object: NSManagedObject) -> Bool {
        guard admit(object) else { return false }
        objects.append(object)
        return true
    }

    /// Adds an object at a position; false when it is there already.
    @discardableResult
    mutating func insert(_ object: NSManagedObject, at index: Int) -> Bool {
        if index >= objects.count { return append(object) }
        guard admit(object) else { return false }
        objects.insert(object, at: index)
        indexes = nil
        return true
    }

    /// Puts the members in another order.
    ///
    /// - Parameter order: Must have the same members.
    mutating func reorder(_ order: ContiguousArray<NSManagedObject>) {
        objects = order
        indexes = nil
    }

    /// Whether an object was created after all members, as when a graph is built. Then it isn't a member.
    private func isNewer(_ object: NSManagedObject) -> Bool {
        object.reference < newest && !object.state.contains(.renumbered)
    }

    /// Whether an object is not a member yet; it is about to become one.
    @inline(__always)
    private mutating func admit(_ object: NSManagedObject) -> Bool {
        if isNewer(object) {
            newest = object.reference
            return true
        }
        guard !contains(object) else { return false }
        record(object)
        return true
    }

    private mutating func record(_ object: NSManagedObject) { newest = min(newest, object.reference) }

    /// Takes an object out; the others keep their order when `keepingOrder`, else the last takes its place.
    @discardableResult
    mutating func remove(_ object: NSManagedObject, keepingOrder: Bool) -> Bool {
        let isLong = objects.count > Self.linearLimit
        // Where the last object takes the place, the table stays of use.
        let known = keepingOrder || !isLong ? index(of: object) : tabledIndex(of: object)
        guard let index = known else { return false }
        // An object that is missing from the table must not be moved among those that are in it.
        if indexes?.count != objects.count { indexes = nil }
        if keepingOrder, index != objects.count - 1 {
            objects.remove(at: index)
            indexes = nil
        } else {
            objects.swapAt(index, objects.count - 1)
            indexes?[ObjectIdentifier(objects[index])] = index
            indexes?[ObjectIdentifier(object)] = nil
            objects.removeLast()
        }
        return true
    }

    /// Puts an object in another's place; takes the other out when the object is there already.
    mutating func replace(_ former: NSManagedObject, with object: NSManagedObject) {
        guard let index = index(of: former) else { return }
        if contains(object) {
            remove(former, keepingOrder: true)
        } else {
            objects[index] = object
            record(object)
            indexes = nil
        }
    }

    func hasSameMembers(as other: MemberList) -> Bool {
        guard objects.count == other.objects.count else { return false }
        if objects.elementsEqual(other.objects, by: ===) { return true }
        return Set(objects.lazy.map(ObjectIdentifier.init)) == Set(other.objects.lazy.map(ObjectIdentifier.init))
    }

    func hasSameOrder(as other: MemberList) -> Bool { objects.elementsEqual(other.objects, by: ===) }

    /// The members that `other` doesn't have.
    func subtracting(_ other: MemberList) -> ContiguousArray<NSManagedObject> {
        if other.isEmpty { return objects }
        let others = Set(other.objects.lazy.map(ObjectIdentifier.init))
        return objects.filter { !others.contains(ObjectIdentifier($0)) }
    }

    private mutating func updateIndexes() {
        var indexes = self.indexes ?? [:]
        self.indexes = nil
        indexes.reserveCapacity(objects.count)
        for index in indexes.count..<objects.count { indexes[ObjectIdentifier(objects[index])] = index }
        self.indexes = indexes
    }
}

extension ContiguousArray {
    /// Whether two arrays are the same one in memory, in constant time: one that was changed is another one, as long as
    /// the former one is held.
    func sharesMemory(with other: ContiguousArray) -> Bool {
        count == other.count
            && withUnsafeBufferPointer { left in other.withUnsafeBufferPointer { $0.baseAddress == left.baseAddress } }
    }
}
