import Foundation
import StoreTools
import Synchronization

/// What goes to people rather than into a pipe.
enum StandardError {
    /// Whether the last line on the screen is a progress bar.
    private static let hasBar = Atomic<Bool>(false)

    /// Writes a message on a line of its own, safe for terminals.
    static func writeLine(_ text: String) {
        removeBar()
        let lines = HangingText.lines("", text, fitting: TerminalSize.columns(of: STDERR_FILENO))
        write(lines.joined(separator: "\n") + "\n")
    }

    /// Writes a message of several lines, safe for terminals.
    static func writeLines(_ text: String) {
        removeBar()
        write(TerminalText.lines(text) + "\n")
    }

    /// Shows a progress bar in the place of the last one.
    static func showBar(_ text: String) {
        hasBar.store(true, ordering: .relaxed)
        write("\r" + text + "\u{1B}[K")
    }

    /// Takes the progress bar off the screen.
    static func removeBar() {
        if hasBar.exchange(false, ordering: .relaxed) { write("\r\u{1B}[K") }
    }

    private static func write(_ text: String) {
        // A closed standard error must not end the command.
        try? SystemFile.writeAll(Array(text.utf8), to: STDERR_FILENO)
    }
}
