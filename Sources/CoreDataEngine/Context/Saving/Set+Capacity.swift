extension Set {
    /// A set that is going to have so many members.
    ///
    /// A member that finds its place taken is compared with the one that is there. Among very many that one is in no cache,
    /// and the wait for it costs more than a table that is half as full.
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
