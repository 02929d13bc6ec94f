/// What a container uses of Core Data's own, so that tests can come in between.
package protocol NSPersistentContainerProtocol: AnyObject, Sendable {
    /// The coordinator of all contexts.
    var persistentStoreCoordinator: NSPersistentStoreCoordinator { get }
    /// The stores that ``loadPersistentStores(completionHandler:)`` adds.
    var persistentStoreDescriptions: [NSPersistentStoreDescription] { get set }
    /// The context of the main queue.
    var viewContext: NSManagedObjectContext { get }

    /// Adds the described stores, in the background those whose description says so.
    ///
    /// - Parameter block: Called once for each description, with the error if there was one.
    func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void)

    /// Makes a context with a queue of its own.
    func newBackgroundContext() -> NSManagedObjectContext
}

extension NSPersistentContainer: NSPersistentContainerProtocol {}

extension NSPersistentContainerProtocol {
    /// Replaces all stores with one in memory.
    package func replacePersistentStoreDescriptionsWithSingleInMemoryDescription() {
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        persistentStoreDescriptions = [description]
    }
}
