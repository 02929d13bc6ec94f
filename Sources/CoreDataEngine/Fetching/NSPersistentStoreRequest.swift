public import Foundation

/// A request to the stores: the superclass of fetch, save and batch requests.
///
/// A request may be changed until it is executed. Use it from one thread at a time.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// Creates a request that asks all stores.
    ///
    /// Programs create requests of the subclasses. A request of this class can't be executed: it throws
    /// `NSPersistentStoreUnsupportedRequestTypeError`.
    public override init() {
        super.init()
    }

    /// The stores to ask; `nil` for all.
    open var affectedStores: [NSPersistentStore]?

    /// The kind of request. The superclass counts as a fetch.
    open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    // MARK: For the engine

    /// Executes the request for a context, on whose queue this is called. Each class of request has its own.
    package func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        throw CoreDataError.make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "Requests of the class \(type(of: self)) can't be executed.")
    }

    /// The same in the form in which the coordinator gives it: an array for fetches and saves.
    package func coordinatorResult(in context: NSManagedObjectContext) throws -> Any { try result(in: context) }

    /// Returns a request of the same kind with the same settings.
    ///
    /// The stores in ``affectedStores`` are shared.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreRequest()
        copy.affectedStores = affectedStores
        return copy
    }
}

/// The kinds of request.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    /// An ``NSFetchRequest``.
    case fetchRequestType = 1
    /// An ``NSSaveChangesRequest``.
    case saveRequestType = 2
    /// An ``NSBatchInsertRequest``.
    case batchInsertRequestType = 5
    /// An ``NSBatchUpdateRequest``.
    case batchUpdateRequestType = 6
    /// An ``NSBatchDeleteRequest``.
    case batchDeleteRequestType = 7
}
