package import Foundation

/// Brings one store in place from one model to another.
package struct StoreMigration {
    let url: URL
    let type: String
    let metadata: [String: Any]
    let sourceModel: NSManagedObjectModel
    let destinationModel: NSManagedObjectModel
    let configuration: String?
    let options: [AnyHashable: Any]?
    /// Gets the new store before it takes the place of the old one; nothing changes when it throws.
    var inspect: ((URL) throws -> Void)?

    package init(
        url: URL, type: String, metadata: [String: Any], sourceModel: NSManagedObjectModel,
        destinationModel: NSManagedObjectModel, configuration: String?, options: [AnyHashable: Any]?
    ) {
        self.url = url
        self.type = type
        self.metadata = metadata
        self.sourceModel = sourceModel
        self.destinationModel = destinationModel
        self.configuration = configuration
        self.options = options
    }

    /// Migrates with a mapping model from the program's bundles, or with an inferred one if the options allow it.
    ///
    /// - Throws: `NSMigrationMissingMappingModelError` with both models if there is no mapping model; otherwise the
    ///   error of the migration. The store is then unchanged.
    package func run() throws {
        let found = NSMappingModel(
            from: ModelFinder.bundles(), forSourceModel: sourceModel, destinationModel: destinationModel)
        if let found {
            record("found a mapping model in the program's bundles")
            return try run(with: found)
        }
        guard NSPersistentStore.flag(options?[NSInferMappingModelAutomaticallyOption]) == true else {
            throw missingMappingModel(nil)
        }
        try runInferred()
    }

    /// Migrates with an inferred mapping model.
    package func runInferred() throws {
        let match: ModelMatch
        do {
            match = try comparison()
        } catch {
            record("no mapping model can be inferred: \(MigrationLog.reason(error))")
            throw missingMappingModel(error)
        }
        record(
            "inferred a mapping model, from version \(sourceModel.versionChecksum) to "
                + destinationModel.versionChecksum)
        if let remote = try remoteClass() {
            return try remote.migrateStore(
                at: url, metadata: metadata, by: match, to: destinationModel, options: options)
        }
        guard type == NSSQLiteStoreType else { return try run(with: NSMappingModel.inferred(from: match)) }
        try exchangingStore { exchange in
            let migration = SQLiteStoreMigration(
                source: exchange.url, externalData: exchange.values, match: match,
                model: destinationModel, metadata: metadata, options: options)
            return try exchange.writing { try migration.write(to: $0) }
        }
    }

    /// What the migration of a store on a server would run; nil for any other store.
    func statements() throws -> [RemoteMigrationStatement]? {
        guard let remote = try remoteClass() else { return nil }
        return try remote.migrationStatements(
            at: url, metadata: metadata, by: comparison(), to: destinationModel, options: options)
    }

    /// Migrates with a mapping model, by a migration manager.
    ///
    /// - Parameter direct: Whether the manager may do it without objects.
    package func run(with mapping: NSMappingModel, direct: Bool = true) throws {
        guard try remoteClass() == nil else {
            if mapping.isInferred(by: try comparison()) { return try runInferred() }
            throw CoreDataError.make(
                NSMigrationError,
                "The store \(url.storeName) can't be migrated: a store on a server can only be migrated with an inferred mapping "
                    + "model, and the application has a mapping model of its own. Nothing was changed.",
                userInfo: ["URL": url.withoutSecrets])
        }
        try exchangingStore { exchange in
            let manager = try makeManager()
            manager.usesStoreSpecificMigrationManager = direct
            try exchange.writing { draft in
                try manager.migrateStore(
                    from: exchange.url, sourceType: type, options: options, with: mapping, toDestinationURL: draft,
                    destinationType: type, destinationOptions: options)
            }
            guard type == NSSQLiteStoreType else { return [] }
            return exchange.values.ownFiles()
        }
    }

    /// The store's class where it is in no file.
    private func remoteClass() throws -> (any RemoteStore.Type)? {
        try NSPersistentStoreCoordinator.storeClass(ofType: type, at: url) as? any RemoteStore.Type
    }

    /// A manager of the class that the store's class names.
    private func makeManager() throws -> NSMigrationManager {
        let managerClass: AnyClass = try NSPersistentStoreCoordinator.storeClass(ofType: type, at: url)
            .migrationManagerClass()
        if managerClass == NSMigrationManager.self {
            return NSMigrationManager(sourceModel: sourceModel, destinationModel: destinationModel)
        }
        guard let made = managerClass as? any StoreMigrationManager.Type else {
            throw CoreDataError.make(
                NSMigrationError,
                "The store \(url.lastPathComponent) can't be migrated: \(managerClass), its class of migration managers, "
                    + "isn't a StoreMigrationManager.", path: url.path)
        }
        return made.init(sourceModel: sourceModel, destinationModel: destinationModel)
    }

    /// The entities of the store and of the configuration, compared.
    private func comparison() throws -> ModelMatch {
        let destination = destinationModel.entities(forConfigurationName: configuration) ?? destinationModel.entities
        return try ModelMatch(
            from: SourceModel.entities(of: sourceModel, metadata: metadata), to: destination)
    }

    /// Runs a block that writes the new store, with the old one locked, and exchanges them.
    private func exchangingStore(_ write: (StoreExchange) throws -> [String]) throws {
        record("begins")
        do {
            let exchange = try StoreExchange(at: url, waiting: StoreNameLock.patience(options))
            defer { exchange.close() }
            // Before the locks, which wait for those who have the migrated store open.
            try requireSameVersion(exchange.url)
            let fileLock = try StoreFiles(url: exchange.url, type: type).lockName(options)
            defer { fileLock?.release(removingFile: true) }
            let lock = try type == NSSQLiteStoreType ? SQLiteStoreLock(exchange.url, options: options) : nil
            defer { lock?.release() }
            MigrationStep.reached(.begun)
            let leftBehind = try write(exchange)
            record("the new store is written")
            try inspect?(exchange.draft)
            try CancellableRead.withoutStopping {
                try exchange.exchange(leftBehind: leftBehind)
                lock?.didReplaceFile()
            }
            record("is done")
        } catch {
            record("failed, the store is as it was: \(MigrationLog.reason(error))")
            throw error
        }
    }

    /// Another opener of the store migrated it before this one had the lock.
    struct Overtaken: LocalizedError {
        let name: String

        var errorDescription: String? {
            "The store \(name) was migrated by another coordinator or process in the meantime."
        }
    }

    private func requireSameVersion(_ file: URL) throws {
        // A store of the application's own class need not be readable before it is opened.
        guard [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType].contains(type) else { return }
        let now = try NSPersistentStoreCoordinator.storeClass(ofType: type, at: file)
            .metadataForPersistentStore(with: file)
        let (found, expected) = (now[NSStoreModelVersionHashesKey], metadata[NSStoreModelVersionHashesKey])
        guard found as? [String: Data] == expected as? [String: Data] else { throw Overtaken(name: url.storeName) }
    }

    private func record(_ step: @autoclosure () -> String) { MigrationLog.record("\(url.storeName): \(step())") }

    private func missingMappingModel(_ cause: (any Error)?) -> CocoaError {
        let reason = (cause as? CocoaError)?.userInfo[NSLocalizedDescriptionKey] as? String
        return CoreDataError.make(
            NSMigrationMissingMappingModelError,
            "The store \(url.storeName) can't be migrated: there is no mapping model between its model and the new "
                + "one. " + (reason ?? "Inferring one wasn't requested."),
            path: url.path, underlying: cause,
            userInfo: [
                "URL": url.withoutSecrets, "sourceModel": sourceModel, "destinationModel": destinationModel,
                "reason": "Can't find or automatically infer mapping model for migration",
            ])
    }
}
