#if PostgreSQL
import Foundation
package import OpenCoreData
import Synchronization

/// Says when transactions of a store may be new: after those of this process, when another one sends a
/// notification, and once a second in any case.
///
/// It has a connection and a thread of its own. Notifications are sent there, after the commit and at most every 20
/// ms: a `NOTIFY` inside of a transaction takes a lock that all transactions of the cluster wait for.
// @unchecked Sendable because what changes is under `state`'s lock, and the thread's own things are its locals.
package final class PostgreSQLChangeWaker: ChangeWaker, @unchecked Sendable {
    private struct State {
        var isCancelled = false
        /// The last transaction of this process that others have not been notified of.
        var unsent: Int64?
        /// When to look again after transactions: one that began earlier may still hold them back.
        var looks: [ContinuousClock.Instant] = []
    }

    package static let delays: [Duration] = [.zero, .milliseconds(2), .milliseconds(10), .milliseconds(50)]
    package static let shortestPause = Duration.milliseconds(20)
    /// Commits of this process that follow each other closely share a look, which costs the server as much as a small
    /// save.
    package static let shortestPauseOfLooks = Duration.milliseconds(4)
    package static let longestPause = Duration.seconds(1)
    /// The same if notifications aren't available.
    package static let longestPauseWithoutListening = Duration.milliseconds(250)

    private let address: PostgreSQLAddress
    private let options: PostgreSQLOptions
    /// Whether the connection keeps its session, so that notifications reach it.
    private let canListen: Bool
    private let channel: String
    private let wake: @Sendable (ChangeWake) -> Void
    private let didLose: @Sendable () -> Void
    private let state = Mutex(State())
    private let reader: Int32
    private let writer: Int32

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - identifier: The store's UUID, from which the channel has its name.
    ///   - wake: Called on the waker's thread.
    ///   - didLose: Called when notifications may have been missed, before the next `wake`.
    package init(
        _ address: PostgreSQLAddress, options: PostgreSQLOptions, store identifier: String,
        didLose: @escaping @Sendable () -> Void, wake: @escaping @Sendable (ChangeWake) -> Void
    ) throws {
        self.address = try options.directURL.map { try PostgreSQLAddress($0) } ?? address
        canListen = options.pooling == .session || options.directURL != nil
        var options = options
        options.applicationName += " feed"
        // One connection that sleeps in between; the server has nothing to wait for.
        options.statementTimeout = 30
        if canListen { options.pooling = .session }
        self.options = options
        channel = Self.channel(identifier)
        self.wake = wake
        self.didLose = didLose
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw PostgreSQLError(
                .outOfResources, "There is no pipe for the feed: \(String(cString: strerror(errno))).",
                location: address.displayName)
        }
        (reader, writer) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        let thread = Thread { [self] in run() }
        thread.name = "OpenCoreData.PostgreSQL.feed"
        thread.start()
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// The channel of a store's notifications.
    package static func channel(_ identifier: String) -> String {
        "ocd_" + identifier.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Notifies the waker that this process has committed a transaction.
    package func didCommit(_ number: Int64) {
        state.withLock { $0.unsent = max($0.unsent ?? .min, number) }
        scheduleChecks()
        interruptPause()
    }

    /// Looks now and a few times more. Commits that follow each other closely share their checks.
    private func scheduleChecks() {
        let now = ContinuousClock.now
        state.withLock { state in
            if state.looks.count < 2 * Self.delays.count {
                state.looks += Self.delays.map { now.advanced(by: $0) }
                state.looks.sort()
            } else {
                state.looks[state.looks.count - 1] = now.advanced(by: Self.delays.last ?? .zero)
            }
        }
    }

    package func cancel() {
        state.withLock { $0.isCancelled = true }
        interruptPause()
    }

    private func interruptPause() {
        // A pipe that is full wakes the thread just as well.
        withUnsafeBytes(of: UInt8(1)) { _ = write(writer, $0.baseAddress, 1) }
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }
}

// MARK: The thread

extension PostgreSQLChangeWaker {
    private func run() {
        var failures = 0
        while !isCancelled {
            do {
                let connection = try PostgreSQLConnection(address, options: options)
                if canListen { try connection.listen(to: channel) }
                if failures > 0 { didLose() }
                failures = 0
                wake(.committed)
                try follow(connection)
            } catch {
                if failures == 0, !isCancelled {
                    DiagnosticLog.warn(
                        "OpenCoreData.PostgreSQL",
                        "The feed of changes is interrupted and looks once a second: \(error)")
                }
                failures += 1
                pauseWithoutConnection(failures)
            }
        }
    }

    private func follow(_ connection: PostgreSQLConnection) throws {
        var lastSent = ContinuousClock.now.advanced(by: .seconds(-1))
        var lastLook = ContinuousClock.now.advanced(by: .zero - Self.shortestPauseOfLooks)
        let longestPause = canListen ? Self.longestPause : Self.longestPauseWithoutListening
        while !isCancelled {
            let now = ContinuousClock.now
            let due = state.withLock { state in
                let send = state.unsent == nil ? nil : lastSent.advanced(by: Self.shortestPause)
                let look = state.looks.first.map { max($0, lastLook.advanced(by: Self.shortestPauseOfLooks)) }
                return [lastLook.advanced(by: longestPause), look, send].compactMap { $0 }.min() ?? now
            }
            try connection.wait(orUntilReadable: reader, milliseconds: Self.milliseconds(now.duration(to: due)))
            drain()
            let own = connection.serverProcess
            let isNotified = connection.notifications().contains { $0.serverProcess != own }
            // An older transaction may still hold back what the notification is about.
            if isNotified { scheduleChecks() }
            var isDue = isNotified
            if lastLook.duration(to: .now) >= Self.shortestPauseOfLooks, performDueChecks() { isDue = true }
            if isDue || lastLook.duration(to: .now) >= longestPause {
                lastLook = .now
                wake(.committed)
            }
            if lastSent.duration(to: .now) >= Self.shortestPause, let number = takeUnsent() {
                lastSent = .now
                try send(number, connection)
            }
        }
    }

    private func send(_ number: Int64, _ connection: PostgreSQLConnection) throws {
        do {
            // A transaction that notifies is written to the log. Nothing waits for the disk because of that, and so no
            // save has to wait for one more write than its own.
            try connection.pipeline([
                .begin, PostgreSQLStatement("SET LOCAL synchronous_commit = off"),
                PostgreSQLStatement(
                    "SELECT pg_notify($1, $2)", PostgreSQLParameters([.text(channel), .text(String(number))])), .commit,
            ])
        } catch {
            // The others look once a second anyway; the next connection notifies them earlier.
            state.withLock { $0.unsent = max($0.unsent ?? .min, number) }
            throw error
        }
    }

    /// Looks without notifications, until the next attempt to connect.
    private func pauseWithoutConnection(_ failures: Int) {
        let pause = min(5000, 50 << min(failures, 7))
        let end = ContinuousClock.now.advanced(by: .milliseconds(pause))
        while !isCancelled, ContinuousClock.now < end {
            let next = state.withLock { $0.looks.first }
            let due =
                [end, next, ContinuousClock.now.advanced(by: Self.longestPause)].compactMap { $0 }.min() ?? end
            var descriptor = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            _ = poll(&descriptor, 1, Int32(clamping: Self.milliseconds(ContinuousClock.now.duration(to: due))))
            drain()
            _ = performDueChecks()
            if !isCancelled { wake(.committed) }
        }
    }

    /// Performs the checks that are due.
    private func performDueChecks() -> Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            let due = state.looks.prefix { $0 <= now }.count
            state.looks.removeFirst(due)
            return due > 0
        }
    }

    private func takeUnsent() -> Int64? {
        state.withLock { state in
            defer { state.unsent = nil }
            return state.unsent
        }
    }

    private func drain() {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            while read(reader, buffer.baseAddress, buffer.count) > 0 {}
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        guard duration > .zero else { return 0 }
        // Rounded up: not to wake just before the time.
        return Int(duration.components.seconds) * 1000
            + Int((duration.components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
#endif
