/// The sets of objects that a save has announced as changed, which it may have to announce as saved too, and those of their
/// identifiers that were made while a store worked.
///
/// To make a set of many objects takes longer than to see that two lists are the same.
struct AnnouncedSets {
    private var sets: [(objects: ContiguousArray<NSManagedObject>, set: Set<NSManagedObject>)] = []

    private var identifiers: [(objects: ContiguousArray<NSManagedObject>, set: Set<NSManagedObjectID>)] = []

    mutating func record(_ set: Set<NSManagedObject>, of objects: ContiguousArray<NSManagedObject>) {
        sets.append((objects, set))
    }

    /// The set of some objects, the announced one if there is one of the same objects in the same order.
    func set(of objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObject> {
        if objects.isEmpty { return [] }
        return sets.first { $0.objects.elementsEqual(objects, by: ===) }?.set ?? objects.asSet()
    }

    mutating func record(_ set: Set<NSManagedObjectID>, of objects: ContiguousArray<NSManagedObject>) {
        identifiers.append((objects, set))
    }

    /// The set of some objects' identifiers, if it was made for the same objects in the same order.
    func identifiers(of objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObjectID>? {
        identifiers.first { $0.objects.elementsEqual(objects, by: ===) }?.set
    }

    /// Releases the objects.
    mutating func forget() {
        if !sets.isEmpty { sets = [] }
        if !identifiers.isEmpty { identifiers = [] }
    }
}
