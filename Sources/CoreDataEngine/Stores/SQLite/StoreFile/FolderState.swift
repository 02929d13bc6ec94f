import Foundation

/// Which folder it is, and when it last changed: an entry of it came, went or was renamed, or itself was moved or removed.
struct FolderState: Equatable, Sendable {
    private let identity: FileIdentity
    private let seconds: Int
    private let nanoseconds: Int

    /// The state of the folder at a path; `nil` if it doesn't exist. One `stat` call.
    init?(of path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// The folder that a descriptor is open on, wherever it is now. One `fstat` call, which is several times quicker.
    init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init(_ facts: stat) {
        identity = FileIdentity(facts)
        // The change of a folder's status comes with every change of its entries, and also when it is moved.
        #if canImport(Darwin)
        let change = facts.st_ctimespec
        #else
        let change = facts.st_ctim
        #endif
        seconds = Int(change.tv_sec)
        nanoseconds = Int(change.tv_nsec)
    }

    /// Whether every later change of the folder gives another state: its last one is longer ago than the step of the clock
    /// that the file system stamps changes with.
    var isSettled: Bool {
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
        // Linux stamps with the time of its last tick, at most 10 ms ago; where there are only whole seconds, FAT has two.
        let step = nanoseconds == 0 ? 3.0 : 0.05
        return Double(now.tv_sec) - Double(seconds) + Double(Int(now.tv_nsec) - nanoseconds) / 1e9 > step
    }
}
