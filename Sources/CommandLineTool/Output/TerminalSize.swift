import Foundation

/// The size of the terminal that a file descriptor leads to.
enum TerminalSize {
    /// Whether the terminal understands how to clear a line, which a `dumb` one doesn't.
    static var canClearLines: Bool { ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// The columns of the terminal; nil for what is no terminal.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
