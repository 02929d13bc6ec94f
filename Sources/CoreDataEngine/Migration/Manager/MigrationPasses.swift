import Foundation

/// Executes a mapping model: objects, then relationships, then validation.
///
/// Objects are created and saved in batches, and released except for some (see `KeptObjects`); only numbers are kept
/// for all. Policies may keep further objects, which become faults.
struct MigrationPasses {
    let manager: NSMigrationManager
    let session: MigrationSession
    let progress: MigrationProgress

    private static let batchSize = 500

    private struct Work {
        let mapping: NSEntityMapping
        let policy: NSEntityMigrationPolicy
    }

    func run() throws {
        let work = try (session.mapping.entityMappings ?? []).map { mapping in
            try check(mapping)
            return Work(mapping: mapping, policy: try MigrationPolicyRegistry.policy(for: mapping).init())
        }
        session.hasPolicies = work.contains { type(of: $0.policy) != NSEntityMigrationPolicy.self }
        for (index, item) in work.enumerated() {
            session.currentMapping = item.mapping
            try makeInstances(item)
            MigrationLog.record("entity mapping \(item.mapping.name ?? ""): objects are made")
            progress.fraction = 0.5 * Float(index + 1) / Float(work.count)
        }
        for (index, item) in work.enumerated() {
            session.currentMapping = item.mapping
            try makeRelationships(item)
            MigrationLog.record("entity mapping \(item.mapping.name ?? ""): relationships are made")
            progress.fraction = 0.5 + 0.4 * Float(index + 1) / Float(work.count)
        }
        for item in work {
            session.currentMapping = item.mapping
            try item.policy.performCustomValidation(forMapping: item.mapping, manager: manager)
            try validate(item.mapping)
            try item.policy.end(item.mapping, manager: manager)
        }
        try progress.check()
        try save()
        progress.fraction = 1
    }

    /// Mappings come from files: what they name must be there.
    private func check(_ mapping: NSEntityMapping) throws {
        let sides = [
            (mapping.sourceEntityName, mapping.sourceEntityVersionHash, manager.sourceModel, "source"),
            (
                mapping.destinationEntityName, mapping.destinationEntityVersionHash, manager.destinationModel,
                "destination"
            ),
        ]
        for (name, hash, model, side) in sides {
            guard let name, !name.isEmpty else { continue }
            guard let entity = model.entitiesByName[name] else {
                throw failure(mapping, "the \(side) model has no entity \(name)")
            }
            if let hash, !entity.accepts(versionHash: hash) {
                throw failure(mapping, "it was made for another version of the \(side) entity \(name)")
            }
        }
    }

    private func failure(_ mapping: NSEntityMapping, _ reason: String) -> CocoaError {
        CoreDataError.make(
            NSMigrationError, "The entity mapping '\(mapping.name ?? "")' can't be executed: \(reason).",
            userInfo: ["reason": reason])
    }

    // MARK: Objects

    private func makeInstances(_ item: Work) throws {
        try item.policy.begin(item.mapping, with: manager)
        if item.mapping.mappingType != .addEntityMappingType, item.mapping.mappingType != .removeEntityMappingType,
            let entity = manager.sourceEntity(for: item.mapping)
        {
            let reader = MigrationSource(manager: manager, session: session, mapping: item.mapping, policy: item.policy)
            try reader.forEachBatch(of: entity, size: Self.batchSize) { objects in
                for object in objects {
                    try progress.check()
                    try item.policy.createDestinationInstances(
                        forSource: object, in: item.mapping, manager: manager)
                }
                session.keptObjects.keep(objects)
                try save()
            }
        }
        try item.policy.endInstanceCreation(forMapping: item.mapping, manager: manager)
        try save()
    }

    // MARK: Relationships

    private func makeRelationships(_ item: Work) throws {
        try forEachDestination(of: item.mapping) { objects in
            for object in objects {
                try progress.check()
                try item.policy.createRelationships(forDestination: object, in: item.mapping, manager: manager)
            }
            try save()
        }
        try item.policy.endRelationshipCreation(forMapping: item.mapping, manager: manager)
        try save()
    }

    private func forEachDestination(of mapping: NSEntityMapping, _ body: ([NSManagedObject]) throws -> Void) throws {
        let keys = session.associations[mapping.name ?? ""].allDestinations
        for start in stride(from: 0, to: keys.count, by: Self.batchSize) {
            let batch = keys[start..<min(start + Self.batchSize, keys.count)]
            try body(batch.compactMap { session.destinationContext.object(for: $0) }.filter { !$0.state.isDeleted })
        }
    }

    // MARK: Validation and saving

    /// Checks the objects as a save does. They were saved before they were whole.
    private func validate(_ mapping: NSEntityMapping) throws {
        try save()
        var failures: [any Error] = []
        try forEachDestination(of: mapping) { objects in
            try progress.check()
            for object in objects {
                do {
                    try object.validateMigrated()
                } catch {
                    failures.append(error)
                }
            }
            try session.destinationContext.throwUnreported()
            session.destinationContext.releaseValues()
        }
        try ValidationFailures.throwIfAny(failures)
    }

    /// Saves pending changes, and releases the objects' values.
    private func save() throws {
        let context = session.destinationContext
        // What could not be read of the source would be missing from the destination.
        try session.sourceContext.throwUnreported()
        let inserted = context.insertedObjects
        for object in inserted.union(context.updatedObjects) { try object.requireFittingValues() }
        do {
            try context.save()
        } catch let error as CocoaError where error.code.rawValue == NSManagedObjectConstraintMergeError {
            throw CoreDataError.make(
                NSMigrationConstraintViolationError,
                "Objects of the migrated store violate a uniqueness constraint of the new model.", underlying: error)
        }
        let kept = session.keptObjects.keep(inserted)
        // Related objects would keep each other alive.
        context.releaseValues { session.keptObjects.keepsValues(of: $0) }
        session.sourceContext.releaseValues()
        if session.hasPolicies { try session.keptObjects.readValues(of: kept, in: context) }
    }
}
