extension PersistentContainer {
    /// The contexts of a container whose stores are loaded. Only a started container provides one.
    ///
    /// Contexts don't merge what others save, unless the application sets that up with
    /// `automaticallyMergesChangesFromParent` or notifications. Safe to use from any thread; contexts have rules of
    /// their own.
    public class ContextProvider: ContextProviding, @unchecked Sendable {
        // @unchecked Sendable because the only property is constant, and Sendable itself.
        private let nsPersistentContainer: any NSPersistentContainerProtocol

        package init(nsPersistentContainer: any NSPersistentContainerProtocol) {
            self.nsPersistentContainer = nsPersistentContainer
        }

        /// The context of the main queue, always the same.
        public var viewContext: NSManagedObjectContext { nsPersistentContainer.viewContext }

        /// Makes a context with a queue of its own, directly on the stores.
        ///
        /// Each call returns another context, which reads the stores itself and doesn't see unsaved changes of others.
        ///
        /// - Returns: The context.
        public func newBackgroundContext() -> NSManagedObjectContext { nsPersistentContainer.newBackgroundContext() }
    }
}
