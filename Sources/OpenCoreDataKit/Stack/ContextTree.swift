/// A coordinator's contexts, wired as a layout says.
package final class ContextTree: Sendable {
    /// Where the stores are.
    package let coordinator: NSPersistentStoreCoordinator
    /// How the contexts are wired.
    package let layout: Layout
    /// The context that saves in the background, directly on the stores.
    package let writer: NSManagedObjectContext?
    /// The context of the main queue.
    package let main: NSManagedObjectContext
    private let name: String
    private let mark: String
    /// The names of contexts of blocks, which are given for each block.
    let (readingName, writingName): (String, String)

    /// Makes writer and main context.
    ///
    /// - Parameters:
    ///   - name: What the names of the contexts begin with.
    ///   - mark: What they end with.
    /// - Throws: ``DatabaseError/invalidLayout(_:reason:)``.
    package init(
        coordinator: NSPersistentStoreCoordinator, layout: Layout, name: String, mark: String = ""
    ) throws {
        try layout.validate()
        self.coordinator = coordinator
        self.layout = layout
        self.name = name
        self.mark = mark
        (readingName, writingName) = ("\(name).read\(mark)", "\(name).write\(mark)")
        let policies = layout.policies
        let writer: NSManagedObjectContext? =
            layout.hasWriter ? NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType) : nil
        writer?.persistentStoreCoordinator = coordinator
        writer?.mergePolicy = NSMergePolicy.shared(policies.writer)
        writer?.followChanges(layout.merging == .both)
        writer?.name = "\(name).writer\(mark)"
        main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        if layout.mainOn == .writer { main.parent = writer } else { main.persistentStoreCoordinator = coordinator }
        main.mergePolicy = NSMergePolicy.shared(policies.main)
        main.followChanges(layout.merging != .none)
        main.name = "\(name).main\(mark)"
        self.writer = writer
        for context in lasting { refuseLostEdits(context) }
    }

    /// A context for work that is saved when it is done, where the layout wants it.
    package func makeDraft() -> NSManagedObjectContext {
        switch layout.draftsOn {
        case .main: return makeChild(of: main)
        case .writer: return makeChild(of: writer ?? main)
        case .store: return makeBackground("draft")
        }
    }

    /// A private-queue child of a context.
    package func makeChild(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.parent = parent
        refuseLostEdits(context)
        context.mergePolicy = backgroundPolicy
        context.name = "\(name).draft\(mark)"
        return context
    }

    /// The merge policy of contexts directly on the stores.
    var backgroundPolicy: NSMergePolicy { .shared(layout.policies.drafts) }

    /// A private-queue context directly on the stores.
    ///
    /// - Parameter other: A context whose queue it shares.
    package func makeBackground(
        _ role: String = "background", sharingQueueOf other: NSManagedObjectContext? = nil
    ) -> NSManagedObjectContext {
        let context =
            other.map { NSManagedObjectContext(sharingQueueOf: $0) }
            ?? NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        refuseLostEdits(context)
        context.mergePolicy = backgroundPolicy
        context.name = "\(name).\(role)\(mark)"
        return context
    }

    private func refuseLostEdits(_ context: NSManagedObjectContext) {
        if layout.refusesLostEdits { context.refuseLostEdits() }
    }

    /// The contexts that live as long as the tree, those that others read through first.
    package var lasting: [NSManagedObjectContext] { [writer, main].compactMap(\.self) }

    /// Waits until the lasting contexts have finished their pending work, including merges.
    package func waitForPendingWork() async {
        for context in lasting { await context.perform(schedule: .enqueued) {} }
    }
}
