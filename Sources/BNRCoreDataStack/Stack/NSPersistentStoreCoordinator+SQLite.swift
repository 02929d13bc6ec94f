public import OpenCoreDataKit

extension NSPersistentStoreCoordinator {
    /// The options of a stack's file: older files are migrated, the mapping is inferred, and the file has a write-ahead log.
    public static var stockSQLiteStoreOptions: [AnyHashable: Any] {
        [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            NSSQLitePragmasOption: ["journal_mode": "WAL"],
        ]
    }

    /// Makes a coordinator with a SQLite file, in the background. Returns at once; a migration may take its time.
    ///
    /// For contexts of your own, without a ``CoreDataStack``. The completion receives
    /// ``CoreDataStack/Error/unableToCreateStore(at:)`` if the folder can't be created, and a `DatabaseError` if the file
    /// can't be opened.
    ///
    /// - Parameters:
    ///   - managedObjectModel: The model, which can't be changed afterwards.
    ///   - storeFileURL: The file, whose folder is created if necessary.
    ///   - persistentStoreOptions: Options of the store; none for `nil`.
    ///   - completion: Called once, on a background queue.
    @preconcurrency
    public static func setupSQLiteBackedCoordinator(
        _ managedObjectModel: NSManagedObjectModel, storeFileURL: URL,
        persistentStoreOptions: [AnyHashable: Any]? = NSPersistentStoreCoordinator.stockSQLiteStoreOptions,
        completion: @escaping CoreDataStack.CoordinatorCallback
    ) {
        let store = StackStore(model: managedObjectModel, url: storeFileURL, options: persistentStoreOptions ?? [:])
        CoreDataStack.background.async { completion(CoreDataStack.CoordinatorResult { try store.open() }) }
    }
}
