import Foundation
import Synchronization

/// The recorded digests of the worlds that the tests make by default, in `Statements/digests.txt`.
///
/// `OPENCOREDATA_RECORD_STATEMENTS=1` records what the tests find instead of comparing it, for a change that is meant
/// to change SQL. `OPENCOREDATA_STATEMENTS_FOLDER` names a folder that gets a file with the statements of each world:
/// those of two builds can be compared.
enum RecordedStatements {
    private static let environment = ProcessInfo.processInfo.environment
    static let isRecording = environment["OPENCOREDATA_RECORD_STATEMENTS"] != nil
    private static let folder = environment["OPENCOREDATA_STATEMENTS_FOLDER"]
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Statements/digests.txt")

    /// Lines are `world`, number of statements, hash.
    private static let recorded: Mutex<[String: String]?> = Mutex(nil)

    static func makeDigest() -> StatementDigest { StatementDigest(keepsTexts: folder != nil) }

    /// Compares the statements of a world with the recorded ones.
    ///
    /// - Returns: What differs, or nil; nil also for a world that is not among the recorded ones.
    static func check(_ world: String, _ digest: StatementDigest) throws -> String? {
        if let folder {
            try digest.texts.joined(separator: "\n").write(
                to: URL(fileURLWithPath: folder).appendingPathComponent("\(world).sql"), atomically: true,
                encoding: .utf8)
        }
        return try recorded.withLock { lines in
            var known = try lines ?? read()
            defer { lines = known }
            if isRecording {
                known[world] = digest.summary
                try write(known)
                return nil
            }
            guard let expected = known[world], expected != digest.summary else { return nil }
            return "SQL is not what it was: \(digest.summary) instead of \(expected); see RecordedStatements"
        }
    }

    /// How many worlds are recorded.
    static func count() throws -> Int {
        try recorded.withLock { lines in
            let known = try lines ?? read()
            lines = known
            return known.count
        }
    }

    private static func read() throws -> [String: String] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return Dictionary(
            lines.map { line in
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                return (parts[0], parts[parts.count - 1])
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func write(_ lines: [String: String]) throws {
        let string = lines.map { "\($0.key) \($0.value)\n" }.sorted().joined()
        try string.write(to: file, atomically: true, encoding: .utf8)
    }
}
