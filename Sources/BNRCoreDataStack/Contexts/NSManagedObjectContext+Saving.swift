public import OpenCoreDataKit

extension NSManagedObjectContext {
    // MARK: One level

    /// Saves this context into its parent or store, later, on its own queue. May be called from anywhere. A context of
    /// a stack is then saved up to the store.
    ///
    /// Returns at once. The callback comes when this context is saved, which is before the store of a stack has the
    /// data; see ``saveContextToStore(_:)``.
    ///
    /// - Parameter completion: Called on the context's queue. Nothing to save is a success.
    @preconcurrency
    public func saveContext(_ completion: CoreDataStack.SaveCallback? = nil) {
        perform {
            let result = CoreDataStack.SaveResult { try self.saveChanges() }
            completion?(result)
        }
    }

    /// Saves this context into its parent or store, on its own queue, and waits for it. May be called from anywhere,
    /// including the context's own blocks. A context of a stack is then saved up to the store.
    ///
    /// It doesn't wait for the contexts above, which a stack saves afterwards. Errors of these go to
    /// ``CoreDataStack/onBubbleError``.
    ///
    /// - Throws: The save's error. Having nothing to save isn't an error.
    public func saveContextAndWait() throws { try performAndWait { try saveChanges() } }

    private func saveChanges() throws {
        if hasChanges { try save() }
    }

    // MARK: Up to the store

    /// Saves this context, then its parent, and so on up to the store, each on its own queue, and returns at once.
    ///
    /// May be called on any thread. Contexts without changes are passed over, and having nothing to save is a success.
    ///
    /// - Parameter completion: Called on the context's queue, when the data is in the store or with the first error. A
    ///   level that fails keeps its changes, those below stay saved.
    @preconcurrency
    public func saveContextToStore(_ completion: CoreDataStack.SaveCallback? = nil) {
        ClimbingSave.start(from: self) { outcome in
            self.perform { completion?(CoreDataStack.SaveResult { _ = try outcome.get() }) }
        }
    }

    /// Saves this context, then its parent, and so on up to the store, each on its own queue, and waits until the store has
    /// the data. May be called from anywhere.
    ///
    /// Contexts without changes are passed over. On the main queue it waits for the disk; use
    /// ``saveContextToStore(_:)`` there.
    ///
    /// - Throws: The error of the first level that fails. It keeps its changes, those below stay saved.
    public func saveContextToStoreAndWait() throws {
        try saveContextAndWait()
        try parent?.saveContextToStoreAndWait()
    }
}
