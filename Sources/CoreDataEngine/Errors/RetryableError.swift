/// An error that may not come again when the same transaction is run again: others were in its way.
package protocol RetryableError: Error {
    /// Whether that is so.
    var isRetryable: Bool { get }
}
