public import Foundation

/// The `sqlite3` command: what a reader with no knowledge of this project makes of a file.
public enum SQLiteShell {
    /// A statement that the command refused.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private static let path = [
        "/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3", "/bin/sqlite3",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether the machine has the command.
    public static var isAvailable: Bool { path != nil }

    /// Runs SQL on a file, or on the tables of a server by the names that they have in a file.
    ///
    /// - Returns: what the command prints, columns separated by `|`, without the last line end.
    @discardableResult
    public static func run(_ sql: String, on url: URL) throws -> String {
        guard url.isFileURL else { return try ServerShell.run(sql, on: url) }
        guard let path else { throw Failure(description: "This machine has no sqlite3 command.") }
        // A store that has just been closed may be written out by a thread that ends in a moment.
        return try answer(of: path, ["-batch", "-cmd", ".timeout 5000", url.path, sql], input: "")
    }

    /// Runs a command, and returns what it prints, without the last line end.
    ///
    /// - Throws: `Failure` with what it says when it refuses.
    static func answer(of path: String, _ arguments: [String], input: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let (source, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = source
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        if !input.isEmpty { try source.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try source.fileHandleForWriting.close()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        let message = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: String(decoding: message, as: UTF8.self))
        }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
