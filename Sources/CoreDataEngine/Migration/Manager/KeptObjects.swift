/// Objects of a migration that stay registered, so that a migration policy finds what was created or read before among
/// the registered objects of a context.
///
/// At most the first ``limit`` of each entity are kept, because a policy may look through all of them for each object
/// that it creates, and the memory use of a migration must not grow with its store. They are faults, except for
/// destination objects in a migration with policies, which find them by their values: these keep their values, up to
/// ``mostBytes``.
struct KeptObjects {
    static let limit = 10_000
    private static let mostBytes = 32 << 20

    private var objectsByEntity: [ObjectIdentifier: [NSManagedObject]] = [:]
    private var withValues: [ObjectIdentifier: NSManagedObject] = [:]
    private var byteCount = 0

    /// - Returns: Those that are kept from now on.
    @discardableResult
    mutating func keep(_ objects: some Sequence<NSManagedObject>) -> [NSManagedObject] {
        var kept: [NSManagedObject] = []
        for object in objects where object.managedObjectContext != nil {
            let entity = ObjectIdentifier(object.layout)
            guard objectsByEntity[entity, default: []].count < Self.limit else { continue }
            objectsByEntity[entity, default: []].append(object)
            kept.append(object)
        }
        return kept
    }

    /// Whether an object keeps its values as they are. What its relationships lead to would stay in memory with it.
    func keepsValues(of object: NSManagedObject) -> Bool {
        withValues[ObjectIdentifier(object)] != nil && object.extras == nil
    }

    /// Reads the values of objects, and of those that had theirs until a save changed them.
    ///
    /// - Throws: What reading the store gave.
    mutating func readValues(of new: [NSManagedObject], in context: NSManagedObjectContext) throws {
        try Self.read(withValues.values.filter(\.isFault), in: context)
        guard byteCount < Self.mostBytes else { return }
        byteCount += try Self.read(new, in: context)
        for object in new { withValues[ObjectIdentifier(object)] = object }
    }

    /// - Returns: How much memory the values take.
    @discardableResult
    private static func read(_ objects: [NSManagedObject], in context: NSManagedObjectContext) throws -> Int {
        let faults = objects.filter { $0.managedObjectContext === context && !$0.state.isDeleted && $0.isFault }
        try context.fill(faults)
        // They have their rows, and are faults until a value is read.
        for object in faults { object.willAccessValue(forKey: nil) }
        let slabs = Dictionary(
            faults.compactMap(\.slab).map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first })
        return slabs.values.reduce(0) { $0 + $1.byteCount }
    }
}
