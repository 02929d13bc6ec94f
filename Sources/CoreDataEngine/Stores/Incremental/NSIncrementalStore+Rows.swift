import Foundation

/// Rows, out of the nodes and relationships that the application's store gives one by one.
extension NSIncrementalStore: ApplicationStore {
    package final var ownStore: (any ApplicationStore)? { self }

    /// Each row costs a call to the store, so only rows that are needed are requested.
    package var readsAhead: Bool { false }

    package func fetchRows(
        references: [Int64], entity: EntityLayout, includesValues: Bool, for context: NSManagedObjectContext
    ) throws -> RowSlab {
        let slab = RowSlab(entity: entity, hasValues: includesValues, expectedCount: references.count)
        for reference in references {
            guard let id = identifier(of: reference, in: entity.model) else { continue }
            if includesValues {
                try append(id, to: slab, context)
            } else {
                slab.appendRow(reference: reference, entityIndex: id.layout.index, version: Self.unknownVersion)
            }
        }
        slab.timestamp = Date.timeIntervalSinceReferenceDate
        return slab
    }

    package func fetchToMany(
        _ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool, for context: NSManagedObjectContext
    ) throws -> ToManyRows {
        let slab = RowSlab(entity: relationship.destination, hasValues: false)
        var ranges: [Range<Int>] = []
        for owner in owners {
            let start = slab.count
            if let id = identifier(of: owner, in: relationship.owner.model) {
                for destination in try destinations(of: relationship, owner: id, context) {
                    slab.appendRow(
                        reference: destination.reference, entityIndex: destination.layout.index,
                        version: Self.unknownVersion)
                }
            }
            ranges.append(start..<slab.count)
        }
        return ToManyRows(rows: slab, ranges: ranges)
    }

    /// The version of a row that was not read: nothing can conflict with it.
    private static var unknownVersion: Int64 { -1 }

    private func identifier(of reference: Int64, in model: ModelLayout) -> NSManagedObjectID? {
        guard let entry = references.entry(reference), let layout = model[entry.entity] else { return nil }
        return NSManagedObjectID(layout: layout, reference: reference, store: self)
    }

    // MARK: Values

    /// Appends the row of an object; none if the store says that there is no such object.
    private func append(_ id: NSManagedObjectID, to slab: RowSlab, _ context: NSManagedObjectContext) throws {
        let node: NSIncrementalStoreNode
        do {
            node = try newValuesForObject(with: id, with: context)
        } catch let error as CocoaError where error.code.rawValue == NSManagedObjectReferentialIntegrityError {
            return
        }
        var values = ContiguousArray<PropertyValue>(repeating: .null, count: id.layout.slotCount)
        for case let slot? in id.layout.slots where !slot.isTransient {
            let given = node.value(for: slot.property)
            if let relationship = slot.relationship {
                let value =
                    try given
                    ?? newValue(
                        forRelationship: relationship.description, forObjectWith: id, with: context)
                values[slot.index] = try reference(from: value, relationship)
            } else {
                values[slot.index] = try slot.storedValue(from: given, givenBy: self)
            }
        }
        let version = withRevisions { $0.version(of: id.reference, revision: node.version) }
        slab.append(reference: id.reference, entity: id.layout, version: version, values: values)
    }

    private func reference(from value: Any, _ relationship: RelationshipLayout) throws -> PropertyValue {
        if value is NSNull { return .null }
        let id = try local((value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID, relationship)
        return .reference(
            ObjectReference(reference: id.reference, entityIndex: Int32(truncatingIfNeeded: id.layout.index)))
    }

    private func destinations(
        of relationship: RelationshipLayout, owner: NSManagedObjectID, _ context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        let value = try newValue(forRelationship: relationship.description, forObjectWith: owner, with: context)
        if value is NSNull { return [] }
        guard let elements = Self.elements(of: value) else {
            throw unfit(value, for: relationship)
        }
        return try elements.map { element in
            try local((element as? NSManagedObject)?.objectID ?? element as? NSManagedObjectID, relationship)
        }
    }

    /// The elements of any collection that a store may give.
    static func elements(of value: Any) -> [Any]? {
        switch value {
        case let array as [Any]: array
        case let set as NSSet: set.allObjects
        case let set as NSOrderedSet: set.array
        case let set as Set<AnyHashable>: Array(set)
        case let set as Set<NSManagedObjectID>: Array(set)
        default: nil
        }
    }

    /// An identifier of this store and of an entity that the relationship can lead to.
    private func local(_ id: NSManagedObjectID?, _ relationship: RelationshipLayout) throws -> NSManagedObjectID {
        guard let id, !id.isTemporaryID, id.storeIdentifier == identifier,
            let layout = relationship.owner.model[id.layout.name], layout.isKind(of: relationship.destination)
        else { throw unfit(id as Any, for: relationship) }
        return NSManagedObjectID(layout: layout, reference: id.reference, store: self)
    }

    private func unfit(_ value: Any, for relationship: RelationshipLayout) -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreOperationError,
            "The store \(shortName) gave a value for the relationship \(relationship.owner.name).\(relationship.name) "
                + "that is not made of the store's identifiers of \(relationship.destination.name): \(ValueDescription.string(of: value)).",
            path: url?.path)
    }

    // MARK: Without a context

    /// Runs a block with a context of its own, for callers that have none.
    private func inContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        guard let coordinator = persistentStoreCoordinator else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store \(shortName) no longer has a coordinator.",
                path: url?.path)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    package func fetchRows(_ query: StoreQuery) throws -> RowSlab {
        try inContext { context in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: query.entity.name)
            request.resultType = .managedObjectIDResultType
            let ids = try identifiers(for: request, query, in: context)
            guard query.includesValues else { return identities(of: ids, query.entity) }
            return try fetchRows(
                references: ids.map(\.reference), entity: query.entity.root, includesValues: true, for: context)
        }
    }

    /// Rows without values.
    final func identities(of ids: [NSManagedObjectID], _ entity: EntityLayout) -> RowSlab {
        let slab = RowSlab(entity: entity, hasValues: false, expectedCount: ids.count)
        for id in ids where !id.isTemporaryID && id.storeIdentity === storeIdentity {
            slab.appendRow(reference: id.reference, entityIndex: id.layout.index, version: Self.unknownVersion)
        }
        return slab
    }

    package func countRows(_ query: StoreQuery) throws -> Int {
        try inContext { context in
            try count(for: NSFetchRequest<NSNumber>(entityName: query.entity.name), query, in: context)
        }
    }

    package func fetchColumns(_ query: StoreQuery) throws -> [[PropertyValue]] {
        throw CoreDataError.make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "The store \(shortName) can be asked for columns by a context's fetch alone.", path: url?.path)
    }

    package func fetchRows(references: [Int64], entity: EntityLayout, includesValues: Bool) throws -> RowSlab {
        try inContext { context in
            try fetchRows(references: references, entity: entity, includesValues: includesValues, for: context)
        }
    }

    package func fetchToMany(
        _ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool
    ) throws -> ToManyRows {
        try inContext { context in
            try fetchToMany(relationship, owners: owners, includesValues: includesValues, for: context)
        }
    }

    package func saveMetadata() throws {}

    package func close() {}
}
