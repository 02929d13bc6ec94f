/// Objects of a migration that are kept, as faults, so that a migration policy finds among the registered objects of a context
/// what was made or read before.
///
/// The most that are kept of one entity are the first ``limit``: whoever looks through all objects for each one that it makes
/// has no more of them, and the memory of a migration must not grow with its store.
struct KeptObjects {
    static let limit = 10_000

    private var objectsByEntity: [ObjectIdentifier: [NSManagedObject]] = [:]

    mutating func keep(_ objects: some Sequence<NSManagedObject>) {
        for object in objects where object.managedObjectContext != nil {
            let entity = ObjectIdentifier(object.layout)
            guard objectsByEntity[entity, default: []].count < Self.limit else { continue }
            objectsByEntity[entity, default: []].append(object)
        }
    }
}
