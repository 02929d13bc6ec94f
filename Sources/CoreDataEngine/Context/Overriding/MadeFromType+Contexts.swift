extension _MadeFromType where Self: NSManagedObjectContext {
    /// Creates a context, for `self.init(concurrencyType:)` in a static member.
    ///
    /// The object is of the class `NSManagedObjectContext` itself. If `Self` is a subclass, the program stops with a
    /// message: give the subclass a member of its own.
    ///
    /// - Parameter concurrencyType: The kind of queue.
    public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        self = Self.exactly(NSManagedObjectContext(concurrencyType: concurrencyType))
    }

    /// Creates a context, for `self.init(_:)` in a static member.
    ///
    /// The object is of the class `NSManagedObjectContext` itself. If `Self` is a subclass, the program stops with a
    /// message: give the subclass a member of its own.
    ///
    /// - Parameter type: The kind of queue.
    public init(_ type: NSManagedObjectContext.ConcurrencyType) { self = Self.exactly(NSManagedObjectContext(type)) }
}
