/// What gives contexts, for code that is to be tested with others than those of a container.
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
