package import Foundation
import OpenCoreData

/// A write of a store that was never finished because its process was killed, while the store had a rollback journal.
///
/// SQLite undoes it when the store is next opened for writing; until then the store can't be opened for reading only.
package enum UnfinishedWrite {
    /// Whether a store has the journal of such a write, or of one in progress.
    package static func isThere(_ store: URL) -> Bool {
        let journal = store.resolvingSymlinksInPath().path + "-journal"
        let size = (try? FileManager.default.attributesOfItem(atPath: journal))?[.size] as? Int
        return (size ?? 0) > 0
    }

    /// Undoes it, and leaves a store without one alone.
    package static func undo(in store: URL) throws {
        guard isThere(store) else { return }
        try StoreSession.checkPermissions(store)
        do {
            let connection = try SQLiteConnection(path: store.path, configuration: .init(access: .readWrite))
            defer { connection.close() }
            _ = try connection.firstValue("SELECT count(*) FROM sqlite_master")
        } catch let error as SQLiteError {
            throw ToolFailure(
                "An unfinished write of the store \(store.path) cannot be undone: \(error.message).", cause: error)
        }
    }
}
