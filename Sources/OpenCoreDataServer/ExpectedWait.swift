#if Server
import Synchronization

/// How many requests of one kind are let in, so that the next one doesn't wait longer than it may. Safe to use from any
/// thread.
///
/// The next request is there for as long as all that are there take to be answered, by how fast the last ones were
/// (Little's law). It waits for what that is more than a request takes that is alone.
final class ExpectedWait: Sendable {
    private struct State {
        /// When those that count were let in, the first one first.
        var starts: [ContinuousClock.Instant] = []
        /// The number of requests that don't count any more and haven't ended.
        var expired = 0
        /// Whether requests expired and none was answered since then or while they were there.
        var isStalled = false
        /// How long one takes that doesn't wait, in seconds; `nil` before there was any.
        var shortest: Double?
        /// The time between two answers while there was work, in seconds, on average.
        var interval = 0.0
        /// How many answers that is the average of.
        var answers = 0.0
        /// When the last one was answered, or the first of those that are there was let in.
        var last = ContinuousClock.now
    }

    /// In seconds; `nil` where only the limit counts.
    private let longest: Double?
    private let limit: Int
    private let state = Mutex(State())

    /// So many are let in before anything is known.
    static let first = 20
    /// So many are let in however long they take: a few clients are no load, and what is answered side by side shows.
    static let fewest = 8
    /// The same while none is answered.
    static let fewestStalled = 2
    /// How many answers the average is of.
    private static let mostAnswers = 32.0
    /// A request that takes longer, in seconds, doesn't count any more, such as one whose body doesn't arrive: it says nothing about
    /// how long the next one would wait. If one that is alone takes longer than a fourth of it, four times as long as that.
    /// Only the limit still includes it until it ends.
    private static let longestCounted = 1.0
    /// How much one answer counts in what a request takes that is alone.
    private static let weight = 1.0 / 8

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
        guard let longest else { return limit }
        // How fast requests were answered before the stall says nothing about it.
        guard !state.isStalled else { return min(limit, Self.fewestStalled) }
        guard let shortest = state.shortest else { return min(limit, Self.first) }
        guard state.interval > 0 else { return limit }
        // One more shows whether it is answered beside the others.
        return min(limit, max(Self.fewest, Int(min(1e9, (longest + shortest) / state.interval)) + 1))
    }

    /// How long a request counts, in seconds.
    private func longestCounted(_ state: State) -> Double { max(Self.longestCounted, 4 * (state.shortest ?? 0)) }

    /// Stops counting requests that take too long. The limit still includes them.
    private func expire(_ state: inout State, at now: ContinuousClock.Instant) {
        guard longest != nil else { return }
        let most = longestCounted(state)
        let expired = state.starts.prefix { Self.seconds($0.duration(to: now)) > most }.count
        guard expired > 0 else { return }
        state.starts.removeFirst(expired)
        state.expired += expired
        if Self.seconds(state.last.duration(to: now)) > most { state.isStalled = true }
    }

    /// Lets a request in; `end(since:)` has to follow.
    ///
    /// - Returns: Whether it is let in.
    func begin(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            if state.starts.count >= capacity(state) { expire(&state, at: now) }
            guard state.starts.count < capacity(state), state.starts.count + state.expired < limit else { return false }
            if state.starts.isEmpty { state.last = now }
            state.starts.append(now)
            return true
        }
    }

    /// Notes that a request was answered.
    ///
    /// - Parameter start: The moment at which `begin` was told that it was let in.
    func end(since start: ContinuousClock.Instant, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            let isAlone = state.starts.count == 1
            guard let index = state.starts.firstIndex(of: start) else {
                state.expired = max(0, state.expired - 1)
                return
            }
            state.starts.remove(at: index)
            let time = max(0, Self.seconds(start.duration(to: now)))
            // A slow one among others, such as an upload, says nothing about how fast these are answered.
            if state.shortest != nil, !isAlone, time > longestCounted(state) { return }
            state.isStalled = false
            var shortest = min(time, state.shortest ?? time)
            // What one takes alone may become more.
            if isAlone { shortest += (time - shortest) * Self.weight }
            state.shortest = shortest
            // Before it was let in, there may have been nothing to answer.
            let interval = max(0, Self.seconds(max(state.last, start).duration(to: now)))
            state.last = max(now, state.last)
            state.answers = min(Self.mostAnswers, state.answers + 1)
            state.interval += (interval - state.interval) / state.answers
        }
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
#endif
