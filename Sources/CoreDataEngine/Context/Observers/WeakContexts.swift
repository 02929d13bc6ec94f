/// Contexts that are held weakly.
// Sendable: the lock guards the list.
package final class WeakContexts: Sendable {
    private let references = UnfairMutex<[WeakHandle<NSManagedObjectContext>]>([])

    package init() {}

    package func add(_ context: NSManagedObjectContext) {
        references.withLock { references in
            references.removeAll { $0.object == nil }
            references.append(context.weakHandle)
        }
    }

    /// The contexts that are alive.
    package var all: [NSManagedObjectContext] {
        references.withLock { references in
            var all: [NSManagedObjectContext] = []
            all.reserveCapacity(references.count)
            for reference in references { if let context = reference.object { all.append(context) } }
            return all
        }
    }
}
