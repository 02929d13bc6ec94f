import Foundation

/// The results of a fetch, as a collection that creates its objects batch by batch.
///
/// The collection holds only the identity of each object, which takes eight bytes. Reading an element creates the
/// objects of its batch, with one statement, and releases earlier batches: an object without other references and
/// unsaved changes is released with its batch. So reading all of a large result needs the memory of a few batches:
///
///     let request = NSFetchRequest<Book>(entityName: "Book")
///     request.fetchBatchSize = 500
///     for book in try context.fetchInBatches(request) { total += book.price }
///
/// Its objects and their order are decided when it is created. An object whose row was deleted since is a fault without
/// values. Belongs to the context's queue. If a batch can't be read, its objects are faults without values, and the
/// context's next fetch or save throws the reason.
public struct FetchedObjects<Element>: RandomAccessCollection {
    private let batches: FetchedBatches
    private let element: (FetchedBatches, Int) -> Element

    init(_ batches: FetchedBatches, _ element: @escaping (FetchedBatches, Int) -> Element) {
        self.batches = batches
        self.element = element
    }

    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of objects.
    public var endIndex: Int { batches.count }
    /// How many objects are made at a time.
    public var batchSize: Int { batches.batchSize }

    /// The object at an index. Reads its batch unless that is in memory.
    ///
    /// An index that is out of bounds stops the program with a message. Earlier batches may be released, so keep a
    /// reference to an object that is needed for longer.
    ///
    /// - Parameter position: The index, from zero to less than the number of objects.
    public subscript(position: Int) -> Element {
        programmerError(
            unless: indices.contains(position), "There is no object \(position) among \(count) fetched objects.")
        return element(batches, position)
    }

    /// The identifier of the object at an index. Reads nothing.
    ///
    /// An index that is out of bounds stops the program with a message. The ID is that of the time when the collection
    /// was created, even if the row is gone.
    ///
    /// - Parameter position: The index, less than `endIndex`.
    public func objectID(at position: Int) -> NSManagedObjectID {
        programmerError(
            unless: indices.contains(position), "There is no object \(position) among \(count) fetched objects.")
        return batches.objectID(at: position)
    }
}

extension NSManagedObjectContext {
    /// What a request finds, as a collection whose objects are made when they are read.
    ///
    /// `fetch(_:)` gives an array, which has to hold an object for each element, though their rows arrive
    /// `fetchBatchSize` at a time. This collection holds identities only. Unsaved changes count as in `fetch(_:)`, and
    /// keep their objects. A fetch in a child context, and a sorted one over several stores, makes all objects at once.
    ///
    /// - Parameter request: A request for objects or identifiers. `fetchBatchSize` says how many objects are made at a time;
    ///   512 when it is 0.
    /// - Returns: The objects in the request's order.
    /// - Throws: As `fetch(_:)`; an error that says so for a request for dictionaries or a count.
    public func fetchInBatches<T>(_ request: NSFetchRequest<T>) throws -> FetchedObjects<T> {
        checkQueue()
        if let noticed = T.self as? NSManagedObject.Type { ManagedObjectClass.noticed(noticed) }
        let layout = try entity(of: request)
        if let error = request.predicate?.formatError { throw error }
        switch request.resultType {
        case .managedObjectIDResultType where NSManagedObjectID.self is T.Type:
            return FetchedObjects(try batches(request, layout)) { batches, index in
                Self.element(batches.objectID(at: index))
            }
        case .managedObjectResultType where layout.subtree.allSatisfy { objectClass(of: $0) is T.Type }:
            guard T.self is NSManagedObject.Type else {
                return FetchedObjects(try batches(request, layout)) { Self.element($0.object(at: $1)) }
            }
            return FetchedObjects(try batches(request, layout)) { batches, index in
                // The classes of all objects that there can be are `T`, as was just checked.
                unsafeBitCast(batches.object(at: index), to: T.self)
            }
        default:
            throw CoreDataError.make(
                NSCoreDataError,
                "A fetch of \(layout.name) with the result type \(request.resultType.rawValue) can't give \(T.self) in batches."
            )
        }
    }

    private static func element<T>(_ value: Any) -> T {
        guard let element = value as? T else {
            programmerError("\(type(of: value)) is not \(T.self), although the request was checked.")
        }
        return element
    }
}
