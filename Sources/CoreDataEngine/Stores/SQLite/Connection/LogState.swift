package import Foundation

/// The state of a database file and its write-ahead log or journal, as far as it shows that the file was written.
package struct LogState: Hashable, Sendable {
    private var fileSize: Int64
    private var fileChange: Double
    private var fileNumber: UInt64
    private var logSize: Int64
    /// Whether there is a log, and no index of it as processes that have it open keep one beside it.
    private var isUnshared: Bool

    package init(of url: URL) {
        (fileSize, fileChange, fileNumber) = Self.facts(url.path)
        let (log, journal) = (Self.facts(url.path + "-wal").size, Self.facts(url.path + "-journal").size)
        logSize = log + journal
        isUnshared = log > 0 && journal == 0 && !FileManager.default.fileExists(atPath: url.path + "-shm")
    }

    /// Whether there is a log with content, so that the file alone is not the whole store.
    package var isLive: Bool { logSize > 0 }

    /// Bytes of the file and of what stands beside it to be moved into it.
    var byteCount: Int64 { fileSize + logSize }

    /// Whether the file can be read without locks, because it isn't open for writing anywhere.
    package var isAtRest: Bool { !isLive || isUnshared }

    /// How to open the file so that neither it nor anything beside it is touched.
    var readingAccess: SQLiteConfiguration.Access {
        if !isLive { return .immutable }
        return isUnshared ? .unshared : .readOnly
    }

    /// How long a log is, in bytes.
    package static func byteCount(at path: String) -> Int64 { facts(path).size }

    /// The same for the connections of a store.
    static func logSize(at path: String) -> Int64 { facts(path).size }

    private static func facts(_ path: String) -> (size: Int64, change: Double, number: UInt64) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return (0, 0, 0) }
        #if canImport(Darwin)
        let change = facts.st_mtimespec
        #else
        let change = facts.st_mtim
        #endif
        return (
            Int64(facts.st_size), Double(change.tv_sec) + Double(change.tv_nsec) / 1e9, UInt64(facts.st_ino)
        )
    }
}
