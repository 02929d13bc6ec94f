import Foundation
import StoreTools
import Synchronization

/// What goes to people rather than into a pipe.
enum StandardError {
    /// Whether the last line on the screen is a progress bar.
    private static let hasBar = Mutex(false)

    /// Writes a message on a line of its own, safe for terminals.
    static func writeLine(_ text: String) {
        let lines = HangingText.lines("", text, fitting: TerminalSize.columns(of: STDERR_FILENO))
        writeMessage(lines.joined(separator: "\n") + "\n")
    }

    /// Writes a message of several lines, safe for terminals.
    static func writeLines(_ text: String) {
        writeMessage(TerminalText.lines(text) + "\n")
    }

    /// Shows a progress bar in the place of the last one.
    static func showBar(_ text: String) {
        hasBar.withLock { hasBar in
            hasBar = true
            write("\r" + text + "\u{1B}[K")
        }
    }

    /// Takes the progress bar off the screen.
    static func removeBar() { writeMessage("") }

    /// Writes in the place of the progress bar, where there is one.
    private static func writeMessage(_ text: String) {
        hasBar.withLock { hasBar in
            write((hasBar ? "\r\u{1B}[K" : "") + text)
            hasBar = false
        }
    }

    private static func write(_ text: String) {
        // A closed standard error must not end the command.
        try? SystemFile.writeAll(Array(text.utf8), to: STDERR_FILENO)
    }
}
