import Foundation

/// Fetches of a context: the request goes to the application's store, and its answer is checked.
extension NSIncrementalStore {
    package final func answer(
        to request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> StoreAnswer<[RowSlab]> {
        let moment = rowCache.moment
        let objects = try objects(for: request, query, in: context)
        let rows = identities(of: objects.map(\.objectID), query.entity)
        return StoreAnswer(store: self, rows: [rows], rowCache: rowCache, moment: moment, objects: objects)
    }

    /// The objects that a request finds.
    private func objects(
        for request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        let handed = forwarded(request, query)
        handed.resultType = .managedObjectResultType
        return try answer(to: handed, in: context).map { element in
            switch element {
            case let object as NSManagedObject where object.managedObjectContext === context: object
            case let object as NSManagedObject: context.anyObject(with: object.objectID)
            case let id as NSManagedObjectID: context.anyObject(with: id)
            default: throw unfit(element, "managed objects", handed)
            }
        }
    }

    package final func identifiers(
        for request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        let handed = forwarded(request, query)
        handed.resultType = .managedObjectIDResultType
        return try answer(to: handed, in: context).map { element in
            switch element {
            case let id as NSManagedObjectID: id
            case let object as NSManagedObject: object.objectID
            default: throw unfit(element, "object identifiers", handed)
            }
        }
    }

    package final func count(
        for request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> Int {
        let handed = forwarded(request, query)
        handed.resultType = .countResultType
        let elements = try answer(to: handed, in: context)
        guard elements.count == 1, let number = SlotLayout.integer(from: elements[0]), number >= 0 else {
            throw unfit(elements, "a count", handed)
        }
        return Int(number)
    }

    package final func dictionaries(
        for request: NSFetchRequestBase, _ query: StoreQuery, columns: [ResultColumn],
        in context: NSManagedObjectContext
    ) throws -> [[String: Any]] {
        let handed = forwarded(request, query)
        handed.resultType = .dictionaryResultType
        return try answer(to: handed, in: context).map { element in
            if let dictionary = element as? [String: Any] { return dictionary }
            guard let dictionary = element as? NSDictionary else { throw unfit(element, "dictionaries", handed) }
            return dictionary.reduce(into: [:]) { result, entry in
                if let key = entry.key as? String { result[key] = entry.value }
            }
        }
    }

    /// The request as the store gets it: erased, with its entity, and with the window that this store shall apply.
    private func forwarded(_ request: NSFetchRequestBase, _ query: StoreQuery)
        -> NSFetchRequest<any NSFetchRequestResult>
    {
        let handed = NSFetchRequest<any NSFetchRequestResult>()
        request.copySettings(to: handed)
        handed.entity = query.entity.entity
        handed.predicate = query.predicate
        handed.sortDescriptors = query.sortDescriptors.isEmpty ? request.sortDescriptors : query.sortDescriptors
        handed.fetchLimit = query.limit
        handed.fetchOffset = query.offset
        handed.includesSubentities = query.includesSubentities
        return handed
    }

    private func answer(
        to request: NSFetchRequest<any NSFetchRequestResult>, in context: NSManagedObjectContext
    ) throws -> [Any] {
        let result = try execute(request, with: context)
        if let array = result as? [Any] { return array }
        if let array = result as? NSArray { return array.map { $0 } }
        if request.resultType == .countResultType { return [result] }
        throw unfit(result, "an array", request)
    }

    private func unfit(_ result: Any, _ wanted: String, _ request: NSFetchRequestBase) -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreOperationError,
            "The store \(shortName) answered a fetch of \(request.entityName ?? "objects") with a "
                + "\(Swift.type(of: result)) and not with \(wanted).",
            path: url?.path)
    }
}
