extension NSPersistentStoreCoordinator {
    /// What `execute(_:with:)` does.
    final func carryOut(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        guard context.persistentStoreCoordinator === self else {
            throw CoreDataError.make(
                NSCoreDataError, "A \(type(of: request)) was executed with a context of another coordinator.")
        }
        return try request.coordinatorResult(in: context)
    }
}
