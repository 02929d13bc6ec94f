import Synchronization

/// Counts what is going on in a database, so that `settle` can wait for it, and `erase` and `close` can be alone.
package final class OperationGate: Sendable {
    private struct Waiter {
        var remaining: Set<Int>
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var isClosed = false
        var running: Set<Int> = []
        var next = 0
        /// Whether an exclusive operation is running or waiting.
        var isExclusive = false
        var outside: [CheckedContinuation<Void, Never>] = []
        var settling: [Waiter] = []
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
            state.next += 1
            state.running.insert(state.next)
            return .some(state.next)
        }
        guard let number else { throw DatabaseError.closed(name: name) }
        return number
    }

    /// Ends an operation.
    package func leave(_ number: Int) {
        let ready: [CheckedContinuation<Void, Never>] = state.withLock { state in
            state.running.remove(number)
            for index in state.settling.indices { state.settling[index].remaining.remove(number) }
            let done = state.settling.filter(\.remaining.isEmpty).map(\.continuation)
            state.settling.removeAll(where: \.remaining.isEmpty)
            return done
        }
        for continuation in ready { continuation.resume() }
    }

    /// Waits for the operations that have begun.
    package func settle() async {
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                if state.running.isEmpty { return true }
                state.settling.append(Waiter(remaining: state.running, continuation: continuation))
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
