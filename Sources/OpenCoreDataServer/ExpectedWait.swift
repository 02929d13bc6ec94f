#if Server
import Synchronization

/// How long one more request would wait, from how fast those before it were answered.
///
/// In a server that has work to do, a request waits for as long as those that are there take (Little's law). So as many are
/// let in as are answered in the longest wait. Safe to use from any thread.
final class ExpectedWait: Sendable {
    private struct State {
        var count = 0
        /// The time between two answers while there was work, in seconds, on average; `nil` before there was any.
        var interval: Double?
        /// How many answers the average is of, up to those that count.
        var answers = 0.0
        /// When the last one ended, or the first of those that are there began.
        var last = ContinuousClock.now
    }

    /// In seconds; `nil` where only the limit counts.
    private let longest: Double?
    private let limit: Int
    private let state = Mutex(State())

    /// So many are let in however long they take: what is done side by side shows only then.
    static let fewest = 8
    /// How many answers the average is of.
    private static let mostAnswers = 64.0

    /// - Parameters:
    ///   - longest: The longest wait; `nil` for any.
    ///   - limit: How many are let in at most.
    init(longest: Duration?, limit: Int) {
        self.longest = longest.map { max(0.001, Self.seconds($0)) }
        self.limit = max(1, limit)
    }

    /// How many are let in at present.
    var capacity: Int { state.withLock { capacity($0) } }

    private func capacity(_ state: State) -> Int {
        guard let longest, let interval = state.interval, interval > 0 else { return limit }
        return min(limit, max(Self.fewest, Int(min(longest / interval, 1e9))))
    }

    /// Lets a request in; `end()` has to follow.
    ///
    /// - Returns: Whether it is let in.
    func begin(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            guard state.count < capacity(state) else { return false }
            if state.count == 0 { state.last = now }
            state.count += 1
            return true
        }
    }

    /// Notes that a request was answered.
    func end(at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.count -= 1
            // A single long one, such as the first, which connects, says little of those to come.
            let time = min(longest ?? 1, max(0, Self.seconds(state.last.duration(to: now))))
            state.last = now
            state.answers = min(Self.mostAnswers, state.answers + 1)
            state.interval = state.interval.map { $0 + (time - $0) / state.answers } ?? time
        }
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
#endif
