public import Foundation

extension NSPersistentStoreCoordinator {
    /// Copies all objects of a store into a new one, which takes the store's place in the coordinator.
    ///
    /// The objects get new identifiers. The old store's files stay. Contexts that hold objects of the old store must be
    /// reset; `NSPersistentStoreCoordinatorStoresDidChange` tells old and new identifiers, one pair after the other.
    ///
    /// - Parameters:
    ///   - store: A store of the coordinator.
    ///   - storeURL: Where the new store shall be; nothing may be there.
    ///   - options: Options of the new store.
    ///   - storeType: The type of the new store.
    /// - Returns: The new store.
    /// - Throws: An error that names the store; the coordinator is then as it was.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        guard let source = store as? any RowStore, persistentStores.contains(where: { $0 === store }) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "The store \(store.shortName) can't be migrated: it is no store of rows of this coordinator.",
                path: store.url?.path)
        }
        guard
            storeURL.isFileURL || storeType == NSInMemoryStoreType
                || persistentStores.allSatisfy({ $0.url != storeURL })
        else {
            throw CoreDataError.make(
                NSFileWriteFileExistsError, "There is a store already at \(storeURL).", path: storeURL.path)
        }
        if storeURL.isFileURL, storeType != NSInMemoryStoreType,
            FileManager.default.fileExists(atPath: storeURL.path)
        {
            throw CoreDataError.make(
                NSFileWriteFileExistsError, "There is a file already at \(storeURL.path).", path: storeURL.path)
        }
        let configuration =
            store.configurationName == NSPersistentStore.defaultConfigurationName ? nil : store.configurationName
        let added = try addPersistentStore(
            ofType: storeType, configurationName: configuration, at: storeURL, options: options)
        do {
            guard let destination = added as? any RowStore else {
                throw CoreDataError.make(
                    NSPersistentStoreOperationError, "A store of the type '\(storeType)' keeps no rows.",
                    path: storeURL.path)
            }
            let entities = try entities(ofConfiguration: configuration).compactMap(\.layout)
            let pairs = try copyObjects(of: source, to: destination, entities)
            try copyMetadata(from: store, to: destination)
            NotificationCenter.default.post(
                name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
                userInfo: [NSUUIDChangedPersistentStoresKey: [store, added, pairs] as [Any]])
        } catch {
            try? remove(added)
            try? StoreFiles(url: storeURL, type: storeType).remove()
            throw error
        }
        try remove(store)
        return added
    }

    /// Copies all objects of a store into a new one, which takes the store's place in the coordinator.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
    }

    /// Copies rows, or objects where the application's own store takes nothing else.
    private func copyObjects(
        of source: any RowStore, to destination: any RowStore, _ entities: [EntityLayout]
    ) throws -> [NSManagedObjectID] {
        if destination is any ObjectStore, !(destination is FileAtomicStore) {
            return try ObjectCopy(
                source: source, destination: destination, coordinator: self, entities: entities
            ).run()
        }
        var copy = StoreCopy(source: source, destination: destination, entities: entities)
        try copy.run()
        return copy.identifierPairs
    }

    /// The application's own keys go along; the store's keys are the new one's.
    private func copyMetadata(from old: NSPersistentStore, to new: any RowStore) throws {
        var metadata = new.metadata ?? [:]
        for (key, value) in old.metadata ?? [:] where metadata[key] == nil { metadata[key] = value }
        new.metadata = metadata
        try new.saveMetadata()
    }
}
