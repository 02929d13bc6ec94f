import Foundation

/// The files of a store: the one that its URL names, and for SQLite those that belong to it.
struct StoreFiles {
    let url: URL
    let type: String

    private var manager: FileManager { .default }

    /// Where large values are kept, beside the store.
    private var supportFolder: URL {
        let name = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT")
    }

    private var companions: [URL] {
        isDatabase ? ["-wal", "-shm", "-journal"].map { URL(fileURLWithPath: url.path + $0) } : []
    }

    /// Whether the store is a database. Others have one file, and the folder of large values is not theirs, but that of a
    /// database of the same name.
    private var isDatabase: Bool { type == NSSQLiteStoreType }

    // MARK: Removing

    /// Deletes all files.
    func remove() throws {
        try requireRegularFile()
        do {
            // The file itself goes first: without it the others mean nothing.
            try manager.removeItem(at: url)
            for file in companions + (isDatabase ? [supportFolder] : []) where manager.fileExists(atPath: file.path) {
                try manager.removeItem(at: file)
            }
        } catch {
            throw CoreDataError.make(
                NSFileWriteUnknownError, "The store \(url.path) can't be deleted.", path: url.path, underlying: error)
        }
    }

    /// Empties a SQLite database under its locks; deletes the files of other stores.
    func destroy() throws {
        guard type == NSSQLiteStoreType else { return try remove() }
        try requireRegularFile()
        try StoreFile.destroy(at: url)
    }

    private func requireRegularFile() throws {
        let attributes = try? manager.attributesOfItem(atPath: url.path)
        guard let kind = attributes?[.type] as? FileAttributeType else {
            throw CoreDataError.make(NSFileNoSuchFileError, "There is no store at \(url.path).", path: url.path)
        }
        guard kind == .typeRegular || kind == .typeSymbolicLink else {
            throw CoreDataError.make(NSFileWriteUnknownError, "\(url.path) is no store's file.", path: url.path)
        }
    }

    // MARK: Replacing

    /// A complete copy of a store under a name of its own, ready to be moved into place.
    struct Copy {
        let file: URL
        let supportFolder: URL?

        func discard() {
            try? FileManager.default.removeItem(at: file)
            if let supportFolder { try? FileManager.default.removeItem(at: supportFolder) }
        }
    }

    /// Copies the store into the folder of another one.
    func copyBeside(_ destination: StoreFiles) throws -> Copy {
        try requireRegularFile()
        let folder = destination.url.deletingLastPathComponent()
        let name = ".\(destination.url.lastPathComponent)-\(UUID().uuidString)"
        let hasSupport = isDatabase && manager.fileExists(atPath: supportFolder.path)
        let copy = Copy(
            file: folder.appendingPathComponent(name),
            supportFolder: hasSupport ? folder.appendingPathComponent(name + "_SUPPORT") : nil)
        do {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            if type == NSSQLiteStoreType {
                try SQLiteFileCopy.copy(from: url, to: copy.file)
            } else {
                try manager.copyItem(at: url, to: copy.file)
            }
            if let support = copy.supportFolder { try manager.copyItem(at: supportFolder, to: support) }
            return copy
        } catch let error as CocoaError where error.userInfo[NSLocalizedDescriptionKey] != nil {
            copy.discard()
            throw error
        } catch {
            copy.discard()
            throw CoreDataError.make(
                NSFileWriteUnknownError, "The store \(url.path) can't be copied to \(folder.path).", path: url.path,
                underlying: error)
        }
    }

    /// What replacing a store has done so far.
    enum ReplacementStep: CaseIterable {
        case settled, valuesAdded, companionsRemoved, fileReplaced, leftoversRemoved
    }

    /// Moves a copy into the place of this store, so that at any moment there is the old store or the new one, complete.
    ///
    /// The copy's large values are put beside those of the old store first; their names are UUIDs. Then the file is
    /// replaced, and last what the new one doesn't name is removed.
    ///
    /// - Parameter passed: Called after each step, for tests.
    func replace(with copy: Copy, passed: (ReplacementStep) throws -> Void = { _ in }) throws {
        do {
            settle()
            try passed(.settled)
            let values = try addValues(of: copy)
            try passed(.valuesAdded)
            for file in companions where manager.fileExists(atPath: file.path) { try manager.removeItem(at: file) }
            DurableFile.synchronize(folder: url.deletingLastPathComponent())
            try passed(.companionsRemoved)
            try DurableFile.synchronize(file: copy.file)
            guard rename(copy.file.path, url.path) == 0 else {
                throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
            }
            DurableFile.synchronize(folder: url.deletingLastPathComponent())
            try passed(.fileReplaced)
            removeValues(besides: values)
            copy.discard()
            try passed(.leftoversRemoved)
        } catch {
            throw CoreDataError.make(
                NSFileWriteUnknownError, "The store \(url.path) can't be replaced.", path: url.path, underlying: error)
        }
    }

    /// Brings what the log of the old database holds into its file, so that nothing is lost with the log.
    ///
    /// A file that is no database has no log worth keeping.
    private func settle() {
        guard isDatabase, manager.fileExists(atPath: url.path),
            let connection = try? SQLiteConnection(
                path: url.path, configuration: SQLiteConfiguration(access: .readWrite))
        else { return }
        defer { connection.close() }
        _ = try? connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Moves the copy's files of large values into this store's folder, and returns their paths there.
    private func addValues(of copy: Copy) throws -> Set<String> {
        guard let source = copy.supportFolder else { return [] }
        var moved: Set<String> = []
        for path in try manager.subpathsOfDirectory(atPath: source.path) {
            let file = source.appendingPathComponent(path)
            var isFolder: ObjCBool = false
            guard manager.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue else { continue }
            let place = supportFolder.appendingPathComponent(path)
            try manager.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try DurableFile.synchronize(file: file)
            guard rename(file.path, place.path) == 0 else {
                throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
            }
            moved.insert(path)
        }
        for path in Set(moved.map { NSString(string: $0).deletingLastPathComponent }) {
            DurableFile.synchronize(folder: supportFolder.appendingPathComponent(path))
        }
        return moved
    }

    /// Removes files of large values that only the old store had. One that stays harms nobody.
    private func removeValues(besides kept: Set<String>) {
        guard isDatabase else { return }
        guard !kept.isEmpty else {
            try? manager.removeItem(at: supportFolder)
            return
        }
        for path in (try? manager.subpathsOfDirectory(atPath: supportFolder.path)) ?? [] where !kept.contains(path) {
            let file = supportFolder.appendingPathComponent(path)
            var isFolder: ObjCBool = false
            guard manager.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue else { continue }
            try? manager.removeItem(at: file)
        }
    }
}
