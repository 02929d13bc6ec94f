import Foundation

extension SQLiteStore {
    /// Opens or makes the file.
    ///
    /// - Returns: The metadata of the file, and what to work with: nothing for a store of another model, which the
    ///   coordinator may migrate.
    func open() throws -> (metadata: [String: Any], runtime: StoreRuntime?) {
        guard let url, url.isFileURL else {
            throw CoreDataError.make(
                CocoaError.Code.fileReadUnsupportedScheme.rawValue,
                "An SQLite store needs a file URL, not \(self.url?.displayName ?? "none").")
        }
        guard let model else {
            throw CoreDataError.make(
                NSPersistentStoreOpenError,
                "The store \(url.lastPathComponent) has no coordinator, so there is no model to open it with.",
                path: url.path)
        }
        let entities = Self.entities(of: model, configuration: configurationName)
        if try !isThere(url) { try create(at: url, model: model, entities: entities) }
        let file = url.realFile
        let metadata = try StoreFile.metadata(at: file)
        guard ignoresVersioning || Self.isCompatible(metadata, entities: entities) else { return (metadata, nil) }
        let path = FileChangeHub.key(url)
        let pool = try SQLiteConnectionPool(
            url: file, configuration: connectionConfiguration(), limits: StoreLimits(options, path: url.path)
        ) { FileChangeHub.fileDidChange(path: path) }
        do {
            let stored = NSManagedObjectModel.withStoredSubentities(entities, in: metadata)
            return (metadata, try runtime(url: file, pool: pool, model: model, entities: stored, metadata: metadata))
        } catch {
            pool.close()
            throw error
        }
    }

    private static func entities(of model: NSManagedObjectModel, configuration: String) -> [NSEntityDescription] {
        let chosen =
            configuration == NSPersistentStore.defaultConfigurationName
            ? nil : model.entities(forConfigurationName: configuration)
        return chosen.map { NSManagedObjectModel.storeOrder(of: $0) } ?? model.entitiesInStoreOrder
    }

    /// Whether there is a store. What can't be read may be in the midst of being made: then making it waits, and looks again.
    private func isThere(_ url: URL) throws -> Bool {
        do {
            return try StoreFile.examine(url) == .store
        } catch let error as CocoaError where error.code == .fileReadCorruptFile && !isReadOnly {
            return false
        }
    }

    private func create(at url: URL, model: NSManagedObjectModel, entities: [NSEntityDescription]) throws {
        guard !isReadOnly else {
            throw CoreDataError.make(
                CocoaError.Code.fileReadNoSuchFile.rawValue,
                "There is no store \(url.lastPathComponent) that could be opened read-only.", path: url.path)
        }
        try StoreFile.createIfMissing(
            at: url, schema: try SQLSchema(entities: entities),
            metadata: StoreFile.newMetadata(model: model, entities: entities),
            modelCache: try model.encodedModelCache(), hasHistory: isHistoryWanted, pragmas: pragmas, options: options)
    }

    private func runtime(
        url: URL, pool: SQLiteConnectionPool, model: NSManagedObjectModel, entities: [NSEntityDescription],
        metadata: [String: Any]
    ) throws -> StoreRuntime {
        let layout = ModelLayout.layout(of: model)
        let schema = try pool.read { connection in
            try SQLSchema(entities: entities, reconciledWith: try StoredLayout(readingFrom: connection))
        }
        let history = try historyPresence(schema: schema, pool: pool)
        try doMaintenance(pool)
        let runtime = StoreRuntime(
            pool: pool, schema: schema, mapping: StoreMapping(schema: schema, model: layout),
            storeIdentifier: metadata[NSStoreUUIDKey] as? String ?? identifier,
            externalData: ExternalData(storeURL: url), history: history)
        runtime.removeUnusedFiles()
        return runtime
    }

    private func historyPresence(schema: SQLSchema, pool: SQLiteConnectionPool) throws -> HistoryTables.Presence {
        let presence = try pool.read { try HistoryTables.presence($0, isWanted: isHistoryWanted) }
        guard presence.isRecording, pool.configuration.isWritable else { return presence }
        guard isHistoryWanted else {
            // As in Apple's framework: readers of the history would miss saves that aren't recorded.
            becomeReadOnly(
                because: "it records its history, and was opened without the option \(NSPersistentHistoryTrackingKey)")
            return presence
        }
        return try pool.write { connection in
            try connection.transaction { try HistoryTables.prepare(connection, schema: schema) }
            return try HistoryTables.presence(connection, isWanted: isHistoryWanted)
        }
    }

    /// What the application wants done once, when the store is opened.
    private func doMaintenance(_ pool: SQLiteConnectionPool) throws {
        guard pool.configuration.isWritable else { return }
        let wanted = [(NSSQLiteManualVacuumOption, "VACUUM"), (NSSQLiteAnalyzeOption, "ANALYZE")]
        for (option, statement) in wanted where Self.flag(options?[option]) == true {
            try pool.write { try $0.execute(script: statement) }
        }
    }

    // MARK: Version hashes

    private var ignoresVersioning: Bool { Self.flag(options?[NSIgnorePersistentStoreVersioningOption]) == true }

    /// Whether the file has the entities of the model as they are there.
    private static func isCompatible(_ metadata: [String: Any], entities: [NSEntityDescription]) -> Bool {
        guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return true }
        return entities.allSatisfy { $0.accepts(versionHash: stored[$0.name ?? ""]) }
    }

    // MARK: Options

    /// Whether the application asks for persistent history. Apple accepts a dictionary of further options too.
    var isHistoryWanted: Bool {
        let option = options?[NSPersistentHistoryTrackingKey]
        return option is [AnyHashable: Any] || Self.flag(option) == true
    }

    /// Whether the application wants to be notified of transactions. Only a store that records its history has any.
    var announcesRemoteChanges: Bool {
        isHistoryWanted && Self.flag(options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey]) == true
    }

    private var pragmas: [(name: String, value: String)] {
        let given = options?[NSSQLitePragmasOption] as? [AnyHashable: Any] ?? [:]
        return given.map { (name: "\($0.key.base)", value: "\($0.value)") }.sorted { $0.name < $1.name }
    }

    private func connectionConfiguration() -> SQLiteConfiguration {
        var configuration = SQLiteConfiguration(access: isReadOnly ? .readOnly : .readWrite)
        configuration.pragmas = pragmas
        configuration.recorder = statementRecorder
        configuration.waitForOthers(as: options)
        configuration.keepsLog = true
        configuration.slow = SlowStatementLog(options: options)
        return configuration
    }

    /// Gets the text of each statement; an option that tests and tools set.
    private var statementRecorder: (@Sendable (String) -> Void)? {
        options?[SQLiteStore.statementRecorderOption] as? @Sendable (String) -> Void
    }

    /// Option: a `@Sendable (String) -> Void` that is called with each statement before it runs.
    package static let statementRecorderOption = "OpenCoreDataStatementRecorder"
}
