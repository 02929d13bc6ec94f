import Synchronization

/// Who a store is, for identifiers that may outlive it: one object for all of them.
package final class StoreIdentity: Sendable {
    private struct State {
        var store: WeakHandle<NSPersistentStore>?
        var identifier: String
    }

    private let state: Mutex<State>
    /// Kept because the layouts that identifiers hold are parts of it.
    private let model: NSManagedObjectModel?

    init(identifier: String, model: NSManagedObjectModel?) {
        state = Mutex(State(identifier: identifier))
        self.model = model
    }

    /// The store, until it goes away.
    package var store: NSPersistentStore? {
        get { state.withLock { $0.store }?.object }
        set { state.withLock { $0.store = newValue?.weakHandle } }
    }

    /// The store's UUID.
    package var identifier: String {
        get { state.withLock { $0.identifier } }
        set { state.withLock { $0.identifier = newValue } }
    }
}
