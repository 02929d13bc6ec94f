#if PostgreSQL
import Foundation
import OpenCoreData

/// The migration of one store: what large tables need is prepared while programs save, the rest happens in one transaction, while no
/// other program migrates the store.
struct LocatedMigration {
    let location: StoreLocation
    /// What the store said of itself when the models were compared.
    let metadata: [String: Any]
    let match: ModelMatch
    let model: NSManagedObjectModel
    let usesForeignKeys: Bool
    /// What the application does in the same transaction.
    let steps: [PostgreSQLMigrationStep]
    /// The schema; another one than the location's where the migration is tried.
    var schemaName: String
    /// Gets the statements.
    var observer: (([PostgreSQLStatement]) -> Void)?

    init(
        location: StoreLocation, metadata: [String: Any], match: ModelMatch, model: NSManagedObjectModel,
        usesForeignKeys: Bool, steps: [PostgreSQLMigrationStep] = []
    ) {
        self.location = location
        self.metadata = metadata
        self.match = match
        self.model = model
        self.usesForeignKeys = usesForeignKeys
        self.steps = steps
        schemaName = location.schema
    }

    var displayName: String { location.displayName }
    var own: String { SQLName.quoted(schemaName) }

    /// How long to wait for all the tables at a time. Programs that come later wait as well.
    private static let lockTimeout = "80ms"

    /// How long to wait for locks until one step of the migration fails.
    private var patience: Duration { .seconds(location.options.lockTimeout ?? 60) }

    func run() throws {
        var options = location.options
        options.statementTimeout = nil
        let connection = try PostgreSQLConnection(location.address, options: options)
        defer { connection.close() }
        connection.observer = observer
        let transactions = BriefTransactions(connection: connection, patience: patience)
        let preparing = MigrationPreparing(self, transactions)
        do {
            let destination = try preparing.run { preparations in
                try retrying(transactions) { try once(connection, preparations) }
            }
            guard let destination else { return }
            SchemaCompletion(destination, transactions, location: displayName).run()
        } catch let error as PostgreSQLError where error.kind == .uniqueViolation {
            throw CoreDataError.make(
                NSMigrationConstraintViolationError,
                "The store \(displayName) can't be migrated: its objects violate a uniqueness constraint of the new model: "
                    + "\(error.detail ?? error.message).", underlying: error,
                userInfo: ["reason": "constraint violation during attempted migration"])
        }
    }

    private func retrying(
        _ transactions: BriefTransactions, _ body: () throws -> PostgreSQLSchema?
    ) throws -> PostgreSQLSchema? {
        let connection = transactions.connection
        let end = ContinuousClock.now.advanced(by: transactions.patience)
        while true {
            do {
                return try connection.transaction(.beginReadCommitted, body)
            } catch var error as PostgreSQLError where error.kind == .lockTimeout || error.kind == .deadlock {
                guard ContinuousClock.now < end else {
                    let blockers = (try? connection.blockers(in: schemaName, includingReaders: true)) ?? []
                    if !blockers.isEmpty {
                        error.detail = "Locks are held by \(blockers.joined(separator: "; by "))."
                    }
                    throw error
                }
                BriefTransactions.pause()
            }
        }
    }

    /// What there is to be done, while no other program migrates the store; `nil` if the store has the layout already.
    func plan(_ connection: PostgreSQLConnection) throws -> Planned? {
        try connection.execute("SET LOCAL lock_timeout = 0", isPrepared: false)
        try connection.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))",
            values: [.text("OpenCoreData " + schemaName)])
        try connection.execute(
            "SET LOCAL lock_timeout = '\(max(1, Int64(patience / .milliseconds(1))))ms'", isPrepared: false)
        return try compare(connection)
    }

    /// The layouts of a store and what leads from one to the other.
    struct Planned {
        var migration: SchemaMigration
        let numbers: EntityNumbers
        let assigned: [String: Int64]
        let checksum: String
    }

    private func compare(_ connection: PostgreSQLConnection) throws -> Planned? {
        guard let stored = try StoreMetadata.read(schemaName, connection, location: displayName) else {
            throw location.missing
        }
        let checksum = ModelVersions.checksum(of: match.destinationEntities)
        let versions = try ModelVersions.read(schemaName, connection)
        // Another program may have migrated while this one waited for the lock.
        if isThere(stored.values) || versions.isActive(checksum) { return nil }
        if versions.isRetired(checksum) { throw ModelVersions.retiredError(displayName) }
        guard hashes(stored.values) == hashes(metadata) else {
            throw CoreDataError.make(
                NSMigrationError,
                "The store \(displayName) was migrated to another version by another program in the meantime. "
                    + "Nothing was changed."
            )
        }
        try PostgreSQLSchemaBuilder.refuseNestedComposites(in: match.destinationEntities)
        let numbers = try EntityNumbers(schemaName, connection)
        let assigned = numbers.assigned(by: match)
        let source = try schema(of: match.sourceEntities, numbers.numbers, foreignKeys: true, rules: true)
        let destination = try schema(
            of: match.destinationEntities, assigned, foreignKeys: usesForeignKeys,
            rules: location.options.hasConstraints)
        try SchemaCheck(source, location: displayName).run(connection)
        let migration = try SchemaMigration(
            MigratedTables(match, source: source, destination: destination) { value, slot, type in
                try Self.literal(value, slot, type, connection)
            }, usesForeignKeys: usesForeignKeys, connection: connection, location: displayName)
        return Planned(migration: migration, numbers: numbers, assigned: assigned, checksum: checksum)
    }

    /// - Returns: The layout that the store has now; `nil` if it had that already.
    private func once(
        _ connection: PostgreSQLConnection, _ preparations: [TablePreparation]
    ) throws -> PostgreSQLSchema? {
        guard var planned = try plan(connection) else { return nil }
        try planned.migration.use(preparations, indexes: preparedIndexes(connection))
        let locked = try planned.migration.lockedTables().map(planned.migration.source.qualified)
        try lock(locked, connection)
        try requireExchangeable(preparations, planned.migration)
        try change(planned, connection)
        return planned.migration.destination
    }

    /// What others made on the tables since they were prepared doesn't go with the columns either.
    private func requireExchangeable(_ preparations: [TablePreparation], _ migration: SchemaMigration) throws {
        let prepared = Set(preparations.filter { $0.filling != nil }.map(\.table.source.name))
        guard let changed = try prepared.subtracting(migration.exchangeableTables(among: prepared)).min() else {
            return
        }
        throw CoreDataError.make(
            NSMigrationError,
            "The store \(displayName) wasn't migrated: while it was prepared, other programs have changed the table "
                + "\(changed). Nothing was changed; it can be migrated again.")
    }

    /// Locks tables, all of them within a time: who waits for one of them waits for this.
    private func lock(_ tables: [String], _ connection: PostgreSQLConnection) throws {
        try connection.execute("SET LOCAL lock_timeout = '\(Self.lockTimeout)'", isPrepared: false)
        guard !tables.isEmpty else { return }
        try connection.execute("SET LOCAL statement_timeout = '\(Self.lockTimeout)'", isPrepared: false)
        do {
            try connection.execute(
                "LOCK TABLE \(tables.joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE", isPrepared: false)
        } catch var error as PostgreSQLError where error.kind == .timeout {
            error.kind = .lockTimeout
            throw error
        }
        try connection.execute("SET LOCAL statement_timeout = 0", isPrepared: false)
    }

    /// Everything that changes with the tables, which are locked.
    func change(_ planned: Planned, _ connection: PostgreSQLConnection) throws {
        try run(.beforeTheTables, connection)
        try planned.migration.run()
        try planned.numbers.change(to: planned.assigned, match, connection)
        try changeServices(planned.migration, connection)
        try ModelVersions.record(
            model, checksum: planned.checksum, retiresOthers: !planned.migration.isAdditive, schemaName, connection)
        try connection.pipeline([
            StoreMetadata.statement(newMetadata(), schema: schemaName, location: displayName)
        ])
        try run(.afterTheTables, connection)
    }

    /// The steps of the application. What they left to be checked at the end is checked at once, as tables can't be changed before.
    private func run(_ moment: PostgreSQLMigrationStep.Moment, _ connection: PostgreSQLConnection) throws {
        let steps = steps.filter { $0.moment == moment }
        guard !steps.isEmpty else { return }
        // While the row refers to one that isn't there, no step can commit the transaction.
        try connection.runScript(
            "CREATE TEMPORARY TABLE ocd_step (id int PRIMARY KEY, missing int REFERENCES ocd_step "
                + "DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP; INSERT INTO ocd_step VALUES (1, 2); "
                + "SET LOCAL search_path = \(own), public")
        for step in steps {
            do {
                try step.body(PostgreSQLMigrationTransaction(schema: schemaName, connection: connection))
            } catch let error as PostgreSQLError
                where error.kind == .lockTimeout || error.kind == .deadlock || error.endsConnection
            {
                throw error
            } catch {
                throw CoreDataError.make(
                    NSMigrationError,
                    "The store \(displayName) can't be migrated: the step “\(step.name)” failed: \(error). Nothing was changed.",
                    underlying: error, userInfo: ["step": step.name])
            }
        }
        try connection.runScript(
            "UPDATE pg_temp.ocd_step SET missing = 1; SET CONSTRAINTS ALL IMMEDIATE; DROP TABLE pg_temp.ocd_step; "
                + "SET CONSTRAINTS ALL DEFERRED; SET LOCAL search_path = DEFAULT")
    }

    /// The indexes of a migration that were made while programs saved, and are whole.
    func preparedIndexes(_ connection: PostgreSQLConnection) throws -> Set<String> {
        var names: Set<String> = []
        try connection.execute(
            "SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
                + "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1::text AND i.indisvalid "
                + "AND starts_with(c.relname::text, '\(TablePreparation.prefix)')", values: [.text(schemaName)]
        ).forEachRow { names.insert($0.string(0)) }
        return names
    }

    private func hashes(_ metadata: [String: Any]) -> [String: Data] {
        metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    }

    private func isThere(_ metadata: [String: Any]) -> Bool {
        hashes(metadata) == ModelVersions.hashes(of: match.destinationEntities)
    }

    private func schema(
        of entities: [NSEntityDescription], _ numbers: [String: Int64], foreignKeys: Bool, rules: Bool
    ) throws -> PostgreSQLSchema {
        guard let model = entities.first?.managedObjectModel else {
            throw CoreDataError.make(
                NSMigrationError, "The store \(displayName) can't be migrated: there is no entity to be kept in it."
            )
        }
        let names = Set(entities.compactMap(\.name))
        var builder = PostgreSQLSchemaBuilder(
            name: schemaName, model: ModelLayout.layout(of: model),
            numbers: numbers.filter { names.contains($0.key) },
            usesForeignKeys: foreignKeys, hasRules: rules)
        return try builder.build()
    }

    /// A default value in SQL, as the server writes it.
    private static func literal(
        _ value: PropertyValue, _ slot: SlotLayout, _ type: PostgreSQLType, _ connection: PostgreSQLConnection
    ) throws -> String? {
        var values = ColumnValues(
            ColumnValues.Field(slot: slot, column: slot.name, type: type, part: .value), capacity: 1)
        try values.append(value, in: StoreMapping(entities: []))
        var parameters = PostgreSQLParameters()
        parameters.append(values.builder)
        let result = try connection.execute(
            "SELECT quote_literal(($1::\(type.sqlName)[])[1]::text)", parameters, isPrepared: false)
        guard let row = result.first, !row.isNull(0) else { return nil }
        return "\(row.string(0))::\(type.sqlName)"
    }

    /// Keys that were given out once are not given out again; the history follows names and forgets what is gone.
    private func changeServices(_ migration: SchemaMigration, _ connection: PostgreSQLConnection) throws {
        for table in migration.migrated {
            guard let first = table.entities.first,
                let new = migration.destination.mapping[first.destination.layout.root]?.number
            else { continue }
            let former = Set(
                table.entities.compactMap { migration.source.mapping[$0.source.layout.root]?.number })
            guard former != [new] else { continue }
            try migration.run(
                "INSERT INTO \(own).ocd_key AS k (number, z_max) SELECT \(new), MAX(z_max) FROM \(own).ocd_key "
                    + "WHERE number IN (\(former.map(String.init).joined(separator: ", "))) HAVING COUNT(*) > 0 "
                    + "ON CONFLICT (number) DO UPDATE SET z_max = GREATEST(k.z_max, EXCLUDED.z_max)")
        }
        let kept = Set(migration.tables.entities.map(\.source.number))
        let gone = migration.source.mapping.entities.compactMap { $0?.number }.filter { !kept.contains($0) }
        if !gone.isEmpty {
            try migration.run(
                "DELETE FROM \(own).ocd_change WHERE entity IN (\(gone.map(String.init).joined(separator: ", ")))")
        }
        for entity in migration.tables.entities {
            let renamed = entity.match.sources.filter { $0.key != $0.value.name }.sorted { $0.key < $1.key }
            guard !renamed.isEmpty else { continue }
            let cases = renamed.map {
                "WHEN \(SQLName.literal($0.value.name)) THEN \(SQLName.literal($0.key))"
            }
            try migration.run(
                "UPDATE \(own).ocd_change SET columns = array_to_string(ARRAY(SELECT CASE c "
                    + "\(cases.joined(separator: " ")) ELSE c END FROM unnest(string_to_array(columns, ',')) c), ',') "
                    + "WHERE entity = \(entity.destination.number) AND columns IS NOT NULL")
        }
    }

    /// The metadata of a new store of the model, with what the application added.
    private func newMetadata() -> [String: Any] {
        var new = StoreFile.newMetadata(
            model: model, entities: match.destinationEntities, type: PostgreSQLStore.type)
        let standard = Set(new.keys)
        for (key, value) in metadata where !standard.contains(key) { new[key] = value }
        new["_NSAutoVacuumLevel"] = ""
        new[NSStoreUUIDKey] = metadata[NSStoreUUIDKey]
        return new
    }
}
#endif
