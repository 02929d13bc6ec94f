import Foundation

/// Opens files inside of a store: without following a link that stands in their place, and without blocking.
///
/// Reading a pipe, a socket or a device waits for bytes that never come, or never ends; a link leads to a file of another
/// owner.
enum RegularFile {
    /// What stands at a path instead of a file, as "a symbolic link"; nil for a regular file and for nothing.
    static func otherKind(at path: String) -> String? {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG else { return nil }
        return kind(facts.st_mode)
    }

    /// Whether a regular file stands at a path itself, not at the end of a link.
    static func isThere(at path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    }

    /// Whether anything but a folder stands at a path itself.
    static func isRemovable(at path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFDIR
    }

    #if !os(Windows)
    /// Opens a file inside of a store.
    ///
    /// - Parameters:
    ///   - flags: `O_RDONLY` and the like; never `O_CREAT` with a name that others choose.
    ///   - mode: The permissions of a file that is made.
    /// - Returns: A descriptor, which the caller closes.
    /// - Throws: ``Other`` for anything but a regular file; the system's error.
    static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o666) throws -> Int32 {
        while true {
            let descriptor = Foundation.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
            if descriptor >= 0 { return try requiringRegular(descriptor) }
            let failure = errno
            if failure == EINTR { continue }
            // A link is refused by the system, and so are sockets and pipes that have no reader.
            if let kind = otherKind(at: path) { throw Other(kind: kind) }
            throw NSError(domain: NSPOSIXErrorDomain, code: Int(failure))
        }
    }

    private static func requiringRegular(_ descriptor: Int32) throws -> Int32 {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            defer { close(descriptor) }
            throw SystemError.last()
        }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Other(kind: kind(facts.st_mode))
        }
        return descriptor
    }
    #endif

    /// Something else stands in the place of a file.
    struct Other: LocalizedError {
        /// As "a pipe".
        let kind: String

        var errorDescription: String? { "\(kind) is in its place" }
    }

    static func kind(_ mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        case S_IFLNK: "a symbolic link"
        default: "a device"
        }
    }
}
