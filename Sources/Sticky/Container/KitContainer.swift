import OpenCoreDataKit

/// Core Data's container, whose stores are opened as the kit opens them: with the kit's errors, and without emptying a file
/// that has nothing in common with the model.
// @unchecked Sendable as the class above: nothing is added.
package final class KitContainer: NSPersistentContainer, @unchecked Sendable {
    package override func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            description.load(completionHandler: block) { try self.add($0) }
        }
    }

    private func add(_ description: NSPersistentStoreDescription) throws {
        try StoreOpening.add(
            NSPersistentStore.StoreType(rawValue: description.type), configuration: description.configuration,
            at: description.url, options: description.options, ifIncompatible: .fail, to: persistentStoreCoordinator)
    }
}
