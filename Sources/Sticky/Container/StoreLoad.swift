import Dispatch
import OpenCoreDataKit
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// The loading of a container's stores, from its begin to the last store.
final class StoreLoad: Sendable {
    private let group = DispatchGroup()
    private let failures = Mutex<[(description: SendableBox<NSPersistentStoreDescription>, error: any Error)]>([])

    /// A loading of nothing.
    init() {}

    /// Begins to load.
    ///
    /// - Parameter asynchronously: Whether the work is done on other threads than the caller's.
    init(of container: any NSPersistentContainerProtocol, asynchronously: Bool) {
        for description in container.persistentStoreDescriptions {
            description.shouldAddStoreAsynchronously = asynchronously
            group.enter()
        }
        container.loadPersistentStores { [self] description, error in
            if let error { record(error, of: description) }
            group.leave()
        }
    }

    private func record(_ error: any Error, of description: NSPersistentStoreDescription) {
        // A copy, because the caller of the container may go on changing the original.
        guard let copy = description.copy() as? NSPersistentStoreDescription else { return }
        let box = SendableBox(copy)
        failures.withLock { $0.append((box, error)) }
    }

    /// Blocks the thread until it is done.
    func wait() { group.wait() }

    /// Calls a block when it is done.
    func notify(_ queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
        group.notify(queue: queue, execute: block)
    }

    /// What went wrong, once it is done.
    var error: PersistentContainer.Error? {
        let failures = failures.withLock { $0 }
        guard !failures.isEmpty else { return nil }
        return .failedToLoadPersistentStores(
            Dictionary(failures.map { ($0.description.value, $0.error) }) { first, _ in first })
    }
}
