package import Foundation

/// Putting a copy of one store into the place of another.
extension StoreFiles {
    /// Replaces a store, so that after a crash at any moment there is the old store or the new one, whole.
    ///
    /// - Parameters:
    ///   - destination: The store to replace, which may not exist yet.
    ///   - options: Options of that store: how long to wait for others who have it open.
    ///   - close: Called when the copy is complete, to close the store that is replaced.
    /// - Throws: An error that names the file; the store is then as it was.
    func replace(_ destination: StoreFiles, options: [AnyHashable: Any]?, close: () throws -> Void) throws {
        try requireRegularFile()
        try RegularFile.requireFileURL(destination.url)
        try destination.makeFolder()
        let exchange = try StoreExchange(at: destination.url)
        defer { exchange.close() }
        MigrationStep.reached(.begun)
        try exchange.writing { try copy(to: StoreFiles(url: $0, type: type)) }
        MigrationStep.reached(.copied)
        try close()
        let fileLock = try destination.lockName(options)
        defer { fileLock?.release(removingFile: true) }
        let lock = try destination.lock(options)
        defer { lock?.release() }
        let former = isDatabase ? exchange.values.ownFiles() : []
        // A seed in a folder that can't be written becomes a store that can.
        try exchange.exchange(leftBehind: former, permissions: FilePermissions.of(url).map { $0 | 0o200 })
        lock?.didReplaceFile()
    }

    /// Changes a store as a whole: a block works on a copy, which then takes the store's place. After a crash at any moment
    /// there is the old store or the new one, whole. Others can't write the store while the block works.
    ///
    /// - Parameters:
    ///   - options: Options of the store: how long to wait for others who have it open.
    ///   - isDue: Whether there is still something to do, once no other process is at it.
    ///   - work: Changes the copy, and closes it.
    /// - Throws: What the block threw, or an error that names the file; the store is then as it was.
    package func change(
        options: [AnyHashable: Any]?, if isDue: () throws -> Bool, byWorkingOnCopy work: (URL) throws -> Void
    ) throws {
        try requireRegularFile()
        let exchange = try StoreExchange(at: url, waiting: StoreNameLock.patience(options))
        defer { exchange.close() }
        guard try isDue() else { return }
        let fileLock = try lockName(options)
        defer { fileLock?.release(removingFile: true) }
        let lock = try lock(options)
        defer { lock?.release() }
        MigrationStep.reached(.begun)
        try exchange.writing { draft in
            try copy(to: StoreFiles(url: draft, type: type))
            try work(draft)
        }
        try exchange.exchange(leftBehind: isDatabase ? exchange.values.ownFiles() : [])
        lock?.didReplaceFile()
    }

    private func makeFolder() throws {
        let folder = url.deletingLastPathComponent()
        do {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw CoreDataError.writing(
                "The folder of the store \(url.path) can't be created.", path: url.path, cause: error)
        }
    }

    /// Copies the store, with its large values, to a URL where nothing is.
    private func copy(to draft: StoreFiles) throws {
        do {
            guard isDatabase else { return try manager.copyItem(at: url, to: draft.url) }
            // What the rows of the copy name stays where it is as long as a reader sees these rows.
            try SQLiteFileCopy.copy(from: url, to: draft.url) { reader in
                try copyValues(ExternalData.namedFiles(in: reader), to: ExternalData(storeURL: draft.url))
            }
        } catch {
            throw CoreDataError.writing("The store \(url.path) can't be copied.", path: url.path, cause: error)
        }
    }

    private func copyValues(_ names: Set<String>, to copies: ExternalData) throws {
        let values = ExternalData(storeURL: url)
        // A store whose files are missing is copied as it is.
        let present = names.filter(values.hasValue)
        guard !present.isEmpty else { return }
        try copies.makeFolders(like: values)
        for name in present.sorted() {
            let destination = copies.folder.appendingPathComponent(name)
            try manager.copyItem(at: values.folder.appendingPathComponent(name), to: destination)
            try DurableFile.synchronize(file: destination)
        }
    }

    /// Brings what the log of a database holds into its file, so that nothing is lost with the log, and keeps others from
    /// writing. Stores of this process that are open on it are closed until the lock is released.
    ///
    /// - Throws: `NSPersistentStoreTimeoutError` while other processes have the store open.
    func lock(_ options: [AnyHashable: Any]?) throws -> SQLiteStoreLock? {
        guard isDatabase else { return nil }
        var lock: SQLiteStoreLock?
        let real = StoreFiles(url: url.realFile, type: type)
        if manager.fileExists(atPath: real.url.path) {
            do {
                lock = try SQLiteStoreLock(real.url, options: options, suspendsOwn: true)
            } catch let error as CocoaError where error.code == .fileReadCorruptFile {
                // What is no database has no log worth keeping.
            }
        }
        do {
            for file in real.companions where manager.fileExists(atPath: file.path) { try manager.removeItem(at: file) }
        } catch {
            lock?.release()
            throw CoreDataError.writing("The store \(url.path) can't be replaced.", path: url.path, cause: error)
        }
        return lock
    }
}
