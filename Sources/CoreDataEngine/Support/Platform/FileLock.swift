import Foundation

/// A lock among processes, and among threads, that the system takes back when the process that has it dies.
///
/// It is that of a file which nobody else uses. Who has it may take the file away again: who waits for the lock then
/// notices that it is no longer that of the file, and begins anew.
final class FileLock {
    private let descriptor: Int32
    private let path: String

    /// How long one who waits sleeps before he tries again, in microseconds.
    private static let pause: UInt32 = 1_000

    /// Takes the lock of a file, which is made when it is missing.
    ///
    /// - Parameters:
    ///   - url: The file. The folder must be there.
    ///   - timeout: How long to wait for others, in seconds; 0 for not at all.
    /// - Throws: `CocoaError` `fileLocking` while others have the lock; the system's error when the file can't be made.
    init(_ url: URL, timeout: TimeInterval) throws {
        path = url.path
        #if os(Windows)
            descriptor = -1
        #else
            descriptor = try Self.take(path, until: ProcessInfo.processInfo.systemUptime + timeout)
        #endif
    }

    /// Gives the lock back.
    ///
    /// - Parameter removingFile: Whether the file goes too.
    func release(removingFile: Bool) {
        #if !os(Windows)
            if removingFile, Self.isOpen(path, as: descriptor) { unlink(path) }
            close(descriptor)
        #endif
    }

    #if !os(Windows)
        private static func take(_ path: String, until end: TimeInterval) throws -> Int32 {
            while true {
                let descriptor = try openFile(path)
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                    if isOpen(path, as: descriptor) { return descriptor }
                    // Who had the lock has removed the file.
                    close(descriptor)
                    continue
                }
                let code = errno
                // Some file systems have no locks; then nobody has one.
                if code == ENOTSUP || code == ENOSYS { return descriptor }
                close(descriptor)
                guard code == EWOULDBLOCK || code == EINTR else {
                    throw NSError(domain: NSPOSIXErrorDomain, code: Int(code))
                }
                guard ProcessInfo.processInfo.systemUptime < end else { throw CocoaError(.fileLocking) }
                usleep(pause)
            }
        }

        private static func openFile(_ path: String) throws -> Int32 {
            var descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o666)
            // Another user's file that was left behind can be locked all the same.
            if descriptor < 0, errno == EACCES { descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
            guard descriptor >= 0 else { throw SystemError.last() }
            return descriptor
        }

        /// Whether a path still leads to the file that was opened.
        private static func isOpen(_ path: String, as descriptor: Int32) -> Bool {
            var (opened, found) = (stat(), stat())
            return fstat(descriptor, &opened) == 0 && lstat(path, &found) == 0 && opened.st_ino == found.st_ino
                && opened.st_dev == found.st_dev
        }
    #endif
}
