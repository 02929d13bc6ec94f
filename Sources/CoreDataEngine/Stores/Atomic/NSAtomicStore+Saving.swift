import Foundation

/// Saves: first everything that could go wrong in memory, then the file, then the rows that fetches see.
extension NSAtomicStore: ObjectStore {
    package func saveMetadata() throws {
        try whileSaving {
            try save()
            withState { $0.needsSave = false }
        }
    }

    package var namesObjectsByContent: Bool { keepsNodes }

    package func execute(_ plan: SavePlan) throws -> SaveOutcome {
        try execute(plan, nodes: { _ in AtomicNodeChange() })
    }

    package func execute(
        _ plan: SavePlan, objects: PlannedObjects, in context: NSManagedObjectContext
    ) throws -> SaveOutcome {
        try execute(plan) { keepsNodes ? try changeNodes(objects, $0) : AtomicNodeChange() }
    }

    private func execute(_ plan: SavePlan, nodes: (InMemoryContents) throws -> AtomicNodeChange) throws -> SaveOutcome {
        guard !isReadOnly || plan.isEmpty else {
            throw CoreDataError.make(
                NSFileWriteNoPermissionError, "The store \(shortName) is read-only.", path: url?.path,
                userInfo: [NSAffectedStoresErrorKey: [self]])
        }
        return try whileSaving {
            if plan.isEmpty {
                // A transaction writes the file at its end.
                if !isReadOnly, withState({ $0.needsSave && $0.transaction == nil }) { try saveMetadata() }
                return .saved(derived: [])
            }
            var change = InMemorySave(
                plan: try plan.archivingTransformedValues(), contents: withState { $0.visibleContents })
            let outcome = change.outcome()
            guard case .saved = outcome else { return outcome }
            change.apply()
            try write(change.contents, nodes)
            return outcome
        }
    }

    /// Runs `body` with exclusive access to the store's writer.
    final func whileSaving<Result>(_ body: () throws -> Result) rethrows -> Result {
        saving.lock()
        defer { saving.unlock() }
        return try body()
    }

    /// Has the subclass write the new rows, and makes them what fetches see; or puts everything back.
    private func write(_ contents: InMemoryContents, _ nodes: (InMemoryContents) throws -> AtomicNodeChange) throws {
        let change = try nodes(contents)
        if let transaction = withState({ $0.transaction }) {
            transaction.contents = contents
            transaction.nodes.append(change)
            return
        }
        try writeFile(contents) { undo(change) }
    }

    /// Lets the subclass write rows to the file, and makes them visible to all contexts.
    private func writeFile(_ contents: InMemoryContents, orElse undo: () -> Void) throws {
        withState { $0.nextContents = contents }
        do {
            try save()
        } catch {
            withState { $0.nextContents = nil }
            undo()
            throw error
        }
        withState { state in
            state.contents = contents
            state.nextContents = nil
            state.needsSave = false
        }
    }

    // MARK: Transactions

    private func commit(_ transaction: AtomicTransaction) throws {
        guard let contents = transaction.contents else { return }
        try writeFile(contents) { undo(transaction) }
    }

    private func undo(_ transaction: AtomicTransaction) {
        for change in transaction.nodes.reversed() { undo(change) }
    }

    // MARK: Nodes

    private func undo(_ change: AtomicNodeChange) {
        guard let nodes = change.nodes else { return }
        withState { $0.nodes = nodes }
        // A node may be in the list twice; what it was first counts.
        for (node, values) in change.caches.reversed() { node.propertyCache = values }
    }

    private func changeNodes(_ objects: PlannedObjects, _ contents: InMemoryContents) throws -> AtomicNodeChange {
        var change = AtomicNodeChange(nodes: withState { $0.nodes })
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
            relate(contents, &change)
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

    /// Makes the relationships of all nodes what they are after the save. Objects that are new in the same save had no
    /// nodes when the others' were written, and a deletion concerns objects that no context has.
    private func relate(_ contents: InMemoryContents, _ change: inout AtomicNodeChange) {
        let nodes = withState { $0.nodes }
        let session = InMemorySession(contents: contents)
        for node in nodes.values {
            let layout = node.objectID.layout
            guard let record = contents.record(node.objectID.reference, root: layout.root) else { continue }
            for relationship in layout.relationships where !relationship.isTransient {
                let wanted = session.targets(of: relationship, record).compactMap { nodes[$0] }
                guard !Self.hasMembers(node.value(forKey: relationship.name), wanted, relationship) else { continue }
                change.caches.append((node, node.propertyCache?.mutableCopy() as? NSMutableDictionary))
                node.setValue(Self.value(of: wanted, relationship), forKey: relationship.name)
            }
        }
    }

    private static func hasMembers(
        _ value: Any?, _ wanted: [NSAtomicStoreCacheNode], _ relationship: RelationshipLayout
    ) -> Bool {
        guard let value, !(value is NSNull) else { return wanted.isEmpty }
        guard relationship.isToMany else { return value as? NSAtomicStoreCacheNode === wanted.first }
        let elements =
            NSIncrementalStore.elements(of: value) ?? (value as? Set<NSAtomicStoreCacheNode>).map { Array($0) }
        guard let members = elements?.compactMap({ $0 as? NSAtomicStoreCacheNode }), members.count == wanted.count
        else { return false }
        if relationship.isOrdered { return zip(members, wanted).allSatisfy { $0 === $1 } }
        return Set(members.map { ObjectIdentifier($0) }) == Set(wanted.map { ObjectIdentifier($0) })
    }

    private static func value(of members: [NSAtomicStoreCacheNode], _ relationship: RelationshipLayout) -> Any? {
        guard relationship.isToMany else { return members.first }
        return relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
    }
}

extension NSAtomicStore: TransactionalStore {
    package func performTransaction(_ body: () throws -> Void) throws {
        try whileSaving {
            // Inside of another one, the outer one counts.
            guard withState({ $0.transaction == nil }) else { return try body() }
            return try separatingRows {
                let transaction = AtomicTransaction()
                withState { $0.transaction = transaction }
                do { try body() } catch {
                    withState { $0.transaction = nil }
                    undo(transaction)
                    throw error
                }
                withState { $0.transaction = nil }
                try commit(transaction)
            }
        }
    }
}
