import Foundation

/// The reader of the output has ended, such as `head`. That isn't worth a message.
struct ClosedPipe: Error {
    /// Ends the command as the system ends one that writes into such a pipe.
    static func endProcess() -> Never {
        _ = signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        exit(128 + SIGPIPE)
    }
}
