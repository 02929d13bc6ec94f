#if PostgreSQL
import Synchronization

/// The position up to which a replica must have replayed the log for this program to read from it.
///
/// It is after each commit of the program, after what its feed has read, and after the positions that it was told
/// to follow. If a commit didn't report its position, the primary is asked for it before the next read.
final class RequiredPosition: Sendable {
    private struct State {
        var position = LogPosition(offset: 0)
        /// How many commits there were whose position is not known, and how many of them `position` is behind. At
        /// first there is what was committed before the store was opened.
        var unknown = 1
        var covered = 0
    }

    private let state = Mutex(State())

    /// Notes a position that has to be reached.
    func record(_ position: LogPosition) {
        state.withLock { $0.position = max($0.position, position) }
    }

    /// Notes that something was, or may have been, committed.
    func recordCommit() { state.withLock { $0.unknown += 1 } }

    /// What is known so far.
    var known: LogPosition { state.withLock { $0.position } }

    /// The position.
    ///
    /// - Parameter ask: Asks the primary for the end of its log; called when there was a commit whose position is
    ///   not known.
    func position(_ ask: () throws -> LogPosition?) rethrows -> LogPosition? {
        let (position, unknown, isComplete) = state.withLock { ($0.position, $0.unknown, $0.unknown == $0.covered) }
        if isComplete { return position }
        guard let current = try ask() else { return nil }
        return state.withLock { state in
            state.covered = max(state.covered, unknown)
            state.position = max(state.position, current)
            return state.position
        }
    }
}
#endif
