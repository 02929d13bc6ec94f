/// Contexts that observe saves, held weakly.
// Sendable: the lock guards the list.
package final class WeakContexts: Sendable {
    private let references = UnfairMutex<[WeakReference<NSManagedObjectContext>]>([])

    package init() {}

    package func add(_ context: NSManagedObjectContext) {
        // Those that are gone took themselves out.
        references.withLock { $0.append(WeakReference(context)) }
    }

    package func remove(_ context: NSManagedObjectContext) {
        let identifier = ObjectIdentifier(context)
        references.withLock { $0.removeAll { $0.identifier == identifier } }
    }

    package var isEmpty: Bool { references.withLock { $0.isEmpty } }

    /// Whether anybody but a context may be listed, alive or not.
    func hasOthers(than context: NSManagedObjectContext) -> Bool {
        let identifier = ObjectIdentifier(context)
        return references.withLock { $0.contains { $0.identifier != identifier } }
    }

    /// The contexts that are alive.
    package var all: [NSManagedObjectContext] {
        references.withLock { references in
            var all: [NSManagedObjectContext] = []
            all.reserveCapacity(references.count)
            // By index: iterating copies each weak reference, which takes longer than to follow it.
            for index in references.indices { if let context = references[index].object { all.append(context) } }
            return all
        }
    }
}
