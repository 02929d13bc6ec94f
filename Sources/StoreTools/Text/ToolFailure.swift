/// A request that failed: a sentence that names the thing.
package struct ToolFailure: Error, CustomStringConvertible {
    package var description: String
    /// What went wrong underneath, where the sentence was made from another error.
    package var cause: (any Error)?

    package init(_ description: String, cause: (any Error)? = nil) {
        self.description = description
        self.cause = cause
    }
}
