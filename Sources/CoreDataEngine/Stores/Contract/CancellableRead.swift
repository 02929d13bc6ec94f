import Foundation
import Synchronization

/// What stops a statement that a store runs for a reader, from another thread.
package protocol ReadInterrupter: AnyObject, Sendable {
    /// Makes the statement that runs now fail; does nothing when none runs.
    func interrupt()
}

/// A search of stores, or a migration, that another thread may stop.
///
/// While it runs, every connection that reads for it is interrupted by `cancel`, and asks now and then whether it
/// was, so that no statement which begins just then is missed.
// @unchecked Sendable because `rowCount` is used by the thread that reads alone; the rest is behind `state`'s lock.
package final class CancellableRead: @unchecked Sendable {
    private enum Stage {
        case running, cancelled
        /// What runs can't be undone any longer.
        case final
    }

    private struct State {
        var stage = Stage.running
        var interrupters: [any ReadInterrupter] = []
    }

    /// The search that this thread reads for.
    @TaskLocal package static var current: CancellableRead?

    private let state = Mutex(State())
    /// Called on the reading thread with the number of rows so far.
    private let onRows: (@Sendable (Int) -> Void)?
    /// Reports how many rows the present statement has given.
    package var rowCount: (() -> Int)?

    package init(onRows: (@Sendable (Int) -> Void)? = nil) { self.onRows = onRows }

    package var isCancelled: Bool { state.withLock { $0.stage == .cancelled } }

    /// Stops the search. What runs ends with an error at once.
    package func cancel() {
        let interrupters = state.withLock { state -> [any ReadInterrupter] in
            guard state.stage != .final else { return [] }
            state.stage = .cancelled
            return state.interrupters
        }
        for interrupter in interrupters { interrupter.interrupt() }
    }

    /// Runs the search on this thread.
    ///
    /// - Throws: The search's error, or `CocoaError.userCancelled`.
    package func run<Result>(_ search: () throws -> Result) throws -> Result {
        defer { rowCount = nil }
        try check()
        let result = try Self.$current.withValue(self) { try search() }
        try check()
        return result
    }

    /// Runs a block that says itself from where on it can't be stopped any longer.
    ///
    /// - Throws: The block's error, or `CocoaError.userCancelled`.
    package func runUntilFinal<Result>(_ body: () throws -> Result) throws -> Result {
        defer { rowCount = nil }
        try check()
        return try Self.$current.withValue(self) { try body() }
    }

    /// Runs the part of a block, on this thread, from where on it can't be stopped any longer.
    package static func withoutStopping<Result>(_ body: () throws -> Result) throws -> Result {
        try current?.check()
        return try $current.withValue(nil) { try body() }
    }

    /// Makes `cancel` do nothing from now on, and undoes what it has done: what runs can't be undone any longer.
    package func becomeFinal() { state.withLock { $0.stage = .final } }

    /// Throws `CocoaError.userCancelled` when the search was stopped.
    package func check() throws {
        if isCancelled { throw CocoaError(.userCancelled) }
    }

    /// Lets `cancel` interrupt a connection from now on.
    ///
    /// - Returns: Whether it didn't already: a read may stand inside of a read of the same connection.
    package func begin(with interrupter: any ReadInterrupter) -> Bool {
        state.withLock { state in
            guard !state.interrupters.contains(where: { $0 === interrupter }) else { return false }
            state.interrupters.append(interrupter)
            return true
        }
    }

    /// Ends what `begin(with:)` began.
    package func end(with interrupter: any ReadInterrupter) {
        state.withLock { state in state.interrupters.removeAll { $0 === interrupter } }
    }

    /// To be called now and then by what reads.
    ///
    /// - Returns: Whether the statement is to stop.
    package func tick() -> Bool {
        if let rowCount { onRows?(rowCount()) }
        return isCancelled
    }
}
