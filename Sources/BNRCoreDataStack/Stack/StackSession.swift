import OpenCoreDataKit
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// The open store of a stack with its contexts, from the opening to a reset or the end.
final class StackSession: Sendable {
    let coordinator: NSPersistentStoreCoordinator
    private let tree: ContextTree
    private let bubbling: SaveBubbling
    /// The contexts for large imports that were given out.
    private let batches = WeakContexts()
    private let over = Mutex(false)

    /// Creates the lasting contexts.
    init(_ coordinator: NSPersistentStoreCoordinator, _ errors: UnawaitedErrors) throws {
        var layout = Layout.nested
        layout.policies = Layout.Policies(
            writer: .mergeByPropertyStoreTrumpMergePolicyType, main: .mergeByPropertyStoreTrumpMergePolicyType,
            drafts: .mergeByPropertyStoreTrumpMergePolicyType)
        self.coordinator = coordinator
        tree = try ContextTree(coordinator: coordinator, layout: layout, name: "CoreDataStack")
        bubbling = SaveBubbling(errors)
        bubbling.include(tree.main)
    }

    var main: NSManagedObjectContext { tree.main }
    /// The layout has a writer.
    var persisting: NSManagedObjectContext { tree.writer ?? tree.main }
    /// Whether the stores are taken out.
    var isOver: Bool { over.withLock { $0 } }

    /// A new child of the main context whose saves go on to the store.
    func makeChild(_ type: NSManagedObjectContextConcurrencyType, _ name: String?) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: type)
        context.parent = tree.main
        context.mergePolicy = NSMergePolicy(merge: tree.layout.policies.drafts)
        context.name = name
        bubbling.include(context)
        return context
    }

    /// A context for a large import, on a coordinator of its own over the same file. A store in memory can't be opened
    /// twice; its context sits beside the persisting one.
    func makeBatchContext(_ store: StackStore) throws -> NSManagedObjectContext {
        try store.require(in: coordinator)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.url == nil ? coordinator : try store.open()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.name = "CoreDataStack.batch"
        batches.add(context)
        return context
    }

    /// Calls a block when the saves that are on their way now have reached the store, or failed.
    func whenSettled(_ body: @escaping @Sendable () -> Void) {
        let persisting = persisting
        // Each save asked the next context before it was done itself, so the queues know all of them.
        tree.main.perform { persisting.perform { body() } }
    }

    /// Takes the store out. Contexts from now can neither fetch nor save any more, those of large imports included.
    func end() throws {
        guard !over.exchange(true) else { return }
        for context in batches.all {
            guard let other = context.persistentStoreCoordinator, other !== coordinator else { continue }
            for store in other.persistentStores { try other.remove(store) }
        }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}
