import Dispatch
import Foundation
import Synchronization

/// Waits for asynchronous work in code that has a thread to itself.
enum Waiting {
    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    /// Runs asynchronous work, and waits for it. Not to be called on the main queue, which the work may need.
    ///
    /// - Throws: What the work throws.
    @discardableResult
    static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        precondition(!Thread.isMainThread, "The main queue would wait for itself.")
        let outcome = Outcome<Value>()
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            outcome.result.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = outcome.result.withLock({ $0 }) else { preconditionFailure("The work has no outcome.") }
        return try result.get()
    }
}
