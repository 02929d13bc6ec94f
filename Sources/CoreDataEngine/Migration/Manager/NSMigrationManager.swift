public import Foundation
import Synchronization

/// Copies the objects of a store into a new store of another model, as a mapping model says.
///
/// A manager migrates one store at a time, on the queue of the caller; ``migrationProgress`` and
/// ``cancelMigrationWithError(_:)`` may be used from any thread meanwhile. The source store is not changed.
open class NSMigrationManager: NSObject {
    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - sourceModel: The model of the stores as they are.
    ///   - destinationModel: The model that they shall have.
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        self.sourceModel = sourceModel
        self.destinationModel = destinationModel
        super.init()
    }

    /// The model of the stores as they are.
    public let sourceModel: NSManagedObjectModel

    /// The model that the stores shall have.
    public let destinationModel: NSManagedObjectModel

    /// Whether a store may be migrated by a faster way of its own when the result is the same. The default is true.
    open var usesStoreSpecificMigrationManager = true

    /// The application's own values, for migration policies.
    open var userInfo: [AnyHashable: Any]?

    /// The mapping model of the migration that is going on.
    ///
    /// It is a programming error to ask for it otherwise.
    open var mappingModel: NSMappingModel {
        preconditionFailure("No migration is going on: there is no mapping model.")
    }

    /// The context with the source objects.
    open var sourceContext: NSManagedObjectContext {
        preconditionFailure("No migration is going on: there is no source context.")
    }

    /// The context with the destination objects.
    open var destinationContext: NSManagedObjectContext {
        preconditionFailure("No migration is going on: there is no destination context.")
    }

    /// The mapping that is being carried out.
    open var currentEntityMapping: NSEntityMapping {
        preconditionFailure("No migration is going on: there is no entity mapping.")
    }

    /// How much of the migration is done, from 0 to 1; 0 when none is going on. Safe to read from any thread.
    open var migrationProgress: Float { 0 }

    /// Migrates a store into a new file.
    ///
    /// - Parameters:
    ///   - sourceURL: The store, which no coordinator should have open.
    ///   - sStoreType: Its type.
    ///   - sOptions: The options to open it with.
    ///   - mappings: The mapping model.
    ///   - dURL: Where the new store shall be.
    ///   - dStoreType: The type of the new store.
    ///   - dOptions: The options of the new store.
    /// - Throws: `NSMigrationManagerSourceStoreError`, `NSMigrationManagerDestinationStoreError`,
    ///   `NSMigrationCancelledError`, what a migration policy threw, or what saving gave.
    open func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        throw CoreDataError.make(NSMigrationError, "Stores can't be migrated by a mapping model yet.")
    }

    /// Migrates a store into a new file.
    public func migrateStore(
        from sourceURL: URL, type sourceStoreType: NSPersistentStore.StoreType,
        options sourceOptions: [AnyHashable: Any]? = nil, mapping: NSMappingModel, to destinationURL: URL,
        type destinationStoreType: NSPersistentStore.StoreType, options destinationOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrateStore(
            from: sourceURL, sourceType: sourceStoreType.rawValue, options: sourceOptions, with: mapping,
            toDestinationURL: destinationURL, destinationType: destinationStoreType.rawValue,
            destinationOptions: destinationOptions)
    }

    /// Forgets the associations of the last migration, its contexts and stores.
    open func reset() {}

    /// Ends the migration that is going on; `migrateStore` throws the error. Safe to call from any thread.
    open func cancelMigrationWithError(_ error: any Error) {}

    /// The source entity of a mapping.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
    }

    /// The destination entity of a mapping.
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
    }

    /// Remembers which destination object came from which source object through a mapping.
    open func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {}

    /// The destination objects that came from source objects through a mapping.
    ///
    /// - Parameters:
    ///   - mappingName: The name of the mapping.
    ///   - sourceInstances: The source objects; nil for all.
    open func destinationInstances(
        forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] { [] }

    /// The source objects that destination objects came from through a mapping.
    ///
    /// - Parameters:
    ///   - mappingName: The name of the mapping.
    ///   - destinationInstances: The destination objects; nil for all.
    open func sourceInstances(
        forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] { [] }
}
