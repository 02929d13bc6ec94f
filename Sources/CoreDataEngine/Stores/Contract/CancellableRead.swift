import CSQLite
import Foundation
import Synchronization

/// A search of stores that another thread may stop.
///
/// While the search runs, every connection that reads for it is interrupted by `cancel`, and asks now and then whether it
/// was, so that no statement which begins just then is missed.
// @unchecked Sendable because `reader` is used by the thread that reads alone; the rest is behind `state`'s lock.
final class CancellableRead: @unchecked Sendable {
    private struct State {
        var isCancelled = false
        var interrupters: [SQLiteInterruptHandle] = []
    }

    /// The search that this thread reads for.
    @TaskLocal static var current: CancellableRead?

    private let state = Mutex(State())
    /// Called on the reading thread with the number of rows so far.
    private let onRows: (@Sendable (Int) -> Void)?
    /// Where rows go at present, to count them.
    var reader: RowReader?

    /// How many of SQLite's instructions may run between two looks.
    private static let instructions: Int32 = 4_000

    init(onRows: (@Sendable (Int) -> Void)? = nil) { self.onRows = onRows }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Stops the search. What runs ends with an error at once.
    func cancel() {
        let interrupters = state.withLock { state in
            state.isCancelled = true
            return state.interrupters
        }
        for interrupter in interrupters { interrupter.interrupt() }
    }

    /// Runs the search on this thread.
    ///
    /// - Throws: The search's error, or `CocoaError.userCancelled`.
    func run<Result>(_ search: () throws -> Result) throws -> Result {
        defer { reader = nil }
        try check()
        let result = try Self.$current.withValue(self) { try search() }
        try check()
        return result
    }

    private func check() throws {
        if isCancelled { throw CocoaError(.userCancelled) }
    }

    /// Runs a block that uses a connection; the search of this thread, if there is one, can be stopped meanwhile.
    @inline(__always)
    static func reading<Result>(_ connection: SQLiteConnection, _ body: () throws -> Result) throws -> Result {
        guard let current else { return try body() }
        return try current.reading(connection, body)
    }

    private func reading<Result>(_ connection: SQLiteConnection, _ body: () throws -> Result) throws -> Result {
        try check()
        let isNew = state.withLock { state in
            guard !state.interrupters.contains(where: { $0 === connection.interrupter }) else { return false }
            state.interrupters.append(connection.interrupter)
            return true
        }
        // A read inside of a read of the same connection.
        guard isNew else { return try body() }
        sqlite3_progress_handler(
            connection.handle, Self.instructions,
            { box in
                guard let box else { return 0 }
                return Unmanaged<CancellableRead>.fromOpaque(box).takeUnretainedValue().tick() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer {
            sqlite3_progress_handler(connection.handle, 0, nil, nil)
            state.withLock { state in state.interrupters.removeAll { $0 === connection.interrupter } }
        }
        return try body()
    }

    /// - Returns: Whether the statement is to stop.
    private func tick() -> Bool {
        if let reader { onRows?(reader.slab.count) }
        return isCancelled
    }
}
