#if Inspector
import Foundation

/// What of a store's files changes with every write, found out without opening them: closing a file that SQLite has
/// open would take its locks away.
struct FileFingerprint: Equatable {
    private struct Part: Equatable {
        var device: UInt64
        var file: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
    }

    private let parts: [Part?]

    /// Whether there is a file at the URL of the store.
    var isThere: Bool { parts[0] != nil }

    init(storeAt url: URL) {
        parts = ["", "-wal", "-journal"].map { Self.part(url.path + $0) }
    }

    private static func part(_ path: String) -> Part? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        #if canImport(Darwin)
        let time = facts.st_mtimespec
        #else
        let time = facts.st_mtim
        #endif
        return Part(
            device: UInt64(facts.st_dev), file: UInt64(facts.st_ino), size: Int64(facts.st_size),
            seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    }
}
#endif
