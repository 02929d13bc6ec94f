public import Foundation

extension NSPersistentStoreCoordinator {
    /// Destroys a store. If the coordinator has the store, it is removed first.
    ///
    /// Of a SQLite store an empty database stays, as other processes may have it open; other stores' files are deleted.
    ///
    /// - Parameters:
    ///   - url: Where the store is.
    ///   - storeType: Its type.
    ///   - options: Options of the store; with `NSPersistentStoreForceDestroyOption` the files are deleted whatever they
    ///     are and whoever uses them.
    /// - Throws: An error that names the file, also when there is none.
    public func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        _ = try Self.storeClass(ofType: storeType, at: url)
        try changes.withLock {
            if let open = openStore(at: url) { try remove(open) }
            guard storeType != NSInMemoryStoreType else { return }
            let files = StoreFiles(url: url, type: storeType)
            let isForced = NSPersistentStore.flag(options?[NSPersistentStoreForceDestroyOption]) == true
            try isForced ? files.remove() : files.destroy()
        }
    }

    /// Destroys a store. If the coordinator has the store, it is removed first.
    public func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    /// Puts a copy of a store in the place of another, or where there is none yet. The copy keeps the store's UUID.
    ///
    /// The store that is replaced must not be open elsewhere; if the coordinator has it, it is removed first. The
    /// source may be in use. The copy is complete before anything is replaced, and after a crash at any moment there is
    /// the old store or the copy.
    ///
    /// - Parameters:
    ///   - destinationURL: The store to replace.
    ///   - destinationOptions: Options of that store.
    ///   - sourceURL: The store to copy.
    ///   - sourceOptions: Options of that store.
    ///   - storeType: The type of both.
    /// - Throws: An error that names the file that can't be read or written; `NSPersistentStoreTimeoutError` while others
    ///   have the store open that is to be replaced.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        _ = try Self.storeClass(ofType: storeType, at: sourceURL)
        guard storeType != NSInMemoryStoreType else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "In-memory stores have no files that could be replaced.")
        }
        let source = StoreFiles(url: sourceURL, type: storeType)
        let destination = StoreFiles(url: destinationURL, type: storeType)
        try changes.withLock {
            try source.replace(destination, options: destinationOptions) {
                if let open = openStore(at: destinationURL) { try remove(open) }
            }
        }
    }

    /// Puts a copy of a store in the place of another, or where there is none yet.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: storeType.rawValue)
    }
}
