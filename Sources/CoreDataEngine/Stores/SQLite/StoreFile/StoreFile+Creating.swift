package import Foundation

extension StoreFile {
    /// Makes a store: the database with all tables, indexes and triggers, entity numbers, metadata and model.
    ///
    /// Everything is written in one transaction. A file that this call made is removed again if it fails.
    ///
    /// - Parameters:
    ///   - url: Where the file is made; nothing, or a file that `examine` calls empty.
    ///   - schema: The layout, from `SQLSchema(entities:)`.
    ///   - metadata: From `newMetadata(model:entities:)`, with what the application adds.
    ///   - modelCache: The model as the store keeps it; nil for none.
    ///   - hasHistory: Whether the tables of the persistent history are made.
    ///   - pragmas: `NSSQLitePragmasOption`; `page_size`, `auto_vacuum` and `journal_mode` among them take effect.
    /// - Throws: `fileWriteFileExists` if there already is a store.
    package static func create(
        at url: URL, schema: SQLSchema, metadata: [String: Any], modelCache: Data?, hasHistory: Bool = false,
        pragmas: [(name: String, value: String)] = []
    ) throws {
        let isMade = try createIfMissing(
            at: url, schema: schema, metadata: metadata, modelCache: modelCache, hasHistory: hasHistory,
            pragmas: pragmas)
        guard isMade else {
            throw CoreDataError.make(
                CocoaError.Code.fileWriteFileExists.rawValue,
                "There is already a store “\(url.lastPathComponent)”.", path: url.path)
        }
    }

    /// Makes a store unless another thread or process makes it at the same time: one does under the lock of the store's
    /// name, and the others wait.
    ///
    /// - Parameter options: The store's, for how long to wait.
    /// - Returns: Whether this call made it.
    @discardableResult
    static func createIfMissing(
        at url: URL, schema: SQLSchema, metadata: [String: Any], modelCache: Data?, hasHistory: Bool,
        pragmas: [(name: String, value: String)], options: [AnyHashable: Any]? = nil
    ) throws -> Bool {
        let lock = try lockForCreating(url, options)
        defer { lock?.release(removingFile: true) }
        guard try examine(url) != .store else { return false }
        let own = makeEmptyFile(at: url)
        do {
            return try writing(url, options) { connection in
                guard try content(connection, url) != .store else { return false }
                try setFileLayout(connection, pragmas: pragmas)
                return try connection.transaction {
                    // Programs that don't know of the lock may have made it.
                    guard try content(connection, url) != .store else { return false }
                    for statement in schema.createStatements + (hasHistory ? schema.historyStatements : []) {
                        try connection.execute(script: statement)
                    }
                    try writeEntityNumbers(of: schema, in: connection)
                    try setMetadata(metadata, in: connection)
                    try setModelCache(modelCache, in: connection)
                    return true
                }
            }
        } catch {
            // Without the lock another opener may be filling the file.
            if lock != nil, let own { removeDatabase(at: url.realFile, ifItIs: own) }
            throw error
        }
    }

    /// - Returns: Nil where the lock can't be had, as in a folder that can't be written: then SQLite says what is wrong.
    private static func lockForCreating(_ url: URL, _ options: [AnyHashable: Any]?) throws -> FileLock? {
        do {
            return try StoreNameLock.take(url, options: options)
        } catch let error as CocoaError where error.code.rawValue == NSPersistentStoreTimeoutError {
            throw error
        } catch {
            return nil
        }
    }

    /// Makes the file without bytes, as SQLite would.
    ///
    /// - Returns: Which file it is; nil if there was one already, or it can't be created.
    private static func makeEmptyFile(at url: URL) -> FileIdentity? {
        #if os(Windows)
        return nil
        #else
        guard let file = try? RegularFile.open(url.realFile.path, O_RDWR | O_CREAT | O_EXCL, mode: 0o644) else {
            return nil
        }
        defer { close(file) }
        return FileIdentity(descriptor: file)
        #endif
    }

    /// Page size, space management and journal mode can be chosen only while the file has no pages, or with a rebuild.
    private static func setFileLayout(
        _ connection: SQLiteConnection, pragmas: [(name: String, value: String)]
    ) throws {
        let asked = Dictionary(pragmas.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        try connection.setPragma("page_size", asked["page_size"] ?? "4096")
        try connection.setPragma("auto_vacuum", asked["auto_vacuum"] ?? "2")
        if try connection.firstValue("PRAGMA page_count") != .integer(0) { try connection.execute(script: "VACUUM") }
        try connection.setPragma("journal_mode", asked["journal_mode"] ?? "WAL")
    }

    private static func writeEntityNumbers(of schema: SQLSchema, in connection: SQLiteConnection) throws {
        for entity in schema.entities {
            try connection.run(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
                [.integer(Int64(entity.number)), .text(entity.name), .integer(Int64(entity.superNumber))])
        }
    }

    /// Removes the files of a database that could not be filled, not its external data.
    private static func removeDatabase(at url: URL, ifItIs own: FileIdentity) {
        guard FileIdentity(at: url.path) == own, (try? examine(url)) != .store else { return }
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
    }

    /// Empties a store as `destroyPersistentStore` does: the files stay, as a database without tables, so that another
    /// process that has them open sees an empty database instead of a missing one.
    ///
    /// The external data of its rows is removed; other stores may use the same folder.
    ///
    /// - Throws: `CocoaError`; `fileReadNoSuchFile` if the file doesn't exist.
    package static func destroy(at url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CoreDataError.make(
                CocoaError.Code.fileReadNoSuchFile.rawValue,
                "The store “\(url.lastPathComponent)” does not exist.", path: url.path)
        }
        let content = try examine(url)
        let values = ExternalData(storeURL: url)
        let files = values.ownFiles()
        if content == .store {
            // Apple's SQLite keeps all three files, which programs then remove one by one.
            try writing(url, keepsLog: true) { connection in
                // A power cut must not bring the rows back whose values go now.
                try connection.setPragma("synchronous", "2")
                try connection.removeAllContent()
            }
        }
        values.removeOwn(files)
    }
}
