import Dispatch
import Synchronization

/// Lets as many threads through at a time as there are connections; the others wait.
final class ConnectionGate: Sendable {
    private let semaphore: DispatchSemaphore
    private let waiting = Atomic<Int>(0)
    private let work: WorkCounters

    /// Longer than this is for ever, in seconds.
    private static let longest = 1e9
    /// A time that is over, which needs no clock.
    private static let past = DispatchTime(uptimeNanoseconds: 1)

    /// - Parameter work: Where waits are counted.
    init(_ count: Int, _ work: WorkCounters) {
        semaphore = DispatchSemaphore(value: count)
        self.work = work
    }

    /// How many threads wait at present.
    var waitingCount: Int { waiting.load(ordering: .relaxed) }

    /// Goes through, after a while if need be.
    ///
    /// - Parameter timeout: How long to wait, in seconds; `nil` waits for ever.
    /// - Returns: Whether the thread is through, and has to `leave()`.
    func enter(timeout: Double?) -> Bool {
        if enterAtOnce() { return true }
        waiting.add(1, ordering: .relaxed)
        defer { waiting.subtract(1, ordering: .relaxed) }
        return work.measure(.wait) {
            guard let timeout, timeout < Self.longest else {
                semaphore.wait()
                return true
            }
            return semaphore.wait(timeout: .now() + timeout) == .success
        }
    }

    /// Enters if that is possible without waiting.
    func enterAtOnce() -> Bool { semaphore.wait(timeout: Self.past) == .success }

    func leave() { semaphore.signal() }
}
