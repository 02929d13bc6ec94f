package import Foundation

/// A migration of one store, in place, that is looked at before it takes effect. For tools.
package struct InspectedMigration {
    package let url: URL
    private let type: String
    package let sourceModel: NSManagedObjectModel
    package let destinationModel: NSManagedObjectModel
    /// How entities and properties become others.
    package let mapping: NSMappingModel
    private let metadata: [String: Any]

    /// Finds out what is to be done, and changes nothing.
    ///
    /// - Parameter mapping: nil to infer one.
    /// - Throws: `NSInferredMappingModelError` when none can be inferred; `NSMigrationMissingMappingModelError` when the
    ///   given one is for other models.
    package init(
        url: URL, type: String = NSSQLiteStoreType, from sourceModel: NSManagedObjectModel,
        to destinationModel: NSManagedObjectModel,
        mapping: NSMappingModel?
    ) throws {
        self.url = url
        self.type = type
        self.sourceModel = sourceModel
        self.destinationModel = destinationModel
        metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        guard let mapping else {
            self.mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: sourceModel, destinationModel: destinationModel)
            return
        }
        let models = MappingModels(source: sourceModel, destination: destinationModel)
        if let mismatch = models.mismatch(of: mapping.entityMappings ?? []) {
            throw CoreDataError.make(
                NSMigrationMissingMappingModelError, "The mapping model is for other models: \(mismatch)",
                path: url.path)
        }
        self.mapping = mapping
    }

    /// What is going to run on a server, in its order; nil for a store in a file. Nothing is changed.
    package func statements() throws -> [RemoteMigrationStatement]? {
        try StoreMigration(
            url: url, type: type, metadata: metadata, sourceModel: sourceModel, destinationModel: destinationModel,
            configuration: nil, options: nil
        ).statements()
    }

    /// Migrates.
    ///
    /// - Parameters:
    ///   - options: Those of the store.
    ///   - inspect: Gets the new store before it takes the place of the old one; when it throws, nothing changes. Not
    ///     called for a store on a server, which has no other location.
    package func run(options: [AnyHashable: Any]? = nil, inspect: @escaping (URL) throws -> Void) throws {
        var migration = StoreMigration(
            url: url, type: type, metadata: metadata, sourceModel: sourceModel,
            destinationModel: destinationModel, configuration: nil, options: options)
        migration.inspect = inspect
        if mapping.isInferred { try migration.runInferred() } else { try migration.run(with: mapping) }
    }
}
