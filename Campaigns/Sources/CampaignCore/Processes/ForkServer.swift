package import Foundation
import Glibc
import ProcessShims

/// A process that was started once and splits itself in two for each actor, so that what it costs to start a program is paid
/// once.
///
/// It has one thread and opens no store, so its children begin as programs do that were just started. A server belongs to
/// one thread, and ends with its last reference.
package final class ForkServer {
    /// The argument that makes a program serve.
    package static let argument = "fork-server"

    private let process: ChildProcess
    private let requests: Int32
    private let answers: Int32

    /// Starts a server.
    ///
    /// - Parameter environment: What is added to this process's environment, for the server and its children.
    package init(_ program: URL, environment: [String: String] = [:]) throws {
        guard process_adopt_orphans() == 0 else { throw Self.failure("This process can adopt no others") }
        var (asking, answering): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard process_pipe(&asking) == 0, process_pipe(&answering) == 0 else {
            throw Self.failure("A pipe cannot be made")
        }
        defer {
            close(asking[0])
            close(answering[1])
        }
        process = try ChildProcess(
            program, [Self.argument], environment: environment, descriptors: [0: asking[0], 1: answering[1]])
        (requests, answers) = (asking[1], answering[0])
    }

    deinit {
        close(requests)
        close(answers)
        process.kill()
    }

    /// Starts an actor.
    ///
    /// - Parameters:
    ///   - arguments: What the program would be given.
    ///   - errors: The file that standard error is appended to; nowhere when left out.
    package func start(_ arguments: [String], errors: URL? = nil) throws -> ChildProcess {
        let words = [errors?.path ?? "/dev/null"] + arguments
        let line = Array((words.joined(separator: "\u{0}") + "\n").utf8)
        var sent = 0
        while sent < line.count {
            let count = line[sent...].withUnsafeBytes { write(requests, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Self.failure("The fork server is gone") }
            sent += count
        }
        var identifier: pid_t = -1
        let size = MemoryLayout<pid_t>.size
        guard read(answers, &identifier, size) == size, identifier > 0 else {
            throw Self.failure("The fork server started no process")
        }
        return ChildProcess(adopted: identifier)
    }

    private static func failure(_ title: String) -> CampaignFailure {
        CampaignFailure(title, String(cString: strerror(errno)))
    }

    /// Serves until the process that asks is gone.
    ///
    /// To be called by a process that has one thread.
    ///
    /// - Parameter act: Called in each new process with its arguments. Does not return.
    package static func serve(_ act: ([String]) -> Never) -> Never {
        while let line = readLine(strippingNewline: true) {
            let words = line.split(separator: "\u{0}", omittingEmptySubsequences: false).map(String.init)
            var identifier = process_split()
            if identifier == 0 {
                redirect(errors: words[0])
                act(Array(words.dropFirst()))
            }
            guard write(1, &identifier, MemoryLayout<pid_t>.size) > 0 else { break }
        }
        exit(0)
    }

    private static func redirect(errors: String) {
        let files = [
            (Int32(0), "/dev/null", O_RDONLY), (1, "/dev/null", O_WRONLY), (2, errors, O_WRONLY | O_CREAT | O_APPEND),
        ]
        for (descriptor, path, flags) in files {
            let file = open(path, flags, 0o644)
            guard file >= 0, file != descriptor else { continue }
            dup2(file, descriptor)
            close(file)
        }
    }
}
