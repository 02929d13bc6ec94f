import Synchronization

/// The progress of a migration, and whether it was cancelled. Safe to use from any thread.
final class MigrationProgress: Sendable {
    private struct State {
        var fraction: Float = 0
        var reason: (any Error)?
    }

    private let state = Mutex(State())

    var fraction: Float {
        get { state.withLock { $0.fraction } }
        set { state.withLock { $0.fraction = newValue } }
    }

    /// Begins or ends a migration.
    func reset() { state.withLock { $0 = State() } }

    func cancel(_ reason: any Error) { state.withLock { $0.reason = $0.reason ?? reason } }

    /// Throws the reason when the migration is to end.
    func check() throws {
        if let reason = state.withLock({ $0.reason }) { throw reason }
    }
}
