import Foundation

/// Runs the built command.
enum CommandRunner {
    /// The names of the files in a folder, but for the logs that stay beside stores after they were closed.
    static func files(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
    }

    struct Result {
        var status: Int32
        var output: String
        var errors: String
        /// Whether a signal ended the command.
        var wasKilled: Bool

        /// The output as JSON, read by Foundation and not by the command's own parser.
        func json() throws -> Any {
            try JSONSerialization.jsonObject(with: Data(output.utf8), options: [.fragmentsAllowed])
        }
    }

    /// The command stands beside the tests' own program.
    static let executable: URL = {
        let tests = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        return tests.deletingLastPathComponent().appendingPathComponent("opencoredata")
    }()

    static var isBuilt: Bool {
        #if CommandLineTool
        FileManager.default.isExecutableFile(atPath: executable.path)
        #else
        false
        #endif
    }

    /// Runs the command to its end.
    @discardableResult
    static func run(
        program: URL = executable, _ arguments: [String], input: Data? = nil
    ) throws -> Result {
        let process = try start(program: program, arguments, input: input)
        return try finish(process)
    }

    @discardableResult
    static func run(_ arguments: String...) throws -> Result { try run(arguments) }

    /// A running command, with the files that take its output: it would stop at a full pipe.
    struct Running {
        let process: Process
        let output: URL
        let errors: URL
    }

    static func start(program: URL = executable, _ arguments: [String], input: Data? = nil) throws -> Running {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("opencoredata-\(UUID().uuidString)")
        let (output, errors) = (base.appendingPathExtension("out"), base.appendingPathExtension("err"))
        for url in [output, errors] { try Data().write(to: url) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        if let input {
            let file = base.appendingPathExtension("in")
            try input.write(to: file)
            process.standardInput = try FileHandle(forReadingFrom: file)
            try FileManager.default.removeItem(at: file)
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        try process.run()
        return Running(process: process, output: output, errors: errors)
    }

    /// Waits for the end of a command; one that hangs is killed.
    static func finish(_ running: Running, within seconds: TimeInterval = 300) throws -> Result {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while running.process.isRunning, Date() < deadline { Thread.sleep(forTimeInterval: 0.002) }
        if running.process.isRunning { kill(running.process.processIdentifier, SIGKILL) }
        running.process.waitUntilExit()
        defer {
            for url in [running.output, running.errors] { try? FileManager.default.removeItem(at: url) }
        }
        return Result(
            status: running.process.terminationStatus,
            output: try String(contentsOf: running.output, encoding: .utf8),
            errors: try String(contentsOf: running.errors, encoding: .utf8),
            wasKilled: running.process.terminationReason == .uncaughtSignal)
    }
}
