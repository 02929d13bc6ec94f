public import Foundation

/// Everything a fetch request says, whatever its results are.
///
/// The class exists because generic classes are not erased outside Objective-C: the engine reads any request through
/// it. Applications use ``NSFetchRequest``.
open class NSFetchRequestBase: NSPersistentStoreRequest, NSCoding {
    private var storedEntity: NSEntityDescription?
    private var storedEntityName: String?

    /// Creates a request without an entity.
    ///
    /// Programs create ``NSFetchRequest`` objects instead: a request of this class knows no type of results, and can't
    /// be executed.
    public override init() {
        super.init()
    }

    /// The entity whose objects are fetched. `nil` for a request that was created with a name, until it is executed.
    open var entity: NSEntityDescription? {
        get { storedEntity }
        set {
            storedEntity = newValue
            storedEntityName = newValue?.name
        }
    }

    /// The name of the entity.
    open var entityName: String? { storedEntityName }

    /// The condition that objects have to fulfill; `nil`, the default, for all objects.
    open var predicate: NSPredicate?
    /// The sort order. Each descriptor decides between objects that those before it treat as equal.
    open var sortDescriptors: [NSSortDescriptor]?
    /// The maximum number of objects to return; 0, the default, for no limit.
    open var fetchLimit = 0
    /// The number of objects to skip at the beginning of the result.
    open var fetchOffset = 0
    /// The number of objects whose values a result reads at a time; 0 reads all at once.
    ///
    /// An array can't leave elements out, so `NSManagedObjectContext.fetch(_:)` creates an object for each row, without
    /// values. Using one reads the values of its batch. Objects of earlier batches without unsaved changes or other
    /// references become faults again when eight more batches were read. With `returnsObjectsAsFaults` off, and for
    /// `relationshipKeyPathsForPrefetching`, the objects of a batch are realized, and their relationships read, with
    /// it. `NSManagedObjectContext.fetchInBatches(_:)` creates the objects themselves batch by batch, so that memory
    /// use doesn't grow with the result.
    open var fetchBatchSize = 0
    /// Whether rows that came batch by batch stay in memory as long as their objects.
    final var keepsRows = false
    /// Whether the rows are locked until the end of the transaction.
    package final var rowLock: RowLock?
    /// The kind of the result's elements: objects (the default), object IDs, dictionaries or a count.
    open var resultType: NSFetchRequestResultType = .managedObjectResultType
    /// Whether objects of subentities are fetched too. `true` by default.
    open var includesSubentities = true
    /// Whether the values of the rows are read, or only their identity. `true` by default.
    open var includesPropertyValues = true
    /// Whether unsaved changes of the context count. `true` by default; dictionary results never include them.
    open var includesPendingChanges = true
    /// Whether objects are returned as faults, whose rows are cached. `true` by default.
    open var returnsObjectsAsFaults = true
    /// Whether objects that the context already has get the fetched values. `false` by default.
    open var shouldRefreshRefetchedObjects = false
    /// Whether equal dictionaries are returned only once. `false` by default.
    open var returnsDistinctResults = false
    /// The columns of dictionary results: attributes, to-one relationships, `NSExpressionDescription`s, or names and key
    /// paths. `nil` for all attributes. Names of properties come back as descriptions once the request has its entity.
    open var propertiesToFetch: [Any]? {
        get { described(givenColumns) }
        set { givenColumns = newValue }
    }
    private var givenColumns: [Any]?
    /// What to group dictionary results by, like ``propertiesToFetch``.
    open var propertiesToGroupBy: [Any]? {
        get { described(givenGroups) }
        set { givenGroups = newValue }
    }
    private var givenGroups: [Any]?
    /// The condition that groups of a dictionary result have to fulfill.
    open var havingPredicate: NSPredicate?
    /// Key paths of relationships whose objects are read in the same fetch.
    open var relationshipKeyPathsForPrefetching: [String]?

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Puts properties in the place of their names, unless a name is that of a computed column.
    private func described(_ given: [Any]?) -> [Any]? {
        guard let given, let storedEntity, given.contains(where: { $0 is String }) else { return given }
        let computed = Set((givenColumns ?? []).compactMap { ($0 as? NSExpressionDescription)?.name })
        let properties = storedEntity.propertiesByName
        return given.map { element in
            guard let name = element as? String, !computed.contains(name) else { return element }
            return properties[name] ?? element
        }
    }

    // MARK: For the engine

    /// Names the entity, to be found in the model of the context that executes the request.
    package final func setEntityName(_ name: String) {
        storedEntity = nil
        storedEntityName = name
    }

    /// Returns the entity, found by its name if need be and then kept.
    ///
    /// - Throws: An error that names the entity when the model has none of the name, or the request none at all.
    package final func resolveEntity(in model: NSManagedObjectModel) throws -> NSEntityDescription {
        if let storedEntity, storedEntity.owner === model { return storedEntity }
        guard let name = storedEntityName else {
            throw CoreDataError.make(NSCoreDataError, "The fetch request has no entity.")
        }
        guard let found = model.entitiesByName[name] else {
            throw CoreDataError.make(
                NSCoreDataError, "The fetch request is for the entity '\(name)', which the model doesn't have.")
        }
        storedEntity = found
        return found
    }

    /// Fetches without knowing the result type.
    package func anyResults(in context: NSManagedObjectContext) throws -> [Any] { [] }

    /// Counts without knowing the result type.
    package func anyCount(in context: NSManagedObjectContext) throws -> Int { 0 }

    /// A request of the same class without settings.
    package func makeEmptyCopy() -> NSFetchRequestBase { NSFetchRequestBase() }

    /// Returns a request with the same settings and result type.
    ///
    /// Predicates and sort descriptors, which are immutable, are shared. Changes of either request don't affect the
    /// other.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = makeEmptyCopy()
        copySettings(to: copy)
        return copy
    }

    /// Gives another request, which may be for another type of result, the settings of this one.
    package final func copySettings(to copy: NSFetchRequestBase) {
        copy.affectedStores = affectedStores
        copy.storedEntity = storedEntity
        copy.storedEntityName = storedEntityName
        copy.predicate = predicate
        copy.sortDescriptors = sortDescriptors
        copy.fetchLimit = fetchLimit
        copy.fetchOffset = fetchOffset
        copy.fetchBatchSize = fetchBatchSize
        copy.resultType = resultType
        copy.includesSubentities = includesSubentities
        copy.includesPropertyValues = includesPropertyValues
        copy.includesPendingChanges = includesPendingChanges
        copy.returnsObjectsAsFaults = returnsObjectsAsFaults
        copy.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
        copy.returnsDistinctResults = returnsDistinctResults
        copy.propertiesToFetch = propertiesToFetch
        copy.propertiesToGroupBy = propertiesToGroupBy
        copy.havingPredicate = havingPredicate
        copy.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    }

    /// Whether another object is a fetch request with the same settings. The result type of `NSFetchRequest` isn't
    /// compared.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchRequestBase else { return false }
        return self === other || hasSameSettings(as: other)
    }

    open override var hash: Int { entityName.hashValue }

    open override var description: String {
        let order = sortDescriptors.map { " sorted by \($0)" } ?? ""
        return "<NSFetchRequest entity: \(entityName ?? "(none)") predicate: \(predicate?.predicateFormat ?? "(none)")"
            + "\(order) limit: \(fetchLimit) offset: \(fetchOffset)>"
    }

    // MARK: Archiving

    /// Reads a request from an archive. Its entity is found by name when it is executed.
    ///
    /// Gives `nil` when the archive holds no request.
    ///
    /// - Parameter coder: The archive.
    public required init?(coder: NSCoder) {
        super.init()
        guard decode(from: coder) else { return nil }
    }

    /// Writes the request to an archive. Predicates are kept as their format strings, columns as names; computed
    /// columns and stores are not kept.
    ///
    /// Use it for requests whose predicates have constants such as strings and numbers: blocks and objects can't be
    /// read again from a format string.
    ///
    /// - Parameter coder: The archive.
    open func encode(with coder: NSCoder) {
        encodeSettings(with: coder)
    }
}
