import Foundation

/// This command once more, for figures of a process of its own.
enum ChildProcess {
    /// A process that has not been started.
    static func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        return process
    }

    /// The number that the command prints with the arguments.
    ///
    /// - Parameter task: What it is to do, for the error.
    static func number(_ arguments: [String], task: String) throws -> Int {
        let process = Self.process(arguments)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let string = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard process.terminationStatus == 0, let number = Int(string) else {
            throw ChildFailure(task: task, status: Int(process.terminationStatus))
        }
        return number
    }
}

/// A child process that did not answer.
struct ChildFailure: Error, CustomStringConvertible {
    let task: String
    let status: Int

    var description: String { "\(task) in a child process ended with status \(status)" }
}
