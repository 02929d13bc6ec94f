public import Foundation

extension NSPersistentStoreCoordinator {
    /// What `migratePersistentStore(_:to:options:withType:)` does.
    ///
    /// - Parameter inspect: Gets the new store and the coordinator that has it, before others see it; when it throws,
    ///   there is no copy.
    package final func migrateStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]?, withType storeType: String,
        inspect: ((NSPersistentStore, NSPersistentStoreCoordinator) throws -> Void)? = nil
    ) throws -> NSPersistentStore {
        guard persistentStores.contains(where: { $0 === store }) else {
            throw unmovable(store, "it doesn't belong to this coordinator")
        }
        guard let source = store as? any RowStore else {
            throw unmovable(store, "stores of the type '\(store.type)' can't be copied")
        }
        guard
            storeURL.isFileURL || storeType == NSInMemoryStoreType
                || persistentStores.allSatisfy({ $0.url != storeURL })
        else {
            throw CoreDataError.make(
                NSFileWriteFileExistsError, "There is already a store at \(storeURL.displayName).")
        }
        if storeURL.isFileURL, storeType != NSInMemoryStoreType,
            FileManager.default.fileExists(atPath: storeURL.path)
        {
            throw CoreDataError.make(
                NSFileWriteFileExistsError, "There is already a file at \(storeURL.path).", path: storeURL.path)
        }
        let isDefault = store.configurationName == NSPersistentStore.defaultConfigurationName
        let target = CopyTarget(
            url: storeURL, type: storeType, configuration: isDefault ? nil : store.configurationName, options: options,
            inspect: inspect)
        let added = try isWrittenApart(target) ? addCopy(of: source, target) : addAndFill(from: source, target)
        try remove(store)
        return added
    }

    private func unmovable(_ store: NSPersistentStore, _ reason: String) -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreOperationError, "The store \(store.shortName) can't be migrated: \(reason).",
            path: store.url?.path)
    }

    /// Copies all objects of a store into a new one, which replaces the store in the coordinator. The old store's files
    /// stay.
    ///
    /// It does what `migratePersistentStore(_:to:options:withType:)` does, with the type as a value such as `.sqlite`.
    /// Use it to change the type of a store, or to move it. A store that was removed, and one of another coordinator,
    /// is `NSPersistentStoreOperationError`; a file at `storeURL` is `NSFileWriteFileExistsError`.
    ///
    /// - Parameters:
    ///   - store: A store of the coordinator.
    ///   - storeURL: The URL of the new store. Nothing may exist there.
    ///   - options: Options of the new store.
    ///   - storeType: The type of the new store.
    /// - Returns: The new store.
    /// - Throws: An error that names the store. The coordinator is then unchanged.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
    }

    /// The store that a copy becomes.
    private struct CopyTarget {
        let url: URL
        let type: String
        let configuration: String?
        let options: [AnyHashable: Any]?
        var inspect: ((NSPersistentStore, NSPersistentStoreCoordinator) throws -> Void)?
    }

    /// Whether the store is a file of the engine's own, which can be written elsewhere and moved.
    private func isWrittenApart(_ target: CopyTarget) throws -> Bool {
        guard target.url.isFileURL, !ScratchStores.contain(target.url) else { return false }
        return try target.type == NSSQLiteStoreType
            || Self.storeClass(ofType: target.type, at: target.url) is FileAtomicStore.Type
    }

    /// Copies into a file that takes its place when it is whole, so that a process that dies leaves no part of a store.
    private func addCopy(of source: any RowStore, _ target: CopyTarget) throws -> NSPersistentStore {
        let copy = try writeCopy(of: source, target)
        do {
            let added = try add(target)
            notifyOfCopy(source, added, copy.identifierPairs(in: added))
            return added
        } catch {
            try? StoreFiles(url: target.url, type: target.type).remove()
            throw error
        }
    }

    private func writeCopy(of source: any RowStore, _ target: CopyTarget) throws -> StoreCopy {
        let exchange = try StoreExchange(at: target.url)
        defer { exchange.close() }
        MigrationStep.reached(.begun)
        let copy = try exchange.writing { try writeCopy(of: source, target, to: $0) }
        MigrationStep.reached(.copied)
        let permissions = source.url.flatMap { $0.isFileURL ? FilePermissions.of($0) : nil }
        guard try exchange.exchangeIfFree(permissions: permissions.map { $0 | 0o200 }) else {
            throw CoreDataError.make(
                NSFileWriteFileExistsError, "There is already a file at \(target.url.path).", path: target.url.path)
        }
        return copy
    }

    private func writeCopy(of source: any RowStore, _ target: CopyTarget, to draft: URL) throws -> StoreCopy {
        let writer = NSPersistentStoreCoordinator(managedObjectModel: managedObjectModel)
        writer.keepSilent()
        let store = try writer.addPersistentStore(
            ofType: target.type, configurationName: target.configuration, at: draft, options: target.options)
        MigrationStep.reached(.created)
        let copy: StoreCopy
        do {
            copy = try self.copy(source, to: rows(of: store), target)
            try target.inspect?(store, writer)
        } catch {
            try? writer.remove(store)
            throw error
        }
        try writer.remove(store)
        return copy
    }

    /// Copies into a store that is in memory or the application's own.
    private func addAndFill(from source: any RowStore, _ target: CopyTarget) throws -> NSPersistentStore {
        let added = try add(target)
        do {
            let destination = try rows(of: added)
            if destination is any ObjectStore, !(destination is FileAtomicStore) {
                // It takes objects and no rows.
                let pairs = try ObjectCopy(
                    source: source, destination: destination, coordinator: self, entities: layouts(of: target)
                ).run()
                try copyMetadata(from: source, to: destination)
                try target.inspect?(added, self)
                notifyOfCopy(source, added, pairs)
            } else {
                let copy = try together(destination) {
                    let written = try self.copy(source, to: destination, target)
                    try target.inspect?(added, self)
                    return written
                }
                notifyOfCopy(source, added, copy.identifierPairs(in: added))
            }
            return added
        } catch {
            try? remove(added)
            // Elsewhere there may have been something before.
            if target.url.isFileURL { try? StoreFiles(url: target.url, type: target.type).remove() }
            throw error
        }
    }

    /// Runs a block whose saves take effect at once where the store can do that.
    private func together<Result>(_ store: any RowStore, _ body: () throws -> Result) throws -> Result {
        try (store as? any TogetherSavingStore)?.savingTogether(body) ?? body()
    }

    private func add(_ target: CopyTarget) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: target.type, configurationName: target.configuration, at: target.url, options: target.options)
    }

    private func rows(of store: NSPersistentStore) throws -> any RowStore {
        if let store = store as? any RowStore { return store }
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "Stores of the type '\(store.type)' can't be copied.",
            path: store.url?.path
        )
    }

    private func layouts(of target: CopyTarget) throws -> [EntityLayout] {
        try entities(ofConfiguration: target.configuration).compactMap(\.layout)
    }

    private func copy(_ source: any RowStore, to destination: any RowStore, _ target: CopyTarget) throws -> StoreCopy {
        var copy = StoreCopy(source: source, destination: destination, entities: try layouts(of: target))
        try copy.run()
        try copyMetadata(from: source, to: destination)
        return copy
    }

    private func notifyOfCopy(_ old: NSPersistentStore, _ new: NSPersistentStore, _ pairs: [NSManagedObjectID]) {
        post(
            .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSUUIDChangedPersistentStoresKey: [old, new, pairs] as [Any]])
    }

    /// The application's own keys go along; the store's keys are the new one's.
    private func copyMetadata(from old: NSPersistentStore, to new: any RowStore) throws {
        var metadata = new.metadata ?? [:]
        for (key, value) in old.metadata ?? [:] where metadata[key] == nil { metadata[key] = value }
        new.metadata = metadata
        try new.saveMetadata()
    }
}
