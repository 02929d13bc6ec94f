public import Foundation

/// Deletes many objects from the stores without making objects of them.
///
/// Each store is changed in one transaction. Objects that a cascade rule deletes go too and count; a deny rule that
/// holds, or a mandatory relationship that would be left without its object, makes the request fail. Nothing keeps
/// pointing to what is gone. Other validation is left out, and contexts don't notice.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    /// Which objects to delete. Predicate, order, limit, offset and subentities count, unsaved changes don't.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> { request }
    private let request: NSFetchRequest<any NSFetchRequestResult>
    /// What the result contains.
    open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly
    private let objectIDs: [NSManagedObjectID]?

    /// Creates a request for the objects that a fetch request finds.
    ///
    /// Changes of the fetch request afterwards have no effect, and its result type doesn't matter. Unsaved changes of
    /// the context don't count. The affected stores of the fetch request are those of this one.
    ///
    /// ```swift
    /// let old = NSFetchRequest<Book>(entityName: "Book")
    /// old.predicate = NSPredicate(format: "year < 1950")
    /// try context.execute(NSBatchDeleteRequest(fetchRequest: old))
    /// ```
    ///
    /// - Parameter fetch: The fetch request; it is copied.
    public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
        request = fetch.sameTypeCopy()
        objectIDs = nil
        super.init()
        affectedStores = fetch.affectedStores
    }

    /// Creates a request for the objects that a fetch request finds, whatever its result type.
    ///
    /// It is the initializer for requests of a class, such as `NSFetchRequest<Book>`. Changes of the fetch request
    /// afterwards have no effect, and its result type doesn't matter.
    ///
    /// - Parameter fetch: The fetch request; it is copied.
    @_disfavoredOverload
    public convenience init<ResultType>(fetchRequest fetch: NSFetchRequest<ResultType>) {
        let copy = NSFetchRequest<any NSFetchRequestResult>()
        fetch.copySettings(to: copy)
        self.init(fetchRequest: copy)
    }

    /// Creates a request for objects by their identifiers, which must be permanent.
    ///
    /// An ID that is temporary, or whose store isn't one of the coordinator's, makes executing the request throw
    /// `NSCoreDataError`, and nothing is deleted. An ID without a row is ignored. An empty array deletes nothing.
    ///
    /// - Parameter objects: The identifiers, of one entity or of entities with a common ancestor.
    public convenience init(objectIDs objects: [NSManagedObjectID]) {
        self.init(ids: objects)
    }

    private init(ids: [NSManagedObjectID]) {
        request = NSFetchRequest<any NSFetchRequestResult>()
        if let first = ids.first?.layout {
            let isUniform = ids.allSatisfy { $0.layout === first }
            request.entity = isUniform ? first.entity : first.root.entity
            request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
        }
        objectIDs = ids
        super.init()
    }

    /// Creates a request that deletes nothing.
    ///
    /// It is there because `NSObject` has this initializer; the objects to delete can't be set afterwards.
    public convenience override init() {
        self.init(ids: [])
    }

    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = objectIDs.map(NSBatchDeleteRequest.init(ids:)) ?? NSBatchDeleteRequest(fetchRequest: fetchRequest)
        copy.resultType = resultType
        copy.affectedStores = affectedStores
        return copy
    }

    package override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        var value = BatchResultValue()
        let signature = context.batchSignature
        for (store, target, layout) in try targets(in: context) {
            try store.checkWritable()
            let batch = BatchDelete(
                target: target, wantsReferences: resultType == .resultTypeObjectIDs || context.isInTransaction,
                author: signature.author, contextName: signature.contextName)
            value.append(BatchResultValue(try store.deleteRows(batch), layout, store))
        }
        context.recordBatch(value.count, deleted: value.objectIDs)
        return NSBatchDeleteResult(resultType, value)
    }

    private func targets(in context: NSManagedObjectContext) throws -> [(
        any RowStore, BatchDelete.Target, EntityLayout
    )] {
        if let objectIDs { return try targets(objectIDs, in: context) }
        let layout = try context.entity(of: fetchRequest)
        if let error = fetchRequest.predicate?.formatError { throw error }
        let query = fetchRequest.storeQuery(for: layout)
        return try context.stores(for: self, layout).map { ($0, .query(query), layout) }
    }

    private func targets(_ ids: [NSManagedObjectID], in context: NSManagedObjectContext) throws
        -> [(any RowStore, BatchDelete.Target, EntityLayout)]
    {
        var groups: [ObjectIdentifier: (store: any RowStore, references: [EntityLayout: [Int64]])] = [:]
        for id in ids {
            guard let local = context.localized(id), let store = local.persistentStore as? any RowStore else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "The object \(id) was never saved, or not in a store of this coordinator, so a batch request can't "
                        + "delete it.", userInfo: [NSAffectedObjectsErrorKey: [id]])
            }
            if let affectedStores, !affectedStores.contains(where: { $0 === store }) { continue }
            groups[ObjectIdentifier(store), default: (store, [:])]
                .references[local.layout.root, default: []].append(local.reference)
        }
        return groups.values.compactMap { group in
            group.references.keys.first.map { (group.store, .references(group.references), $0) }
        }
    }
}

/// What the result of an ``NSBatchDeleteRequest`` contains.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// Whether it succeeded: `true`.
    case resultTypeStatusOnly = 0
    /// The identifiers of the deleted objects.
    case resultTypeObjectIDs = 1
    /// The number of deleted objects.
    case resultTypeCount = 2
}

/// What an ``NSBatchDeleteRequest`` did.
open class NSBatchDeleteResult: NSPersistentStoreResult {
    /// What the result contains.
    open private(set) var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly
    /// A `Bool`, an `[NSManagedObjectID]` or an `Int`, as ``resultType`` says.
    open private(set) var result: Any?

    /// Creates an empty result.
    ///
    /// Results come from executing a request; this one has no `result`.
    public override init() { super.init() }

    init(_ type: NSBatchDeleteRequestResultType, _ value: BatchResultValue) {
        resultType = type
        result =
            switch type {
            case .resultTypeStatusOnly: true
            case .resultTypeObjectIDs: value.objectIDs
            case .resultTypeCount: value.count
            }
        super.init()
    }
}
