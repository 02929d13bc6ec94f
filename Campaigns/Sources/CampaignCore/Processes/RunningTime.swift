import Foundation
import Glibc

/// How long a process has been running, without the time in which it had to wait for a processor.
///
/// On a machine with other work, a process of low priority may wait for minutes; it doesn't hang then. A process that waits
/// for a lock or for input isn't waiting for a processor.
struct RunningTime {
    /// In seconds.
    private(set) var seconds = 0.0
    private let process: pid_t
    private var updated = ContinuousClock.now
    /// By thread, of the process and of those that it started: nanoseconds spent waiting for a processor.
    private var waits: [pid_t: UInt64] = [:]

    /// In seconds. A process that updates less often was stopped itself, or waited for a processor.
    private static let longestStep = 1.0
    private static let shortestStep = 0.2

    init(of process: pid_t) { self.process = process }

    /// Adds what has passed since the last time, to be called many times a second.
    mutating func update() {
        let now = ContinuousClock.now
        let passed = (now - updated) / .seconds(1)
        guard passed >= Self.shortestStep else { return }
        updated = now
        let before = waits
        waits = [:]
        record(process)
        // Threads wait for each other: in one step, the one that got least is what the others may have waited for.
        let longest = waits.map { $0.value - min($0.value, before[$0.key] ?? 0) }.max() ?? 0
        seconds += max(0, min(passed, Self.longestStep) - Double(longest) / 1e9)
    }

    private mutating func record(_ process: pid_t) {
        let tasks = "/proc/\(process)/task"
        for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
            // Its second number, see "scheduler statistics" in Linux's documentation.
            let statistics = Self.numbers("\(tasks)/\(task)/schedstat")
            if let thread = pid_t(task), statistics.count > 1 { waits[thread] = statistics[1] }
            for child in Self.numbers("\(tasks)/\(task)/children").compactMap(pid_t.init(exactly:)) { record(child) }
        }
    }

    private static func numbers(_ path: String) -> [UInt64] {
        guard let content = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
        return content.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) }
    }
}
