import CoreDataEngine

/// Brings a store from its version to the last one of a plan.
///
/// The steps are done on a copy, which takes the store's place at the end: a program that is killed in between finds the
/// store as it was.
struct PlannedMigration {
    let plan: any SchemaMigrationPlan.Type
    let configuration: ModelConfiguration
    let model: NSManagedObjectModel

    func run() throws {
        if configuration.isOnServer { return try checkServer() }
        guard !configuration.isStoredInMemoryOnly, FileManager.default.fileExists(atPath: configuration.url.path) else {
            return
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: configuration.url, options: nil)
        if model.isConfiguration(withName: configuration.name, compatibleWithStoreMetadata: metadata) { return }
        let stages = try stages(from: try version(of: metadata))
        guard !stages.isEmpty else { return }
        let folder = configuration.url.deletingLastPathComponent()
            .appendingPathComponent(".\(configuration.url.lastPathComponent).migration", isDirectory: true)
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent(configuration.url.lastPathComponent)
        try replace(copy, by: configuration.url)
        for stage in stages { try run(stage, at: copy) }
        try replace(configuration.url, by: copy)
    }

    /// A database is migrated where it is, which only the differences of the versions can tell.
    private func checkServer() throws {
        let type = try configuration.storeType
        let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: type, at: configuration.url, options: nil)
        // A database without tables has none.
        guard let metadata, metadata[NSStoreModelVersionHashesKey] != nil,
            !model.isConfiguration(withName: configuration.name, compatibleWithStoreMetadata: metadata)
        else { return }
        for case .custom(let from, let to, _, _) in try stages(from: try version(of: metadata)) {
            throw SwiftDataError(
                .loadIssueModelContainer,
                "The stage from \(from.versionIdentifier) to \(to.versionIdentifier) of the migration plan runs code, "
                    + "which isn't possible for the database \(configuration.place).")
        }
    }

    private func replace(_ target: URL, by source: URL) throws {
        try NSPersistentStoreCoordinator(managedObjectModel: model).replacePersistentStore(
            at: target, destinationOptions: nil, withPersistentStoreFrom: source, sourceOptions: nil,
            ofType: NSSQLiteStoreType)
    }

    // MARK: Versions

    /// The version of the plan that a store is of.
    private func version(of metadata: [String: Any]) throws -> any VersionedSchema.Type {
        var nearest: (version: Schema.Version, differing: [String])?
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        for version in plan.schemas {
            let schema = Schema(versionedSchema: version)
            if let problem = schema.problem { throw problem }
            var builder = SchemaModel(schema)
            let known = builder.make().entityVersionHashesByName
            let differing = Set(known.keys).union(hashes.keys).filter { known[$0] != hashes[$0] }.sorted()
            if differing.isEmpty { return version }
            let least = nearest?.differing.count ?? .max
            if differing.count < least { nearest = (schema.version, differing) }
        }
        if let last = plan.schemas.map({ $0.versionIdentifier }).max(), let own = storeVersion(metadata), own > last {
            throw SwiftDataError(
                .backwardMigration,
                "The store \(configuration.url.path) is of version \(own), and the last one of the plan is \(last).")
        }
        guard let nearest else { throw SwiftDataError(.unknownSchema, "The migration plan has no versions.") }
        throw SwiftDataError(
            .unknownSchema,
            "The store \(configuration.url.path) is of no version of the plan: it differs from the nearest, "
                + "\(nearest.version), in \(nearest.differing.joined(separator: ", ")).")
    }

    private func storeVersion(_ metadata: [String: Any]) -> Schema.Version? {
        let identifiers = metadata[NSStoreModelVersionIdentifiersKey] as? [String] ?? []
        return identifiers.compactMap { identifier -> Schema.Version? in
            let numbers = identifier.split(separator: ".").compactMap { Int($0) }
            return numbers.count == 3 ? Schema.Version(numbers[0], numbers[1], numbers[2]) : nil
        }.max()
    }

    /// The stages that lead from a version to the last one.
    private func stages(from version: any VersionedSchema.Type) throws -> [MigrationStage] {
        var current = version.versionIdentifier
        let last = plan.schemas.map { $0.versionIdentifier }.max()
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

    private func run(_ stage: MigrationStage, at url: URL) throws {
        if case .custom(let from, _, let willMigrate?, _) = stage {
            try work(willMigrate, from, url)
        }
        if case .custom(_, let to, _, let didMigrate?) = stage {
            try work(didMigrate, to, url)
        } else {
            try work({ _ in }, stage.ends.to, url)
        }
    }

    private func work(
        _ block: (ModelContext) throws -> Void, _ version: any VersionedSchema.Type, _ url: URL
    ) throws {
        let own = ModelConfiguration(configuration.name, url: url)
        let container = try ModelContainer(for: Schema(versionedSchema: version), configurations: own)
        let context = ModelContext(container)
        try block(context)
        try context.save()
        for store in container.coordinator.persistentStores { try container.coordinator.remove(store) }
    }
}

extension MigrationStage {
    var ends: (from: any VersionedSchema.Type, to: any VersionedSchema.Type) {
        switch self {
        case .lightweight(let from, let to), .custom(let from, let to, _, _): (from, to)
        }
    }
}
