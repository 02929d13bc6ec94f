import Foundation
import Testing

/// The command `sqlite3`, which knows nothing of this project.
enum SQLite3 {
    /// Runs a statement on a file.
    ///
    /// - Returns: What the command prints: columns separated by `|`, without the last line end.
    @discardableResult
    static func run(_ sql: String, on path: String) throws -> String {
        let result = try CommandRunner.run(program: URL(fileURLWithPath: "/usr/bin/sqlite3"), [path, sql])
        #expect(result.status == 0, "\(result.errors)")
        return result.output.trimmingCharacters(in: .newlines)
    }
}
