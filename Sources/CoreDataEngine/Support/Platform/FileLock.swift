package import Foundation
import Synchronization

/// A lock among processes and threads, which the system releases when its process ends.
///
/// It is the lock of a file that isn't used for anything else. Its holder may remove the file: a thread that waits for
/// the lock then finds that it is no longer the file's lock, and starts again.
package final class FileLock {
    private let descriptor: Int32
    private let path: String

    /// Whether other processes see a lock, not this one's threads alone.
    package static var isSharedAmongProcesses: Bool {
        #if os(Windows) || PORTABLE
        false
        #else
        true
        #endif
    }

    /// How long one who waits sleeps before he tries again, in microseconds.
    private static let pause: UInt32 = 1_000

    /// Takes the lock of a file, which is made when it is missing.
    ///
    /// - Parameters:
    ///   - url: The file. The folder must be there.
    ///   - timeout: How long to wait for others, in seconds; 0 for not at all.
    /// - Throws: `CocoaError` `fileLocking` while others have the lock; the system's error when the file can't be created.
    package init(_ url: URL, timeout: TimeInterval) throws {
        path = url.path
        let end = ProcessInfo.processInfo.systemUptime + timeout
        #if os(Windows) || PORTABLE
        descriptor = -1
        try Self.lockWithinProcess(path, until: end)
        #else
        descriptor = try Self.take(path, until: end)
        #endif
    }

    /// Gives the lock back.
    ///
    /// - Parameter removingFile: Whether the file goes too.
    package func release(removingFile: Bool) {
        #if os(Windows) || PORTABLE
        _ = Self.taken.withLock { [path] in $0.remove(path) }
        #else
        if removingFile, Self.leads(path, to: descriptor) { unlink(path) }
        Self.giveBack(descriptor)
        #endif
    }

    #if !os(Windows)
    /// Closes a file and gives its lock back.
    ///
    /// Closing alone would leave the lock with a process that was split off just now: it has the file, too, until
    /// it begins its own program.
    static func giveBack(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
    #endif

    /// What came of trying to take a lock.
    enum Attempt: Equatable {
        case taken
        /// The file is no longer the one of its name: who had the lock has removed it.
        case replaced
        case othersHaveIt
        case failed(Int32)
    }

    /// Tries to take the lock of an open file, without waiting.
    static func attempt(_ descriptor: Int32, _ path: String) -> Attempt {
        #if os(Windows) || PORTABLE
        return .taken
        #else
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return leads(path, to: descriptor) ? .taken : .replaced }
        switch errno {
        case EWOULDBLOCK, EINTR: return .othersHaveIt
        // On file systems without locks, every lock succeeds.
        case ENOTSUP, ENOSYS: return .taken
        case let code: return .failed(code)
        }
        #endif
    }

    #if os(Windows) || PORTABLE
    /// The paths that threads of this process have locked: other processes don't see it.
    private static let taken = Mutex<Set<String>>([])

    private static func lockWithinProcess(_ path: String, until end: TimeInterval) throws {
        // No file is made, so that nothing else notices that it couldn't be.
        var isFolder: ObjCBool = false
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let isThere = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
        guard isThere, isFolder.boolValue else {
            throw NSError(domain: NSPOSIXErrorDomain, code: Int(isThere ? ENOTDIR : ENOENT))
        }
        while !taken.withLock({ $0.insert(path).inserted }) {
            guard ProcessInfo.processInfo.systemUptime < end else { throw CocoaError(.fileLocking) }
            Thread.sleep(forTimeInterval: Double(pause) / 1_000_000)
        }
    }
    #else
    private static func take(_ path: String, until end: TimeInterval) throws -> Int32 {
        while true {
            let descriptor = try openFile(path)
            let outcome = Self.attempt(descriptor, path)
            if outcome == .taken { return descriptor }
            close(descriptor)
            if outcome == .replaced { continue }
            if case .failed(let code) = outcome { throw NSError(domain: NSPOSIXErrorDomain, code: Int(code)) }
            guard ProcessInfo.processInfo.systemUptime < end else { throw CocoaError(.fileLocking) }
            usleep(pause)
        }
    }

    private static func openFile(_ path: String) throws -> Int32 {
        do {
            return try RegularFile.open(path, O_CREAT | O_RDWR)
        } catch  where SystemError.number(of: error) == EACCES {
            // Another user's file that was left behind can be locked all the same.
            return try RegularFile.open(path, O_RDONLY)
        }
    }

    /// Whether a path still leads to the file that was opened.
    private static func leads(_ path: String, to descriptor: Int32) -> Bool {
        guard let opened = FileIdentity(descriptor: descriptor) else { return false }
        return FileIdentity(of: path) == opened
    }
    #endif
}
