#if PostgreSQL
import Foundation
import OpenCoreData

/// The migration of one store: in one transaction, while no other program migrates it.
struct LocatedMigration {
    let location: StoreLocation
    /// What the store said of itself when the models were compared.
    let metadata: [String: Any]
    let match: ModelMatch
    let model: NSManagedObjectModel
    let usesForeignKeys: Bool

    private var displayName: String { location.displayName }
    private var schemaName: String { location.schema }
    private var own: String { SQLName.quoted(schemaName) }

    /// How long to wait for the tables at a time. Programs that come later wait as well.
    private static let lockTimeout = "500ms"

    func run() throws {
        var options = location.options
        options.statementTimeout = nil
        let connection = try PostgreSQLConnection(location.address, options: options)
        defer { connection.close() }
        let end = ContinuousClock.now.advanced(by: .seconds(options.lockTimeout ?? 60))
        while true {
            do {
                let destination = try connection.transaction { try once(connection) }
                if let destination {
                    SchemaCompletion(destination, connection, location: displayName, end: end).run()
                }
                return
            } catch let error as PostgreSQLError
                where (error.kind == .lockTimeout || error.kind == .deadlock) && ContinuousClock.now < end
            {
                Thread.sleep(forTimeInterval: Double.random(in: 0.05...0.3))
            } catch let error as PostgreSQLError where error.kind == .uniqueViolation {
                throw CoreDataError.make(
                    NSMigrationConstraintViolationError,
                    "The store \(displayName) can't be migrated: its objects violate a uniqueness constraint of the new model: "
                        + "\(error.detail ?? error.message).", underlying: error,
                    userInfo: ["reason": "constraint violation during attempted migration"])
            }
        }
    }

    /// - Returns: The layout that the store has now; `nil` if it had that already.
    private func once(_ connection: PostgreSQLConnection) throws -> PostgreSQLSchema? {
        try connection.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED", isPrepared: false)
        try connection.execute("SET LOCAL lock_timeout = 0", isPrepared: false)
        try connection.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))",
            values: [.text("OpenCoreData " + schemaName)])
        try connection.execute("SET LOCAL lock_timeout = '\(Self.lockTimeout)'", isPrepared: false)
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
        let isAdditive = migration.isAdditive
        let locked = migration.lockedTables
        if !locked.isEmpty {
            try migration.run(
                "LOCK TABLE \(locked.map(source.qualified).joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE")
        }
        try migration.run()
        try numbers.change(to: assigned, match, connection)
        try changeServices(migration, connection)
        try ModelVersions.record(
            model, checksum: checksum, retiresOthers: !isAdditive, schemaName, connection)
        try connection.pipeline([
            StoreMetadata.statement(newMetadata(), schema: schemaName, location: displayName)
        ])
        return destination
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

/// The numbers of the entities of a store, which are given once and for all.
struct EntityNumbers {
    let numbers: [String: Int64]
    private let schema: String

    init(_ schema: String, _ connection: PostgreSQLConnection) throws {
        self.schema = schema
        var numbers: [String: Int64] = [:]
        let result = try connection.execute("SELECT name, number FROM \(SQLName.quoted(schema)).ocd_entity")
        try result.forEachRow { numbers[$0.string(0)] = try $0.integer(1) }
        self.numbers = numbers
    }

    /// Those of a new store: the entities are numbered in their order, from 1.
    static func new(_ entities: [NSEntityDescription]) -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        for (index, entity) in entities.enumerated() { numbers[entity.name ?? ""] = Int64(index + 1) }
        return numbers
    }

    /// The numbers of the entities of a new model. Renamed entities keep their numbers.
    func assigned(by match: ModelMatch) -> [String: Int64] {
        var next = (numbers.values.max() ?? 0) + 1
        var assigned: [String: Int64] = [:]
        for pair in match.pairs {
            guard let name = pair.destination?.name else { continue }
            if let former = pair.source?.name, let number = numbers[former] {
                assigned[name] = number
            } else {
                assigned[name] = next
                next += 1
            }
        }
        return assigned
    }

    func change(
        to assigned: [String: Int64], _ match: ModelMatch, _ connection: PostgreSQLConnection
    ) throws {
        let table = "\(SQLName.quoted(schema)).ocd_entity"
        let present = Dictionary(numbers.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var names = Dictionary(assigned.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        // The number of an entity that is gone is not given to another.
        for pair in match.pairs where pair.destination == nil {
            if let name = pair.source?.name, let number = numbers[name] { names[number] = "-\(number) \(name)" }
        }
        let renamed = names.filter { present[$0.key] != nil && present[$0.key] != $0.value }
            .sorted { $0.key < $1.key }
        func set(_ number: Int64, _ name: String) throws {
            try connection.execute(
                "UPDATE \(table) SET name = $1::text WHERE number = $2::int8",
                values: [.text(name), .int8(number)])
        }
        for (number, _) in renamed { try set(number, "-\(number)") }
        for (number, name) in renamed { try set(number, name) }
        for (number, name) in names.sorted(by: { $0.key < $1.key }) where present[number] == nil {
            try connection.execute(
                "INSERT INTO \(table) (number, name) VALUES ($1::int8, $2::text)",
                values: [.int8(number), .text(name)])
        }
    }
}
#endif
