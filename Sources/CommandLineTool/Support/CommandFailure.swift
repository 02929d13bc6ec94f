/// A request that failed: a sentence that names the thing.
struct CommandFailure: Error, CustomStringConvertible {
    var description: String
    /// How the command ends.
    var exitCode: Int32 = 1

    init(_ description: String) {
        self.description = description
    }

    /// An error with a sentence about what became of the files behind it.
    ///
    /// - Returns: `error` itself where there is nothing to be said.
    static func adding(_ outcome: String, to error: any Error) -> any Error {
        if error is ClosedPipe { return error }
        var failure = CommandFailure("\(Sentence.text(of: error)) \(outcome)")
        failure.exitCode = (error as? Interruption)?.exitCode ?? (error as? CommandFailure)?.exitCode ?? 1
        return failure
    }
}
