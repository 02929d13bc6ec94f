import Foundation

/// The program that a user reads long output with, by the environment variable `PAGER`.
final class Pager {
    /// What the program reads.
    let descriptor: Int32
    private let stream: UnsafeMutablePointer<FILE>
    private var hasEnded = false

    /// Whether the user has chosen one.
    static var isChosen: Bool { command != nil }

    private static var command: String? {
        let command = ProcessInfo.processInfo.environment["PAGER"]?.trimmingCharacters(in: .whitespaces)
        return command?.isEmpty == false ? command : nil
    }

    /// Starts the program; `nil` if the user has chosen none or it can't be started.
    init?() {
        guard let command = Self.command else { return nil }
        // As other programs have it: less ends by itself where all fits on the screen, and doesn't fold long lines.
        setenv("LESS", "FRSX", 0)
        guard let stream = popen(command, "w") else { return nil }
        self.stream = stream
        descriptor = fileno(stream)
        // Ctrl-C is for the pager, which stays.
        _ = signal(SIGINT, SIG_IGN)
    }

    /// Ends the output, and waits until the user has read it.
    func wait() {
        guard !hasEnded else { return }
        hasEnded = true
        pclose(stream)
    }
}
