package import Foundation

/// Copies a SQLite store that may be in use: a single state of it, with the files of large values that belong to this
/// state.
///
/// A read transaction stays open from the first byte to the last, so that others can write and the copy shows none of
/// it. The files of large values come first, as hard links if the disk has them, then the pages. The copy is made in a
/// folder beside the destination, checked, flushed and renamed (``StoreExchange``): after a crash, the destination is
/// either unchanged or complete, and the next backup removes what is left over.
package struct StoreBackup: Sendable {
    let pool: SQLiteConnectionPool
    private let schema: SQLSchema
    private let destination: BackupDestination
    private let progress: (@Sendable (StoreBackupProgress) -> Void)?
    private let search = CancellableRead()

    /// How often the copy is started again because of interference.
    private static let attempts = 3
    /// Between two looks at whether the backup was cancelled.
    private static let pagesAtOnce: Int32 = 256

    /// - Parameters:
    ///   - store: An open SQLite store.
    ///   - url: The file of the copy.
    ///   - replacesExisting: Whether to replace an existing store.
    ///   - progress: Called on the thread that copies.
    /// - Throws: An error if the store can't be copied this way, or is closed.
    package init(
        of store: NSPersistentStore, to url: URL, replacesExisting: Bool,
        progress: (@Sendable (StoreBackupProgress) -> Void)? = nil
    ) throws {
        guard let database = store as? SQLiteStore else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "The store \(store.shortName) isn't a SQLite store; only SQLite stores can be backed up while they are in use.",
                path: store.url?.path)
        }
        let runtime = try database.runtime()
        pool = runtime.pool
        schema = runtime.schema
        destination = try BackupDestination(
            url, source: runtime.pool.url, replacesExisting: replacesExisting,
            hasExternalValues: runtime.schema.entities.contains { $0.attributes.contains(where: \.hasExternalStorage) })
        self.progress = progress
    }

    /// Makes the copy on this thread.
    ///
    /// - Throws: `CocoaError` naming the file; `userCancelled` after ``cancel()``. The destination is then as it was.
    @discardableResult
    package func run() throws -> StoreBackupSummary {
        try destination.prepare()
        var attempt = 1
        while true {
            do {
                return try copyOnce()
            } catch let interference as BackupInterference {
                guard attempt < Self.attempts else { throw interference.error(source: pool.url) }
                attempt += 1
            }
        }
    }

    /// Makes the copy on a thread of its own, and stops when the task is cancelled.
    ///
    /// - Throws: As ``run()``; `CancellationError` when the task was cancelled.
    @discardableResult
    package func runInBackground() async throws -> StoreBackupSummary {
        do {
            return try await withTaskCancellationHandler {
                try await CalledBack.value { callBack in
                    DispatchQueue.global(qos: .utility).async { callBack(Result { try run() }) }
                }
            } onCancel: {
                cancel()
            }
        } catch let error as CocoaError where error.code == .userCancelled && Task.isCancelled {
            throw CancellationError()
        }
    }

    /// Stops the copy; once it is being put into its place this does nothing.
    package func cancel() { search.cancel() }

    // MARK: Steps

    private func copyOnce() throws -> StoreBackupSummary {
        let exchange = try StoreExchange(at: destination.url)
        defer {
            exchange.close()
            destination.removeEmptyFolders()
        }
        MigrationStep.reached(.begun)
        let summary = try search.run {
            try exchange.writing { draft in
                let (summary, files) = try copy(to: draft)
                try check(draft, files)
                return summary
            }
        }
        MigrationStep.reached(.copied)
        let former = destination.formerFiles()
        let files = StoreFiles(url: destination.url, type: NSSQLiteStoreType)
        let nameLock = try files.lockName(nil)
        defer { nameLock?.release(removingFile: true) }
        try destination.refuseOthers()
        let lock = try files.lock(nil)
        defer { lock?.release() }
        destination.replaceDamagedFiles(from: ExternalData(storeURL: exchange.draft).folder)
        try exchange.exchange(leftBehind: former, permissions: FilePermissions.of(pool.url))
        lock?.didReplaceFile()
        return summary
    }

    /// Copies one state of the store.
    ///
    /// - Returns: What was copied, and the files of large values with their sizes.
    private func copy(to draft: URL) throws -> (StoreBackupSummary, [String: Int64]) {
        try destination.makeDraft(draft)
        return try translating {
            try pool.readingForBackup { connection, isUntouched in
                try CancellableRead.reading(connection) {
                    let named = try BackedUpFiles.named(in: connection, schema)
                    let values = BackedUpFiles(from: ExternalData(storeURL: pool.url), to: draft)
                    let files = try values.copy(named)
                    let valueBytes = files.values.reduce(0, +)
                    let pageSize = try connection.pageSize()
                    var databaseBytes: Int64 = 0
                    try SQLiteFileCopy.copy(from: connection, to: draft, pagesAtOnce: Self.pagesAtOnce) { done, total in
                        if search.isCancelled { throw CocoaError(.userCancelled) }
                        databaseBytes = Int64(total) * pageSize
                        progress?(
                            StoreBackupProgress(
                                completedBytes: valueBytes + Int64(done) * pageSize,
                                totalBytes: valueBytes + databaseBytes))
                    }
                    guard isUntouched() else { throw BackupInterference.changedFile }
                    let summary = StoreBackupSummary(
                        databaseBytes: databaseBytes, externalValues: files.count, externalBytes: valueBytes)
                    return (summary, files)
                }
            }
        }
    }

    /// Looks at the copy as a reader would who knows nothing of how it was made.
    private func check(_ draft: URL, _ files: [String: Int64]) throws {
        let answer = try translating {
            let connection = try SQLiteConnection.readingOnly(draft)
            defer { connection.close() }
            return try CancellableRead.reading(connection) { try connection.firstValue("PRAGMA quick_check(1)") }
        }
        guard answer == .text("ok") else {
            throw CoreDataError.make(
                CocoaError.Code.fileReadCorruptFile.rawValue,
                "The copy of the store “\(pool.url.lastPathComponent)” is damaged (\(answer?.described ?? "no answer")); "
                    + "the store itself most likely is, too.", path: pool.url.path)
        }
        let folder = ExternalData(storeURL: draft).folder
        for (name, size) in files where BackedUpFiles.size(of: folder.appendingPathComponent(name)) != size {
            throw CoreDataError.make(
                CocoaError.Code.fileWriteUnknown.rawValue,
                "The external value “\(name)” of the store “\(pool.url.lastPathComponent)” wasn't copied completely.",
                path: draft.path)
        }
    }

    private func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw error.cocoaError(while: error.path == pool.url.path ? .reading : .saving)
        }
    }
}
