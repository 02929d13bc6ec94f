extension NSPersistentStoreCoordinator {
    /// Executes a request for a context, on whose queue this is called.
    ///
    /// - Parameters:
    ///   - request: A fetch request; a save request, which saves all changes of the context; a batch request; or any other
    ///     that ``NSManagedObjectContext/execute(_:)`` takes.
    ///   - context: A context of this coordinator.
    /// - Returns: An array for a fetch, an empty array for a save, and for other requests their result object.
    /// - Throws: The request's error; `NSPersistentStoreUnsupportedRequestTypeError` for requests that nobody knows.
    public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        guard context.persistentStoreCoordinator === self else {
            throw CoreDataError.make(
                NSCoreDataError, "A \(type(of: request)) was executed with a context of another coordinator.")
        }
        return try request.coordinatorResult(in: context)
    }
}
