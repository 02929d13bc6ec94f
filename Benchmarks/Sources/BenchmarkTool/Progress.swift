import Foundation

/// One line on the terminal that says what is going on; nothing when the output goes elsewhere.
enum Progress {
    static func show(_ string: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(string)".utf8))
    }
}
