import OpenCoreData

// Lines are counted by tests.

extension NSManagedObjectContext {
    func useOffQueue() {
        _ = insertedObjects
    }
}

extension [NSManagedObjectContext] {
    func useOffQueue() { _ = map { $0.deletedObjects } }
}
