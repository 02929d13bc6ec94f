import CoreDataEngine

/// Brings a store from its version to the last one of a plan.
///
/// The steps are done on a copy, which takes the store's place at the end: a program that is killed in between finds the
/// store as it was.
struct PlannedMigration {
    let plan: any SchemaMigrationPlan.Type
    let place: ModelStack.Place
    /// The entities of the other configurations.
    let others: Set<String>
    let model: NSManagedObjectModel

    private var configuration: ModelConfiguration { place.configuration }

    /// What leads from the store's version to that of the classes.
    private struct Route {
        var stages: [MigrationStage] = []
        /// The entities that the store has.
        var entities: Set<String> = []
    }

    func run() throws {
        if configuration.isOnServer { return try checkServer() }
        guard !configuration.isStoredInMemoryOnly, FileManager.default.fileExists(atPath: configuration.url.path),
            try !route().stages.isEmpty
        else { return }
        var due = Route()
        let files = StoreFiles(url: configuration.url, type: NSSQLiteStoreType)
        try files.change(options: nil) {
            // Another process or thread may have migrated the store before this one had the lock.
            due = try route()
            return !due.stages.isEmpty
        } byWorkingOnCopy: { copy in
            var entities = due.entities
            for stage in due.stages { entities = try run(stage, at: copy, entities) }
        }
    }

    /// The stages that the store has not gone through.
    private func route() throws -> Route {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: configuration.url, options: nil)
        if model.isConfiguration(withName: place.name, compatibleWithStoreMetadata: metadata) { return Route() }
        return Route(
            stages: try stages(from: try version(of: metadata)), entities: Set(Self.hashes(metadata).keys))
    }

    private static func hashes(_ metadata: [String: Any]) -> [String: Data] {
        metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    }

    /// A database is migrated where it is, which only the differences of the versions can tell.
    private func checkServer() throws {
        let type = try configuration.storeType
        let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: type, at: configuration.url, options: nil)
        // A database without tables has none.
        guard let metadata, metadata[NSStoreModelVersionHashesKey] != nil,
            !model.isConfiguration(withName: place.name, compatibleWithStoreMetadata: metadata)
        else { return }
        for case .custom(let from, let to, _, _) in try stages(from: try version(of: metadata)) {
            throw SwiftDataError(
                .loadIssueModelContainer,
                "The stage from \(from.versionIdentifier) to \(to.versionIdentifier) of the migration plan runs code, "
                    + "which isn't possible for the database \(configuration.place).")
        }
    }

    // MARK: Versions

    private static func hashes(of version: any VersionedSchema.Type) throws -> [String: Data] {
        let schema = Schema(versionedSchema: version)
        if let problem = schema.problem { throw problem }
        var builder = SchemaModel(schema)
        return builder.make().entityVersionHashesByName
    }

    /// The version of the plan that a store is of.
    private func version(of metadata: [String: Any]) throws -> any VersionedSchema.Type {
        var nearest: (version: Schema.Version, differing: [String])?
        let hashes = Self.hashes(metadata)
        var fitting: [any VersionedSchema.Type] = []
        for version in plan.schemas {
            // What only another configuration's store has is no difference.
            let known = try Self.hashes(of: version).filter { name, _ in
                hashes[name] != nil || others.isEmpty || place.entities.contains(name)
            }
            let differing = Set(known.keys).union(hashes.keys).filter { known[$0] != hashes[$0] }.sorted()
            if differing.isEmpty { fitting.append(version) }
            let least = nearest?.differing.count ?? .max
            if differing.count < least { nearest = (version.versionIdentifier, differing) }
        }
        // Several versions may have the same entities in this store: its own number, else the last one, tells which it is.
        let own = storeVersion(metadata)
        if let version = fitting.first(where: { $0.versionIdentifier == own }) ?? fitting.last { return version }
        if let last = plan.schemas.map({ $0.versionIdentifier }).max(), let own = storeVersion(metadata), own > last {
            throw SwiftDataError(
                .backwardMigration,
                "The store \(configuration.place) is of version \(own), and the last one of the plan is \(last).")
        }
        guard let nearest else { throw SwiftDataError(.unknownSchema, "The migration plan has no versions.") }
        throw SwiftDataError(
            .unknownSchema,
            "The store \(configuration.place) is of no version of the plan: it differs from the nearest, "
                + "\(nearest.version), in \(nearest.differing.joined(separator: ", ")).")
    }

    private func storeVersion(_ metadata: [String: Any]) -> Schema.Version? {
        let identifiers = metadata[NSStoreModelVersionIdentifiersKey] as? [String] ?? []
        return identifiers.compactMap { identifier -> Schema.Version? in
            let numbers = identifier.split(separator: ".").compactMap { Int($0) }
            return numbers.count == 3 ? Schema.Version(numbers[0], numbers[1], numbers[2]) : nil
        }.max()
    }

    /// The version that the store is brought to: that of the container's classes, which is usually the last one.
    private func goal() throws -> Schema.Version? {
        for version in plan.schemas where try Self.hashes(of: version) == model.entityVersionHashesByName {
            return version.versionIdentifier
        }
        return plan.schemas.map { $0.versionIdentifier }.max()
    }

    /// The stages that lead from a version to that of the container's classes.
    private func stages(from version: any VersionedSchema.Type) throws -> [MigrationStage] {
        var current = version.versionIdentifier
        let last = try goal()
        if let last, current > last {
            throw SwiftDataError(
                .backwardMigration,
                "The store \(configuration.place) is of version \(current), which comes after that of the classes, "
                    + "\(last).")
        }
        var found: [MigrationStage] = []
        while current != last {
            guard let stage = plan.stages.first(where: { $0.ends.from.versionIdentifier == current }),
                stage.ends.to.versionIdentifier > current
            else {
                throw SwiftDataError(.unknownSchema, "The migration plan has no stage that goes on from \(current).")
            }
            found.append(stage)
            current = stage.ends.to.versionIdentifier
        }
        return found
    }

    // MARK: Stages

    /// - Returns: The entities that the store has afterwards.
    private func run(_ stage: MigrationStage, at url: URL, _ entities: Set<String>) throws -> Set<String> {
        if case .custom(let from, _, let willMigrate?, _) = stage {
            try work(willMigrate, from, entities, url)
        }
        let former = Schema(versionedSchema: stage.ends.from).entitiesByName
        let next = Set(Schema(versionedSchema: stage.ends.to).entities.map(\.name)).filter {
            entities.contains($0) || former[$0] == nil && !others.contains($0)
        }
        if case .custom(_, let to, _, let didMigrate?) = stage {
            try work(didMigrate, to, next, url)
        } else {
            try work({ _ in }, stage.ends.to, next, url)
        }
        return next
    }

    /// Opens the store with the classes of a version that are in it, and has a block change it.
    private func work(
        _ block: (ModelContext) throws -> Void, _ version: any VersionedSchema.Type, _ entities: Set<String>, _ url: URL
    ) throws {
        let schema = Schema(versionedSchema: version)
        let own = Schema(schema.types.filter { entities.contains($0.key) }.map(\.value))
        let container = try ModelContainer(
            for: schema, configurations: ModelConfiguration(configuration.name, schema: own, url: url))
        let context = ModelContext(container)
        try block(context)
        try context.save()
        for store in container.stack.coordinator.persistentStores { try container.stack.coordinator.remove(store) }
    }
}

extension MigrationStage {
    var ends: (from: any VersionedSchema.Type, to: any VersionedSchema.Type) {
        switch self {
        case .lightweight(let from, let to), .custom(let from, let to, _, _): (from, to)
        }
    }
}
