import Foundation

/// Takes one store through the stages of a manager.
///
/// The steps are ordinary migrations, each of which leaves a whole store of the old or the new version whatever
/// happens. What a step owes to the application, the call of its second handler, is written into the metadata of the
/// new store as part of the step, and taken out when the handler returned.
struct StagedMigration {
    /// The metadata key of a stage whose second handler has not returned: the checksum of the stage's next model.
    static let unfinishedKey = "OpenCoreDataUnfinishedMigrationStage"

    let manager: NSStagedMigrationManager
    let url: URL
    let type: String
    let destinationModel: NSManagedObjectModel
    let configuration: String?
    let options: [AnyHashable: Any]?

    /// The manager in the options of a store.
    static func manager(in options: [AnyHashable: Any]?) -> NSStagedMigrationManager? {
        options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager
    }

    /// Whether a handler of one of the manager's stages is still to be called for a store.
    static func isUnfinished(_ metadata: [String: Any], options: [AnyHashable: Any]?) -> Bool {
        guard let manager = manager(in: options), let checksum = metadata[unfinishedKey] as? String else {
            return false
        }
        return stage(to: checksum, of: manager) != nil
    }

    private static func stage(to checksum: String, of manager: NSStagedMigrationManager) -> NSCustomMigrationStage? {
        manager.stages.lazy.compactMap { $0 as? NSCustomMigrationStage }
            .first { $0.nextModel.versionChecksum == checksum }
    }

    /// Migrates the store to the destination model.
    ///
    /// - Throws: What a handler threw; an error that says which stage is missing or can't be done. The store is then at
    ///   the version that the last step gave it.
    func run(metadata: [String: Any], sourceModel: () throws -> NSManagedObjectModel) throws {
        try requireOptions()
        let target = destinationModel.versionChecksum
        var current = currentChecksum(metadata, sourceModel)
        if let unfinished = metadata[Self.unfinishedKey] as? String,
            let stage = Self.stage(to: unfinished, of: manager), unfinished == current
        {
            MigrationLog.record("\(url.storeName): stage \(stage.title) goes on after its step")
            try finish(stage)
        }
        guard current != target else { return }
        let route = try StageRoute(through: manager.stages, from: current, to: target)
        var model: NSManagedObjectModel?
        for step in route.steps {
            switch step {
            case .version(let checksum):
                guard checksum != current, checksum != target, let next = version(checksum) else { continue }
                try migrate(from: model ?? sourceModel(), to: next, stage: nil)
                (current, model) = (checksum, next)
            case .custom(let stage):
                if stage.currentModel.versionChecksum != current {
                    try migrate(from: model ?? sourceModel(), to: try stage.currentModel.resolve(), stage: nil)
                }
                try run(stage)
                current = stage.nextModel.versionChecksum
                model = try stage.nextModel.resolve()
            }
        }
        guard current != target else { return }
        try migrate(from: model ?? sourceModel(), to: destinationModel, stage: nil)
    }

    /// The checksum of the store's version. The hashes of stores of earlier versions of this library may be others than
    /// those of the same model now, which the stages name.
    private func currentChecksum(_ metadata: [String: Any], _ sourceModel: () throws -> NSManagedObjectModel) -> String
    {
        let stored = Self.checksum(of: metadata)
        guard !StageRoute.knows(stored, manager.stages), stored != destinationModel.versionChecksum,
            let model = try? sourceModel()
        else { return stored }
        let entities = SourceModel.entities(of: model, metadata: metadata)
        return VersionHash.checksum(
            of: Dictionary(entities.map { ($0.name ?? "", $0.versionHash) }, uniquingKeysWith: { first, _ in first }))
    }

    /// The model of a version that a lightweight stage names, from the manager's references or the program's bundles.
    ///
    /// Where it is in neither, the way to the next version is inferred without it.
    private func version(_ checksum: String) -> NSManagedObjectModel? {
        let references = manager.stages.lazy.compactMap { $0 as? NSCustomMigrationStage }
            .flatMap { [$0.currentModel, $0.nextModel] }
        if let model = try? references.first(where: { $0.versionChecksum == checksum })?.resolve() { return model }
        let model = NSManagedObjectModel.modelURLs(in: ModelFinder.bundles()).lazy
            .flatMap { NSManagedObjectModel.allVersions(at: $0) }
            .first { $0.versionChecksum == checksum }
        if model == nil {
            MigrationLog.record("\(url.storeName): the version \(checksum) of a lightweight stage is not found")
        }
        return model
    }

    private func requireOptions() throws {
        let needed = [NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption]
        for key in needed where NSPersistentStore.flag(options?[key]) != true {
            throw CoreDataError.make(
                NSMigrationError,
                "Staged migration of the store \(url.storeName) was requested with "
                    + "NSPersistentStoreStagedMigrationManagerOptionKey but without setting \(key).", path: url.path)
        }
    }

    // MARK: Custom stages

    private func run(_ stage: NSCustomMigrationStage) throws {
        let (current, next) = (try stage.currentModel.resolve(), try stage.nextModel.resolve())
        MigrationLog.record("\(url.storeName): stage \(stage.title) begins")
        if let handler = stage.willMigrateHandler {
            try withContainer(current) { try handler(manager, stage) }
        }
        try migrate(from: current, to: next, stage: stage)
        try finish(stage)
        MigrationLog.record("\(url.storeName): stage \(stage.title) is done")
    }

    /// Calls the second handler and records that it is done.
    private func finish(_ stage: NSCustomMigrationStage) throws {
        if let handler = stage.didMigrateHandler {
            try withContainer(try stage.nextModel.resolve()) { try handler(manager, stage) }
        }
        var metadata = try metadata()
        guard metadata.removeValue(forKey: Self.unfinishedKey) != nil else { return }
        try NSPersistentStoreCoordinator.setMetadata(
            metadata, forPersistentStoreOfType: type, at: url, options: storeOptions)
    }

    /// Gives the manager a container with the store while a block runs.
    private func withContainer(_ model: NSManagedObjectModel, _ body: () throws -> Void) throws {
        let container = NSPersistentContainer(
            name: url.deletingPathExtension().lastPathComponent, managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.type = type
        description.configuration = configuration
        container.persistentStoreDescriptions = [description]
        container.persistentStoreCoordinator.tolerateOtherClasses()
        // Not by the description, which takes objects only as options.
        try container.persistentStoreCoordinator.addPersistentStore(
            ofType: type, configurationName: configuration, at: url, options: storeOptions)
        manager.container = container
        defer {
            manager.container = nil
            for store in container.persistentStoreCoordinator.persistentStores {
                try? container.persistentStoreCoordinator.remove(store)
            }
        }
        try body()
    }

    /// The options of the store without those that say how it is migrated.
    private var storeOptions: [AnyHashable: Any]? {
        let migrating: Set<AnyHashable> = [
            NSPersistentStoreStagedMigrationManagerOptionKey, NSMigratePersistentStoresAutomaticallyOption,
            NSInferMappingModelAutomaticallyOption, NSPersistentStoreDeferredLightweightMigrationOptionKey,
        ]
        return options?.filter { !migrating.contains($0.key) }
    }

    // MARK: Steps

    private func migrate(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel, stage: NSCustomMigrationStage?
    ) throws {
        MigrationLog.record(
            "\(url.storeName): from version \(source.versionChecksum) to \(destination.versionChecksum)")
        var metadata = try metadata()
        if let stage, stage.didMigrateHandler != nil {
            metadata[Self.unfinishedKey] = stage.nextModel.versionChecksum
        }
        try StoreMigration(
            url: url, type: type, metadata: metadata, sourceModel: source, destinationModel: destination,
            configuration: configuration, options: options
        ).run()
    }

    private func metadata() throws -> [String: Any] {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url, options: storeOptions)
    }

    /// The checksum of the version that a store has. Stores of older frameworks have the hashes it is made of.
    static func checksum(of metadata: [String: Any]) -> String {
        if let checksum = metadata[NSPersistentStoreModelVersionChecksumKey] as? String { return checksum }
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        return VersionHash.checksum(of: hashes)
    }
}
