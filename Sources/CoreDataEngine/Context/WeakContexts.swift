import Synchronization

/// Contexts that want to hear of saves, held weakly.
// Sendable: the lock guards the list.
package final class WeakContexts: Sendable {
    private struct Reference: Sendable {
        let identifier: ObjectIdentifier
        weak var context: NSManagedObjectContext?
    }

    private let references = Mutex<[Reference]>([])

    package init() {}

    package func add(_ context: NSManagedObjectContext) {
        // Those that are gone took themselves out. Asking here whether one lives could make it die here, inside the lock
        // that its end needs.
        references.withLock { $0.append(Reference(identifier: ObjectIdentifier(context), context: context)) }
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
    package var all: [NSManagedObjectContext] { references.withLock { $0.compactMap(\.context) } }
}
