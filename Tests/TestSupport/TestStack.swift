public import Foundation
public import OpenCoreData

/// A coordinator over one store in a folder of its own, with private-queue contexts.
public final class TestStack: Sendable {
    public let folder: TemporaryFolder
    public let coordinator: NSPersistentStoreCoordinator
    public let url: URL

    /// Opens or makes a store.
    ///
    /// - Parameters:
    ///   - model: The model; the library's when left out.
    ///   - type: A store type.
    ///   - folder: A folder of another stack, to open its file again.
    public init(
        model: NSManagedObjectModel = LibraryModel.make(), type: String = NSSQLiteStoreType,
        folder: TemporaryFolder? = nil, options: [AnyHashable: Any]? = nil
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        let file = self.folder.file("Library.sqlite")
        let location = type == NSSQLiteStoreType ? Self.serverLocation(insteadOf: file) : nil
        url = location?.url ?? file
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: location?.type ?? type, configurationName: nil, at: url, options: options)
    }

    /// Whether the stores of stacks that would be files are on a server.
    public static var isOnServer: Bool { serverLocation(insteadOf: URL(fileURLWithPath: "/none/none")) != nil }

    /// Where the store is that would be a file otherwise, when `OPENCOREDATA_TEST_STORE` is the URL of a server: the
    /// tests of stacks then run on it.
    public static func serverLocation(insteadOf file: URL) -> (type: String, url: URL)? {
        guard let server = ProcessInfo.processInfo.environment["OPENCOREDATA_TEST_STORE"] else { return nil }
        // The same folder is the same store.
        let folder = file.deletingLastPathComponent().lastPathComponent
        let name = folder.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return URL(string: "\(server)?schema=t_\(name.suffix(50))").map { (registeredServerType(), $0) }
    }

    /// The type of the store at a URL of a stack's.
    public static func type(of url: URL) -> String {
        url.isFileURL ? NSSQLiteStoreType : registeredServerType()
    }

    /// Registers the store class of the PostgreSQL module, which is part of the test program if all tests are, and nothing
    /// that these helpers depend on.
    private static func registeredServerType() -> String {
        let type = "PostgreSQL"
        let storeClass = _typeByName("22OpenCoreDataPostgreSQL15PostgreSQLStoreC") as? NSPersistentStore.Type
        if let storeClass {
            NSPersistentStoreCoordinator.registerStoreClass(storeClass, forStoreType: type)
        }
        return type
    }

    /// A new private-queue context on the coordinator.
    public func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Runs a block on a new context's queue.
    public func inContext<T>(_ block: (NSManagedObjectContext) throws -> T) rethrows -> T {
        let context = context()
        return try context.performAndWait { try block(context) }
    }

    /// Removes the files of large values that aren't needed any more, which happens now and then, and when a store is
    /// closed.
    ///
    /// - Returns: Whether none is left.
    public func removeUnusedFiles() throws -> Bool {
        try coordinator.persistentStores.compactMap { $0 as? SQLiteStore }.allSatisfy { try $0.removeUnusedFiles() }
    }

    /// Whether the store is a file, not on a server.
    public var isFile: Bool { url.isFileURL }

    /// What the `sqlite3` command answers about the file, or `psql` about the tables on a server.
    public func sqlite(_ sql: String) throws -> String { try SQLiteShell.run(sql, on: url) }
}
