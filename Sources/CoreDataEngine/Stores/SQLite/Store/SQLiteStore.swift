package import Foundation
import Synchronization

/// A store in a SQLite file, in the layout of Apple's framework.
///
/// Reads run on a small pool of connections and don't wait for writers; saves run one after the other. Safe to use from
/// any thread.
// @unchecked Sendable because what can change is behind `state`'s lock; everything else is the superclass's, which
// promises the same.
package final class SQLiteStore: NSPersistentStore, RowStore, @unchecked Sendable {
    private struct State {
        var runtime: StoreRuntime?
        /// For a store without a coordinator.
        var model: NSManagedObjectModel?
        var isClosed = false
        var readOnlyReason: String?
        var monitor: RemoteChangeMonitor?
        /// Whether `metadata` was set since it was read or written.
        var metadataGeneration = 0
        var writtenGeneration = 0
        var group: SaveGroup?
        /// While its file is replaced: what those wait for who read or save.
        var suspension: DispatchGroup?
        /// What the store is known by to others in this process that replace its file.
        var openPath: String?
    }

    private let state = Mutex(State())

    override package var type: String { NSSQLiteStoreType }

    // MARK: Opening and closing

    /// Opens a store that belongs to no coordinator, for tests and tools that read rows.
    package static func open(
        at url: URL, model: NSManagedObjectModel, configuration: String? = nil, options: [AnyHashable: Any]? = nil
    ) throws -> SQLiteStore {
        let store = SQLiteStore(
            persistentStoreCoordinator: nil, configurationName: configuration, at: url, options: options)
        store.state.withLock { $0.model = model }
        try store.loadMetadata()
        return store
    }

    /// The model that the store is opened with.
    var model: NSManagedObjectModel? {
        persistentStoreCoordinator?.managedObjectModel ?? state.withLock { $0.model }
    }

    /// Opens the file, or makes it when it is missing or empty, and reads the metadata.
    ///
    /// - Throws: A `CocoaError` that names the file.
    override package func loadMetadata() throws {
        let (metadata, runtime) = try open()
        super.metadata = metadata
        guard let runtime else { return }
        let path = FileChangeHub.key(runtime.pool.url)
        state.withLock { ($0.runtime, $0.openPath) = (runtime, path) }
        OpenStores.add(self, path: path)
    }

    override package class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try StoreFile.metadata(at: url)
    }

    override package class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try StoreFile.setMetadata(metadata ?? [:], at: url)
    }

    override package func didAdd(to coordinator: NSPersistentStoreCoordinator) {
        super.didAdd(to: coordinator)
        guard announcesRemoteChanges, let runtime = try? runtime(), let last = try? lastTransactionNumber() else {
            return
        }
        let file = runtime.pool.url
        let monitor = RemoteChangeMonitor(self, after: last) { FileChangeWaker(file, queue: $0, look: $1) }
        state.withLock { $0.monitor = monitor }
    }

    package func close() {
        let (runtime, monitor, path) = state.withLock { state in
            defer { (state.runtime, state.monitor, state.openPath) = (nil, nil, nil) }
            state.isClosed = true
            return (state.runtime, state.monitor, state.openPath)
        }
        if let path { OpenStores.remove(self, path: path) }
        monitor?.cancel()
        if let runtime { closeRuntime(runtime) }
    }

    func closeRuntime(_ runtime: StoreRuntime) {
        // Failing to return unused keys isn't worth an error; at worst they leave a gap in the numbers.
        if runtime.pool.configuration.isWritable {
            try? runtime.references.giveBack(to: runtime.pool)
        }
        runtime.close()
    }

    /// Takes the runtime, so that those who need it wait; nil for a store that is closed.
    func beginSuspension() -> StoreRuntime? {
        state.withLock { state in
            guard let runtime = state.runtime else { return nil }
            let suspension = DispatchGroup()
            suspension.enter()
            (state.runtime, state.suspension) = (nil, suspension)
            return runtime
        }
    }

    /// Opens the file that is there now.
    ///
    /// - Parameter isReplaced: Whether it is another one, which has metadata of its own.
    func reopen(isReplaced: Bool) throws {
        let (metadata, runtime) = try open()
        if isReplaced { super.metadata = metadata }
        let isUsed = state.withLock { state in
            guard !state.isClosed else { return false }
            state.runtime = runtime
            return true
        }
        if !isUsed, let runtime { closeRuntime(runtime) }
    }

    func endSuspension() {
        state.withLock { state in
            defer { state.suspension = nil }
            return state.suspension
        }?.leave()
    }

    override package func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        super.willRemove(from: coordinator)
        close()
    }

    deinit { close() }

    /// Removes the files with large values that were dropped and that no reader can see, for tests and tools.
    ///
    /// - Returns: Whether all were removed; `false` if a reader uses an older state.
    @discardableResult
    package func removeUnusedFiles() throws -> Bool { try writableRuntime().removeUnusedFiles() }

    /// Where the model's entities stand in the file, for tests and tools.
    package func mapping() throws -> StoreMapping { try runtime().mapping }

    /// The store's connections, for tests that hold them.
    package func runtimePool() throws -> SQLiteConnectionPool { try runtime().pool }

    /// What the open store works with.
    func runtime() throws -> StoreRuntime {
        let (runtime, isClosed, suspension) = state.withLock { ($0.runtime, $0.isClosed, $0.suspension) }
        if let runtime { return runtime }
        if let suspension {
            suspension.wait()
            return try self.runtime()
        }
        guard isClosed || metadata?.isEmpty ?? true else {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleVersionHashError,
                "The model used to open the store \(url?.lastPathComponent ?? "") is incompatible with the one used to "
                    + "create it.", path: url?.path)
        }
        throw CoreDataError.make(
            NSPersistentStoreOperationError,
            "The store \(url?.lastPathComponent ?? "") \(isClosed ? "was removed and is closed" : "is not open yet").",
            path: url?.path)
    }

    /// The same, for a store that may be written.
    func writableRuntime() throws -> StoreRuntime {
        let runtime = try runtime()
        guard !isReadOnly, runtime.pool.configuration.isWritable else {
            throw CoreDataError.make(
                CocoaError.Code.fileWriteNoPermission.rawValue,
                "The store \(url?.lastPathComponent ?? "") can't be saved to: \(readOnlyReason).",
                path: url?.path)
        }
        return runtime
    }

    override package var readOnlyReason: String {
        state.withLock { $0.readOnlyReason } ?? super.readOnlyReason
    }

    /// Refuses saves from now on.
    func becomeReadOnly(because reason: String) {
        isReadOnly = true
        state.withLock { $0.readOnlyReason = reason }
    }

    // MARK: Metadata

    override package var metadata: [String: Any]! {
        get { super.metadata }
        set {
            super.metadata = newValue
            state.withLock { $0.metadataGeneration += 1 }
        }
    }

    /// The metadata to write with the next save; `nil` when the file has it.
    func pendingMetadata() -> PendingMetadata? {
        let generation = state.withLock { $0.metadataGeneration > $0.writtenGeneration ? $0.metadataGeneration : nil }
        return generation.map { PendingMetadata(generation: $0, values: metadata ?? [:]) }
    }

    func didWrite(_ metadata: PendingMetadata) {
        state.withLock { $0.writtenGeneration = max($0.writtenGeneration, metadata.generation) }
    }

    // MARK: Saves that belong together

    /// The saves that take effect together at present.
    var group: SaveGroup? { state.withLock { $0.group } }

    /// Runs a block whose saves belong together.
    ///
    /// What they wrote of the metadata counts as not written when the block throws.
    func grouping<Result>(_ group: SaveGroup, _ body: () throws -> Result) throws -> Result {
        let generation = state.withLock { state in
            state.group = group
            return state.writtenGeneration
        }
        defer { state.withLock { $0.group = nil } }
        do {
            return try body()
        } catch {
            state.withLock { $0.writtenGeneration = generation }
            throw error
        }
    }

    /// Metadata and how often it had been set when it was taken.
    struct PendingMetadata {
        var generation: Int
        var values: [String: Any]
    }

    package func saveMetadata() throws {
        // A save without changes writes metadata that was set since the last one.
        _ = try execute(SavePlan())
    }
}
