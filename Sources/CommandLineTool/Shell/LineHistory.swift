import Foundation

/// The lines that were typed, kept in a file that only the user can read.
final class LineHistory {
    private static let mostLines = 1_000

    private(set) var lines: [String]
    private let path: String

    init() {
        let environment = ProcessInfo.processInfo.environment
        path =
            environment["OPENCOREDATA_HISTORY"]
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".opencoredata_history").path
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        lines = text.split(separator: "\n").suffix(Self.mostLines).map(String.init)
    }

    /// Keeps a line, unless it is empty, begins with a space, or is the last one again.
    func append(_ line: String) {
        guard let first = line.first, first != " ", line != lines.last, !line.contains("\n") else { return }
        lines.append(line)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array((line + "\n").utf8)
        // A history that can't be kept is no reason to stop.
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
