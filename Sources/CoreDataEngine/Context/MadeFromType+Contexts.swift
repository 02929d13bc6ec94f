extension _MadeFromType where Self: NSManagedObjectContext {
    /// Creates a context, for `self.init(concurrencyType:)` in a static member.
    ///
    /// - Parameter concurrencyType: The kind of queue.
    public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        self = Self.exactly(NSManagedObjectContext(concurrencyType: concurrencyType))
    }

    /// Creates a context, for `self.init(_:)` in a static member.
    ///
    /// - Parameter type: The kind of queue.
    public init(_ type: NSManagedObjectContext.ConcurrencyType) { self = Self.exactly(NSManagedObjectContext(type)) }
}
