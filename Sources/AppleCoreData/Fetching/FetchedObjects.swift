#if canImport(ObjectiveC)
public import CoreData

/// A fetch request, whatever it gives.
public typealias NSFetchRequestBase = NSFetchRequest<any NSFetchRequestResult>

/// A row of a request for dictionaries.
package typealias FetchedRow = NSDictionary

extension NSDictionary {
    package var valuesByName: [String: Any] { self as? [String: Any] ?? [:] }
}

/// A request without the type of its results, which Objective-C doesn't have either.
package func untyped<T>(_ request: NSFetchRequest<T>) -> NSFetchRequestBase {
    unsafeDowncast(request as NSPersistentStoreRequest, to: NSFetchRequestBase.self)
}

/// A request with the type of its results.
package func typed<T>(_ request: NSFetchRequestBase, as type: T.Type) -> NSFetchRequest<T>? {
    unsafeDowncast(request as NSPersistentStoreRequest, to: NSFetchRequest<T>.self)
}

/// The objects of a request, made batch by batch while they are walked over: Apple's framework gives an array that
/// does so by itself when the request has a `fetchBatchSize`.
public struct FetchedObjects<Element>: RandomAccessCollection {
    private let objects: [Element]
    /// How many objects are made at a time.
    public let batchSize: Int

    init(_ objects: [Element], batchSize: Int) {
        self.objects = objects
        self.batchSize = batchSize
    }

    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of objects.
    public var endIndex: Int { objects.count }

    /// The object at an index. Reads its batch unless that is in memory.
    public subscript(position: Int) -> Element { objects[position] }
}

extension FetchedObjects where Element: NSManagedObject {
    /// The identifier of the object at an index.
    public func objectID(at position: Int) -> NSManagedObjectID { objects[position].objectID }
}

extension NSManagedObjectContext {
    /// What a request finds, as a collection whose objects are made when they are read.
    ///
    /// - Parameter request: A request for objects. `fetchBatchSize` says how many objects are made at a time; 512
    ///   when it is 0.
    /// - Throws: As `fetch(_:)`.
    public func fetchInBatches<T>(_ request: NSFetchRequest<T>) throws -> FetchedObjects<T> {
        if request.fetchBatchSize == 0 { request.fetchBatchSize = 512 }
        return FetchedObjects(try fetch(request), batchSize: request.fetchBatchSize)
    }
}
#endif
