import Foundation

/// Saves: first everything that could go wrong in memory, then the file, then the rows that fetches see.
extension NSAtomicStore: ObjectStore {
    package func saveMetadata() throws {
        try whileSaving {
            try save()
            withState { $0.needsSave = false }
        }
    }

    package func execute(_ plan: SavePlan) throws -> SaveOutcome {
        try execute(plan, nodes: { NodeChange() })
    }

    package func execute(
        _ plan: SavePlan, objects: PlannedObjects, in context: NSManagedObjectContext
    ) throws -> SaveOutcome {
        try execute(plan) { keepsNodes ? try changeNodes(objects) : NodeChange() }
    }

    private func execute(_ plan: SavePlan, nodes: () throws -> NodeChange) throws -> SaveOutcome {
        guard !isReadOnly || plan.isEmpty else {
            throw CoreDataError.make(
                NSFileWriteNoPermissionError, "The store \(shortName) is read-only.", path: url?.path,
                userInfo: [NSAffectedStoresErrorKey: [self]])
        }
        return try whileSaving {
            if plan.isEmpty {
                if !isReadOnly, withState({ $0.needsSave }) { try saveMetadata() }
                return .saved(derived: [])
            }
            var change = InMemorySave(
                plan: try plan.archivingTransformedValues(), contents: withState { $0.contents })
            let outcome = change.outcome()
            guard case .saved = outcome else { return outcome }
            change.apply()
            try write(change.contents, nodes)
            return outcome
        }
    }

    private func whileSaving<Result>(_ body: () throws -> Result) rethrows -> Result {
        saving.lock()
        defer { saving.unlock() }
        return try body()
    }

    /// Has the subclass write the new rows, and makes them what fetches see; or puts everything back.
    private func write(_ contents: InMemoryContents, _ nodes: () throws -> NodeChange) throws {
        let change = try nodes()
        withState { $0.nextContents = contents }
        do {
            try save()
        } catch {
            withState { $0.nextContents = nil }
            undo(change)
            throw error
        }
        withState { state in
            state.contents = contents
            state.nextContents = nil
            state.needsSave = false
        }
    }

    // MARK: Nodes

    /// What a save has done to the nodes, to be undone when it fails.
    private struct NodeChange {
        var nodes: [Int64: NSAtomicStoreCacheNode]?
        var caches: [(node: NSAtomicStoreCacheNode, values: NSMutableDictionary?)] = []
    }

    private func undo(_ change: NodeChange) {
        guard let nodes = change.nodes else { return }
        withState { $0.nodes = nodes }
        for (node, values) in change.caches { node.propertyCache = values }
    }

    private func changeNodes(_ objects: PlannedObjects) throws -> NodeChange {
        var change = NodeChange(nodes: withState { $0.nodes })
        do {
            for object in objects.updates {
                guard let node = cacheNode(for: object.objectID) else { continue }
                change.caches.append((node, node.propertyCache?.mutableCopy() as? NSMutableDictionary))
            }
            let removed = Set(objects.deletes.compactMap { cacheNode(for: $0.objectID) })
            if !removed.isEmpty { willRemoveCacheNodes(removed) }
            withState { state in
                for node in removed { state.nodes[node.objectID.reference] = nil }
            }
            for object in objects.inserts { try addNode(of: object) }
            for object in objects.updates {
                if let node = cacheNode(for: object.objectID) { updateCacheNode(node, from: object) }
            }
            link(objects)
        } catch {
            undo(change)
            throw error
        }
        return change
    }

    private func addNode(of object: NSManagedObject) throws {
        let node = newCacheNode(for: object)
        guard node.objectID == object.objectID else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "The store \(shortName) made a node of \(node.objectID.uriRepresentation()) for the new object "
                    + "\(object.objectID.uriRepresentation()).", path: url?.path)
        }
        withState { $0.nodes[object.reference] = node }
    }

    /// Objects that are new in the same save had no nodes yet when the others' were written.
    private func link(_ objects: PlannedObjects) {
        let inserted = Set(objects.inserts.map(\.objectID))
        guard !inserted.isEmpty else { return }
        let writer = CacheNodeWriter(store: self)
        for object in objects.inserts + objects.updates {
            if let node = cacheNode(for: object.objectID) { writer.link(object, node, to: inserted) }
        }
    }
}
