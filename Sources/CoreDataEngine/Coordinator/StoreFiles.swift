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

    /// Where large values are kept, beside the store.
    var supportFolder: URL { ExternalData(storeURL: url).supportFolder }

    var companions: [URL] {
        isDatabase ? ["-wal", "-shm", "-journal"].map { URL(fileURLWithPath: url.path + $0) } : []
    }

    /// Everything that belongs to the store. The file itself is the first: without it the others mean nothing.
    package var all: [URL] { [url] + companions + (isDatabase ? [supportFolder] : []) }

    /// Whether the store is a database. Others have one file, and the folder of large values is not theirs, but that of a
    /// database of the same name.
    var isDatabase: Bool { type == NSSQLiteStoreType }

    // MARK: Removing

    /// Deletes all files.
    func remove() throws {
        try requireRegularFile()
        let lock = try lockAtomicFile(nil)
        defer { lock?.release(removingFile: true) }
        do {
            try manager.removeItem(at: url)
            for file in all.dropFirst() where manager.fileExists(atPath: file.path) {
                try manager.removeItem(at: file)
            }
        } catch {
            throw CoreDataError.writing("The store \(url.path) can't be deleted.", path: url.path, cause: error)
        }
    }

    /// Empties a SQLite database under its locks; deletes the files of other stores.
    func destroy() throws {
        guard type == NSSQLiteStoreType else { return try remove() }
        try requireRegularFile()
        try StoreFile.destroy(at: url)
    }

    /// Keeps others from saving a store that is replaced whole; `nil` for a database, which has locks of its own.
    func lockAtomicFile(_ options: [AnyHashable: Any]?) throws -> FileLock? {
        type == NSXMLStoreType || type == NSBinaryStoreType ? try AtomicFile(url).lock(options) : nil
    }

    func requireRegularFile() throws {
        let attributes = try? manager.attributesOfItem(atPath: url.path)
        guard let kind = attributes?[.type] as? FileAttributeType else {
            throw CoreDataError.make(NSFileNoSuchFileError, "There is no store at \(url.path).", path: url.path)
        }
        guard kind == .typeRegular || kind == .typeSymbolicLink else {
            throw CoreDataError.make(NSFileWriteUnknownError, "\(url.path) is no store's file.", path: url.path)
        }
    }
}
