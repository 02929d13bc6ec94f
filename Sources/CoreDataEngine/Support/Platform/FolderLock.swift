import Foundation

/// The lock of a folder that one process works in.
final class FolderLock {
    private let lock: FileLock

    /// Takes the lock of a folder.
    ///
    /// - Throws: When another process has it.
    init(_ folder: URL) throws { lock = try FileLock(folder.appendingPathComponent("lock"), timeout: 0) }

    /// Gives the lock back. Its file goes with the folder.
    func release() { lock.release(removingFile: false) }
}
