public import OpenCoreDataKit

extension CoreDataStack {
    /// Adds a store that lives as long as the stack.
    ///
    /// Each call adds another store, so a second one needs a configuration with other entities.
    ///
    /// - Parameter configuration: The configuration of the model whose entities it keeps; `nil` for all.
    /// - Throws: `DatabaseError.storeFailed` for an unknown configuration, `DatabaseError.duplicateStore` when another
    ///   store keeps one of the entities.
    public func addInMemoryStore(configuration: String? = nil) throws {
        try stores.add(.memory(configuration: configuration))
    }

    /// Adds a store in a SQLite file. Blocks until a file of an older model has been migrated.
    ///
    /// Adding the same file again in the same way does nothing.
    ///
    /// Call it before contexts read or write the objects of the store. To read several files, give each of them a
    /// configuration.
    ///
    /// - Parameters:
    ///   - fileURL: The file, whose folder is created if it doesn't exist. By default a file of the program's name in
    ///     the user's folder for application support.
    ///   - configuration: The configuration of the model whose entities it keeps; `nil` for all.
    ///   - autoMigrating: Whether a file of an older model is migrated. If not, it is refused.
    ///   - resetOnFailure: Whether a file that doesn't match the model, and can't be migrated, is deleted and created
    ///     again. Any other failure leaves it unchanged.
    /// - Throws: `DatabaseError.incompatibleStore`, `DatabaseError.storeFailed`, `DatabaseError.duplicateStore`.
    public func addDatabaseStore(
        fileURL: URL? = nil, configuration: String? = nil, autoMigrating: Bool = true, resetOnFailure: Bool = false
    ) throws {
        let url = fileURL ?? Self.defaultDatabaseURL
        let store = Store.sqlite(
            at: url, configuration: configuration, migrate: autoMigrating,
            ifIncompatible: resetOnFailure ? .recreate : .fail)
        try stores.add(
            store,
            request: StoreRegister.Request(url, configuration: configuration, isMigrating: autoMigrating))
    }

    /// Adds a store in a SQLite file of the user's folder for application support.
    ///
    /// The same as ``addDatabaseStore(fileURL:configuration:autoMigrating:resetOnFailure:)`` with a file in that
    /// folder.
    ///
    /// - Parameters:
    ///   - fileName: The file's name, with its extension.
    ///   - configuration: The configuration of the model whose entities it keeps; `nil` for all.
    ///   - autoMigrating: Whether a file of an older model is migrated. If not, it is refused.
    ///   - resetOnFailure: Whether a file that doesn't match the model, and can't be migrated, is deleted and created
    ///     again.
    /// - Throws: `DatabaseError.incompatibleStore`, `DatabaseError.storeFailed`, `DatabaseError.duplicateStore`.
    public func addDatabaseStore(
        fileName: String, configuration: String? = nil, autoMigrating: Bool = true, resetOnFailure: Bool = false
    ) throws {
        try addDatabaseStore(
            fileURL: Self.supportFolder.appendingPathComponent(fileName), configuration: configuration,
            autoMigrating: autoMigrating, resetOnFailure: resetOnFailure)
    }

    /// The entity of a class, and the store that keeps its objects.
    ///
    /// Reads and updates use it to find their store. It changes when stores are added.
    ///
    /// - Parameter type: The class.
    /// - Returns: The entity and the store.
    /// - Throws: ``CoreDataUnregisteredClass``, or `DatabaseError.ambiguousEntity` for a class of several entities.
    public func metadataForEntityClass(
        _ type: NSManagedObject.Type
    ) throws -> (entity: NSEntityDescription, store: NSPersistentStore) {
        try stores.home(of: type)
    }

    /// Where the database is that is given no location: a file of the program's name in the user's folder for
    /// application support.
    public static var defaultDatabaseURL: URL { supportFolder.appendingPathComponent("\(programName).sqlite") }

    private static var supportFolder: URL {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".local/share")
    }

    private static var programName: String {
        Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String ?? ProcessInfo.processInfo.processName
    }
}
