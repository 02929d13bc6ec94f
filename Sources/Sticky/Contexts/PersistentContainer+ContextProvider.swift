extension PersistentContainer {
    /// The contexts of a container whose stores are loaded. Only a container that has started gives one.
    ///
    /// Nobody merges what others save: that is for the application to set up, by
    /// `automaticallyMergesChangesFromParent` or by notifications. Safe to use from any thread; contexts have their own
    /// rules.
    public class ContextProvider: ContextProviding, @unchecked Sendable {
        // @unchecked Sendable because the only property is constant, and Sendable itself.
        private let nsPersistentContainer: any NSPersistentContainerProtocol

        package init(nsPersistentContainer: any NSPersistentContainerProtocol) {
            self.nsPersistentContainer = nsPersistentContainer
        }

        /// The context of the main queue, always the same.
        public var viewContext: NSManagedObjectContext { nsPersistentContainer.viewContext }

        /// Makes a context with a queue of its own, directly on the stores.
        public func newBackgroundContext() -> NSManagedObjectContext { nsPersistentContainer.newBackgroundContext() }
    }
}
