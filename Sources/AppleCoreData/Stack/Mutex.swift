#if canImport(ObjectiveC)
import Foundation

/// A value that one thread uses at a time, as `Synchronization.Mutex`, which exists from iOS 18 and macOS 15 on.
// @unchecked Sendable because `value` is used under `lock` alone.
package final class Mutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ initialValue: sending Value) { value = initialValue }

    /// Runs a block that has the value for itself.
    ///
    /// - Parameter body: The block. It must not use the same mutex.
    /// - Returns: The result of the block.
    /// - Throws: The error of the block.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
#endif
