/// A type that provides contexts, so that code can be tested with contexts that don't belong to a container.
public protocol ContextProviding {
    /// The context of the main queue, always the same.
    var viewContext: NSManagedObjectContext { get }

    /// Makes a context with a queue of its own.
    ///
    /// Each call returns another context.
    ///
    /// - Returns: The context.
    func newBackgroundContext() -> NSManagedObjectContext
}
