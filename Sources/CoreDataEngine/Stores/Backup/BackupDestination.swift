import Foundation

/// Where a backup goes, and what may be there already.
struct BackupDestination: Sendable {
    let url: URL
    private let source: URL
    private let replacesExisting: Bool

    /// - Parameter hasExternalValues: Whether the store's model has values that may be kept in files of their own.
    /// - Throws: When the copy would be, or would touch, the store itself.
    init(_ url: URL, source: URL, replacesExisting: Bool, hasExternalValues: Bool) throws {
        self.url = url
        self.source = source
        self.replacesExisting = replacesExisting
        guard url.isFileURL else {
            throw CoreDataError.make(
                CocoaError.Code.fileWriteUnsupportedScheme.rawValue,
                "A backup goes to a file, not to \(url.displayName).")
        }
        try refuseSource(hasExternalValues)
    }

    private var values: ExternalData { ExternalData(storeURL: url) }

    /// The URL without symbolic links on the way to its folder.
    private static func settled(_ url: URL) -> URL {
        url.deletingLastPathComponent().resolvingSymlinksInPath().appendingPathComponent(url.lastPathComponent)
    }

    private func refuseSource(_ hasExternalValues: Bool) throws {
        let (destination, store) = (Self.settled(url), Self.settled(source))
        let own = [store, store.resolvingSymlinksInPath()].flatMap { [$0] + StoreFile.companions(of: $0) }.map(\.path)
        let support = ExternalData(storeURL: store).supportFolder.path
        let isOwn =
            own.contains(destination.path) || own.contains(destination.resolvingSymlinksInPath().path)
            || destination.path.hasPrefix(support + "/") || isSameFile
        if isOwn {
            throw CoreDataError.make(
                CocoaError.Code.fileWriteFileExists.rawValue,
                "The store “\(source.lastPathComponent)” can't be backed up to itself or to one of its own files.",
                path: url.path)
        }
        let isShared = ExternalData(storeURL: destination).supportFolder.path == support
        guard isShared, hasExternalValues || FileManager.default.fileExists(atPath: support) else { return }
        throw CoreDataError.make(
            CocoaError.Code.fileWriteFileExists.rawValue,
            "A copy named “\(url.lastPathComponent)” would share the folder of external values with the store "
                + "“\(source.lastPathComponent)”; it needs another folder, or a name that differs before the ending.",
            path: url.path)
    }

    /// Whether both names lead to one file, as hard links do.
    private var isSameFile: Bool {
        let files = FileManager.default
        guard let one = try? files.attributesOfItem(atPath: url.resolvingSymlinksInPath().path),
            let other = try? files.attributesOfItem(atPath: source.resolvingSymlinksInPath().path),
            let number = one[.systemFileNumber] as? NSNumber, let disk = one[.systemNumber] as? NSNumber
        else { return false }
        return number == other[.systemFileNumber] as? NSNumber && disk == other[.systemNumber] as? NSNumber
    }

    // MARK: What is there

    /// Removes what a backup left that was killed, and refuses a URL that is taken.
    func prepare() throws {
        let folder = url.deletingLastPathComponent()
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw CoreDataError.make(
                CocoaError.Code.fileNoSuchFile.rawValue,
                "The folder “\(folder.path)” that the backup should go to does not exist.", path: url.path)
        }
        // Before anything is opened.
        try refuseObstacle()
        try StoreExchange.recover(at: url)
        removeEmptyFolders()
        if FileManager.default.fileExists(atPath: url.path) {
            try refuseOthers()
        } else if !replacesExisting, !values.orphans(besides: []).isEmpty {
            throw CoreDataError.make(
                CocoaError.Code.fileWriteFileExists.rawValue,
                "The folder “\(values.supportFolder.lastPathComponent)” beside the backup “\(url.lastPathComponent)” has "
                    + "external values of another store already.", path: values.supportFolder.path)
        }
    }

    private func refuseObstacle() throws {
        guard let kind = OutputFile.obstacle(at: url.path) else { return }
        throw taken("“\(url.lastPathComponent)” is \(kind); a backup goes to a file.")
    }

    /// Refuses a file that is there, unless it is a store, or a damaged one, and may be replaced.
    func refuseOthers() throws {
        try refuseObstacle()
        let name = url.lastPathComponent
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        guard replacesExisting else {
            throw taken("The file “\(name)” already exists, and replacing it wasn't requested.")
        }
        do {
            _ = try StoreFile.examine(url)
        } catch let error as CocoaError where error.code.rawValue == NSPersistentStoreInvalidTypeError {
            throw taken("The file “\(name)” is the database of another program, so a backup doesn't replace it.")
        } catch let error as CocoaError where error.code == .fileReadCorruptFile {
            guard beginsAsDatabase else {
                throw taken("The file “\(name)” isn't a SQLite database, so a backup doesn't replace it.")
            }
        }
    }

    private func taken(_ sentence: String) -> CocoaError {
        CoreDataError.make(CocoaError.Code.fileWriteFileExists.rawValue, sentence, path: url.path)
    }

    private var beginsAsDatabase: Bool {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }

    /// The files of large values that the copy which is replaced names.
    ///
    /// Others in the folder may be those of another store; they stay.
    func formerFiles() -> [String] {
        guard FileManager.default.fileExists(atPath: url.path), let connection = try? SQLiteConnection.readingOnly(url)
        else { return [] }
        defer { connection.close() }
        return (try? BackedUpFiles.named(in: connection, nil)).map { Array($0.keys) } ?? []
    }

    /// Puts values into the place of files with the same name that are not whole.
    func replaceDamagedFiles(from folder: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            let (file, destination) = (folder.appendingPathComponent(name), values.folder.appendingPathComponent(name))
            guard let size = BackedUpFiles.size(of: destination), size != BackedUpFiles.size(of: file) else { continue }
            try? FileManager.default.removeItem(at: destination)
        }
    }

    /// Creates the empty file of the copy, readable only by its owner. It gets the store's permissions at the end.
    func makeDraft(_ draft: URL) throws {
        for leftover in [draft] + StoreFile.companions(of: draft) { try? FileManager.default.removeItem(at: leftover) }
        guard
            FileManager.default.createFile(
                atPath: draft.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else {
            throw CoreDataError.writing(
                "The file of the copy can't be created.", path: draft.path, cause: SystemError.last())
        }
    }

    /// Removes the folders of large values where a backup that failed made them for nothing.
    func removeEmptyFolders() {
        guard !FileManager.default.fileExists(atPath: url.path) else { return }
        for folder in [values.folder, values.supportFolder]
        where (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.isEmpty == true {
            try? FileManager.default.removeItem(at: folder)
        }
    }
}
