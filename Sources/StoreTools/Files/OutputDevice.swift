import Foundation

/// What output is written to and never replaced: a device, a pipe with a name, or a file that is open already.
package struct OutputDevice {
    package let descriptor: Int32

    /// Opens what is at a path if it is such a thing.
    ///
    /// - Returns: `nil` for a file, for a folder, and where nothing is.
    /// - Throws: `ToolFailure` that names the path if it can't be written to.
    package init?(path: String) throws {
        if let number = Self.openDescriptor(path) {
            if let kind = StoreSignature.protectedKind(ofFileAt: URL(fileURLWithPath: path)) {
                throw ToolFailure("\(path) is \(kind), which is never written over; name another file for the output.")
            }
            descriptor = fcntl(number, F_DUPFD_CLOEXEC, 3)
            guard descriptor >= 0 else { throw Self.failure(path, SystemFailure.last()) }
            return
        }
        guard let kind = (try? FileFacts(path: path))?.kind, kind == .device || kind == .pipe else { return nil }
        // A pipe that no program reads would hold the command up for ever.
        descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard kind == .pipe, errno == ENXIO else { throw Self.failure(path, SystemFailure.last()) }
            throw ToolFailure("\(path) is a pipe that no program reads.")
        }
        guard Self.isStream(descriptor) else {
            close(descriptor)
            return nil
        }
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
    }

    /// Whether what was opened is what the path showed.
    private static func isStream(_ descriptor: Int32) -> Bool {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return false }
        return [S_IFCHR, S_IFIFO].contains(facts.st_mode & S_IFMT)
    }

    /// The number of the open file that a path represents, as in `/dev/stdout` and `/dev/fd/3`.
    private static func openDescriptor(_ path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            let folders = ["/dev/fd/", "/proc/self/fd/"]
            return folders.first(where: path.hasPrefix).flatMap { Int32(path.dropFirst($0.count)) }
        }
    }

    private static func failure(_ path: String, _ failure: SystemFailure) -> ToolFailure {
        ToolFailure("The file \(path) cannot be written: \(failure).")
    }
}
