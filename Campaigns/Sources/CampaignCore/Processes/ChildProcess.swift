package import Foundation
import Glibc

/// A program that was started, with its output in files. It belongs to one thread.
package final class ChildProcess {
    /// How a process ended.
    package enum End: Equatable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    package let identifier: pid_t
    private var end: End?

    /// A process that a fork server started.
    init(adopted identifier: pid_t) { self.identifier = identifier }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: What is added to this process's environment.
    ///   - output: The file that standard output is appended to; nowhere when left out.
    ///   - errors: The file that standard error is appended to; nowhere when left out.
    ///   - descriptors: Open files that the program gets, by the number that they have there.
    package init(
        _ program: URL, _ arguments: [String], environment: [String: String] = [:], output: URL? = nil,
        errors: URL? = nil, descriptors: [Int32: Int32] = [:]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (descriptor, url) in [(Int32(1), output), (Int32(2), errors)] {
            posix_spawn_file_actions_addopen(
                &actions, descriptor, url?.path ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o644)
        }
        for (number, descriptor) in descriptors {
            posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        }
        let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
        let words = ([program.path] + arguments).map { strdup($0) } + [nil]
        defer { for word in variables + words { free(word) } }
        var identifier: pid_t = 0
        let status = posix_spawn(&identifier, program.path, &actions, nil, words, variables)
        guard status == 0 else {
            throw CampaignFailure(
                "A process cannot be started", "\(program.path): \(String(cString: strerror(status)))")
        }
        self.identifier = identifier
    }

    /// How the process ended; nil while it runs.
    package func poll() -> End? { wait(WNOHANG) }

    /// Waits for the process's end.
    package func wait() -> End {
        while true { if let end = wait(0) { return end } }
    }

    /// Waits for the process's end, and kills it when it takes too long. Time in which the machine gave it no processor
    /// doesn't count.
    ///
    /// - Returns: nil when it was killed.
    package func wait(atMostSeconds seconds: Double) -> End? {
        var time = RunningTime(of: identifier)
        var pause: UInt32 = 500
        while time.seconds < seconds {
            if let end = poll() { return end }
            time.update()
            usleep(pause)
            pause = min(pause * 2, 2_000)
        }
        kill()
        return nil
    }

    /// Ends the process at once and waits for it.
    package func kill() {
        guard end == nil else { return }
        Glibc.kill(identifier, SIGKILL)
        _ = wait()
    }

    private func wait(_ options: Int32) -> End? {
        if let end { return end }
        var status: Int32 = 0
        guard waitpid(identifier, &status, options) == identifier else { return nil }
        let signal = status & 0x7F
        end = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
        return end
    }
}
