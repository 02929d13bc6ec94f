public import Foundation

/// The code of "Can't add the same store twice", which has no published name.
private let sameStoreTwiceError = 134081

extension NSPersistentStoreCoordinator {
    /// What `addPersistentStore(ofType:configurationName:at:options:)` does.
    final func addStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        let store = try changes.withLock {
            let store = try openStore(type: storeType, configuration: configuration, url: storeURL, options: options)
            store.didAdd(to: self)
            append(store, keeping: try entities(ofConfiguration: configuration).compactMap(\.layout))
            return store
        }
        post(
            .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSAddedPersistentStoresKey: [store]])
        return store
    }

    /// Opens a store, or creates it if it doesn't exist, and adds it.
    ///
    /// It does what `addPersistentStore(ofType:configurationName:at:options:)` does, with the type as a value such as
    /// `.sqlite`.
    ///
    /// - Parameters:
    ///   - type: The type of the store, such as `.sqlite`.
    ///   - configuration: The configuration of the model whose entities the store keeps; `nil` for all entities.
    ///   - storeURL: The URL of the store.
    ///   - options: Options by key, such as `NSReadOnlyPersistentStoreOption`.
    /// - Throws: The errors of `addPersistentStore(ofType:configurationName:at:options:)`.
    @discardableResult
    public func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// What `addPersistentStore(with:completionHandler:)` does.
    final func addDescribed(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        storeDescription.load(completionHandler: block) { try self.add($0) }
    }

    /// Adds the store of a description, on this thread.
    func add(_ description: NSPersistentStoreDescription) throws {
        try addPersistentStore(
            ofType: description.type, configurationName: description.configuration, at: description.url,
            options: description.storeOptions)
    }

    /// What `remove(_:)` does.
    final func removeStore(_ store: NSPersistentStore) throws {
        try changes.withLock {
            guard persistentStores.contains(where: { $0 === store }) else {
                throw CoreDataError.make(
                    NSPersistentStoreOperationError,
                    "The store \(store.shortName) can't be removed: the coordinator doesn't have it.",
                    path: store.url?.path)
            }
            post(.NSPersistentStoreCoordinatorWillRemoveStore, object: store)
            store.willRemove(from: self)
            withdraw(store)
            (store as? any RowStore)?.close()
            scratchStores.discard(store)
        }
        post(
            .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSRemovedPersistentStoresKey: [store]])
    }

    // MARK: Opening

    private func openStore(
        type: String, configuration: String?, url: URL?, options: [AnyHashable: Any]?
    ) throws -> NSPersistentStore {
        try managedObjectModel.validate()
        logUnfittingClasses()
        let storeClass = try Self.storeClass(ofType: type, at: url)
        let settings = try StoreOptions(options, url: url)
        _ = try entities(ofConfiguration: configuration)
        let storeURL = try location(url, type: type)
        try requireNew(storeURL, type: type)
        // What a migration that died left beside the file.
        let isBeingMigrated = options?[StoreExchange.isUnderWayOption] != nil
        if storeURL.isFileURL, type != NSInMemoryStoreType, !isBeingMigrated {
            try StoreExchange.recover(at: storeURL, waiting: StoreNameLock.patience(options))
        }
        guard type == NSSQLiteStoreType, ScratchStores.contain(storeURL) else {
            return try openStore(storeClass, type, configuration, at: storeURL, options: options, settings: settings)
        }
        let file = try ScratchStores.makeFile(for: storeURL)
        let store = try openStore(storeClass, type, configuration, at: file.url, options: options, settings: settings)
        store.url = storeURL
        scratchStores.keep(store, file: file)
        return store
    }

    private func openStore(
        _ storeClass: NSPersistentStore.Type, _ type: String, _ configuration: String?, at storeURL: URL,
        options: [AnyHashable: Any]?, settings: StoreOptions
    ) throws -> NSPersistentStore {
        let store = storeClass.init(
            persistentStoreCoordinator: self, configurationName: configuration, at: storeURL, options: options)
        do {
            try store.loadMetadata()
            try checkType(of: store, against: type)
            let mismatch = try versionMismatch(of: store, settings: settings)
            let metadata = store.metadata ?? [:]
            let isUnfinished =
                settings.migratesAutomatically && !store.isReadOnly
                && Self.migrator?.isUnfinished(metadata, options: options) == true
            guard mismatch != nil || isUnfinished else {
                try loadContents(of: store, type: type, settings: settings)
                try StoreMaintenance.run(options, on: store, at: storeURL)
                return store
            }
            (store as? any RowStore)?.close()
            try migrate(storeURL, type, metadata, configuration, options, settings: settings, mismatch: mismatch)
        } catch {
            (store as? any RowStore)?.close()
            throw error
        }
        return try reopen(storeClass, type: type, configuration: configuration, url: storeURL, options: options)
    }

    /// Opens a store that was just migrated. What doesn't fit now is an error.
    private func reopen(
        _ storeClass: NSPersistentStore.Type, type: String, configuration: String?, url: URL,
        options: [AnyHashable: Any]?
    ) throws -> NSPersistentStore {
        let store = storeClass.init(
            persistentStoreCoordinator: self, configurationName: configuration, at: url, options: options)
        do {
            try store.loadMetadata()
            let metadata = store.metadata ?? [:]
            let compatibility = StoreCompatibility(
                metadata: metadata, entities: try entities(ofConfiguration: configuration), model: managedObjectModel)
            guard compatibility.isCompatible else {
                throw compatibility.error(metadata: metadata, url: url, reason: "The migration didn't change that.")
            }
            try (store as? NSAtomicStore)?.loadContents()
            try StoreMaintenance.run(options, on: store, at: url)
            return store
        } catch {
            (store as? any RowStore)?.close()
            throw error
        }
    }

    private func migrate(
        _ url: URL, _ type: String, _ metadata: [String: Any], _ configuration: String?,
        _ options: [AnyHashable: Any]?, settings: StoreOptions, mismatch: StoreCompatibility?
    ) throws {
        let mismatch = mismatch ?? StoreCompatibility(metadata: metadata, entities: [])
        guard settings.migratesAutomatically else {
            throw mismatch.error(metadata: metadata, url: url, reason: "Automatic migration wasn't requested.")
        }
        guard let migrator = Self.migrator else {
            throw mismatch.error(metadata: metadata, url: url, reason: "There is no migration engine.")
        }
        try migrator.migrateStore(
            at: url, type: type, metadata: metadata, to: managedObjectModel, configuration: configuration,
            options: options)
    }

    private func versionMismatch(of store: NSPersistentStore, settings: StoreOptions) throws -> StoreCompatibility? {
        if settings.ignoresVersioning { return nil }
        let configuration = store.configurationName
        let compatibility = StoreCompatibility(
            metadata: store.metadata ?? [:], entities: try entities(ofConfiguration: configuration),
            model: managedObjectModel)
        return compatibility.isCompatible ? nil : compatibility
    }

    /// Loads an atomic store. Its metadata may come with the contents, and are checked again then.
    private func loadContents(of store: NSPersistentStore, type: String, settings: StoreOptions) throws {
        guard let store = store as? NSAtomicStore else { return }
        try store.loadContents()
        try checkType(of: store, against: type)
        if let mismatch = try versionMismatch(of: store, settings: settings) {
            throw mismatch.error(
                metadata: store.metadata ?? [:], url: store.url,
                reason: "The version became known only when the store's contents were loaded.")
        }
    }

    private func checkType(of store: NSPersistentStore, against type: String) throws {
        let recorded = store.metadata?[NSStoreTypeKey] as? String
        guard store.type != type || (recorded != nil && recorded != type) else { return }
        throw CoreDataError.make(
            NSPersistentStoreTypeMismatchError,
            "The store \(store.shortName) is of the type '\(store.type != type ? store.type : recorded ?? "")', "
                + "not '\(type)'.",
            path: store.url?.path)
    }

    private func location(_ url: URL?, type: String) throws -> URL {
        if let url { return url }
        guard type == NSInMemoryStoreType, let url = URL(string: "memory://\(UUID().uuidString)") else {
            throw CoreDataError.make(NSPersistentStoreOpenError, "A store of the type '\(type)' needs a URL.")
        }
        return url
    }

    private func requireNew(_ url: URL, type: String) throws {
        guard url.isFileURL, url.path != "/dev/null", type != NSInMemoryStoreType else { return }
        guard openStore(at: url) != nil else { return }
        throw CoreDataError.make(
            sameStoreTwiceError, "The store \(url.lastPathComponent) can't be added twice.", path: url.path)
    }

    /// The store of the coordinator whose file is at a URL.
    func openStore(at url: URL) -> NSPersistentStore? {
        let path = Self.canonicalPath(url)
        return persistentStores.first { store in
            guard let other = store.url, other.isFileURL else { return store.url == url }
            return Self.canonicalPath(other) == path
        }
    }

    private static func canonicalPath(_ url: URL) -> String {
        url.isFileURL ? url.resolvingSymlinksInPath().standardizedFileURL.path : url.absoluteString
    }

    /// The entities of a configuration in the order of the model.
    func entities(ofConfiguration configuration: String?) throws -> [NSEntityDescription] {
        guard let entities = managedObjectModel.entities(forConfigurationName: configuration) else {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "The model has no configuration '\(configuration ?? "")'.")
        }
        return entities
    }
}
