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
        type == NSSQLiteStoreType ? ["-wal", "-shm", "-journal"].map { URL(fileURLWithPath: url.path + $0) } : []
    }

    // MARK: Removing

    /// Deletes all files.
    func remove() throws {
        try requireRegularFile()
        do {
            // The file itself goes first: without it the others mean nothing.
            try manager.removeItem(at: url)
            for file in companions + [supportFolder] where manager.fileExists(atPath: file.path) {
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
        let hasSupport = manager.fileExists(atPath: supportFolder.path)
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

    /// Moves a copy into the place of this store.
    func replace(with copy: Copy) throws {
        do {
            for file in companions where manager.fileExists(atPath: file.path) { try manager.removeItem(at: file) }
            guard rename(copy.file.path, url.path) == 0 else {
                throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
            }
            if manager.fileExists(atPath: supportFolder.path) { try manager.removeItem(at: supportFolder) }
            if let support = copy.supportFolder { try manager.moveItem(at: support, to: supportFolder) }
        } catch {
            throw CoreDataError.make(
                NSFileWriteUnknownError, "The store \(url.path) can't be replaced.", path: url.path, underlying: error)
        }
    }
}
