import Foundation

/// The unsaved changes that bear on a fetch.
struct PendingOverlay {
    /// A row of one of the stores.
    private struct Row: Hashable {
        let store: ObjectIdentifier?
        let reference: Int64
    }

    /// The rows of changed and deleted objects of the entity: out of the store's answer, whatever the row said.
    private var touched: Set<Row> = []
    /// New and changed objects that match now.
    var matching: [NSManagedObject] = []

    /// Whether the object of a row was changed or deleted.
    func touches(_ reference: Int64, of store: NSPersistentStore?) -> Bool {
        touched.contains(Row(store: store.map { ObjectIdentifier($0) }, reference: reference))
    }

    /// Notes a changed or deleted object.
    mutating func touch(_ object: NSManagedObject) {
        touched.insert(Row(store: (object.table?.store).map { ObjectIdentifier($0) }, reference: object.reference))
    }
}

extension NSManagedObjectContext {
    /// The unsaved changes to objects of a request's entity; `nil` if there are no such changes.
    ///
    /// - Throws: An error if the request is a full text search and objects were inserted or changed: only the server can
    ///   tell whether they match.
    final func pendingOverlay(for request: NSFetchRequestBase, _ layout: EntityLayout) throws -> PendingOverlay? {
        let includesSubentities = request.includesSubentities
        let changes = changeTracker.changes {
            includesSubentities ? $0.layout.isKind(of: layout) : $0.layout === layout
        }
        if changes.inserted.isEmpty, changes.updated.isEmpty, changes.deleted.isEmpty { return nil }
        if !changes.inserted.isEmpty || !changes.updated.isEmpty, request.predicate?.searchesText == true {
            throw PredicateFunctions.textSearchError
        }
        var overlay = PendingOverlay()
        for object in changes.updated + changes.deleted { overlay.touch(object) }
        let affected = request.affectedStores
        for object in changes.inserted + changes.updated where request.predicate?.evaluate(with: object) ?? true {
            if let affected {
                let store = object.table?.store ?? identities.assignedStores[object.reference]
                if let store, !affected.contains(where: { $0 === store }) { continue }
            }
            overlay.matching.append(object)
        }
        return overlay
    }

    /// Folds unsaved changes into the store's answer: what was found and still matches keeps its place unless there is an
    /// order; the rest joins.
    final func apply(_ overlay: PendingOverlay, to found: [NSManagedObject], _ request: NSFetchRequestBase) throws
        -> [NSManagedObject]
    {
        let matching = Set(overlay.matching.map(ObjectIdentifier.init))
        var result = found.filter { object in
            !overlay.touches(object.reference, of: object.table?.store)
                || matching.contains(ObjectIdentifier(object))
        }
        let present = Set(result.map(ObjectIdentifier.init))
        result.append(contentsOf: overlay.matching.filter { !present.contains(ObjectIdentifier($0)) })
        if let descriptors = request.sortDescriptors, !descriptors.isEmpty {
            result = sorted(result, by: descriptors)
        }
        if request.fetchLimit > 0 { result = Array(result.prefix(request.fetchLimit)) }
        return result
    }
}
