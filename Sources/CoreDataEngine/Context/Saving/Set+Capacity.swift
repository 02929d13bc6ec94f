extension Set {
    /// Creates a set that is about to have `count` members.
    ///
    /// A member whose slot is taken is compared with the member that is there. In a very large set that member isn't in
    /// a cache, and waiting for it costs more than a table that is half as full.
    init(capacityForMany count: Int) {
        self.init(minimumCapacity: count < 1 << 17 ? count : count * 2)
    }
}

extension ContiguousArray<NSManagedObject> {
    /// The objects as a set.
    func asSet() -> Set<NSManagedObject> {
        var set = Set<NSManagedObject>(capacityForMany: count)
        for object in self { set.insert(object) }
        return set
    }
}
