public import Foundation
import Synchronization

/// Copies the objects of a store into a new store of another model, as a mapping model says.
///
/// A manager migrates one store at a time, on the caller's queue. During the migration, ``migrationProgress`` and
/// ``cancelMigrationWithError(_:)`` may be used from any thread. The source store isn't changed.
open class NSMigrationManager: NSObject {
    /// Creates a manager.
    ///
    /// Neither model is changed. A manager can migrate several stores, one after the other.
    ///
    /// - Parameters:
    ///   - sourceModel: The model of the stores as they are.
    ///   - destinationModel: The model that they shall have.
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        model = sourceModel
        newModel = destinationModel
        super.init()
    }

    /// The model of the stores as they are.
    open var sourceModel: NSManagedObjectModel { model }
    private let model: NSManagedObjectModel

    /// The model that the stores shall have.
    open var destinationModel: NSManagedObjectModel { newModel }
    private let newModel: NSManagedObjectModel

    /// Whether a store may be migrated by a faster way of its own when the result is the same. The default is true.
    open var usesStoreSpecificMigrationManager = true

    /// The application's own values, for migration policies.
    open var userInfo: [AnyHashable: Any]?

    /// The migration that is going on, or the last one until ``reset()``.
    private var session: MigrationSession?
    private var currentModel: NSMappingModel?
    /// By inferred entity mapping: the former selves of attributes whose values change.
    private var formerAttributes: [ObjectIdentifier: [String: NSAttributeDescription]] = [:]
    private let progress = MigrationProgress()

    /// The mapping model of the migration that is going on, or of the last one.
    ///
    /// Reading it before the first migration is a programming error.
    open var mappingModel: NSMappingModel {
        guard let currentModel else { programmerError("No migration is in progress: there is no mapping model.") }
        return currentModel
    }

    /// The context with the source objects, for migration policies. Its objects are all of the class `NSManagedObject`.
    ///
    /// It is a programming error to ask for it when no migration is going on.
    open var sourceContext: NSManagedObjectContext {
        guard let session else { programmerError("No migration is in progress: there is no source context.") }
        return session.sourceContext
    }

    /// The context with the destination objects, for migration policies. Its objects are all of the class
    /// `NSManagedObject`.
    ///
    /// It is a programming error to ask for it when no migration is going on.
    open var destinationContext: NSManagedObjectContext {
        guard let session else { programmerError("No migration is in progress: there is no destination context.") }
        return session.destinationContext
    }

    /// The mapping that is being executed.
    ///
    /// Reading it when no migration is running is a programming error.
    open var currentEntityMapping: NSEntityMapping {
        guard let mapping = session?.currentMapping else {
            programmerError("No migration is in progress: there is no entity mapping.")
        }
        return mapping
    }

    /// How much of the migration is done, from 0 to 1; 0 when none is going on. Safe to read from any thread.
    open var migrationProgress: Float { progress.fraction }

    /// Migrates a store into a new file.
    ///
    /// Nothing may be at the destination. If the migration fails, the destination's files are removed. From one SQLite
    /// file to another, an inferred mapping model is executed in SQL, without objects, unless
    /// ``usesStoreSpecificMigrationManager`` is `false`. A mapping model of `nil` is
    /// `NSMigrationMissingMappingModelError`.
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
        guard let mappings else {
            throw CoreDataError.make(
                NSMigrationMissingMappingModelError,
                "The store \(sourceURL.lastPathComponent) can't be migrated without a mapping model.",
                path: sourceURL.path)
        }
        reset()
        progress.reset()
        defer { progress.reset() }
        currentModel = mappings
        let source = MigrationEnd(url: sourceURL, type: sStoreType, options: sOptions, model: sourceModel)
        let destination = MigrationEnd(url: dURL, type: dStoreType, options: dOptions, model: destinationModel)
        if usesStoreSpecificMigrationManager,
            let direct = DirectMigration(from: source, to: destination, mapping: mappings, progress: progress)
        {
            return try direct.run()
        }
        try migrate(source, destination, mappings)
    }

    private func migrate(_ source: MigrationEnd, _ destination: MigrationEnd, _ mappings: NSMappingModel) throws {
        let session = try MigrationSession(mapping: mappings, source: source, destination: destination)
        self.session = session
        do {
            try session.perform {
                try session.writing {
                    // A value that can't be read is not to become none in the new store.
                    try session.sourceContext.requiringReadableValues(isStrict: true) {
                        try MigrationPasses(manager: self, session: session, progress: progress).run()
                    }
                }
            }
            session.close()
        } catch {
            session.close()
            // Half a store is of no use, and in the way of another attempt.
            if destination.url.isFileURL {
                try? StoreFiles(url: destination.url, type: destination.type).remove()
            }
            throw error
        }
    }

    /// Migrates a store into a new file.
    ///
    /// It does what `migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)`
    /// does, and throws the same errors.
    ///
    /// - Parameters:
    ///   - sourceURL: The store to migrate.
    ///   - sourceStoreType: Its type.
    ///   - sourceOptions: Its options.
    ///   - mapping: How entities and properties become others.
    ///   - destinationURL: The new store.
    ///   - destinationStoreType: Its type.
    ///   - destinationOptions: Its options.
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
    ///
    /// Each migration begins with it. Objects of the contexts can't be used afterwards.
    open func reset() {
        session?.close()
        session = nil
        currentModel = nil
        formerAttributes = [:]
    }

    /// Ends the migration that is running. Safe to call from any thread.
    ///
    /// The migration ends before its next step, and the destination's files are removed. A second call
    /// has no effect. Nothing happens if no migration is running.
    ///
    /// - Parameter error: The error that `migrateStore` throws.
    open func cancelMigrationWithError(_ error: any Error) { progress.cancel(error) }

    /// Returns the source entity of a mapping.
    ///
    /// The entity is looked up by its name in ``sourceModel``. A name that the model doesn't have gives `nil`, too.
    ///
    /// - Parameter mEntity: A mapping of the mapping model.
    /// - Returns: The entity, or `nil` for a mapping that adds an entity.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
    }

    /// Returns the destination entity of a mapping.
    ///
    /// The entity is looked up by its name in ``destinationModel``. A name that the model doesn't have gives `nil`,
    /// too.
    ///
    /// - Parameter mEntity: A mapping of the mapping model.
    /// - Returns: The entity, or `nil` for a mapping that removes an entity.
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
    }

    /// Records which destination object was created from which source object by a mapping.
    ///
    /// The destination object gets its permanent identifier. If that fails, the migration ends.
    ///
    /// - Parameters:
    ///   - sourceInstance: The source object.
    ///   - destinationInstance: The destination object.
    ///   - entityMapping: The mapping.
    open func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        guard let session else { return }
        do {
            if destinationInstance.objectID.isTemporaryID {
                try session.destinationContext.obtainPermanentIDs(for: [destinationInstance])
            }
            session.associations.add(
                source: sourceInstance, destination: destinationInstance, mapping: entityMapping.name ?? "")
        } catch {
            progress.cancel(error)
        }
    }

    /// The destination objects that came from source objects through a mapping, in the order of the source objects.
    ///
    /// Each object is there once. The result is empty if the mapping has created nothing yet, or if there was no
    /// migration.
    ///
    /// - Parameters:
    ///   - mappingName: The name of the mapping.
    ///   - sourceInstances: The source objects; nil for all.
    open func destinationInstances(
        forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        guard let session else { return [] }
        let associations = session.associations[mappingName]
        let keys =
            sourceInstances.map { $0.flatMap { associations.destinations(of: .init($0)) } }
            ?? associations.pairs.map(\.destination)
        return Self.objects(keys, in: session.destinationContext)
    }

    /// The source objects that destination objects came from through a mapping, in the order of the destination objects.
    ///
    /// Each object is there once. The result is empty if the mapping has created nothing yet, or if there was no
    /// migration.
    ///
    /// - Parameters:
    ///   - mappingName: The name of the mapping.
    ///   - destinationInstances: The destination objects; nil for all.
    open func sourceInstances(
        forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        guard let session else { return [] }
        let associations = session.associations[mappingName]
        let keys =
            destinationInstances.map { $0.flatMap { associations.sources(of: .init($0)) } }
            ?? associations.pairs.map(\.source)
        return Self.objects(keys, in: session.sourceContext)
    }

    /// Calls a method that an expression names, as in `FUNCTION($manager, "shelfFor:", $source)`.
    ///
    /// Swift has no way to find a method by name off Apple's platforms; a subclass overrides this and looks at the
    /// selector. It isn't called for the methods that mapping models of Apple's tools use.
    ///
    /// - Parameters:
    ///   - selector: The name as the expression has it, with its colons.
    ///   - arguments: The values of the arguments.
    /// - Returns: The value.
    /// - Throws: `NSMigrationError` that names the method, unless overridden.
    open func invoke(_ selector: String, arguments: [Any?]) throws -> Any? {
        throw CoreDataError.make(
            NSMigrationError,
            "The migration manager \(type(of: self)) has no method '\(selector)' for expressions; override "
                + "invoke(_:arguments:).")
    }

    /// The destination objects that came from a source object through any mapping of its entity.
    final func destinationInstances(ofSource object: NSManagedObject) -> [NSManagedObject] {
        guard let session else { return [] }
        let names = (session.mapping.entityMappings ?? []).filter { $0.sourceEntityName == object.entity.name }
            .map { $0.name ?? "" }
        let keys = names.flatMap { session.associations[$0].destinations(of: .init(object)) }
        return Self.objects(keys, in: session.destinationContext)
    }

    /// The former selves of a mapping's attributes that have another type or are composite, by the new name. Empty for a
    /// mapping model of the application's own.
    final func changedAttributes(of mapping: NSEntityMapping) -> [String: NSAttributeDescription] {
        guard mappingModel.isInferred else { return [:] }
        if let known = formerAttributes[ObjectIdentifier(mapping)] { return known }
        guard let source = sourceEntity(for: mapping), let destination = destinationEntity(for: mapping) else {
            return [:]
        }
        let match = EntityMatch(source: source, destination: destination)
        var changed: [String: NSAttributeDescription] = [:]
        for (name, attribute) in destination.attributesByName {
            guard let old = match.source(of: attribute) else { continue }
            if attribute is NSCompositeAttributeDescription
                || AttributeConversion.conversion(from: old, to: attribute) != nil
            {
                changed[name] = old
            }
        }
        formerAttributes[ObjectIdentifier(mapping)] = changed
        return changed
    }

    /// Each object once.
    private static func objects(
        _ keys: [MigrationAssociations.Key], in context: NSManagedObjectContext
    ) -> [NSManagedObject] {
        var seen: Set<MigrationAssociations.Key> = []
        return keys.filter { seen.insert($0).inserted }.compactMap { context.object(for: $0) }
    }
}
