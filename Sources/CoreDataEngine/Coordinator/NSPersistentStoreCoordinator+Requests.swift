extension NSPersistentStoreCoordinator {
    /// Executes a request for a context, on whose queue this is called.
    ///
    /// - Parameters:
    ///   - request: A fetch request; or a save request, which saves all changes of the context.
    ///   - context: A context of this coordinator.
    /// - Returns: The fetch's results, or an empty array for a save.
    /// - Throws: The request's error; `NSPersistentStoreUnsupportedRequestTypeError` for other requests.
    public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        switch request {
        case let fetch as NSFetchRequestBase:
            return try fetch.anyResults(in: context)
        case is NSSaveChangesRequest:
            try context.save()
            return [Any]()
        default:
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                "Requests of the class \(type(of: request)) can't be executed.")
        }
    }
}
