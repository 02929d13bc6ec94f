import Foundation
import StoreTools
import Synchronization

/// What goes to people rather than into a pipe.
enum StandardError {
    /// Whether the last line on the screen is a progress bar.
    private static let hasBar = Mutex(false)

    /// Writes a message on a line of its own, safe for terminals.
    static func writeLine(_ string: String) {
        let lines = HangingText.lines("", string, fitting: TerminalSize.columns(of: STDERR_FILENO))
        writeMessage(lines.joined(separator: "\n") + "\n")
    }

    /// Writes a message of several lines, safe for terminals.
    static func writeLines(_ string: String) {
        writeMessage(TerminalText.lines(string) + "\n")
    }

    /// Writes what an answer follows on the same line.
    static func writePrompt(_ string: String) { writeMessage(TerminalText.line(string)) }

    /// Shows a progress bar instead of the last one.
    static func showBar(_ string: String) {
        hasBar.withLock { hasBar in
            hasBar = true
            write("\r" + string + "\u{1B}[K")
        }
    }

    /// Takes the progress bar off the screen.
    static func removeBar() { writeMessage("") }

    /// Replaces the progress bar, if one is shown.
    private static func writeMessage(_ string: String) {
        hasBar.withLock { hasBar in
            write((hasBar ? "\r\u{1B}[K" : "") + string)
            hasBar = false
        }
    }

    private static func write(_ string: String) {
        // A closed standard error must not end the command.
        try? SystemFile.writeAll(Array(string.utf8), to: STDERR_FILENO)
    }
}
