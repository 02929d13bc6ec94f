import Foundation

/// Saves of a context: identifiers first, then one request with all objects.
extension NSIncrementalStore: ObjectStore {
    package func references(for objects: [NSManagedObject]) throws -> [Int64] {
        let ids = try obtainPermanentIDs(for: objects)
        guard ids.count == objects.count else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "The store \(shortName) gave \(ids.count) permanent identifiers for \(objects.count) new objects.",
                path: url?.path)
        }
        var given: Set<Int64> = []
        for (object, id) in zip(objects, ids) {
            guard !id.isTemporaryID, id.storeIdentifier == identifier, id.layout.name == object.layout.name,
                given.insert(id.reference).inserted
            else {
                throw CoreDataError.make(
                    NSPersistentStoreOperationError,
                    "The store \(shortName) gave a new object of \(object.layout.name) the identifier "
                        + "\(id.uriRepresentation()), which is temporary, another object's or of another entity.",
                    path: url?.path)
            }
        }
        return ids.map(\.reference)
    }

    package func allocateReferences(count: Int, root: EntityLayout) throws -> Int64 {
        throw withoutObjects()
    }

    package func execute(_ plan: SavePlan) throws -> SaveOutcome {
        guard plan.isEmpty else { throw withoutObjects() }
        return .saved(derived: [])
    }

    private func withoutObjects() -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreOperationError, "The store \(shortName) saves objects of a context, and no rows.",
            path: url?.path)
    }

    package func execute(
        _ plan: SavePlan, objects: PlannedObjects, in context: NSManagedObjectContext
    ) throws -> SaveOutcome {
        let conflicts =
            try conflicts(plan.updates, isDelete: false, context)
            + conflicts(plan.deletes, isDelete: true, context)
        guard conflicts.isEmpty else { return .conflicts(conflicts, constraints: []) }
        var updated: Set<NSManagedObject> = []
        var locked: Set<NSManagedObject> = []
        for (change, object) in zip(plan.updates, objects.updates) {
            if change.slots.isEmpty, change.changedToManys.isEmpty {
                locked.insert(object)
            } else {
                updated.insert(object)
            }
        }
        let request = NSSaveChangesRequest(
            inserted: Set(objects.inserts), updated: updated, deleted: Set(objects.deletes), locked: locked)
        request.affectedStores = [self]
        _ = try execute(request, with: context)
        record(objects)
        return .saved(derived: [])
    }

    private func record(_ objects: PlannedObjects) {
        let inserted = objects.inserts.map(\.reference)
        let updated = objects.updates.map { ($0.reference, $0.version + 1) }
        let deleted = objects.deletes.map(\.reference)
        withRevisions { revisions in
            for reference in inserted { revisions.setVersion(1, of: reference) }
            for (reference, version) in updated { revisions.setVersion(version, of: reference) }
            for reference in deleted { revisions.remove(reference) }
        }
    }

    /// The rows that another context of the coordinator has saved, or for which the store returned new values, since
    /// the writer read them.
    private func conflicts(
        _ changes: [RowChange], isDelete: Bool, _ context: NSManagedObjectContext
    ) throws -> [RowConflict] {
        try changes.compactMap { change in
            guard change.version >= 0,
                let known = withRevisions({ $0.knownVersion(of: change.reference) }), known != change.version
            else { return nil }
            let current = try fetchRows(
                references: [change.reference], entity: change.entity.root, includesValues: true, for: context)
            return RowConflict(
                entity: change.entity, reference: change.reference, isDelete: isDelete,
                current: current.count == 1 ? current : nil)
        }
    }
}
