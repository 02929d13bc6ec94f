import DequeModule
import Synchronization

/// Counts what is going on in a database, so that `settle` can wait for it, and `erase` and `close` can be alone.
package final class OperationGate: Sendable {
    private struct Waiter {
        /// It waits for the operations of this phase and of those before.
        let phase: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var isClosed = false
        /// How many operations of each phase are running, from `firstPhase` on. A phase ends when a caller waits for
        /// its operations.
        var running: Deque<Int> = [0]
        var firstPhase = 0
        /// Whether an exclusive operation is running or waiting.
        var isExclusive = false
        var outside: [CheckedContinuation<Void, Never>] = []
        var settling: [Waiter] = []

        /// Adds an operation to the present phase, which is returned.
        mutating func enter() -> Int {
            running[running.count - 1] += 1
            return firstPhase + running.count - 1
        }

        mutating func leave(_ phase: Int) {
            running[phase - firstPhase] -= 1
            while running.count > 1, running[0] == 0 {
                running.removeFirst()
                firstPhase += 1
            }
        }

        /// - Returns: The phase that has ended; `nil` if no operation is running.
        mutating func endPhase() -> Int? {
            if running.count == 1, running[0] == 0 { return nil }
            running.append(0)
            return firstPhase + running.count - 2
        }
    }

    private let name: String
    private let state = Mutex(State())

    package init(name: String) { self.name = name }

    /// Begins an operation, after exclusive operations have ended.
    ///
    /// - Returns: What ``leave(_:)`` needs.
    /// - Throws: ``DatabaseError/closed(name:)``.
    package func enter() async throws -> Int {
        while true {
            if let number = try enterNow() { return number }
            await waitUntilShared()
        }
    }

    /// Begins an operation at once.
    ///
    /// - Returns: What ``leave(_:)`` needs; `nil` if an exclusive operation is running.
    package func enterNow() throws -> Int? {
        let number: Int?? = state.withLock { state in
            if state.isClosed { return .none }
            if state.isExclusive { return .some(nil) }
            return .some(state.enter())
        }
        guard let number else { throw DatabaseError.closed(name: name) }
        return number
    }

    /// Ends an operation.
    package func leave(_ number: Int) {
        let ready: [CheckedContinuation<Void, Never>] = state.withLock { state in
            state.leave(number)
            guard !state.settling.isEmpty else { return [] }
            let first = state.firstPhase
            let done = state.settling.filter { $0.phase < first }.map(\.continuation)
            state.settling.removeAll { $0.phase < first }
            return done
        }
        for continuation in ready { continuation.resume() }
    }

    /// Waits for the operations that have begun.
    package func settle() async {
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                guard let phase = state.endPhase() else { return true }
                state.settling.append(Waiter(phase: phase, continuation: continuation))
                return false
            }
            if isSettled { continuation.resume() }
        }
    }

    /// Runs an operation exclusively. Operations that begin in the meantime wait.
    ///
    /// - Throws: ``DatabaseError/closed(name:)``, or the error of the block.
    package func alone<Result>(_ body: () async throws -> Result) async throws -> Result {
        while try !takeAll() { await waitUntilShared() }
        defer { giveBack() }
        await settle()
        return try await body()
    }

    /// Refuses everything from now on.
    package func close() { state.withLock { $0.isClosed = true } }

    private func takeAll() throws -> Bool {
        let taken: Bool? = state.withLock { state in
            if state.isClosed { return nil }
            if state.isExclusive { return false }
            state.isExclusive = true
            return true
        }
        guard let taken else { throw DatabaseError.closed(name: name) }
        return taken
    }

    private func giveBack() {
        let waiting = state.withLock { state in
            state.isExclusive = false
            defer { state.outside = [] }
            return state.outside
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until no exclusive operation is running.
    private func waitUntilShared() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if !state.isExclusive { return true }
                state.outside.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }
}
