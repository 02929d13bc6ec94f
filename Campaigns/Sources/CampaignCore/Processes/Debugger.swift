import Foundation

/// Finds out where a program dies when the runtime's own backtrace says nothing.
enum Debugger {
    private static let path = ["/usr/bin/gdb", "/usr/local/bin/gdb"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The frames of the thread that dies; nil where there is no debugger or the program does not die.
    static func backtrace(_ program: URL, _ arguments: [String], atMostSeconds seconds: Double = 180) -> String? {
        guard let path, let folder = try? Scratch.folder() else { return nil }
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appendingPathComponent("output")
        let words = ["-q", "-batch", "-ex", "run", "-ex", "bt 40", "--args", program.path] + arguments
        let process = try? ChildProcess(
            URL(fileURLWithPath: path), words, environment: ["SWIFT_BACKTRACE": "enable=no"], output: output)
        _ = process?.wait(atMostSeconds: seconds)
        let string = String(decoding: (try? Data(contentsOf: output)) ?? Data(), as: UTF8.self)
        let frames = string.split(separator: "\n").filter { $0.hasPrefix("#") }
        return frames.isEmpty ? nil : frames.map { String($0.prefix(400)) }.joined(separator: "\n")
    }

    /// The files and lines of the frames, the innermost first.
    static func functions(_ backtrace: String) -> [String] {
        backtrace.split(separator: "\n").compactMap { line in
            line.range(of: #"[^/ ]+\.swift:\d+$"#, options: .regularExpression).map { String(line[$0]) }
        }
    }
}
