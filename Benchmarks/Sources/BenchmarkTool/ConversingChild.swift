import Foundation

/// This command once more, which answers one line after the other until it is let go.
///
/// Lines are read from its output as they come, so that only the requested work runs in the meantime.
final class ConversingChild {
    private let process: Process
    private let input = Pipe()
    private let output = Pipe()
    private var pending = Data()
    private let task: String

    /// - Parameter task: What it is to do, for the error.
    init(_ arguments: [String], task: String) throws {
        self.task = task
        process = ChildProcess.process(arguments)
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Ends the child, which has nothing to read any more.
    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The number with which the child answers a line.
    func number(for line: String) throws -> Int {
        // A child that is gone would end this process with SIGPIPE otherwise.
        guard process.isRunning else { throw failure }
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
        while !pending.contains(UInt8(ascii: "\n")) {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { throw failure }
            pending.append(part)
        }
        defer { pending.removeAll() }
        guard let number = Int(String(decoding: pending, as: UTF8.self).trimmingCharacters(in: .newlines)) else {
            throw failure
        }
        return number
    }

    private var failure: ChildFailure {
        process.waitUntilExit()
        return ChildFailure(task: task, status: Int(process.terminationStatus))
    }
}
