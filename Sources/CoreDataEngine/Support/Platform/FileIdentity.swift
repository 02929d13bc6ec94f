import Foundation

/// Which file it is that stands under a name, whatever the name.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    init(_ facts: stat) {
        device = UInt64(truncatingIfNeeded: facts.st_dev)
        number = UInt64(truncatingIfNeeded: facts.st_ino)
    }

    /// The file that a descriptor is open on.
    init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// The identity of the file at a path; `nil` if it doesn't exist. One `stat` call.
    init?(of path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// What stands under a path itself, a symbolic link included; nil when nothing does.
    init?(at path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }
}
