import Foundation
import Synchronization

/// The files with large values that no row names any more, or none yet, and when they may be removed.
///
/// A reader that sees the row that names a file may read the file: a transaction that began before the row was changed,
/// in this process or in another one. And a row whose change isn't on the disk yet is back after a power cut. The rules
/// are:
///
/// - A file is written, and the row that names it committed, under the database's write lock. Its name is in the
///   store's list (`UnusedFileList`) from before it is written until the row is committed.
/// - A file that a committed transaction dropped is added to the list, and isn't moved.
/// - Files of the list are removed after a checkpoint that moved the whole log and found no reader on it. It proves
///   that the transactions before it are on the disk, and that every reader of every process sees the newest state.
/// - A list that a process left behind may contain names that rows have. The rows are checked first, under the write
///   lock, so that no process is between writing a file and naming it. Files that aren't in a list are left alone: they
///   may belong to another store whose name differs only in its extension, and which uses the same folder.
///
/// That happens when the store is opened and closed, and while it is open for every few dozen dropped files, so that no
/// save waits for the disk because of them.
package final class UnusedFiles: Sendable {
    /// The number of dropped files that are worth a checkpoint while the store is open, but not more often than this.
    static let fewestForCheckpoint = 32
    static let shortestInterval = Duration.seconds(5)

    private struct State {
        var list: UnusedFileList?
        /// Dropped by a committed transaction.
        var dropped: Set<String> = []
        /// Written by a transaction whose commit failed, which may have happened all the same.
        var inDoubt: Set<String> = []
        var lastAttempt: ContinuousClock.Instant?
        var isClosed = false

        mutating func change(adding added: [String], removing removed: [String], _ values: ExternalData) throws {
            var list = try self.list ?? UnusedFileList.make(in: values.supportFolder, store: values.storeName)
            defer {
                self.list = isClosed ? nil : list
                if isClosed { list.letGo() }
            }
            try list.change(adding: added, removing: removed)
        }

        mutating func forget(_ names: Set<String>, _ values: ExternalData) {
            dropped.subtract(names)
            inDoubt.subtract(names)
            if list != nil { try? change(adding: [], removing: Array(names), values) }
        }
    }

    private let values: ExternalData
    private let state = Mutex(State())

    package init(_ values: ExternalData) { self.values = values }

    deinit { close() }

    // MARK: Noting

    /// To be called before a file is written.
    package func willWrite(_ name: String) throws {
        try state.withLock { try $0.change(adding: [name], removing: [], values) }
    }

    /// To be called when rows are committed that name the one files and no longer the others.
    func didCommit(written: [String], dropped: [String]) {
        if written.isEmpty, dropped.isEmpty { return }
        state.withLock { state in
            state.dropped.formUnion(dropped)
            // Without the list the files are removed by this process or not at all.
            try? state.change(adding: dropped, removing: written, values)
        }
    }

    /// To be called when files are removed that no committed row ever named.
    func didTakeBack(_ written: [String]) {
        if written.isEmpty { return }
        state.withLock { $0.forget(Set(written), values) }
    }

    /// To be called when a commit failed.
    func didFailToCommit(_ written: [String]) {
        if written.isEmpty { return }
        state.withLock { $0.inDoubt.formUnion(written) }
    }

    // MARK: Removing

    /// Whether removing is worth a checkpoint in the midst of other work.
    var isRemovalDue: Bool {
        state.withLock { state in
            guard state.dropped.count >= Self.fewestForCheckpoint else { return false }
            return state.lastAttempt.map { $0.duration(to: .now) >= Self.shortestInterval } ?? true
        }
    }

    /// Whether there may be something to remove, of this process or of one that died.
    var areKnown: Bool {
        state.withLock { !$0.dropped.isEmpty || !$0.inDoubt.isEmpty }
            || UnusedFileList.exist(in: values.supportFolder, store: values.storeName)
    }

    /// Removes the files that are no longer needed.
    ///
    /// - Parameter connection: A writing connection, outside of a transaction. Never waits.
    /// - Returns: Whether all could be removed; `false` if another connection reads or writes.
    @discardableResult
    func remove(with connection: SQLiteConnection) throws -> Bool {
        let lists = UnusedFileList.leftBehind(in: values.supportFolder, store: values.storeName)
        var isDone = false
        defer {
            for list in lists {
                if isDone { list.discard() } else { list.letGo() }
            }
        }
        let (dropped, inDoubt) = state.withLock { state in
            state.lastAttempt = .now
            return (state.dropped, state.inDoubt)
        }
        var unnamed = lists.reduce(into: inDoubt) { $0.formUnion($1.names) }.filter(values.hasFile)
        if !dropped.isEmpty || !unnamed.isEmpty {
            let isProven = try connection.withoutWaiting {
                if !unnamed.isEmpty {
                    unnamed.subtract(try connection.transaction { try ExternalData.namedFiles(in: connection) })
                }
                return try connection.settleLog()
            }
            guard isProven else { return false }
            values.remove(dropped.union(unnamed))
            guard !dropped.union(unnamed).contains(where: values.hasFile) else { return false }
        }
        state.withLock { $0.forget(dropped.union(inDoubt), values) }
        isDone = true
        return true
    }

    /// Releases the list; its files stay for the next opening of the store.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            state.list?.letGo()
            state.list = nil
        }
    }
}
