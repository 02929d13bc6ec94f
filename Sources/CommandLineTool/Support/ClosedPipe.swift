import Foundation

/// Nobody reads the output any more, as when it goes to `head`: no reason for a message.
struct ClosedPipe: Error {
    /// Ends the command as the system ends one that writes into such a pipe.
    static func endProcess() -> Never {
        _ = signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        exit(128 + SIGPIPE)
    }
}
