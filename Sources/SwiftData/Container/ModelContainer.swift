import CoreDataEngine
import Synchronization

// @unchecked Sendable because what changes is behind the mutex, and the coordinator is safe to share.
/// The stores of models, and what contexts are made with.
public final class ModelContainer: Equatable, @unchecked Sendable {
    /// The entities.
    public let schema: Schema
    /// The plan by which stores of older versions are migrated, or `nil` if changes are inferred.
    public let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// Where the stores are.
    public let configurations: Set<ModelConfiguration>
    let coordinator: NSPersistentStoreCoordinator
    let model: NSManagedObjectModel
    let observesModels: Bool
    let mergesDuplicates: Bool
    /// The entities whose models, or those of a subclass, have arrays of models.
    let entitiesWithToManys: Set<String>
    private let main = Mutex<MainContext>(MainContext())

    // @unchecked Sendable because the context is used on the main actor only.
    private struct MainContext: @unchecked Sendable { var context: ModelContext? }

    /// Opens the store of the models, and creates it if it doesn't exist.
    ///
    /// A store of an older version of the classes is migrated before this returns. Containers of one process and of
    /// several can have the same file open.
    ///
    /// ```swift
    /// let container = try ModelContainer(for: Book.self, Author.self)
    /// ```
    ///
    /// - Parameters:
    ///   - forTypes: The classes. Those that they refer to by relationships are added.
    ///   - migrationPlan: How stores of older versions are migrated. `nil` infers the changes.
    ///   - configurations: The stores. By default, one file `default.store` in the application support
    ///     folder.
    /// - Throws: An error that names what is wrong with a class or a configuration, or that says why a store can't be
    ///   opened.
    public convenience init(
        for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens the store of the models, and creates it if it doesn't exist.
    ///
    /// Use it with a schema that has a version. A store of an older version is migrated before this returns.
    ///
    /// - Parameters:
    ///   - givenSchema: The entities.
    ///   - migrationPlan: How stores of older versions are migrated. `nil` infers the changes.
    ///   - configurations: The stores. By default, one file `default.store` in the application support
    ///     folder.
    /// - Throws: An error that names what is wrong with a class or a configuration, or that says why a store can't be
    ///   opened.
    public convenience init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens the stores of models, and creates those that don't exist.
    ///
    /// Stores are opened in the order of the list. Configurations need different names;
    /// `SwiftDataError.duplicateConfiguration` is thrown otherwise. A schema without entities throws
    /// `SwiftDataError.loadIssueModelContainer`.
    ///
    /// - Parameters:
    ///   - givenSchema: The entities.
    ///   - migrationPlan: How stores of older versions are migrated. `nil` infers the changes.
    ///   - configurations: The stores. By default, one file `default.store` in the application support
    ///     folder.
    /// - Throws: An error that names what is wrong with a class or a configuration, or that says why a store can't be
    ///   opened.
    public init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [ModelConfiguration]
    ) throws {
        if let problem = givenSchema.problem { throw problem }
        guard !givenSchema.entities.isEmpty else {
            throw SwiftDataError(.loadIssueModelContainer, "The schema has no entities.")
        }
        let list = configurations.isEmpty ? [ModelConfiguration(schema: givenSchema)] : configurations
        schema = givenSchema
        self.migrationPlan = migrationPlan
        self.configurations = Set(list)
        observesModels = list.allSatisfy(\.observesModels)
        mergesDuplicates = list.allSatisfy(\.mergesDuplicates)
        entitiesWithToManys = Set(givenSchema.entities.filter(\.mayHaveToManys).map(\.name))
        let members = try Self.members(of: list, givenSchema)
        var builder = SchemaModel(givenSchema)
        model = builder.make(configurations: members)
        SchemaKeyPaths.register(givenSchema)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for configuration in list {
            try Self.checkEncodings(configuration, builder.unverified)
            if let migrationPlan {
                try PlannedMigration(plan: migrationPlan, configuration: configuration, model: model).run()
            }
            try open(configuration)
        }
    }

    /// The entities of each configuration.
    private static func members(
        of list: [ModelConfiguration], _ schema: Schema
    ) throws -> [(name: String, entities: Set<String>)] {
        var members: [(name: String, entities: Set<String>)] = []
        let all = Set(schema.entities.map(\.name))
        for configuration in list {
            try configuration.check()
            if members.contains(where: { $0.name == configuration.name }) {
                throw SwiftDataError(
                    .duplicateConfiguration, "Two configurations have the name '\(configuration.name)'.")
            }
            let own = configuration.schema.map { Set($0.entities.map(\.name)) } ?? all
            if let missing = own.subtracting(all).min() {
                throw SwiftDataError(
                    .configurationSchemaNotFoundInContainerSchema,
                    "The entity \(missing) of the configuration '\(configuration.name)' is not in the container's "
                        + "schema.")
            }
            members.append((configuration.name, own))
        }
        return members
    }

    /// Refuses to make a new store with values whose form is not known.
    private static func checkEncodings(_ configuration: ModelConfiguration, _ unverified: [String]) throws {
        guard let first = unverified.first, !configuration.allowsUnverifiedEncodings, !configuration.isOnServer,
            !configuration.isStoredInMemoryOnly,
            !FileManager.default.fileExists(atPath: configuration.url.path)
        else { return }
        throw SwiftDataError(
            .modelValidationFailure, first + " ModelConfiguration.allowsUnverifiedEncodings allows it.")
    }

    private func open(_ configuration: ModelConfiguration) throws {
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
            ofType: configuration.storeType, configurationName: configuration.name, at: configuration.url,
            options: options)
    }

    /// Whether two containers are the same one.
    public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs === rhs }

    /// The context of the main actor, which saves by itself.
    @MainActor
    public var mainContext: ModelContext {
        main.withLock { main in
            if let context = main.context { return context }
            let context = ModelContext(self, isMain: true)
            main.context = context
            return context
        }
    }

    /// Deletes all models and the files of the stores, and makes new stores.
    ///
    /// Models that were fetched before belong to the stores that are gone. The history starts again.
    ///
    /// - Throws: An error if a file can't be deleted.
    public func erase() throws {
        for store in coordinator.persistentStores {
            guard let url = store.url else { continue }
            let (name, type) = (store.configurationName, store.type)
            try coordinator.remove(store)
            if url.path != "/dev/null" { try coordinator.destroyPersistentStore(at: url, ofType: type, options: nil) }
            guard let configuration = configurations.first(where: { $0.name == name }) else { continue }
            try open(configuration)
        }
    }

    /// Deletes all models.
    ///
    /// Errors are ignored; ``erase()`` throws them.
    @available(*, deprecated, renamed: "erase()")
    public func deleteAllData() { try? erase() }
}
