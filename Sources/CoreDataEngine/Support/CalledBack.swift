/// Waiting, in asynchronous code, for what calls back.
package enum CalledBack {
    /// Calls `start` and waits until its callback is called.
    ///
    /// It doesn't use a throwing continuation: after one, optimized code (Swift 6.3) continues where the call came from
    /// instead of where the caller is isolated, such as the main actor.
    ///
    /// - Parameter start: Receives the callback, which it has to call once, on any thread.
    /// - Throws: The error that the callback receives.
    package static func value<Value: Sendable>(
        _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) async throws -> Value {
        let result = await withCheckedContinuation { continuation in start { continuation.resume(returning: $0) } }
        return try result.get()
    }
}
