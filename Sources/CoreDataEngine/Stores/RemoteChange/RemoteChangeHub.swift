import Foundation
import Synchronization

/// Which monitors follow which file, so that a write in this process reaches all of them.
enum RemoteChangeHub {
    private static let references = Mutex<[String: [WeakReference<RemoteChangeMonitor>]]>([:])

    /// What stands for a file, however it is spelled.
    static func key(_ url: URL) -> String { url.resolvingSymlinksInPath().standardizedFileURL.path }

    static func add(_ monitor: RemoteChangeMonitor, path: String) {
        references.withLock { $0[path, default: []].append(WeakReference(monitor)) }
    }

    static func remove(_ monitor: RemoteChangeMonitor, path: String) {
        let identifier = ObjectIdentifier(monitor)
        references.withLock { references in
            references[path]?.removeAll { $0.identifier == identifier }
            if references[path]?.isEmpty == true { references[path] = nil }
        }
    }

    /// Lets the monitors of a file look for new transactions.
    static func fileDidChange(path: String) {
        let monitors = references.withLock { $0[path]?.compactMap(\.object) ?? [] }
        for monitor in monitors { monitor.check() }
    }
}
