import Foundation
import Synchronization

/// Which monitors follow which file, so that a write in this process reaches all of them.
enum RemoteChangeHub {
    private struct Reference {
        weak var monitor: RemoteChangeMonitor?
    }

    private static let references = Mutex<[String: [Reference]]>([:])

    /// What stands for a file, however it is spelled.
    static func key(_ url: URL) -> String { url.resolvingSymlinksInPath().standardizedFileURL.path }

    static func add(_ monitor: RemoteChangeMonitor, path: String) {
        references.withLock { $0[path, default: []].append(Reference(monitor: monitor)) }
    }

    static func remove(_ monitor: RemoteChangeMonitor, path: String) {
        references.withLock { references in
            let left = references[path]?.filter { $0.monitor != nil && $0.monitor !== monitor } ?? []
            references[path] = left.isEmpty ? nil : left
        }
    }

    /// Lets the monitors of a file look for new transactions.
    static func fileDidChange(path: String) {
        let monitors = references.withLock { $0[path]?.compactMap(\.monitor) ?? [] }
        for monitor in monitors { monitor.check() }
    }
}
