import Dispatch
import Foundation
import Synchronization

/// The SQLite stores that this process has open, by their files.
enum OpenStores {
    private static let references = Mutex<[String: [WeakReference<SQLiteStore>]]>([:])

    static func add(_ store: SQLiteStore, path: String) {
        references.withLock { $0[path, default: []].append(WeakReference(store)) }
    }

    static func remove(_ store: SQLiteStore, path: String) {
        let identifier = ObjectIdentifier(store)
        references.withLock { references in
            references[path]?.removeAll { $0.identifier == identifier }
            if references[path]?.isEmpty == true { references[path] = nil }
        }
    }

    /// Closes the files of all stores on a file, so that another one can take its place.
    ///
    /// Reads and saves wait until they are open again.
    static func suspend(_ file: URL) -> SuspendedStores {
        let stores = references.withLock { $0[FileChangeHub.key(file)] ?? [] }.compactMap(\.object)
        return SuspendedStores(stores.filter { $0.suspend() })
    }
}

/// Open stores of this process whose file is being replaced. Has to be ended.
struct SuspendedStores {
    private let stores: [SQLiteStore]

    init(_ stores: [SQLiteStore]) { self.stores = stores }

    /// Opens them again.
    ///
    /// - Parameter isReplaced: Whether the file is another one now.
    func resume(isReplaced: Bool) {
        for store in stores { store.resume(isReplaced: isReplaced) }
    }
}
