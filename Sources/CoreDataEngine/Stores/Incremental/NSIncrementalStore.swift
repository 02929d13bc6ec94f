public import Foundation
import Synchronization

/// The superclass of stores that an application writes and that read and write object by object, such as a web service.
///
/// A subclass overrides ``loadMetadata()``, ``execute(_:with:)``, ``newValuesForObject(with:with:)``,
/// ``newValue(forRelationship:forObjectWith:with:)`` and ``obtainPermanentIDs(for:)``, and is made known with
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`. Its methods are called on the queues of the
/// contexts that use the store, several at a time if there are several contexts.
// @unchecked Sendable because the engine's own state is behind `state`'s lock, and subclasses promise the same.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
    private struct State {
        var references: ReferenceTable?
        var revisions = RowRevisions()
    }

    private let state = Mutex(State())

    /// Creates a store object. It isn't usable before a coordinator has called ``loadMetadata()``.
    ///
    /// The coordinator creates the store when it is added, on the thread that adds it. A subclass that overrides it
    /// calls `super`.
    ///
    /// - Parameters:
    ///   - root: The coordinator that adds the store.
    ///   - name: The configuration of the model; `nil` for all entities.
    ///   - url: The URL of the store.
    ///   - options: The options that the store is added with.
    public required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    /// The type in the metadata, else the one that the class is registered with, unless a subclass says otherwise.
    open override var type: String {
        metadata?[NSStoreTypeKey] as? String ?? NSPersistentStoreCoordinator.typeOfStores(Swift.type(of: self)) ?? ""
    }

    /// Sets the metadata; called once when the store is added.
    ///
    /// A subclass that overrides must set metadata with `NSStoreUUIDKey` and `NSStoreTypeKey`.
    ///
    /// - Throws: Whatever keeps the store from being used; `addPersistentStore` throws it on.
    open override func loadMetadata() throws {
        guard metadata?[NSStoreUUIDKey] == nil, let url else { return }
        var values: [String: Any] = metadata ?? [:]
        values[NSStoreUUIDKey] = Swift.type(of: self).identifierForNewStore(at: url)
        values[NSStoreTypeKey] = type
        metadata = values
    }

    /// Executes a fetch or save request.
    ///
    /// The engine calls it on the queue of `context`. Objects of a fetch are created with
    /// ``NSManagedObjectContext/object(with:)``. A save comes after permanent IDs were obtained, and only if the engine
    /// has found no conflict with another context's save.
    ///
    /// - Parameters:
    ///   - request: An `NSFetchRequest<NSFetchRequestResult>` or an `NSSaveChangesRequest`.
    ///   - context: The context that executes the request.
    /// - Returns: For a fetch, an array of the context's objects, identifiers, dictionaries or one number, according to
    ///   the request's result type. For a save, an empty array.
    /// - Throws: The reason why the request failed. If a save throws, all changes stay in the context.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        throw mustOverride("execute(_:with:)")
    }

    /// Returns the values of an object whose fault is fired.
    ///
    /// The engine calls it on the queue of `context`. The version of the node shows whether the values are newer than
    /// those that another context has.
    ///
    /// - Parameters:
    ///   - objectID: The object's identifier.
    ///   - context: The context of the object.
    /// - Returns: A node with the values of all attributes and, if they are known, to-one relationships.
    /// - Throws: The reason why they can't be returned; Core Data error 133000 if the object doesn't exist.
    open func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        throw mustOverride("newValuesForObject(with:with:)")
    }

    /// Returns the related objects of an object.
    ///
    /// The engine calls it on the queue of `context`, for relationships whose values the node doesn't have.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - objectID: The object's identifier.
    ///   - context: The context of the object.
    /// - Returns: For a to-one relationship, an identifier or `NSNull`; for a to-many relationship, a collection of
    ///   identifiers, in order if the relationship is ordered.
    /// - Throws: The reason why they can't be returned.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        throw mustOverride("newValue(forRelationship:forObjectWith:with:)")
    }

    /// Returns the identifier of a new store: a new UUID, unless overridden.
    ///
    /// ``loadMetadata()`` calls it, unless the metadata has a UUID already.
    ///
    /// - Parameter storeURL: The URL of the new store.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// Returns permanent identifiers for new objects. Called before the objects are saved. Create the identifiers with
    /// ``newObjectID(for:referenceObject:)``.
    ///
    /// The number of IDs has to be that of the objects, each ID has to be another one, of the object's entity and of
    /// this store; otherwise the save throws `NSPersistentStoreOperationError`.
    ///
    /// - Parameter array: The new objects.
    /// - Returns: The identifiers in the order of the objects.
    /// - Throws: An error that the save, or the context's call, throws.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        throw mustOverride("obtainPermanentIDs(for:)")
    }

    /// Called when contexts have begun to use objects of the store, on any thread. Does nothing unless overridden.
    ///
    /// Use it, for example, to follow the objects on a server. It may be called again for an ID if several contexts
    /// have the object.
    ///
    /// - Parameter objectIDs: The objects' identifiers.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Called when contexts have stopped using objects of the store, on any thread. Does nothing unless overridden.
    ///
    /// It is also called when the objects are released. It may be called again for an ID if several contexts had the
    /// object.
    ///
    /// - Parameter objectIDs: The objects' identifiers.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// The identifier of the object that a reference object represents.
    ///
    /// Calls with equal reference objects return equal IDs. Whether there is such an object isn't checked.
    ///
    /// - Parameters:
    ///   - entity: The entity of the object itself, not one of its parents.
    ///   - data: A string, number or other value that identifies the object among those of its entity.
    open func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        references.objectID(for: entity, referenceObject: data, in: self)
    }

    /// The reference object that ``newObjectID(for:referenceObject:)`` made an identifier of.
    ///
    /// Use it to find out which object is requested. An ID is of use only with the store that created it.
    ///
    /// - Parameter objectID: The identifier.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        references.object(for: objectID, in: self)
    }

    // MARK: For the engine

    /// The numbers of the reference objects.
    final var references: ReferenceTable {
        let identifier = self.identifier ?? ""
        return state.withLock { state in
            if let known = state.references { return known }
            let table = ReferenceTable.table(forStore: identifier)
            state.references = table
            return table
        }
    }

    /// Reads or changes what is known of the versions of rows.
    final func withRevisions<Result: Sendable>(_ body: (inout RowRevisions) -> Result) -> Result {
        state.withLock { body(&$0.revisions) }
    }

    private func mustOverride(_ method: String) -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreOperationError, "The store class \(Swift.type(of: self)) doesn't override \(method).",
            path: url?.path)
    }
}

extension NSIncrementalStore: ReferenceNaming {
    package func uriComponent(for id: NSManagedObjectID) -> String? {
        references.entry(id.reference).map { ReferenceTable.uriComponent(for: $0.object) }
    }

    package func reference(forURIComponent component: String, entity: EntityLayout) -> Int64? {
        references.number(forURIComponent: component, entity: entity.name)
    }
}
