import Dispatch
import Foundation
import Synchronization

/// Which wakers are about which file, so that a write in this process reaches all of them at once.
enum FileChangeHub {
    private static let references = Mutex<[String: [WeakReference<FileChangeWaker>]]>([:])

    /// What represents a file, however it is spelled.
    static func key(_ url: URL) -> String { url.resolvingSymlinksInPath().standardizedFileURL.path }

    static func add(_ waker: FileChangeWaker, path: String) {
        references.withLock { $0[path, default: []].append(WeakReference(waker)) }
    }

    static func remove(_ waker: FileChangeWaker, path: String) {
        let identifier = ObjectIdentifier(waker)
        references.withLock { references in
            references[path]?.removeAll { $0.identifier == identifier }
            if references[path]?.isEmpty == true { references[path] = nil }
        }
    }

    /// Lets those who follow a file look for new transactions.
    static func fileDidChange(path: String) {
        let wakers = references.withLock { $0[path]?.compactMap(\.object) ?? [] }
        for waker in wakers { waker.look(.committed) }
    }
}

/// Wakes a monitor for the file of a store: at once for the process's own stores on it, by file events for other processes.
// @unchecked Sendable because `watch` is set before anybody else has the waker.
final class FileChangeWaker: ChangeWaker, @unchecked Sendable {
    private let path: String
    let look: @Sendable (ChangeWake) -> Void
    private var watch: StoreFileWatch?

    init(_ file: URL, queue: DispatchQueue, look: @escaping @Sendable (ChangeWake) -> Void) {
        path = FileChangeHub.key(file)
        self.look = look
        FileChangeHub.add(self, path: path)
        watch = StoreFileWatch(file, queue: queue) { look(.written) }
    }

    func cancel() {
        FileChangeHub.remove(self, path: path)
        watch?.cancel()
    }
}
