import Foundation

/// The stores and contexts of a migration by a manager.
final class MigrationSession {
    let mapping: NSMappingModel
    let sourceContext: NSManagedObjectContext
    let destinationContext: NSManagedObjectContext
    var associations = MigrationAssociations()
    var currentMapping: NSEntityMapping?
    /// Objects of both contexts that stay registered.
    var keptObjects = KeptObjects()
    /// Whether the application's policies take part.
    var hasPolicies = false
    private let sourceCoordinator: NSPersistentStoreCoordinator
    private let destinationCoordinator: NSPersistentStoreCoordinator

    /// Opens the source for reading, and makes the destination.
    ///
    /// - Throws: `NSMigrationManagerSourceStoreError`, `NSMigrationManagerDestinationStoreError`.
    init(
        mapping: NSMappingModel, source: MigrationEnd, destination: MigrationEnd
    ) throws {
        self.mapping = mapping
        (sourceCoordinator, sourceContext) = try Self.open(source, isSource: true)
        do {
            (destinationCoordinator, destinationContext) = try Self.open(destination, isSource: false)
        } catch {
            for store in sourceCoordinator.persistentStores { try? sourceCoordinator.remove(store) }
            throw error
        }
        copyMetadata()
    }

    /// Runs a block whose saves reach the new store together where that is a file that each save writes whole.
    func writing(_ block: () throws -> Void) throws {
        guard let file = destinationCoordinator.persistentStores.first as? FileAtomicStore else { return try block() }
        try file.writingOnce(block)
    }

    /// Closes both stores.
    func close() {
        keptObjects = KeptObjects()
        for coordinator in [sourceCoordinator, destinationCoordinator] {
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
        }
    }

    /// Runs a block on the queues of both contexts.
    func perform<Result>(_ block: () throws -> Result) rethrows -> Result {
        try sourceContext.performAndWait { try destinationContext.performAndWait { try block() } }
    }

    private static func open(
        _ end: MigrationEnd, isSource: Bool
    ) throws -> (NSPersistentStoreCoordinator, NSManagedObjectContext) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: end.model)
        coordinator.tolerateOtherClasses()
        coordinator.keepSilent()
        var options = end.options ?? [:]
        for key in [
            NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
            NSPersistentStoreStagedMigrationManagerOptionKey, NSPersistentStoreDeferredLightweightMigrationOptionKey,
        ] { options[key] = nil }
        if isSource {
            options[NSReadOnlyPersistentStoreOption] = true
            options[StoreExchange.isUnderWayOption] = true
            options[NSPersistentHistoryTrackingKey] = nil
        }
        do {
            if isSource, end.url.isFileURL, !FileManager.default.fileExists(atPath: end.url.path) {
                throw CoreDataError.make(
                    NSFileReadNoSuchFileError, "There is no store at \(end.url.path).", path: end.url.path)
            }
            if !isSource, end.url.isFileURL, FileManager.default.fileExists(atPath: end.url.path) {
                throw CoreDataError.make(
                    NSFileWriteFileExistsError, "There is already a file at \(end.url.path).", path: end.url.path)
            }
            try coordinator.addPersistentStore(
                ofType: end.type, configurationName: nil, at: end.url, options: options)
        } catch {
            let reason = (error as? CocoaError)?.userInfo[NSLocalizedDescriptionKey] as? String ?? "\(error)"
            throw CoreDataError.make(
                isSource ? NSMigrationManagerSourceStoreError : NSMigrationManagerDestinationStoreError,
                "The \(isSource ? "source" : "destination") store of the migration can't be opened: \(reason)",
                path: end.url.path, underlying: error, userInfo: ["URL": end.url])
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.isMigrating = true
        return (coordinator, context)
    }

    /// The application's own keys go along.
    private func copyMetadata() {
        guard let old = sourceCoordinator.persistentStores.first?.metadata,
            let store = destinationCoordinator.persistentStores.first
        else { return }
        var metadata = store.metadata ?? [:]
        for (key, value) in old where metadata[key] == nil { metadata[key] = value }
        store.metadata = metadata
    }
}

/// One of the two stores of a migration.
struct MigrationEnd {
    var url: URL
    var type: String
    var options: [AnyHashable: Any]?
    var model: NSManagedObjectModel
}
