import Foundation

/// What goes to people rather than into a pipe.
enum StandardError {
    static func write(_ text: String) {
        // A closed standard error must not end the command.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
