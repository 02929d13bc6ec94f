import Foundation

/// A lock that the system takes back when the process that has it dies.
final class FolderLock {
    private let descriptor: Int32

    /// Takes the lock of a folder.
    ///
    /// - Throws: When another process has it.
    init(_ folder: URL) throws {
        #if os(Windows)
            descriptor = -1
        #else
            descriptor = open(folder.appendingPathComponent("lock").path, O_CREAT | O_RDWR, 0o600)
            guard descriptor >= 0 else { throw CoreDataError.lastSystemError() }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw CocoaError(.fileLocking)
            }
        #endif
    }

    func release() {
        #if !os(Windows)
            close(descriptor)
        #endif
    }
}
