package import Foundation

/// Migrates a store when it is added with `NSMigratePersistentStoresAutomaticallyOption`.
package struct AutomaticMigrator: StoreMigrator {
    package init() {}

    package func migrateStore(
        at url: URL, type: String, metadata: [String: Any], to model: NSManagedObjectModel, configuration: String?,
        options: [AnyHashable: Any]?
    ) throws {
        try requireWritable(url, options)
        do {
            try migrate(url, type: type, metadata, to: model, configuration, options)
        } catch is StoreMigration.Overtaken {
            // What is there now is opened, and checked then.
        }
    }

    private func migrate(
        _ url: URL, type: String, _ metadata: [String: Any], to model: NSManagedObjectModel, _ configuration: String?,
        _ options: [AnyHashable: Any]?
    ) throws {
        if let manager = StagedMigration.manager(in: options) {
            let migration = StagedMigration(
                manager: manager, url: url, type: type, destinationModel: model, configuration: configuration,
                options: options)
            return try migration.run(metadata: metadata) {
                try SourceModel.find(forStoreAt: url, type: type, metadata: metadata, newModel: model)
            }
        }
        let source = try SourceModel.find(forStoreAt: url, type: type, metadata: metadata, newModel: model)
        try StoreMigration(
            url: url, type: type, metadata: metadata, sourceModel: source, destinationModel: model,
            configuration: configuration, options: options
        ).run()
    }

    package func isUnfinished(_ metadata: [String: Any], options: [AnyHashable: Any]?) -> Bool {
        StagedMigration.isUnfinished(metadata, options: options)
    }

    private func requireWritable(_ url: URL, _ options: [AnyHashable: Any]?) throws {
        guard NSPersistentStore.flag(options?[NSReadOnlyPersistentStoreOption]) != true else {
            throw CoreDataError.make(
                NSMigrationError,
                "The store \(url.storeName) needs a migration, but is opened read-only.",
                path: url.path)
        }
    }
}
