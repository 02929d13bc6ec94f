/// A reference to an object that closures on other queues can capture.
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

    /// Creates a reference to an object. Call it on the queue of the object's context.
    ///
    /// Only the identifier is read, so the object isn't loaded. Until the object is saved, the reference can be
    /// resolved only in its own context and in children of that.
    ///
    /// - Parameter object: The object.
    public init(_ object: T) { id = object.objectID }
}

extension NSManagedObjectContext {
    /// Returns the object of a reference in this context, loaded.
    ///
    /// The object is loaded, so reading it doesn't fail for a row that is missing. Call it on this context's queue, for
    /// example in a block of `write`.
    ///
    /// - Parameter reference: The reference.
    /// - Returns: The object of this context.
    /// - Throws: The errors of `local(_:)` with an object.
    public func local<T>(_ reference: ObjectReference<T>) throws -> T { try local(T.self, reference.id) }
}
