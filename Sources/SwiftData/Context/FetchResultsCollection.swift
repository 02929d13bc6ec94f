import CoreDataEngine

/// What a fetch found, read in batches as the elements are asked for.
///
/// The collection belongs to the context's actor or thread.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
    private let objects: [NSManagedObject]
    private let element: (NSManagedObject) -> Element

    init(_ objects: [NSManagedObject], element: @escaping (NSManagedObject) -> Element) {
        self.objects = objects
        self.element = element
    }

    /// The position of the first element.
    public var startIndex: Int { 0 }
    /// The position after the last element.
    public var endIndex: Int { objects.count }
    /// The element at a position.
    ///
    /// The first access of a batch reads its values. A position that is out of bounds is a programmer error.
    ///
    /// - Parameter position: The position.
    /// - Returns: The element.
    public subscript(position: Int) -> Element { element(objects[position]) }
}

extension ModelContext {
    /// Finds models, which are read from the store in batches when they are asked for.
    ///
    /// The memory grows with the batches that are read and whose models are kept. A condition or an order that the
    /// store can't evaluate is evaluated for all models at once instead.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: Which models, and in which order.
    ///   - batchSize: How many models are read together.
    /// - Returns: A collection of the models, which is read on the context's actor or thread.
    /// - Throws: As `fetch(_:)` does.
    public func fetch<T: PersistentModel>(
        _ fetchDescriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> FetchResultsCollection<T> {
        FetchResultsCollection(try batchedObjects(fetchDescriptor, batchSize)) { [self] object in
            guard let object = object as? BackedObject, let model = model(of: object) as? T else {
                programmerError("The object \(object.objectID) doesn't have the class \(T.self).")
            }
            return model
        }
    }

    /// Finds the identifiers of models, which are read from the store in batches when they are asked for.
    ///
    /// The number of models is known at once.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: Which models, and in which order.
    ///   - batchSize: How many are read together.
    /// - Returns: A collection of the identifiers.
    /// - Throws: As `fetch(_:)` does.
    public func fetchIdentifiers<T: PersistentModel>(
        _ fetchDescriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> FetchResultsCollection<PersistentIdentifier> {
        FetchResultsCollection(try batchedObjects(fetchDescriptor, batchSize)) { PersistentIdentifier($0.objectID) }
    }

    func batchedObjects<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, _ batchSize: Int
    ) throws -> [NSManagedObject] {
        let request = try request(for: descriptor)
        if !request.isEvaluatedHere { request.request.fetchBatchSize = Swift.max(1, batchSize) }
        return try objects(request)
    }
}
