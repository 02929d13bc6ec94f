import Foundation

/// Fetching objects, identifiers, dictionaries and counts.
extension NSManagedObjectContext {
    /// Returns what a request finds, in its order.
    ///
    /// The result includes unsaved changes of this context unless `includesPendingChanges` is `false` or the request
    /// returns dictionaries. With `fetchBatchSize` the array still has an object for each row, but only the values of
    /// some batches; use ``fetchInBatches(_:)`` if the objects don't fit into memory either.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Book>(entityName: "Book")
    /// request.predicate = NSPredicate(format: "pages > %d", 180)
    /// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    /// let books = try context.fetch(request)
    /// ```
    ///
    /// - Parameter request: The request.
    /// - Throws: An error that names the entity, key, predicate or file that made the fetch fail.
    public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        if OverriddenMethod.fetch.isOverridden(by: type(of: self)), !isSuperCall(T.self) {
            return try fetchOverridden(request)
        }
        return try results(of: request)
    }

    /// What `fetch(_:)` does.
    final func results<T>(of request: NSFetchRequest<T>) throws -> [T] {
        checkQueue()
        let type = request.resultType
        if type == .countResultType { return try cast([NSNumber(value: count(of: request))], request) }
        if type == .dictionaryResultType { return try cast(fetchDictionaries(request), request) }
        if let noticed = T.self as? NSManagedObject.Type { ManagedObjectClass.noticed(noticed) }
        let layout = try entity(of: request)
        if type == .managedObjectIDResultType, let ids = try fetchIDs(request, layout) { return try cast(ids, request) }
        let objects = try fetchObjects(request, layout)
        if type == .managedObjectIDResultType { return try cast(objects.map(\.objectID), request) }
        if let same = typed(objects, as: T.self) { return same }
        return try cast(objects, request)
    }

    /// Returns the objects as `[T]`, without checking each one if consecutive objects share a class.
    private func typed<T>(_ objects: [NSManagedObject], as wanted: T.Type) -> [T]? {
        guard wanted is NSManagedObject.Type else { return nil }
        var met: NSManagedObject.Type?
        for object in objects where type(of: object) != met {
            met = type(of: object)
            guard met is T.Type else { return nil }
        }
        // Each element is a `T`, as was just checked, and both arrays store references alike.
        return unsafeBitCast(objects, to: [T].self)
    }

    /// Returns the number of objects that a request finds, without creating them.
    ///
    /// Unsaved changes of the context count, unless ``NSFetchRequestBase/includesPendingChanges`` is `false`. With such
    /// changes, and in a child context, the objects have to be fetched after all.
    ///
    /// - Parameter request: The request. Limit and offset count.
    /// - Throws: An error that names the entity, key, predicate or file that made the count fail.
    public func count<T>(for request: NSFetchRequest<T>) throws -> Int {
        if OverriddenMethod.count.isOverridden(by: type(of: self)) { return try countOverridden(request) }
        return try resultCount(of: request)
    }

    /// What `count(for:)` does.
    final func resultCount(of request: NSFetchRequestBase) throws -> Int {
        checkQueue()
        return try count(of: request)
    }

    /// Gives dictionaries the type that the request promises; where they don't have it, objects of Foundation's class
    /// may.
    final func cast<T>(_ rows: [[String: Any]], _ request: NSFetchRequestBase) throws -> [T] {
        if let same = rows as? [T] { return same }
        return try cast(rows.map { NSDictionary(dictionary: $0) }, request)
    }

    /// Gives results the type that the request promises, without a copy where the elements fit.
    final func cast<T, Element>(_ results: [Element], _ request: NSFetchRequestBase) throws -> [T] {
        // Otherwise each of a million identifiers would be asked what it is.
        if Element.self == T.self { return unsafeBitCast(results, to: [T].self) }
        if let same = results as? [T] { return same }
        throw CoreDataError.make(
            NSCoreDataError,
            "A fetch of \(request.entityName ?? "objects") returns \(Element.self), not \(T.self).")
    }

    /// The entity of a request in this context's model.
    final func entity(of request: NSFetchRequestBase) throws -> EntityLayout {
        guard let coordinator = persistentStoreCoordinator, let layout else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The context\(name.map { " \"\($0)\"" } ?? "") has no persistent store coordinator, so it can't fetch "
                    + "\(request.entityName ?? "anything").")
        }
        ManagedObjectClass.noticeImages()
        let entity = try request.resolveEntity(in: coordinator.managedObjectModel)
        onFetch?(request)
        if let own = entity.layout, own.model === layout { return own }
        guard let found = layout[entity.name ?? ""] else {
            throw CoreDataError.make(
                NSCoreDataError, "The context's model has no entity named '\(entity.name ?? "")'.")
        }
        return found
    }

    // MARK: Objects

    final func fetchObjects(_ request: NSFetchRequestBase, _ layout: EntityLayout) throws -> [NSManagedObject] {
        try throwReadError()
        if let error = request.predicate?.formatError { throw error }
        if let parent { return try fetchFromParent(parent, request, layout) }
        return try objects(objectSearch(request, layout).asked(for: request, by: self).rows(), request, layout)
    }

    /// What a request for objects or their identifiers asks of the stores.
    final func objectSearch(_ request: NSFetchRequestBase, _ layout: EntityLayout) throws -> StoreSearch {
        var query = request.storeQuery(for: layout)
        if request.resultType == .managedObjectIDResultType || request.fetchBatchSize > 0 {
            query.includesValues = false
        }
        query.isBatched = request.fetchBatchSize > 0
        let stores = try self.stores(for: request, layout)
        if stores.count > 1 {
            query.limit = query.limit > 0 ? query.limit + query.offset : 0
            query.offset = 0
        }
        return try search(query, in: stores)
    }

    /// Returns the objects for the stores' results, including unsaved changes.
    ///
    /// - Parameter isBeside: Whether the stores were read off the context's queue, which may have run other blocks
    ///   since.
    final func objects(
        _ answers: [StoreAnswer<[RowSlab]>], _ request: NSFetchRequestBase, _ layout: EntityLayout,
        isBeside: Bool = false
    ) throws -> [NSManagedObject] {
        let overlay = request.includesPendingChanges ? try pendingOverlay(for: request, layout) : nil
        var objects: [NSManagedObject] = []
        for answer in answers {
            var overtaken: [RowCache.Overtaken] = []
            for slab in answer.rows {
                if slab.hasValues {
                    try requireSound(slab)
                    let changed = answer.rowCache.register(slab, since: answer.moment)
                    if isBeside { overtaken.append(isCurrent(answer) ? changed : .all) }
                } else {
                    slab.batches = RowBatches(request)
                    if isBeside { overtaken.append(.none) }
                }
            }
            let (found, hasKnown) = self.found(for: answer.rows, store: answer.store)
            if hasKnown { refreshFaults(found, answer.rows, request.shouldRefreshRefetchedObjects) }
            if isBeside { dropRows(overtaken, of: found, answer.rows) }
            if objects.isEmpty { objects = found } else { objects.append(contentsOf: found) }
        }
        if answers.count > 1 { objects = try window(objects, request) }
        if let overlay { objects = try apply(overlay, to: objects, request) }
        // What comes batch by batch is realized, and gets its relationships, when its batch comes.
        if answers.contains(where: { $0.rows.contains { $0.batches != nil } }) {
            for keyPath in request.relationshipKeyPathsForPrefetching ?? [] {
                guard let first = objects.first, let key = keyPath.split(separator: ".").first else { continue }
                _ = try prefetched(String(key), of: keyPath, in: first.layout)
            }
            return objects
        }
        if !request.returnsObjectsAsFaults, request.resultType == .managedObjectResultType {
            for object in objects { object.fireFault() }
        }
        try prefetch(request.relationshipKeyPathsForPrefetching ?? [], objects, layout)
        return objects
    }

    /// The identifiers that a request finds, without an object for each; `nil` when unsaved changes, a parent or
    /// several stores have a say.
    private func fetchIDs(_ request: NSFetchRequestBase, _ layout: EntityLayout) throws -> [NSManagedObjectID]? {
        if let error = request.predicate?.formatError { throw error }
        guard parent == nil, let store = try stores(for: request, layout).onlyElement else { return nil }
        if request.includesPendingChanges, try pendingOverlay(for: request, layout) != nil { return nil }
        var query = request.storeQuery(for: layout)
        query.includesValues = false
        return try search(query, in: [store]).asked(for: request, by: self).identifiers()
    }

    /// Gives registered faults the rows that were just read; realized objects keep the values they showed.
    final func refreshFaults(_ objects: [NSManagedObject], _ slabs: [RowSlab], _ refreshesAll: Bool) {
        var first = 0
        for slab in slabs {
            defer { first += slab.count }
            guard slab.hasValues else { continue }
            for row in 0..<slab.count {
                let object = objects[first + row]
                if object.slab === slab { continue }
                if object.state.isFault {
                    object.adopt(slab, row: row)
                } else if refreshesAll, !object.state.hasChanges {
                    if slab.version(row) != object.version { object.announceChange() }
                    object.turnIntoFault(keepingTransients: keepsTransientValues)
                    object.adopt(slab, row: row)
                }
            }
        }
    }

    /// Whether what a store answered is of the generation that the context reads now.
    private func isCurrent(_ answer: StoreAnswer<[RowSlab]>) -> Bool {
        answer.rowCache === rowCache(of: answer.store)
    }

    /// Refreshes objects whose rows changed while the fetch ran off the context's queue: the merge or save that changed
    /// them may not have found the objects here yet.
    private func dropRows(_ overtaken: [RowCache.Overtaken], of objects: [NSManagedObject], _ slabs: [RowSlab]) {
        var first = 0
        for (slab, overtaken) in zip(slabs, overtaken) {
            defer { first += slab.count }
            if case .none = overtaken { continue }
            for row in 0..<slab.count where overtaken.contains(slab.reference(row)) {
                let object = objects[first + row]
                if object.slab === slab, object.state.isFault { object.dropRowForReload() }
            }
        }
    }

    /// Orders and cuts what several stores found.
    private func window(_ objects: [NSManagedObject], _ request: NSFetchRequestBase) throws -> [NSManagedObject] {
        var result = objects
        if let descriptors = request.sortDescriptors, !descriptors.isEmpty {
            result = sorted(result, by: descriptors)
        }
        if request.fetchOffset > 0 { result = Array(result.dropFirst(request.fetchOffset)) }
        if request.fetchLimit > 0 { result = Array(result.prefix(request.fetchLimit)) }
        return result
    }

    final func sorted(_ objects: [NSManagedObject], by descriptors: [NSSortDescriptor]) -> [NSManagedObject] {
        objects.sorted { left, right in
            for descriptor in descriptors {
                switch descriptor.compare(left, to: right) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return false
        }
    }

    // MARK: Counts

    private func count(of request: NSFetchRequestBase) throws -> Int {
        let layout = try entity(of: request)
        if let error = request.predicate?.formatError { throw error }
        if try parent != nil || request.includesPendingChanges && pendingOverlay(for: request, layout) != nil {
            return try fetchObjects(request, layout).count
        }
        return try countSearch(request, layout).asked(for: request, by: self).count()
    }

    /// What a count asks of the stores.
    final func countSearch(_ request: NSFetchRequestBase, _ layout: EntityLayout) throws -> StoreSearch {
        var query = request.storeQuery(for: layout)
        query.includesValues = false
        return try search(query, in: stores(for: request, layout))
    }

    // MARK: Dictionaries

    private func fetchDictionaries(_ request: NSFetchRequestBase) throws -> [[String: Any]] {
        let layout = try entity(of: request)
        if let error = request.predicate?.formatError ?? request.havingPredicate?.formatError { throw error }
        if let parent {
            defer { adoptPermanentIdentities() }
            return try parent.performAndWait { SendableBox(try parent.fetchDictionaries(request)) }.value
        }
        let (query, columns) = try request.columnQuery(for: layout)
        let search = try search(query, in: stores(for: request, layout))
        return try search.stores.flatMap { store in
            if let own = store.ownStore {
                return try own.dictionaries(for: request, query, columns: columns, in: self)
            }
            return dictionaries([try search.columns(of: store)], columns, layout)
        }
    }

    /// The dictionaries for what the stores answered.
    final func dictionaries(
        _ answers: [StoreAnswer<[[PropertyValue]]>], _ columns: [ResultColumn], _ layout: EntityLayout
    ) -> [[String: Any]] {
        answers.flatMap { answer in
            answer.rows.map { values in
                var row: [String: Any] = [:]
                for (column, value) in zip(columns, values) {
                    row[column.key] = presented(value, column, layout, answer.store)
                }
                return row
            }
        }
    }

    private func presented(
        _ value: PropertyValue, _ column: ResultColumn, _ layout: EntityLayout, _ store: NSPersistentStore
    ) -> Any? {
        if case .reference(let target) = value {
            guard Int(target.entityIndex) < layout.model.entities.count else { return nil }
            return NSManagedObjectID(
                layout: layout.model.entities[Int(target.entityIndex)], reference: target.reference, store: store)
        }
        if let slot = column.slot { return slot.any(from: value) }
        switch (value, column.type) {
        case (.double(let seconds), .dateAttributeType): return Date(timeIntervalSinceReferenceDate: seconds)
        case (.double(let number), .integer16AttributeType), (.double(let number), .integer32AttributeType),
            (.double(let number), .integer64AttributeType):
            return Int64(exactly: number.rounded(.towardZero)).map { NSNumber(value: $0) } ?? NSNumber(value: number)
        case (.integer(let number), .booleanAttributeType): return NSNumber(value: number != 0)
        case (.integer(let number), .doubleAttributeType), (.integer(let number), .floatAttributeType):
            return NSNumber(value: Double(number))
        case (.integer(let number), .decimalAttributeType): return NSDecimalNumber(value: number)
        case (.integer(let number), _): return NSNumber(value: number)
        case (.double(let number), .decimalAttributeType): return NSDecimalNumber(value: number)
        case (.double(let number), _): return NSNumber(value: number)
        case (.string(let string), _): return string
        case (.data(let data), _): return data
        case (.uuid(let uuid), _): return uuid
        case (.uri(let url), _): return url
        case (.decimal(let box), _): return NSDecimalNumber(decimal: box.value)
        default: return nil
        }
    }

    // MARK: Prefetching

    /// Loads relationships of fetched objects in advance, level by level.
    final func prefetch(_ keyPaths: [String], _ objects: [NSManagedObject], _ layout: EntityLayout) throws {
        guard parent == nil, !objects.isEmpty else { return }
        for keyPath in keyPaths {
            var level = objects
            let keys = keyPath.split(separator: ".").map(String.init)
            for (index, key) in keys.enumerated() {
                let relationship = try prefetched(key, of: keyPath, in: level.first?.layout ?? layout)
                do {
                    try prefetch(relationship, level)
                } catch {
                    throw unprefetched(relationship, cause: error)
                }
                if index == keys.count - 1 { break }
                level = destinations(relationship, level)
                if level.isEmpty { break }
            }
        }
    }

    private func prefetched(_ key: String, of keyPath: String, in layout: EntityLayout) throws -> RelationshipLayout {
        guard let relationship = layout.relationship(named: key) else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The key path '\(keyPath)' can't be prefetched: \(layout.name) has no relationship '\(key)'.")
        }
        return relationship
    }

    private func unprefetched(_ relationship: RelationshipLayout, cause: any Error) -> CocoaError {
        let known = cause as? CocoaError
        let description = known?.userInfo[NSLocalizedDescriptionKey] as? String
        return CoreDataError.make(
            known?.code.rawValue ?? NSPersistentStoreOperationError,
            "The relationship '\(relationship.name)' of \(relationship.owner.name) can't be prefetched: "
                + (description ?? "\(cause)"), path: known?.userInfo[NSFilePathErrorKey] as? String, underlying: cause)
    }

    private func prefetch(_ relationship: RelationshipLayout, _ objects: [NSManagedObject]) throws {
        if relationship.isToMany {
            try loadToMany(relationship, ofAll: objects, includesValues: true)
            // A single one, which that leaves out.
            for object in objects where object.toManyState(relationship).members == nil {
                try loadToMany(relationship, of: object)
            }
        } else {
            try fill(destinations(relationship, objects).filter { $0.state.isFault && needsRow($0) })
        }
        for destination in destinations(relationship, objects) { try requireSoundRow(of: destination) }
    }

    /// The objects that a relationship leads to, each once where it is a to-one.
    private func destinations(_ relationship: RelationshipLayout, _ objects: [NSManagedObject]) -> [NSManagedObject] {
        if relationship.isToMany { return objects.flatMap { $0.members(relationship).objects } }
        guard let index = relationship.slot else { return [] }
        var destinations = MemberList()
        for object in objects {
            if let slot = object.layout.slots[index], let destination = object.toOneObject(slot) {
                destinations.append(destination)
            }
        }
        return Array(destinations.objects)
    }
}

extension Collection {
    /// The element, if there is exactly one.
    var onlyElement: Element? { count == 1 ? first : nil }
}
