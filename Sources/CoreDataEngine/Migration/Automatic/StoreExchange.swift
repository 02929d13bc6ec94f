package import Foundation

/// Puts a migrated store in the place of the old one, so that after a crash at any point there is either the old store or
/// the new one, whole.
///
/// A folder beside the store, `.<name>-migration`, holds the new store and a journal until the exchange is done. The
/// exchange itself is one rename. What a dead process left is finished or undone when the store is opened next.
package final class StoreExchange {
    let url: URL
    private let folder: URL
    private let lock: FolderLock

    /// Where the new store is to be written.
    var draft: URL { folder.appendingPathComponent("store.sqlite") }
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

    /// Makes the folder.
    ///
    /// - Parameter url: The store.
    /// - Throws: `CocoaError` when the folder of the store can't be written, or another process is migrating it.
    package init(at url: URL) throws {
        // A rename would replace a symbolic link and not the file that it leads to.
        self.url = url.resolvingSymlinksInPath()
        folder = Self.folder(of: self.url)
        try Self.recover(at: self.url)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            lock = try FolderLock(folder)
        } catch {
            throw Self.failure(
                "The store \(url.lastPathComponent) can't be migrated: its folder can't be written.", url, error)
        }
    }

    /// Puts the draft into the place of the store.
    ///
    /// - Parameter leftBehind: Files with large values that the new store does not need.
    func exchange(leftBehind: [String]) throws {
        try settleDraft()
        let target = ExternalData(storeURL: url)
        let files = ExternalData(storeURL: draft)
        let journal = Journal(added: files.orphans(besides: []), leftBehind: leftBehind)
        do {
            try DurableFile.write(JSONEncoder().encode(journal), to: journalURL)
            MigrationStep.reached(.ready)
            try moveFiles(journal.added, from: files.folder, to: target.folder)
            MigrationStep.reached(.filesMoved)
            copyPermissions()
            guard rename(draft.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            DurableFile.synchronize(folder: url.deletingLastPathComponent())
        } catch {
            target.remove(journal.added)
            throw Self.failure("The migrated store \(url.lastPathComponent) can't be put in its place.", url, error)
        }
        MigrationStep.reached(.exchanged)
        target.remove(leftBehind)
        MigrationStep.reached(.swept)
    }

    /// Removes the folder with everything in it.
    package func close() {
        try? FileManager.default.removeItem(at: folder)
        lock.release()
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
            throw Self.failure("The migrated store \(url.lastPathComponent) can't be finished.", url, error)
        }
    }

    private func moveFiles(_ names: [String], from folder: URL, to target: URL) throws {
        guard !names.isEmpty else { return }
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        for name in names {
            try FileManager.default.moveItem(
                at: folder.appendingPathComponent(name), to: target.appendingPathComponent(name))
        }
        DurableFile.synchronize(folder: target)
    }

    private func copyPermissions() {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        guard let permissions = attributes?[.posixPermissions] else { return }
        try? FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: draft.path)
    }

    // MARK: After a crash

    /// Finishes or undoes what a process that died left beside a store; nothing while a process is at it.
    ///
    /// - Throws: `NSPersistentStoreTimeoutError` when another process is migrating the store at this moment.
    static func recover(at url: URL) throws {
        let url = url.resolvingSymlinksInPath()
        let folder = folder(of: url)
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        let lock: FolderLock
        do {
            lock = try FolderLock(folder)
        } catch let error as CocoaError where error.code == .fileLocking {
            throw CoreDataError.make(
                NSPersistentStoreTimeoutError,
                "The store \(url.lastPathComponent) is being migrated by another process.", path: url.path,
                underlying: error)
        } catch {
            // On a medium that can't be written the remains stay; the store is whole with or without them.
            return
        }
        defer { lock.release() }
        let data = try? Data(contentsOf: journal(in: folder))
        if let journal = data.flatMap({ try? JSONDecoder().decode(Journal.self, from: $0) }) {
            // The draft is gone when it became the store.
            let isDone = !FileManager.default.fileExists(atPath: folder.appendingPathComponent("store.sqlite").path)
            ExternalData(storeURL: url).remove(isDone ? journal.leftBehind : journal.added)
        }
        try? FileManager.default.removeItem(at: folder)
    }

    private static func folder(of url: URL) -> URL {
        url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent)-migration", isDirectory: true)
    }

    private static func journal(in folder: URL) -> URL { folder.appendingPathComponent("journal.json") }

    private static func failure(_ sentence: String, _ url: URL, _ cause: any Error) -> CocoaError {
        if let error = cause as? CocoaError, error.userInfo[NSLocalizedDescriptionKey] != nil { return error }
        let isFull = (cause as NSError).code == CocoaError.Code.fileWriteOutOfSpace.rawValue
        return CoreDataError.make(
            isFull ? CocoaError.Code.fileWriteOutOfSpace.rawValue : CocoaError.Code.fileWriteUnknown.rawValue, sentence,
            path: url.path, underlying: cause)
    }
}
