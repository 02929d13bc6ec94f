public import Foundation

extension NSPersistentStoreCoordinator {
    /// What `destroyPersistentStore(at:ofType:options:)` does.
    final func destroyStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        let storeClass = try Self.storeClass(ofType: storeType, at: url)
        try changes.withLock {
            let scratch = storeType == NSSQLiteStoreType ? ScratchStores.openFile(at: url) : nil
            if let open = openStore(at: url) { try remove(open) }
            guard storeType != NSInMemoryStoreType else { return }
            if let scratch { return try StoreFile.destroy(at: scratch.url) }
            if let remote = storeClass as? any RemoteStore.Type {
                return try remote.destroyStore(at: url, options: options)
            }
            let files = StoreFiles(url: url, type: storeType)
            let isForced = NSPersistentStore.flag(options?[NSPersistentStoreForceDestroyOption]) == true
            try isForced ? files.remove() : files.destroy()
        }
    }

    /// Destroys a store. If the coordinator has the store, it is removed first.
    ///
    /// It does what `destroyPersistentStore(at:ofType:options:)` does: a SQLite store becomes an empty database, and
    /// the files of other stores are deleted. Nothing is done for in-memory stores, except that an open one is removed.
    ///
    /// - Parameters:
    ///   - url: The URL of the store.
    ///   - storeType: Its type.
    ///   - options: Options of the store.
    /// - Throws: An error that names the file. If the file doesn't exist, nothing is done.
    public func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    /// What `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)` does.
    final func replaceStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]?,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]?, ofType storeType: String
    ) throws {
        let storeClass = try Self.storeClass(ofType: storeType, at: sourceURL)
        guard storeType != NSInMemoryStoreType else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "In-memory stores have no files that could be replaced.")
        }
        if let remote = storeClass as? any RemoteStore.Type {
            return try changes.withLock {
                if let open = openStore(at: destinationURL) { try remove(open) }
                try remote.replaceStore(
                    at: destinationURL, options: destinationOptions, withStoreAt: sourceURL,
                    sourceOptions: sourceOptions)
            }
        }
        let scratch = [sourceURL, destinationURL].map { ScratchStores.openFile(at: $0) }
        defer { withExtendedLifetime(scratch) {} }
        let source = StoreFiles(url: scratch[0]?.url ?? sourceURL, type: storeType)
        let destination = StoreFiles(url: scratch[1]?.url ?? destinationURL, type: storeType)
        try changes.withLock {
            try source.replace(destination, options: destinationOptions) {
                if let open = openStore(at: destinationURL) { try remove(open) }
            }
        }
    }

    /// Replaces a store with a copy of another, or creates the copy if the store doesn't exist.
    ///
    /// It does what `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)` does:
    /// if the coordinator has the store, it is removed first and has to be added again. In-memory stores have no files,
    /// so for them it throws `NSPersistentStoreOperationError`.
    ///
    /// - Parameters:
    ///   - destinationURL: The store to replace.
    ///   - destinationOptions: Options of that store.
    ///   - sourceURL: The store to copy.
    ///   - sourceOptions: Options of that store.
    ///   - storeType: The type of both.
    /// - Throws: An error that names the file that can't be read or written.
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
