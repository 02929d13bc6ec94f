import Foundation

/// Makes a SQLite store of a new model out of one of an old model, with SQL.
///
/// The new store is a fresh file with the layout that a new store of its model has; the rows are copied table by table
/// and keep their primary keys, so that object identifiers stay valid.
struct SQLiteStoreMigration {
    /// The store, which is read only.
    let source: URL
    /// The files with large values of the store.
    let externalData: ExternalData
    let match: ModelMatch
    let model: NSManagedObjectModel
    let metadata: [String: Any]
    let options: [AnyHashable: Any]?
    /// Called with how much is done, from 0 to 1; may throw to stop.
    var progress: (Float) throws -> Void = { _ in }

    /// Writes the new store.
    ///
    /// - Parameter draft: Where; nothing may be there. A file that was begun stays when this throws.
    /// - Returns: The names of files with large values that the old store names and the new one doesn't.
    /// - Throws: `CocoaError`.
    func write(to draft: URL) throws -> [String] {
        let layout = ModelLayout.layout(of: model)
        let schema = try SQLSchema(entities: match.destinationEntities)
        do {
            let hasHistory = try StoreFile.reading(source) {
                try $0.firstValue("SELECT 1 FROM sqlite_master WHERE name = 'ACHANGE'") != nil
            }
            try StoreFile.create(
                at: draft, schema: schema, metadata: newMetadata(), modelCache: try model.encodedModelCache(),
                hasHistory: hasHistory, pragmas: filePragmas + [("journal_mode", "DELETE")])
            MigrationStep.reached(.created)
            let leftBehind = try copy(into: draft, schema: schema, layout: layout)
            MigrationStep.reached(.copied)
            try finish(draft)
            return leftBehind
        } catch let error as SQLiteError {
            throw Self.cocoaError(error, store: source)
        }
    }

    private func copy(into draft: URL, schema: SQLSchema, layout: ModelLayout) throws -> [String] {
        var configuration = SQLiteConfiguration(access: .readWrite)
        configuration.journalMode = nil
        let connection = try SQLiteConnection(path: draft.path, configuration: configuration)
        defer { connection.close() }
        // A partial draft is of no use, so it is flushed once, when it is complete.
        try connection.setPragma("synchronous", "OFF")
        try connection.setPragma("journal_mode", "OFF")
        connection.turnTriggersOff()
        try NumberConversion.register(on: connection)
        try connection.run("ATTACH ? AS source", [.text(source.path)])
        let old = try SQLSchema(
            entities: match.sourceEntities, reconciledWith: StoredLayout(readingFrom: source))
        let plan = SQLMigrationPlan(
            connection: connection, match: match, source: old, destination: schema, layout: layout)
        try connection.run("BEGIN")
        let leftBehind = try CancellableRead.reading(connection) { try copyRows(plan) }
        try connection.commit()
        return leftBehind
    }

    private func copyRows(_ plan: SQLMigrationPlan) throws -> [String] {
        let pairs = plan.pairs
        try SQLStrayRows(plan: plan, storeName: source.lastPathComponent).report()
        for (index, pair) in pairs.enumerated() {
            var copy = SQLEntityCopy(plan: plan, pair: pair)
            try copy.run()
            MigrationLog.record(
                "\(source.lastPathComponent): rows of \(pair.source.name) are copied to \(pair.destination.name)")
            try progress(0.8 * Float(index + 1) / Float(pairs.count))
        }
        for pair in pairs { try SQLOrderNumbering.numberNewOrders(of: pair, plan: plan) }
        for pair in pairs { try SQLRelationshipCopy(plan: plan, pair: pair).run() }
        let external = SQLExternalCopy(plan: plan, files: externalData)
        try external.run()
        try SQLServiceCopy(plan: plan).run()
        try SQLDerivedFill(plan: plan).run()
        try progress(0.9)
        return try external.filesLeftBehind()
    }

    /// Sets the journal mode of the finished file and flushes it.
    private func finish(_ draft: URL) throws {
        var configuration = SQLiteConfiguration(access: .readWrite)
        configuration.pragmas = filePragmas
        let connection = try SQLiteConnection(path: draft.path, configuration: configuration)
        try connection.activateJournalMode()
        connection.close()
        do {
            try DurableFile.synchronize(file: draft)
        } catch {
            throw CoreDataError.writing(
                "The migrated store \(source.lastPathComponent) can't be finished.", path: source.path, cause: error)
        }
        try progress(1)
    }

    private var filePragmas: [(name: String, value: String)] {
        let given = options?[NSSQLitePragmasOption] as? [AnyHashable: Any] ?? [:]
        return given.map { (name: "\($0.key.base)", value: "\($0.value)") }
            .filter { ["page_size", "auto_vacuum", "journal_mode"].contains($0.name.lowercased()) }
            .sorted { $0.name < $1.name }
    }

    /// The metadata of a new store of the model, with the identifier of the old one and what the application added.
    private func newMetadata() -> [String: Any] {
        var new = StoreFile.newMetadata(model: model, entities: match.destinationEntities)
        let standard = new.keys.filter { $0 != NSStoreUUIDKey }
        for (key, value) in metadata where !standard.contains(key) { new[key] = value }
        return new
    }

    static func cocoaError(_ error: SQLiteError, store: URL) -> CocoaError {
        guard error.isUniquenessViolation else { return error.cocoaError(while: .saving) }
        return CoreDataError.make(
            NSMigrationConstraintViolationError,
            "The store \(store.lastPathComponent) can't be migrated: its objects violate a uniqueness constraint of the "
                + "new model: \(error.message).", path: store.path, underlying: error,
            userInfo: ["reason": "constraint violation during attempted migration"])
    }
}

extension StoredLayout {
    /// Reads the tables of a store that is not open.
    init(readingFrom url: URL) throws {
        self = try StoreFile.reading(url) { try StoredLayout(readingFrom: $0) }
    }
}
