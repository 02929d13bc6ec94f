/// The sets of objects that a save has announced as changed, which it may have to announce as saved too.
///
/// To make a set of many objects takes longer than to see that two lists are the same.
struct AnnouncedSets {
    private var sets: [(objects: ContiguousArray<NSManagedObject>, set: Set<NSManagedObject>)] = []

    mutating func record(_ set: Set<NSManagedObject>, of objects: ContiguousArray<NSManagedObject>) {
        sets.append((objects, set))
    }

    /// The set of some objects, the announced one if there is one of the same objects in the same order.
    func set(of objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObject> {
        if objects.isEmpty { return [] }
        return sets.first { $0.objects.elementsEqual(objects, by: ===) }?.set ?? objects.asSet()
    }

    /// Lets go of the objects.
    mutating func forget() {
        if !sets.isEmpty { sets = [] }
    }
}
