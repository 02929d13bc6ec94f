#if PostgreSQL
import Foundation
import Synchronization

/// A running `ServerWorker` and the lines that it has written: the one that was built with the tests, or that of
/// `OPENCOREDATA_POSTGRESQL_WORKER`, which may be an optimized build.
final class WorkerProcess: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let state = Mutex((lines: [String](), isOver: false))
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ arguments: [String]) throws {
        let own = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
            .deletingLastPathComponent().appendingPathComponent("ServerWorker")
        let other = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL_WORKER"]
        process.executableURL = other.map { URL(fileURLWithPath: $0) } ?? own
        process.arguments = arguments
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        Thread { [self] in
            var rest: [UInt8] = []
            while true {
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { break }
                rest += data
                var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Array(lines.removeLast())
                let new = lines.map { String(decoding: $0, as: UTF8.self) }
                state.withLock { $0.lines += new }
            }
            state.withLock { $0.isOver = true }
            hasEnded.signal()
        }.start()
    }

    var lines: [String] { state.withLock { $0.lines } }

    func tell(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

    /// The first line that begins so, once it is there.
    func line(_ start: String, within seconds: Double = 30) -> String? {
        let end = ContinuousClock.now.advanced(by: .seconds(seconds))
        while true {
            let (found, isOver) = state.withLock { state in
                (state.lines.first { $0.hasPrefix(start) }, state.isOver)
            }
            if found != nil || isOver || ContinuousClock.now > end { return found }
            usleep(500)
        }
    }

    /// Ends the process as nothing can prevent, and waits until all that it wrote is there.
    @discardableResult
    func kill() -> [String] {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        hasEnded.wait()
        return lines
    }

    func waitForEnd() {
        hasEnded.wait()
        process.waitUntilExit()
    }
}
#endif
