package import Foundation

extension StoreFile {
    /// Makes a store: the database with all tables, indexes and triggers, entity numbers, metadata and model.
    ///
    /// Everything is written in one transaction. A file that was not there before is removed again when this fails.
    ///
    /// - Parameters:
    ///   - url: Where the file is made; nothing, or a file that `examine` calls empty.
    ///   - schema: The layout, from `SQLSchema(entities:)`.
    ///   - metadata: From `newMetadata(model:entities:)`, with what the application adds.
    ///   - modelCache: The model as the store keeps it; nil for none.
    ///   - hasHistory: Whether the tables of the persistent history are made.
    ///   - pragmas: `NSSQLitePragmasOption`; `page_size`, `auto_vacuum` and `journal_mode` among them take effect.
    package static func create(
        at url: URL, schema: SQLSchema, metadata: [String: Any], modelCache: Data?, hasHistory: Bool = false,
        pragmas: [(name: String, value: String)] = []
    ) throws {
        let content = try examine(url)
        guard content != .store else {
            throw CoreDataError.make(
                CocoaError.Code.fileWriteFileExists.rawValue,
                "There already is a store “\(url.lastPathComponent)”.", path: url.path)
        }
        do {
            try writing(url) { connection in
                try setFileLayout(connection, pragmas: pragmas)
                try connection.transaction {
                    for statement in schema.createStatements + (hasHistory ? schema.historyStatements : []) {
                        try connection.execute(script: statement)
                    }
                    try writeEntityNumbers(of: schema, in: connection)
                    try setMetadata(metadata, in: connection)
                    try setModelCache(modelCache, in: connection)
                }
            }
        } catch {
            if content == .missing { removeDatabase(at: url) }
            throw error
        }
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

    /// Removes the files of a database, not its external data.
    private static func removeDatabase(at url: URL) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
    }

    /// Empties a store as `destroyPersistentStore` does: the files stay, as a database without tables, so that another
    /// process that has them open sees an empty database instead of one that vanished.
    ///
    /// The external data of its rows is removed; other stores may have the same folder.
    ///
    /// - Throws: `CocoaError`; `fileReadNoSuchFile` when there is no file.
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
            try writing(url) { connection in
                // A power cut must not bring the rows back whose values go now.
                try connection.setPragma("synchronous", "2")
                try connection.removeAllContent()
                // Apple's SQLite keeps all three files, which programs then remove one by one.
                try connection.keepLog()
            }
        }
        values.removeOwn(files)
    }
}
