#if PostgreSQL
import Foundation
import OpenCoreData

extension PostgreSQLStore {
    /// Opens the store, or makes it.
    ///
    /// - Returns: The metadata, and what to work with: nothing for a store of another model, which the coordinator may
    ///   migrate.
    func open() throws -> (metadata: [String: Any], runtime: PostgreSQLRuntime?) {
        let location = try StoreLocation(url, options: options)
        guard let model = persistentStoreCoordinator?.managedObjectModel else {
            throw CoreDataError.make(
                NSPersistentStoreOpenError,
                "The store \(location.displayName) has no coordinator, so there is no model to open it with.")
        }
        let entities = Self.entities(of: model, configuration: configurationName)
        let recorder = options?[Self.statementRecorderOption] as? @Sendable (String) -> Void
        var limits = PostgreSQLConnectionPool.Limits()
        if let size = (options?[NSPersistentStoreConnectionPoolMaxSizeKey] as? NSNumber)?.intValue, size > 0 {
            limits.maximum = size
        }
        // Invalid numbers are errors here as well.
        let given = try StoreLimits(options, path: nil)
        if let option = options?[OpenCoreDataReaderTimeoutOption], !(option is NSNull) {
            limits.acquireTimeout = given.readerTimeout.flatMap { $0 < 1e9 ? $0 : nil }
        }
        if let size = location.address.settings.poolSize { limits.maximum = size }
        if let timeout = location.address.settings.poolTimeout { limits.acquireTimeout = timeout }
        let connections = StoreConnections(
            location.address, replicas: try location.replicas(), options: location.options, limits: limits,
            recorder: recorder)
        do {
            return try connections.with { connection in
                try open(location, model, entities, connections, connection)
            }
        } catch {
            connections.close()
            throw error
        }
    }

    private func open(
        _ location: StoreLocation, _ model: NSManagedObjectModel, _ entities: [NSEntityDescription],
        _ connections: StoreConnections, _ connection: PostgreSQLConnection
    ) throws -> (metadata: [String: Any], runtime: PostgreSQLRuntime?) {
        let displayName = location.displayName
        let layout = ModelLayout.layout(of: model)
        if try !StoreMetadata.exists(location.schema, connection) {
            if ExistingSchema.isDescribed(by: entities), !hasToBeNew {
                return try openExisting(location, model, layout, entities, connections, connection)
            }
            guard !isReadOnly else { throw location.missing(connection) }
            try create(location, model, layout, entities, connection)
        } else if hasToBeNew {
            throw location.taken
        }
        guard let metadata = try StoreMetadata.read(location.schema, connection, location: displayName) else {
            throw location.missing
        }
        guard metadata.layout <= PostgreSQLSchema.layoutVersion else {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "The store \(displayName) was made by a newer version of OpenCoreData, whose layout \(metadata.layout) this "
                    + "version doesn't know.")
        }
        let versions = try ModelVersions.read(location.schema, connection)
        var values = metadata.values
        if !ignoresVersioning, !Self.isCompatible(values, entities: entities) {
            // The store has been added to since, and this version may be worked with still.
            let checksum = versions.knownChecksum(of: entities)
            if versions.isRetired(checksum) { throw ModelVersions.retiredError(displayName) }
            guard versions.isActive(checksum) else {
                connections.close()
                return (values, nil)
            }
            let own = StoreFile.newMetadata(model: model, entities: entities, type: Self.type)
            for key in StoreMetadata.versionKeys { values[key] = own[key] }
            values[NSPersistentStoreModelVersionChecksumKey] = checksum
        }
        let numbers = try EntityNumbers(location.schema, connection).numbers
        let names = Set(entities.compactMap(\.name))
        if let missing = names.subtracting(numbers.keys).sorted().first {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "The store \(displayName) does not fit the model: its table ocd_entity has no entity “\(missing)”.")
        }
        let stored = NSManagedObjectModel.withStoredSubentities(entities, in: metadata.values).compactMap(\.name)
        let schema = try schema(location, layout, numbers.filter { stored.contains($0.key) })
        try SchemaCheck(schema, location: displayName).run(connection)
        if !isReadOnly { OutdatedLimits(schema, connection, location: displayName).remove() }
        let identifier = metadata.values[NSStoreUUIDKey] as? String ?? self.identifier ?? ""
        let checksum = values[NSPersistentStoreModelVersionChecksumKey] as? String ?? ""
        let version =
            !ignoresVersioning && versions.isActive(checksum)
            ? try ModelVersions.Guard(schema: location.schema, checksum: checksum, location: displayName) : nil
        connections.setVersion(version)
        let isRecording = try isRecording(location, connection)
        if isRecording, !isReadOnly {
            HistoryIndexes.addMissing(to: location.schema, connection, location: displayName)
            if location.options.recordsOtherWriters { try OtherWriters(schema, connection).addTriggers() }
        }
        let runtime = PostgreSQLRuntime(
            connections: connections, schema: schema, storeIdentifier: identifier,
            isRecording: isRecording, numberBase: metadata.numberBase, version: version,
            owners: UncheckedOwners(
                isDefault: connections.options.checksOwners == false,
                isPossible: Self.usesForeignKeys(options, location)),
            location: displayName, texts: try TextIndexes(location.schema, connection))
        return (values, runtime)
    }

    private static func entities(of model: NSManagedObjectModel, configuration: String) -> [NSEntityDescription] {
        let chosen =
            configuration == NSPersistentStore.defaultConfigurationName
            ? nil : model.entities(forConfigurationName: configuration)
        return chosen.map { NSManagedObjectModel.storeOrder(of: $0) } ?? model.entitiesInStoreOrder
    }

    private func schema(
        _ location: StoreLocation, _ layout: ModelLayout, _ numbers: [String: Int64]
    ) throws -> PostgreSQLSchema {
        var builder = PostgreSQLSchemaBuilder(
            name: location.schema, model: layout, numbers: numbers,
            usesForeignKeys: Self.usesForeignKeys(options, location), hasRules: location.options.hasConstraints)
        return try builder.build()
    }

    /// Option: whether references have foreign keys; a boolean, where nothing is said as other constraints.
    package static let foreignKeysOption = "OpenCoreDataPostgreSQLForeignKeys"

    static func usesForeignKeys(_ options: [AnyHashable: Any]?, _ location: StoreLocation) -> Bool {
        flag(options?[foreignKeysOption]) ?? location.options.hasConstraints
    }

    // MARK: Making

    /// Makes the store in one transaction. Of several programs that do so at once, one does, and the others find it, which is
    /// an error where it has to be new.
    private func create(
        _ location: StoreLocation, _ model: NSManagedObjectModel, _ layout: ModelLayout,
        _ entities: [NSEntityDescription], _ connection: PostgreSQLConnection
    ) throws {
        try PostgreSQLSchemaBuilder.refuseNestedComposites(in: entities)
        let displayName = location.displayName
        let metadata = StoreFile.newMetadata(model: model, entities: entities, type: Self.type)
            .merging(["_NSAutoVacuumLevel": ""]) { own, _ in own }
        let numbers = EntityNumbers.new(entities)
        let schema = try schema(location, layout, numbers)
        let name = location.schema
        try connection.transaction {
            // What others commit before the lock is granted has to be visible, regardless of the server's defaults.
            try connection.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED", isPrepared: false)
            try connection.execute("SET LOCAL lock_timeout = 0", isPrepared: false)
            try connection.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))",
                values: [.text("OpenCoreData " + name)])
            if try StoreMetadata.exists(name, connection) {
                if hasToBeNew { throw location.taken }
                return
            }
            let hasSchema =
                try connection.execute(
                    "SELECT 1 FROM pg_namespace WHERE nspname = $1::text", values: [.text(name)]
                ).count > 0
            var script = hasSchema ? [] : ["CREATE SCHEMA \(SQLName.quoted(name))"]
            script += PostgreSQLSchema.storeStatements(name) + schema.createStatements
            try connection.runScript(script.joined(separator: ";\n"))
            let own = SQLName.quoted(name)
            var values = PostgreSQLParameters()
            try values.append(text: metadata[NSStoreUUIDKey] as? String ?? UUID().uuidString)
            values.append(bytea: try StoreMetadata.encoded(metadata, location: displayName))
            values.append(int8: PostgreSQLSchema.layoutVersion)
            var archive = PostgreSQLParameters()
            try archive.append(text: metadata[NSPersistentStoreModelVersionChecksumKey] as? String ?? "")
            archive.append(bytea: try model.encodedModelCache())
            var entityNumbers = PostgreSQLArrayBuilder(.int8)
            var entityNames = PostgreSQLArrayBuilder(.text)
            for (name, number) in numbers.sorted(by: { $0.value < $1.value }) {
                entityNumbers.append(int8: number)
                try entityNames.append(text: name)
            }
            var entities = PostgreSQLParameters()
            entities.append(entityNumbers)
            entities.append(entityNames)
            try connection.pipeline([
                PostgreSQLStatement(
                    "INSERT INTO \(own).ocd_store (id, uuid, plist, layout) VALUES (1, $1::text, $2::bytea, $3::int8)",
                    values, isPrepared: false),
                PostgreSQLStatement(
                    "INSERT INTO \(own).ocd_model (checksum, archive, state) VALUES ($1::text, $2::bytea, 'active')",
                    archive, isPrepared: false),
                PostgreSQLStatement(
                    "INSERT INTO \(own).ocd_entity (number, name) SELECT u.n::int2, u.t "
                        + "FROM unnest($1::int8[], $2::text[]) AS u(n, t)", entities, isPrepared: false),
            ])
        }
    }

    // MARK: Options

    private var hasToBeNew: Bool { Self.flag(options?[makesRemoteStoreOption]) == true }

    private var ignoresVersioning: Bool { Self.flag(options?[NSIgnorePersistentStoreVersioningOption]) == true }

    /// Whether the store has the entities of the model as they are there.
    private static func isCompatible(_ metadata: [String: Any], entities: [NSEntityDescription]) -> Bool {
        guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return true }
        return entities.allSatisfy { $0.accepts(versionHash: stored[$0.name ?? ""]) }
    }

    /// Whether the application asks for persistent history. Apple accepts a dictionary of further options too.
    var isHistoryWanted: Bool {
        let option = options?[NSPersistentHistoryTrackingKey]
        return option is [AnyHashable: Any] || Self.flag(option) == true
    }

    private func isRecording(_ location: StoreLocation, _ connection: PostgreSQLConnection) throws -> Bool {
        if isHistoryWanted { return true }
        let hasHistory = try Self.hasHistory(location.schema, connection)
        if hasHistory, !isReadOnly {
            // As in Apple's framework: readers of the history would miss saves that aren't recorded.
            refuseSaves(
                because:
                    "it records its history, and was opened without the option \(NSPersistentHistoryTrackingKey)")
        }
        return hasHistory
    }
}
#endif
