public import Foundation

/// Inserts many objects into a store without making objects of them.
///
/// The rows are written in one transaction: either all of them or, when one can't be written, none. Attributes that are
/// not given have their default values; keys that name no property are ignored. To-one relationships take saved objects
/// or their identifiers; to-many relationships can't be given.
///
/// Where a row would break a uniqueness constraint, the context's merge policy decides. With the error policy the
/// request fails; under `mergeByPropertyObjectTrump` the stored row takes the values that were given, under `overwrite`
/// all values, defaults included; under the other policies it stays unchanged.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
    private var requested: RequestedEntity

    /// The entity; `nil` for a request made with a name until it was executed.
    open var entity: NSEntityDescription? { requested.found }
    /// The name of the entity.
    open var entityName: String { requested.name }
    /// The objects, as values by attribute name; nil is `NSNull`.
    open var objectsToInsert: [[String: Any]]?
    /// Called for one object after the other with an empty dictionary to fill; returns `true` when there are no more.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
    /// Called for one object after the other with an object to fill, the same each time; returns `true` when there are
    /// no more.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?
    /// What the result contains.
    open var resultType: NSBatchInsertRequestResultType = .statusOnly

    /// Creates a request for values that are there already.
    ///
    /// The entity is looked up when the request is executed, which throws if the model doesn't have it or it is
    /// abstract. Each dictionary may have other keys. For more objects than fit into memory, use a handler.
    ///
    /// ```swift
    /// let request = NSBatchInsertRequest(
    ///     entityName: "Book", objects: [["title": "Solaris", "pages": 224], ["title": "Fiasco", "pages": 322]])
    /// try context.execute(request)
    /// ```
    ///
    /// - Parameters:
    ///   - entityName: The entity's name.
    ///   - dictionaries: For each object its values by attribute name.
    public init(entityName: String, objects dictionaries: [[String: Any]]) {
        requested = RequestedEntity(named: entityName)
        objectsToInsert = dictionaries
        super.init()
    }

    /// Creates a request for values that are in memory.
    ///
    /// An abstract entity makes executing the request throw. Each dictionary may have other keys. For more objects than
    /// fit into memory, use a handler.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - dictionaries: For each object its values by attribute name.
    public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        requested = RequestedEntity(entity)
        objectsToInsert = dictionaries
        super.init()
    }

    /// Creates a request whose values come one object at a time, so that memory doesn't grow with their number.
    ///
    /// The handler is called while the request is executed, with the same dictionary each time, which is emptied before
    /// each call. What it fills in when it returns `true` is ignored.
    ///
    /// - Parameters:
    ///   - entityName: The entity's name.
    ///   - handler: Fills the dictionary for the next object; returns `true` instead when there are no more.
    public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.init(entityName: entityName, objects: [])
        take(dictionaries: handler)
    }

    /// Creates a request whose values come one object at a time, as dictionaries.
    ///
    /// The handler is called while the request is executed, with the same dictionary each time, which is emptied before
    /// each call. What it fills in when it returns `true` is ignored.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - handler: Fills what it gets for the next object; returns `true` instead if there are no more.
    public convenience init(
        entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity: entity, objects: [])
        take(dictionaries: handler)
    }

    /// Creates a request whose values come one object at a time, set on an object of the entity's class.
    ///
    /// The handler is called while the request is executed, with the same object each time, which has its default
    /// values again before each call. Setting a to-many relationship, or a value of the wrong type, makes the request
    /// fail.
    ///
    /// - Parameters:
    ///   - entityName: The entity's name.
    ///   - handler: Sets the values of the next object; returns `true` instead when there are no more. The object
    ///     belongs to no context and must not be kept.
    public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.init(entityName: entityName, objects: [])
        take(objects: handler)
    }

    /// Creates a request whose values come one object at a time, set on an object of the entity's class.
    ///
    /// The handler is called while the request is executed, with the same object each time, which has its default
    /// values again before each call. The object belongs to no context and must not be kept.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - handler: Fills what it gets for the next object; returns `true` instead if there are no more.
    public convenience init(
        entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity: entity, objects: [])
        take(objects: handler)
    }

    /// Takes a handler in place of values that are there already.
    private func take(
        dictionaries: ((NSMutableDictionary) -> Bool)? = nil, objects: ((NSManagedObject) -> Bool)? = nil
    ) {
        (objectsToInsert, dictionaryHandler, managedObjectHandler) = (nil, dictionaries, objects)
    }

    /// Creates a request that can't be executed.
    ///
    /// It is there because `NSObject` has this initializer; the entity can't be set afterwards.
    @available(*, deprecated, message: "Name the entity.")
    public convenience override init() {
        self.init(entityName: "", objects: [])
    }

    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchInsertRequest(entityName: entityName, objects: [])
        copy.requested = requested
        copy.objectsToInsert = objectsToInsert
        copy.dictionaryHandler = dictionaryHandler
        copy.managedObjectHandler = managedObjectHandler
        copy.resultType = resultType
        copy.affectedStores = affectedStores
        return copy
    }

    package override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let layout = try requested.resolve(in: context, for: self)
        guard !layout.entity.isAbstract else {
            throw CoreDataError.make(
                NSCoreDataError, "Objects of the abstract entity \(layout.name) can't be inserted.")
        }
        let store = try context.storeForInserting(self, layout)
        let rows = try BatchRowSource.make(for: self, layout, store: store, context: context)
        let signature = context.batchSignature
        let batch = BatchInsert(
            entity: layout, rows: rows, mergePolicy: context.mergePolicyType,
            wantsReferences: resultType == .objectIDs || context.isInTransaction,
            author: signature.author, contextName: signature.contextName)
        let value = BatchResultValue(try store.insertRows(batch), layout, store)
        context.recordBatch(value.count, inserted: value.objectIDs)
        return NSBatchInsertResult(resultType, value)
    }
}

/// What the result of an ``NSBatchInsertRequest`` contains.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// Whether it succeeded: `true`.
    case statusOnly = 0
    /// The identifiers of the objects, new ones and those that took values over.
    case objectIDs = 1
    /// Their number.
    case count = 2
}

/// What an ``NSBatchInsertRequest`` did.
open class NSBatchInsertResult: NSPersistentStoreResult {
    /// What the result contains.
    open private(set) var resultType: NSBatchInsertRequestResultType = .statusOnly
    /// A `Bool`, an `[NSManagedObjectID]` or an `Int`, as ``resultType`` says.
    open private(set) var result: Any?

    /// Creates an empty result.
    ///
    /// Results come from executing a request; this one has no `result`.
    public override init() { super.init() }

    init(_ type: NSBatchInsertRequestResultType, _ value: BatchResultValue) {
        resultType = type
        result =
            switch type {
            case .statusOnly: true
            case .objectIDs: value.objectIDs
            case .count: value.count
            }
        super.init()
    }
}
