/// Adds stores to coordinators.
package enum StoreOpening {
    /// Opens a store and adds it, after making its folder.
    ///
    /// - Parameter databaseName: The name of a file that has none of its own.
    /// - Throws: ``DatabaseError/incompatibleStore(url:cause:)`` or ``DatabaseError/storeFailed(store:url:cause:)``.
    @discardableResult
    package static func add(
        _ store: Store, databaseName: String, to coordinator: NSPersistentStoreCoordinator
    ) throws -> NSPersistentStore {
        let url = url(of: store, databaseName: databaseName)
        return try add(
            store.type, configuration: store.configuration, at: url, options: options(of: store),
            ifIncompatible: store.isReadOnly ? .fail : store.ifIncompatible, to: coordinator)
    }

    /// Opens a store with the caller's options and adds it, after creating its folder.
    ///
    /// - Parameter ifIncompatible: With `recreate`, a file that doesn't match the model is emptied and opened again.
    ///   Any other failure leaves the file unchanged.
    @discardableResult
    package static func add(
        _ type: NSPersistentStore.StoreType, configuration: String?, at url: URL?, options: [AnyHashable: Any],
        ifIncompatible: Store.Unfit, to coordinator: NSPersistentStoreCoordinator
    ) throws -> NSPersistentStore {
        do {
            if let url, url.isFileURL, type != .inMemory {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            }
            return try open(type, configuration, url, options, coordinator)
        } catch  where isUnfit(error) {
            guard ifIncompatible == .recreate, let url else {
                throw DatabaseError.incompatibleStore(url: url, cause: error)
            }
            return try recreate(type, configuration, url, options, coordinator)
        } catch {
            throw failure(type, url, error)
        }
    }

    /// Refuses to migrate a file that has no entity in common with the model: it is no older version of the model's files
    /// but something else, and a migration would do no more than empty it.
    private static func refuseUnrelatedFiles(
        at url: URL, _ type: NSPersistentStore.StoreType, _ options: [AnyHashable: Any], _ model: NSManagedObjectModel
    ) throws {
        guard NSPersistentStore.flag(options[NSMigratePersistentStoresAutomaticallyOption]) == true, url.isFileURL,
            FileManager.default.fileExists(atPath: url.path),
            let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url),
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Any], !hashes.isEmpty
        else { return }
        let known = model.entities.flatMap { [$0.name, $0.renamingIdentifier].compactMap(\.self) }
        guard Set(known).isDisjoint(with: hashes.keys) else { return }
        throw CoreDataError.make(
            NSPersistentStoreIncompatibleVersionHashError,
            "The file '\(url.lastPathComponent)' has no entity in common with the model. It has: "
                + "\(hashes.keys.sorted().joined(separator: ", ")).", path: url.path)
    }

    private static func recreate(
        _ type: NSPersistentStore.StoreType, _ configuration: String?, _ url: URL, _ options: [AnyHashable: Any],
        _ coordinator: NSPersistentStoreCoordinator
    ) throws -> NSPersistentStore {
        do {
            try coordinator.destroyPersistentStore(at: url, type: type)
            return try open(type, configuration, url, options, coordinator)
        } catch {
            throw failure(type, url, error)
        }
    }

    private static func open(
        _ type: NSPersistentStore.StoreType, _ configuration: String?, _ url: URL?, _ options: [AnyHashable: Any],
        _ coordinator: NSPersistentStoreCoordinator
    ) throws -> NSPersistentStore {
        if let url { try refuseUnrelatedFiles(at: url, type, options, coordinator.managedObjectModel) }
        let added = try coordinator.addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: url, options: options)
        guard try mustRecordHistory(added, options) else { return added }
        try coordinator.remove(added)
        return try coordinator.addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: url,
            options: options.merging([NSPersistentHistoryTrackingKey: true]) { $1 })
    }

    /// Whether a program follows the file's history: then only programs that record history may write the file.
    private static func mustRecordHistory(_ store: NSPersistentStore, _ options: [AnyHashable: Any]) throws -> Bool {
        guard options[NSPersistentHistoryTrackingKey] == nil,
            NSPersistentStore.flag(options[NSReadOnlyPersistentStoreOption]) != true,
            store.url?.isFileURL == false || FileManager.default.isWritableFile(atPath: store.url?.path ?? "")
        else { return false }
        return try store.mustRecordHistory()
    }

    private static func failure(_ type: NSPersistentStore.StoreType, _ url: URL?, _ error: any Error) -> DatabaseError {
        .storeFailed(store: url?.displayName ?? type.rawValue, url: url, cause: error)
    }

    /// The options that a store is opened with.
    package static func options(of store: Store) -> [AnyHashable: Any] {
        var options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: store.migrates,
            NSInferMappingModelAutomaticallyOption: store.migrates,
        ]
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *), let stages = store.stagedMigration {
            options[NSPersistentStoreStagedMigrationManagerOptionKey] = stages
        }
        if store.isReadOnly { options[NSReadOnlyPersistentStoreOption] = true }
        if store.limits != StoreLimits() { options.merge(store.limits.options) { $1 } }
        if let own = store.serverOptions { options[own.key] = own.value }
        if store.watched {
            options[NSPersistentHistoryTrackingKey] = true
            options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = true
        }
        return options
    }

    /// Whether opening failed because the file belongs to another model, and not for a reason that may pass.
    package static func isUnfit(_ error: any Error) -> Bool {
        guard let error = error as? CocoaError else { return false }
        guard unfitCodes.contains(error.code.rawValue) else { return false }
        return !(error.userInfo[NSUnderlyingErrorKey].flatMap { $0 as? any Error }.map(isTransient) ?? false)
    }

    private static let unfitCodes: Set<Int> = [
        NSPersistentStoreIncompatibleVersionHashError, NSPersistentStoreIncompatibleSchemaError,
        NSMigrationMissingSourceModelError, NSMigrationMissingMappingModelError, NSMigrationError,
        NSMigrationConstraintViolationError, NSInferredMappingModelError, NSEntityMigrationPolicyError,
    ]

    /// The domain of errors of database servers, whose module this one doesn't import.
    private static let serverErrorDomain = "OpenCoreDataPostgreSQL.PostgreSQLError"

    /// Whether somewhere below an error is one of the disk, of SQLite, or of a database server.
    private static func isTransient(_ error: any Error) -> Bool {
        let bridged = error as NSError
        if [NSPOSIXErrorDomain, NSSQLiteErrorDomain, serverErrorDomain].contains(bridged.domain) { return true }
        if let error = error as? CocoaError {
            if (NSFileReadUnknownError...NSFileWriteVolumeReadOnlyError).contains(error.code.rawValue) { return true }
            if let next = error.userInfo[NSUnderlyingErrorKey] as? any Error { return isTransient(next) }
        }
        return false
    }

    // MARK: Locations

    /// Whether a store may exist at its location: always for a server, and if the file exists otherwise.
    package static func mayExist(_ store: Store, at url: URL) -> Bool {
        if case .server = store.location { return true }
        return FileManager.default.fileExists(atPath: url.path)
    }

    /// Empties the location of a store. That a server has none is no error.
    package static func destroy(
        _ store: Store, at url: URL, options: [AnyHashable: Any]? = nil, by coordinator: NSPersistentStoreCoordinator
    ) throws {
        do {
            try coordinator.destroyPersistentStore(at: url, type: store.type, options: options)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile && !url.isFileURL {
            return
        }
    }

    /// Where a store's file is; `nil` for one in memory.
    package static func url(of store: Store, databaseName: String) -> URL? {
        switch store.location {
        case .memory: nil
        case .file(let url), .server(let url): url
        case .folder(let folder, let name):
            url(of: folder).appendingPathComponent(name ?? fileName(store, databaseName))
        }
    }

    private static func fileName(_ store: Store, _ databaseName: String) -> String {
        let name = store.configuration.map { "\(databaseName)-\($0)" } ?? databaseName
        return store.type == .sqlite ? "\(name).sqlite" : "\(name).\(store.type.rawValue.lowercased())"
    }

    /// Where a folder is.
    package static func url(of folder: Store.Folder) -> URL {
        switch folder {
        case .applicationSupport: NSPersistentContainer.defaultDirectoryURL()
        case .documents:
            FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
                ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Documents")
        case .at(let url): url
        }
    }
}
