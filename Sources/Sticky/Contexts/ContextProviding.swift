/// What gives contexts, for code that is to be tested with others than those of a container.
public protocol ContextProviding {
    /// The context of the main queue, always the same.
    var viewContext: NSManagedObjectContext { get }

    /// Makes a context with a queue of its own.
    func newBackgroundContext() -> NSManagedObjectContext
}
