/// Which object it is, without the object: what closures that run elsewhere may capture.
///
/// ```swift
/// let reference = ObjectReference(book)
/// try await database.write { context in
///     try context.local(reference).pages += 1
/// }
/// ```
public struct ObjectReference<T: NSManagedObject>: Sendable, Hashable, Identifiable {
    /// The identifier of the object.
    public let id: NSManagedObjectID

    /// Refers to an object, on the queue of its context.
    public init(_ object: T) { id = object.objectID }
}

extension NSManagedObjectContext {
    /// The object that a reference means, in this context, loaded.
    ///
    /// - Throws: As `local(_:)` with an object.
    public func local<T>(_ reference: ObjectReference<T>) throws -> T { try local(T.self, reference.id) }
}
