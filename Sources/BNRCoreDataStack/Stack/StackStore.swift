import OpenCoreDataKit

/// Where a stack keeps its data, and how that is opened: again after a reset, and beside for a large import.
// @unchecked Sendable because the options are only read.
struct StackStore: @unchecked Sendable {
    let model: NSManagedObjectModel
    /// The file; `nil` for a store in memory.
    let url: URL?
    let options: [AnyHashable: Any]

    /// The same store with other options.
    func with(_ options: [AnyHashable: Any]?) -> StackStore {
        StackStore(model: model, url: url, options: options ?? self.options)
    }

    /// Opens the store on a coordinator of its own. A missing folder is made, an older file is migrated.
    ///
    /// - Throws: `CoreDataStack.Error.unableToCreateStore`, or a `DatabaseError`.
    func open() throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        if let url { try makeFolder(of: url) }
        try StoreOpening.add(
            url == nil ? .inMemory : .sqlite, configuration: nil, at: url, options: options, ifIncompatible: .fail,
            to: coordinator)
        return coordinator
    }

    private func makeFolder(of url: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw CoreDataStack.Error.unableToCreateStore(at: url)
        }
    }

    /// Throws the data of the file away, once no coordinator of the stack has it open.
    func destroy() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        do {
            try NSPersistentStoreCoordinator(managedObjectModel: model).destroyPersistentStore(at: url, type: .sqlite)
        } catch {
            throw DatabaseError.storeFailed(store: url.path, url: url, cause: error)
        }
    }

    /// Refuses a coordinator that has lost the store.
    ///
    /// - Throws: `CoreDataStack.Error.storeNotFound` or `CoreDataStack.Error.inMemoryStoreMissing`.
    func require(in coordinator: NSPersistentStoreCoordinator) throws {
        guard coordinator.persistentStores.isEmpty else { return }
        throw url.map { CoreDataStack.Error.storeNotFound(at: $0) } ?? .inMemoryStoreMissing
    }
}
