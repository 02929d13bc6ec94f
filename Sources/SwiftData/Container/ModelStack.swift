import CoreDataEngine
import Synchronization

/// What contexts work with: the stores of a container, without the container.
///
/// The container keeps its main context, and the main context this, so that neither keeps itself.
// @unchecked Sendable because what changes is behind the mutex, and the coordinator is safe to share.
final class ModelStack: @unchecked Sendable {
    /// A configuration, by the name that the engine's model has for it.
    struct Place {
        let name: String
        let configuration: ModelConfiguration
        let entities: Set<String>
    }

    // @unchecked Sendable because the context is used on the main actor only.
    private struct Known: @unchecked Sendable {
        weak var container: ModelContainer?
        weak var mainContext: ModelContext?
    }

    let schema: Schema
    let migrationPlan: (any SchemaMigrationPlan.Type)?
    let configurations: Set<ModelConfiguration>
    let coordinator: NSPersistentStoreCoordinator
    let model: NSManagedObjectModel
    let observesModels: Bool
    let mergesDuplicates: Bool
    /// The entities whose models, or those of a subclass, have arrays of models.
    let entitiesWithToManys: Set<String>
    /// What predicates may lead to.
    let paths: SchemaPaths
    private let places: [Place]
    private let known = Mutex<Known>(Known())

    init(
        _ schema: Schema, _ migrationPlan: (any SchemaMigrationPlan.Type)?, _ configurations: [ModelConfiguration]
    ) throws {
        if let problem = schema.problem { throw problem }
        guard !schema.entities.isEmpty else {
            throw SwiftDataError(.loadIssueModelContainer, "The schema has no entities.")
        }
        let list = configurations.isEmpty ? [ModelConfiguration(schema: schema)] : configurations
        self.schema = schema
        self.migrationPlan = migrationPlan
        self.configurations = Set(list)
        observesModels = list.allSatisfy(\.observesModels)
        mergesDuplicates = list.allSatisfy(\.mergesDuplicates)
        entitiesWithToManys = Set(schema.entities.filter(\.mayHaveToManys).map(\.name))
        paths = SchemaPaths(schema)
        places = try Self.places(of: list, schema)
        var builder = SchemaModel(schema)
        model = builder.make(configurations: places.map { ($0.name, $0.entities) })
        SchemaKeyPaths.register(schema)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for place in places {
            try Self.checkEncodings(place.configuration, builder)
            if let migrationPlan {
                let others = Set(schema.entities.map(\.name)).subtracting(place.entities)
                try PlannedMigration(plan: migrationPlan, place: place, others: others, model: model).run()
            }
            try open(place)
        }
    }

    // MARK: Containers

    /// The container: another one with the same stores if the first is gone.
    var container: ModelContainer {
        known.withLock { known in
            if let container = known.container { return container }
            let made = ModelContainer(self)
            known.container = made
            return made
        }
    }

    /// Notes the container, which is the first.
    func show(_ container: ModelContainer) { known.withLock { $0.container = container } }

    /// The context of the main actor, which the caller keeps.
    @MainActor
    var mainContext: ModelContext {
        if let context = known.withLock({ $0 }).mainContext { return context }
        let made = ModelContext(mainOf: self)
        let reference = Known(container: nil, mainContext: made)
        known.withLock { $0.mainContext = reference.mainContext }
        return made
    }

    // MARK: Configurations

    /// The configurations, with their entities.
    ///
    /// - Throws: An error if two can't be told apart.
    private static func places(of list: [ModelConfiguration], _ schema: Schema) throws -> [Place] {
        var places: [Place] = []
        let all = Set(schema.entities.map(\.name))
        let given = Set(list.filter(\.isNamed).map(\.name))
        for configuration in list {
            try configuration.check()
            for known in places.map(\.configuration) { try checkDifference(known, configuration) }
            let own = configuration.schema.map { Set($0.entities.map(\.name)) } ?? all
            if let missing = own.subtracting(all).min() {
                throw SwiftDataError(
                    .configurationSchemaNotFoundInContainerSchema,
                    "The entity \(missing) of the configuration '\(configuration.name)' is not in the container's "
                        + "schema.")
            }
            var name = configuration.name
            var number = 1
            while !configuration.isNamed, given.contains(name) || places.contains(where: { $0.name == name }) {
                number += 1
                name = "\(configuration.name) \(number)"
            }
            places.append(Place(name: name, configuration: configuration, entities: own))
        }
        return places
    }

    private static func checkDifference(_ first: ModelConfiguration, _ second: ModelConfiguration) throws {
        if first.isNamed, second.isNamed, first.name == second.name {
            throw SwiftDataError(.duplicateConfiguration, "Two configurations have the name '\(first.name)'.")
        }
        if !first.isStoredInMemoryOnly, first.url.standardized == second.url.standardized {
            throw SwiftDataError(.duplicateConfiguration, "Two configurations have the store \(first.place).")
        }
    }

    /// Refuses to make a new store with values whose form is not known.
    private static func checkEncodings(_ configuration: ModelConfiguration, _ builder: SchemaModel) throws {
        let isInMemory = configuration.isStoredInMemoryOnly
        guard !configuration.isOnServer,
            isInMemory || !FileManager.default.fileExists(atPath: configuration.url.path)
        else { return }
        if let first = builder.impossible.first { throw SwiftDataError.unsupported(first) }
        guard let first = builder.unverified.first, !isInMemory, !configuration.allowsUnverifiedEncodings else {
            return
        }
        throw SwiftDataError(
            .modelValidationFailure, first + " ModelConfiguration.allowsUnverifiedEncodings allows it.")
    }

    // MARK: Stores

    private func open(_ place: Place) throws {
        let configuration = place.configuration
        var options: [String: Any] = [
            NSPersistentHistoryTrackingKey: true, NSMigratePersistentStoresAutomaticallyOption: true,
            NSInferMappingModelAutomaticallyOption: true,
        ]
        if !configuration.allowsSave { options[NSReadOnlyPersistentStoreOption] = true }
        if !configuration.isStoredInMemoryOnly, !configuration.isOnServer, configuration.allowsSave {
            try FileManager.default.createDirectory(
                at: configuration.url.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        _ = try coordinator.addPersistentStore(
            ofType: configuration.storeType, configurationName: place.name, at: configuration.url,
            options: options)
    }

    /// Deletes the stores and makes new ones.
    func erase() throws {
        for store in coordinator.persistentStores {
            guard let url = store.url else { continue }
            let (name, type) = (store.configurationName, store.type)
            try coordinator.remove(store)
            if url.path != "/dev/null" { try coordinator.destroyPersistentStore(at: url, ofType: type, options: nil) }
            guard let place = places.first(where: { $0.name == name }) else { continue }
            try open(place)
        }
    }
}
