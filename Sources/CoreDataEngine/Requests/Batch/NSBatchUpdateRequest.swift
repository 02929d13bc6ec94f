public import Foundation

/// Changes many objects in the stores without making objects of them.
///
/// Each store is changed in one statement and transaction. Nothing is validated, and contexts don't notice; the rows'
/// versions go up, so that a save of older values is a conflict.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    private var requested: RequestedEntity

    /// The entity. A request made with a name has one once it was executed.
    open var entity: NSEntityDescription {
        guard let entity = requested.found else {
            programmerError(
                "The batch update request was made with the entity name '\(entityName)' and has no entity before it was executed."
            )
        }
        return entity
    }

    /// The name of the entity.
    open var entityName: String { requested.name }
    /// Which objects to change; `nil` for all.
    open var predicate: NSPredicate?
    /// New values by property, which is an `NSPropertyDescription` or a name. A value is a constant, `NSNull` for nil,
    /// or an `NSExpression` over the object's own properties. To-one relationships take saved objects or their
    /// identifiers.
    open var propertiesToUpdate: [AnyHashable: Any]?
    /// Whether objects of subentities are changed too.
    open var includesSubentities = true
    /// What the result contains.
    open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

    /// Creates a request for all objects of an entity.
    ///
    /// The entity is looked up when the request is executed, which throws if the model doesn't have it. Set
    /// ``predicate`` to change only some objects, and ``propertiesToUpdate`` to the new values.
    ///
    /// ```swift
    /// let request = NSBatchUpdateRequest(entityName: "Book")
    /// request.predicate = NSPredicate(format: "pages > 500")
    /// request.propertiesToUpdate = ["isLong": true]
    /// try context.execute(request)
    /// ```
    ///
    /// - Parameter entityName: The entity's name.
    public init(entityName: String) {
        requested = RequestedEntity(named: entityName)
        super.init()
    }

    /// Creates a request for all objects of an entity.
    ///
    /// Set ``predicate`` to change only some objects, and ``propertiesToUpdate`` to the new values.
    ///
    /// - Parameter entity: The entity.
    public init(entity: NSEntityDescription) {
        requested = RequestedEntity(entity)
        super.init()
    }

    /// Creates a request that can't be executed.
    ///
    /// It is there because `NSObject` has this initializer; the entity can't be set afterwards.
    public convenience override init() {
        self.init(entityName: "")
    }

    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchUpdateRequest(entityName: entityName)
        copy.requested = requested
        copy.predicate = predicate
        copy.propertiesToUpdate = propertiesToUpdate
        copy.includesSubentities = includesSubentities
        copy.resultType = resultType
        copy.affectedStores = affectedStores
        return copy
    }

    package override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let layout = try requested.resolve(in: context, for: self)
        if let error = predicate?.formatError { throw error }
        var query = StoreQuery(entity: layout)
        query.predicate = predicate
        query.includesSubentities = includesSubentities
        var value = BatchResultValue()
        let signature = context.batchSignature
        for store in try context.stores(for: self, layout) {
            try store.checkWritable()
            let batch = BatchUpdate(
                query: query, changes: try BatchAssignment.all(propertiesToUpdate ?? [:], of: layout, store: store),
                wantsReferences: resultType == .updatedObjectIDsResultType || context.isInTransaction,
                author: signature.author, contextName: signature.contextName)
            value.append(BatchResultValue(try store.updateRows(batch), layout, store))
        }
        context.recordBatch(value.count, updated: value.objectIDs)
        return NSBatchUpdateResult(resultType, value)
    }
}

/// What the result of an ``NSBatchUpdateRequest`` contains.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// Whether it succeeded: `true`.
    case statusOnlyResultType = 0
    /// The identifiers of the changed objects.
    case updatedObjectIDsResultType = 1
    /// The number of changed objects.
    case updatedObjectsCountResultType = 2
}

/// What an ``NSBatchUpdateRequest`` did.
open class NSBatchUpdateResult: NSPersistentStoreResult {
    /// What the result contains.
    open private(set) var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType
    /// A `Bool`, an `[NSManagedObjectID]` or an `Int`, as ``resultType`` says.
    open private(set) var result: Any?

    /// Creates an empty result.
    ///
    /// Results come from executing a request; this one has no `result`.
    public override init() { super.init() }

    init(_ type: NSBatchUpdateRequestResultType, _ value: BatchResultValue) {
        resultType = type
        result =
            switch type {
            case .statusOnlyResultType: true
            case .updatedObjectIDsResultType: value.objectIDs
            case .updatedObjectsCountResultType: value.count
            }
        super.init()
    }
}
