package import Foundation

/// Replaces a store with a new one, or creates it, so that after a crash at any point there is either the complete old
/// store or the complete new one.
///
/// Migrations, replacements and copies work this way. A folder beside the store, `.<name>-migration`, contains the new
/// store and a journal until the exchange is done. The exchange itself is one rename. If a process was killed, the
/// exchange is completed or undone when the store is opened next.
package final class StoreExchange {
    let url: URL
    /// The store's files with large values.
    let values: ExternalData
    private let folder: URL
    private let lock: FolderLock

    /// Where the new store is to be written.
    package var draft: URL { folder.appendingPathComponent("store.sqlite") }
    private var journalURL: URL { Self.journal(in: folder) }

    /// Store option: the store is opened by the migration itself, which is no remains of a dead one.
    static let isUnderWayOption = "OpenCoreDataMigrationIsUnderWay"

    /// What has to be done besides the rename.
    struct Journal: Codable {
        /// Files with large values that came with the new store.
        var added: [String] = []
        /// Files with large values that the new store does not need.
        var leftBehind: [String] = []
    }

    /// Creates the folder.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - patience: How long to wait for others, in seconds.
    /// - Throws: `CocoaError` when the folder of the store can't be written; `NSPersistentStoreTimeoutError` when
    ///   another process is migrating or replacing it.
    package init(at url: URL, waiting patience: TimeInterval = 0) throws {
        try RegularFile.requireFileURL(url)
        // A rename would replace a symbolic link and not the file that it leads to.
        self.url = url.realFile
        values = ExternalData(storeURL: url)
        folder = Self.folder(of: self.url)
        lock = try Self.takeFolder(folder, at: url, patience)
    }

    /// Makes the folder and takes its lock.
    private static func takeFolder(_ folder: URL, at url: URL, _ patience: TimeInterval) throws -> FolderLock {
        var failure: any Error = CocoaError(.fileLocking)
        for _ in 0..<100 {
            try recover(at: url, waiting: patience)
            do {
                return try makeFolder(folder)
            } catch let error as Overtaken {
                failure = error.cause
                usleep(1_000)
            } catch {
                throw CoreDataError.writing(
                    "A new store can't be created next to \(url.lastPathComponent).", path: url.path, cause: error)
            }
        }
        throw busy(url, failure)
    }

    /// Another process creates the folder at the same time, or took it for leftovers before it was locked.
    private struct Overtaken: Error {
        let cause: any Error
    }

    private static func makeFolder(_ folder: URL) throws -> FolderLock {
        do {
            // While it is written, only its owner may read the new store.
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            var isFolder: ObjCBool = false
            // A file of that name isn't an exchange in progress.
            let isThere = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
            if isThere, !isFolder.boolValue { throw error }
            throw Overtaken(cause: error)
        }
        do {
            return try FolderLock(folder)
        } catch let error as CocoaError where error.code == .fileLocking {
            throw Overtaken(cause: error)
        } catch  where SystemError.number(of: error) == ENOENT {
            throw Overtaken(cause: error)
        }
    }

    private static func busy(_ url: URL, _ cause: any Error) -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreTimeoutError,
            "The store \(url.lastPathComponent) is being migrated or replaced by another coordinator or process.",
            path: url.path,
            underlying: cause)
    }

    /// Writes the draft.
    ///
    /// - Throws: What the block threw; an error about the draft names the store too, and has its path.
    func writing<Result>(_ write: (URL) throws -> Result) throws -> Result {
        do {
            return try write(draft)
        } catch let error as CocoaError where (error.userInfo[NSFilePathErrorKey] as? String) == draft.path {
            throw CoreDataError.make(
                error.code.rawValue,
                "A new store can't be created next to \(url.lastPathComponent). \(error.localizedDescription)",
                path: url.path,
                underlying: error)
        }
    }

    /// Puts the draft into the place of the store.
    ///
    /// - Parameters:
    ///   - leftBehind: Files with large values that the new store does not need.
    ///   - permissions: For a copy, those of its source. Others may do nothing with the copy that they may not do with that.
    package func exchange(leftBehind: [String], permissions: mode_t? = nil) throws {
        try settleDraft()
        let target = values
        let files = ExternalData(storeURL: draft)
        let names = files.orphans(besides: [])
        // Names are unique: a file that is there under the same name, as when a copy comes back, is the same value.
        let added = names.filter {
            !FileManager.default.fileExists(atPath: target.folder.appendingPathComponent($0).path)
        }
        let needed = Set(names)
        let leftBehind = leftBehind.filter { !needed.contains($0) }
        let journal = Journal(added: added, leftBehind: leftBehind)
        do {
            try DurableFile.write(JSONEncoder().encode(journal), to: journalURL)
            MigrationStep.reached(.ready)
            try moveFiles(journal.added, from: files, to: target, permissions)
            MigrationStep.reached(.filesMoved)
            let present = FilePermissions.of(url)
            if let mode = FilePermissions.ofCopy(permissions, replacing: present) {
                FilePermissions.set(mode, of: draft)
            }
            try DurableFile.move(draft, over: url)
            DurableFile.synchronize(folder: url.deletingLastPathComponent())
        } catch {
            target.remove(journal.added)
            throw CoreDataError.writing(
                "The new store \(url.lastPathComponent) can't be moved into place.", path: url.path, cause: error)
        }
        MigrationStep.reached(.exchanged)
        target.remove(leftBehind)
        MigrationStep.reached(.swept)
    }

    /// Moves the draft to the store's URL, unless another process creates a store there at the same time.
    ///
    /// - Returns: Whether it was moved.
    package func exchangeIfFree(permissions: mode_t? = nil) throws -> Bool {
        let lock = try StoreNameLock.take(url, options: nil)
        defer { lock.release(removingFile: true) }
        guard FileIdentity(at: url.path) == nil else { return false }
        try exchange(leftBehind: [], permissions: permissions)
        return true
    }

    /// Removes the folder with everything in it.
    package func close() {
        Self.remove(folder)
        lock.release()
    }

    /// The journal goes first: beside a journal, a draft that is missing means that it became the store.
    private static func remove(_ folder: URL) {
        let journal = journal(in: folder)
        if FileManager.default.fileExists(atPath: journal.path) {
            guard unlink(journal.path) == 0 else { return }
            DurableFile.synchronize(folder: folder)
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Makes sure that the file of the draft is all there is of it, and on the disk.
    private func settleDraft() throws {
        do {
            if LogState(of: draft).isLive {
                let connection = try SQLiteConnection(path: draft.path, configuration: .init(access: .readWrite))
                defer { connection.close() }
                guard try connection.checkpoint() else { throw CocoaError(.fileLocking) }
            }
            try DurableFile.synchronize(file: draft)
        } catch {
            throw CoreDataError.writing(
                "The new store \(url.lastPathComponent) can't be finished.", path: url.path, cause: error)
        }
    }

    private func moveFiles(
        _ names: [String], from files: ExternalData, to target: ExternalData, _ permissions: mode_t?
    ) throws {
        guard !names.isEmpty else { return }
        try target.makeFolders(like: files)
        for name in names {
            let file = files.folder.appendingPathComponent(name)
            if let permissions { Self.narrow(file, to: permissions) }
            try FileManager.default.moveItem(at: file, to: target.folder.appendingPathComponent(name))
        }
        DurableFile.synchronize(folder: target.folder)
    }

    /// Takes from others what they may not do with the store. A hard link to a file of the source has its permissions.
    private static func narrow(_ file: URL, to permissions: mode_t) {
        var facts = stat()
        guard lstat(file.path, &facts) == 0, facts.st_nlink == 1 else { return }
        let mode = facts.st_mode & 0o777
        FilePermissions.set(mode & 0o700 | mode & permissions & 0o077, of: file)
    }

    // MARK: After a crash

    /// Finishes or undoes what a process that died left beside a store; nothing while a process is at it.
    ///
    /// - Parameter patience: How long to wait for a process that is migrating or replacing the store, in seconds.
    /// - Throws: `NSPersistentStoreTimeoutError` when it takes longer.
    static func recover(at location: URL, waiting patience: TimeInterval = 0) throws {
        let end = ProcessInfo.processInfo.systemUptime + patience
        while true {
            do {
                return try recoverNow(at: location)
            } catch let error as CocoaError
                where error.code == .persistentStoreTimeout && ProcessInfo.processInfo.systemUptime < end
            {
                usleep(2_000)
            }
        }
    }

    private static func recoverNow(at location: URL) throws {
        guard location.isFileURL else { return }
        let url = location.realFile
        let folder = folder(of: url)
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        let lock: FolderLock
        do {
            lock = try FolderLock(folder)
        } catch let error as CocoaError where error.code == .fileLocking {
            throw busy(url, error)
        } catch {
            // On a medium that can't be written the remains stay; the store is whole with or without them.
            return
        }
        defer { lock.release() }
        let data = try? WholeFile.read(journal(in: folder))
        if let journal = data.flatMap({ try? JSONDecoder().decode(Journal.self, from: $0) }) {
            // The draft is gone when it became the store.
            let isDone = !FileManager.default.fileExists(atPath: folder.appendingPathComponent("store.sqlite").path)
            ExternalData(storeURL: location).remove(isDone ? journal.leftBehind : journal.added)
        }
        remove(folder)
    }

    private static func folder(of url: URL) -> URL {
        url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent)-migration", isDirectory: true)
    }

    private static func journal(in folder: URL) -> URL { folder.appendingPathComponent("journal.json") }
}
