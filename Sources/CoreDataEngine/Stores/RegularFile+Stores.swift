import Foundation

/// Refuses what is no store's file.
extension RegularFile {
    /// - Throws: `fileReadUnknown` for anything but a regular file. A missing file isn't an error here.
    static func require(at url: URL) throws {
        try requireFileURL(url)
        var facts = stat()
        guard stat(url.path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG else { return }
        throw CoreDataError.make(
            CocoaError.Code.fileReadUnknown.rawValue,
            "“\(url.lastPathComponent)” is \(kind(facts.st_mode)), not a store.", path: url.path)
    }

    /// Refuses a store with something else in the place of its log, the log's index or its journal: SQLite would follow a
    /// link and write the file that it leads to.
    ///
    /// - Parameter url: The store's file, where it really is.
    static func requireCompanions(of url: URL) throws {
        for suffix in ["-wal", "-shm", "-journal"] {
            let path = url.path + suffix
            guard let kind = otherKind(at: path) else { continue }
            throw CoreDataError.make(
                CocoaError.Code.fileReadUnknown.rawValue,
                "“\(url.lastPathComponent)\(suffix)”, beside the store “\(url.lastPathComponent)”, is \(kind), not a file "
                    + "of the store's.", path: path)
        }
    }

    /// Refuses a URL of another kind: its path is that of something on another machine, and not that of a file here.
    ///
    /// - Throws: `NSPersistentStoreOperationError`.
    static func requireFileURL(_ url: URL) throws {
        guard !url.isFileURL else { return }
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "\(url.displayName) isn't a file URL, so a store can't be there.",
            userInfo: ["URL": url])
    }
}
