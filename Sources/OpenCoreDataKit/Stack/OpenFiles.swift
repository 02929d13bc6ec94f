import Synchronization

/// The files that databases of this process have open, so that none is deleted under one of them.
package enum OpenFiles {
    private static let counts = Mutex<[String: Int]>([:])

    /// What represents a file, however it is spelled.
    package static func key(_ url: URL) -> String {
        url.isFileURL ? url.resolvingSymlinksInPath().standardizedFileURL.path : url.absoluteString
    }

    static func add(_ keys: [String]) {
        counts.withLock { counts in for key in keys { counts[key, default: 0] += 1 } }
    }

    static func remove(_ keys: [String]) {
        counts.withLock { counts in
            for key in keys {
                let left = (counts[key] ?? 0) - 1
                counts[key] = left > 0 ? left : nil
            }
        }
    }

    package static func contains(_ url: URL) -> Bool { counts.withLock { $0[key(url)] != nil } }
}
