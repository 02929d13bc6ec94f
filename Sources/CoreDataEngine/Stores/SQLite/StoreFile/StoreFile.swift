package import Foundation

/// The file of an SQLite store: what it is, and what it holds besides objects.
///
/// The functions open the file for the moment of the call. They may be called from any thread.
package enum StoreFile {
    /// The version of Apple's framework whose layout new stores have.
    package static let frameworkVersion = 1526

    /// What is at the URL of a store.
    package enum Content: Sendable, Hashable {
        /// Nothing; the folder is there.
        case missing
        /// A file without bytes, or a database without tables: a store can be made of it.
        case empty
        /// A store with metadata.
        case store
    }

    /// Looks at a file without changing it.
    ///
    /// - Throws: `CocoaError` naming the file: `fileReadNoSuchFile` when the folder is missing, `fileReadCorruptFile` for
    ///   what is no database or damaged, `persistentStoreInvalidType` for a database that is no store, `fileReadUnknown` for a
    ///   link, a pipe or a folder in the place of its log.
    package static func examine(_ url: URL) throws -> Content {
        try RegularFile.requireFileURL(url)
        guard FileManager.default.fileExists(atPath: url.path) else {
            try requireFolder(of: url)
            return .missing
        }
        try RegularFile.require(at: url)
        let file = url.realFile
        try RegularFile.requireCompanions(of: file)
        if isWithoutBytes(file) { return .empty }
        return try reading(file) { connection in try content(connection, url) }
    }

    /// The files that belong to a store besides its main file: log, log index, journal, folder of external data.
    package static func companions(of url: URL) -> [URL] {
        let url = url.realFile
        return ["-wal", "-shm", "-journal"].map { URL(fileURLWithPath: url.path + $0) }
            + [ExternalData(storeURL: url).supportFolder]
    }

    /// Runs a block with a connection that reads the file without changing it.
    ///
    /// A file that isn't open anywhere is read without locks. If another program writes it in the meantime, the block
    /// runs again.
    static func reading<Result>(_ url: URL, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try RegularFile.requireFileURL(url)
        let url = url.realFile
        do {
            for _ in 0..<mostReadsWithoutLocks {
                let state = LogState(of: url)
                let answer = Swift.Result { try read(SQLiteConnection.readingOnly(url), body) }
                if !state.isAtRest || state == LogState(of: url) { return try answer.get() }
            }
            return try read(SQLiteConnection(path: url.path, configuration: .init(access: .readOnly)), body)
        } catch let error as SQLiteError {
            throw error.cocoaError(while: .opening)
        }
    }

    private static let mostReadsWithoutLocks = 3

    private static func read<Result>(
        _ connection: SQLiteConnection, _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        defer { connection.close() }
        return try body(connection)
    }

    /// Runs a block with a connection that writes the file.
    ///
    /// - Parameters:
    ///   - options: The store's, for how long to wait for others.
    ///   - keepsLog: Whether the log, emptied, stays beside the file.
    static func writing<Result>(
        _ url: URL, _ options: [AnyHashable: Any]? = nil, keepsLog: Bool = false,
        _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        try RegularFile.requireFileURL(url)
        do {
            var configuration = SQLiteConfiguration(access: .readWriteCreate)
            configuration.waitForOthers(as: options)
            configuration.keepsLog = keepsLog
            let connection = try SQLiteConnection(path: url.realFile.path, configuration: configuration)
            defer { connection.close() }
            return try body(connection)
        } catch let error as SQLiteError {
            throw error.cocoaError(while: .saving)
        }
    }

    static func content(_ connection: SQLiteConnection, _ url: URL) throws -> Content {
        let names = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'").map { $0[0] }
        if names.isEmpty { return .empty }
        guard names.contains(.text("Z_METADATA")), names.contains(.text("Z_PRIMARYKEY")) else {
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError,
                "“\(url.lastPathComponent)” is an SQLite database, but not a Core Data store.", path: url.path)
        }
        return .store
    }

    private static func isWithoutBytes(_ url: URL) -> Bool {
        let size = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? NSNumber
        return size?.int64Value == 0 && !LogState(of: url).isLive
    }

    private static func requireFolder(of url: URL) throws {
        let folder = url.deletingLastPathComponent().path
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        throw CoreDataError.make(
            CocoaError.Code.fileReadNoSuchFile.rawValue,
            "The folder “\(folder)” of the store “\(url.lastPathComponent)” does not exist.", path: url.path)
    }
}
