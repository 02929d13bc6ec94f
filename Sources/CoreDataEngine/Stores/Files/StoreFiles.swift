package import Foundation

/// The files of a store: the one that its URL names, and for SQLite those that belong to it.
package struct StoreFiles {
    let url: URL
    let type: String

    package init(url: URL, type: String) {
        self.url = url
        self.type = type
    }

    var manager: FileManager { .default }

    /// What a database has beside its file.
    package var companions: [URL] {
        guard isDatabase else { return [] }
        let file = url.realFile
        return ["-wal", "-shm", "-journal"].map { URL(fileURLWithPath: file.path + $0) }
    }

    /// Whether the store is a database. Others have one file, and the folder of large values is not theirs, but that of a
    /// database of the same name.
    var isDatabase: Bool { type == NSSQLiteStoreType }

    // MARK: Removing

    /// Deletes all files. Of large values, only those that the store's rows name are deleted, because another store may
    /// use the same folder.
    ///
    /// - Throws: An error that names the file, also if its folder doesn't exist.
    func remove() throws {
        guard try isThere() else { return try removeCompanions() }
        let lock = try lockName(nil)
        defer { lock?.release(removingFile: true) }
        try removeAll { try removeFile($0) }
    }

    /// Deletes all files, the store's large values by itself.
    ///
    /// - Parameters:
    ///   - isThere: Whether there is a file.
    ///   - removeFile: Deletes one of the others.
    package func removeAll(
        where isThere: (URL) -> Bool = { FileManager.default.fileExists(atPath: $0.path) },
        removeFile: (URL) throws -> Void
    ) rethrows {
        let values = isDatabase ? ExternalData(storeURL: url) : nil
        let files = values?.ownFiles() ?? []
        // The file itself is the first: without it the others mean nothing.
        for file in [url] + companions where isThere(file) { try removeFile(file) }
        values?.removeOwn(files)
    }

    /// Empties a SQLite database under its locks; deletes the files of other stores.
    func destroy() throws {
        guard type == NSSQLiteStoreType else { return try remove() }
        guard try isThere() else { return try removeCompanions() }
        try StoreFile.destroy(at: url)
    }

    /// Whether there is a file to destroy.
    ///
    /// - Throws: An error if something else is there, or the folder doesn't exist.
    private func isThere() throws -> Bool {
        try RegularFile.requireFileURL(url)
        var isFolder: ObjCBool = false
        let folder = url.deletingLastPathComponent().path
        let isMissing = (try? manager.attributesOfItem(atPath: url.path)) == nil
        if isMissing, manager.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue { return false }
        try requireRegularFile()
        return true
    }

    /// Deletes what is left of a store that has no file any longer.
    private func removeCompanions() throws {
        for file in companions where manager.fileExists(atPath: file.path) { try removeFile(file) }
    }

    private func removeFile(_ file: URL) throws {
        do {
            try manager.removeItem(at: file)
        } catch {
            throw CoreDataError.writing("The store \(url.path) can't be deleted.", path: url.path, cause: error)
        }
    }

    /// Keeps others from saving a store that is replaced whole, and from making one in its place; `nil` for a store of the
    /// application's.
    func lockName(_ options: [AnyHashable: Any]?) throws -> FileLock? {
        let isOwn = isDatabase || type == NSXMLStoreType || type == NSBinaryStoreType
        return isOwn ? try StoreNameLock.take(url, options: options) : nil
    }

    func requireRegularFile() throws {
        try RegularFile.requireFileURL(url)
        let attributes = try? manager.attributesOfItem(atPath: url.path)
        guard let kind = attributes?[.type] as? FileAttributeType else {
            throw CoreDataError.make(NSFileNoSuchFileError, "There is no store at \(url.path).", path: url.path)
        }
        guard kind == .typeRegular || kind == .typeSymbolicLink else {
            throw CoreDataError.make(NSFileWriteUnknownError, "\(url.path) isn't a file of a store.", path: url.path)
        }
        try RegularFile.require(at: url)
    }
}
