import StoreTools

extension ToolFailure {
    /// Adds a sentence to an error that says what happened to the files.
    ///
    /// - Returns: `error` itself if there is nothing to add.
    static func adding(_ outcome: String, to error: any Error) -> any Error {
        if error is ClosedPipe { return error }
        return ToolFailure("\(sentence(of: error)) \(outcome)", cause: error)
    }

    /// The sentence for any error of a command.
    static func sentence(of error: any Error) -> String {
        error is Interruption ? "Interrupted." : Sentence.string(of: error)
    }

    /// The code that a command ends with after an error.
    static func exitCode(of error: any Error) -> Int32 {
        if let interruption = error as? Interruption { return interruption.exitCode }
        return (error as? ToolFailure)?.cause.map(exitCode) ?? 1
    }
}
