import Foundation

/// Reads the source objects of a mapping, batch by batch.
struct MigrationSource {
    let manager: NSMigrationManager
    let session: MigrationSession
    let mapping: NSEntityMapping
    let policy: NSEntityMigrationPolicy

    func forEachBatch(
        of entity: NSEntityDescription, size: Int, _ body: ([NSManagedObject]) throws -> Void
    ) throws {
        guard let layout = entity.layout, let store = session.sourceContext.persistentStoreCoordinator?.rowStores.first
        else { return }
        guard mapping.sourceExpression == nil else { return try forEachBatch(ofExpression: size, body) }
        var query = StoreQuery(entity: layout)
        query.includesSubentities = false
        query.includesValues = false
        let rows = try store.fetchRows(query)
        let references = (0..<rows.count).map { rows.reference($0) }.sorted()
        for start in stride(from: 0, to: references.count, by: size) {
            let batch = Array(references[start..<min(start + size, references.count)])
            let slab = try store.fetchRows(references: batch, entity: layout, includesValues: true)
            try body(session.sourceContext.objects(for: slab, store: store).sorted { $0.reference < $1.reference })
        }
    }

    /// The objects of a source expression: those of a fetch, by their identifiers, or a collection that is there anyway.
    private func forEachBatch(ofExpression size: Int, _ body: ([NSManagedObject]) throws -> Void) throws {
        guard let expression = mapping.sourceExpression else { return }
        let variables = MigrationVariables(manager: manager, mapping: mapping, policy: policy).values
        let context = session.sourceContext
        guard case .fetch(let fetch, _, false) = expression.node,
            let request = try fetch.value(with: nil, variables: variables) as? NSFetchRequestBase
        else {
            let value = try expression.value(with: nil, variables: variables)
            let objects = MigrationExpressions.objects(in: value)
            for start in stride(from: 0, to: objects.count, by: size) {
                try body(Array(objects[start..<min(start + size, objects.count)]))
            }
            return
        }
        let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: request.entityName ?? "")
        identifiers.entity =
            request.entity
            ?? session.sourceContext.persistentStoreCoordinator?.managedObjectModel
            .entitiesByName[request.entityName ?? ""]
        identifiers.predicate = request.predicate
        identifiers.sortDescriptors = request.sortDescriptors
        identifiers.includesSubentities = request.includesSubentities
        identifiers.fetchLimit = request.fetchLimit
        identifiers.fetchOffset = request.fetchOffset
        identifiers.resultType = .managedObjectIDResultType
        let found = try context.fetch(identifiers)
        for start in stride(from: 0, to: found.count, by: size) {
            try body(found[start..<min(start + size, found.count)].map { context.anyObject(with: $0) })
        }
    }
}
