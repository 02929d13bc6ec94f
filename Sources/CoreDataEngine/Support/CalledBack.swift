/// Waiting, in asynchronous code, for what calls back.
package enum CalledBack {
    /// Starts something and waits until it calls back.
    ///
    /// Without a continuation that throws: after one, optimized code (Swift 6.3) goes on where the call came from instead of
    /// where the caller is isolated, such as the main actor.
    ///
    /// - Parameter start: Given what is to be called, once, on any thread.
    /// - Throws: The error that it was called with.
    package static func value<Value: Sendable>(
        _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) async throws -> Value {
        let result = await withCheckedContinuation { continuation in start { continuation.resume(returning: $0) } }
        return try result.get()
    }
}
