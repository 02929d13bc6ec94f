public import Foundation

/// What a context asks of its stores: the superclass of fetch, save and batch requests.
///
/// A request may be changed until it is executed. It belongs to whoever makes it, on one thread at a time.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// Makes a request that asks all stores.
    public override init() {
        super.init()
    }

    /// The stores to ask; `nil` for all.
    open var affectedStores: [NSPersistentStore]?

    /// The kind of request. The superclass counts as a fetch.
    open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Returns a request of the same kind with the same settings.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreRequest()
        copy.affectedStores = affectedStores
        return copy
    }
}

/// The kinds of request.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    case fetchRequestType = 1
    case saveRequestType = 2
    case batchInsertRequestType = 5
    case batchUpdateRequestType = 6
    case batchDeleteRequestType = 7
}
