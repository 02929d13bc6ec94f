#if PostgreSQL
import Foundation
import OpenCoreData

extension PostgreSQLStore {
    /// Opens the tables that others have made, and leaves them as they are.
    func openExisting(
        _ location: StoreLocation, _ model: NSManagedObjectModel, _ layout: ModelLayout,
        _ entities: [NSEntityDescription], _ connections: StoreConnections, _ connection: PostgreSQLConnection
    ) throws -> (metadata: [String: Any], runtime: PostgreSQLRuntime?) {
        JSONTransformer.register()
        try PostgreSQLSchemaBuilder.refuseNestedComposites(in: entities)
        var builder = PostgreSQLSchemaBuilder(
            name: location.schema, model: layout, numbers: EntityNumbers.new(entities), usesForeignKeys: false,
            isExisting: true)
        var existing = ExistingSchema(
            try ExistingCatalog(location.schema, connection), try builder.build(), location: location.displayName)
        let schema = try existing.schema()
        var metadata = StoreFile.newMetadata(model: model, entities: entities, type: Self.type)
        let identifier = try Self.identifier(location, connection)
        metadata[NSStoreUUIDKey] = identifier
        let runtime = PostgreSQLRuntime(
            connections: connections, schema: schema, storeIdentifier: identifier, isRecording: false,
            numberBase: 0, version: nil, owners: UncheckedOwners(isDefault: false, isPossible: false),
            location: location.displayName)
        return (metadata, runtime)
    }

    /// A UUID that is the same each time, as there is no place to keep one.
    private static func identifier(_ location: StoreLocation, _ connection: PostgreSQLConnection) throws -> String {
        let result = try connection.execute(
            "SELECT current_database()::text || chr(1) || oid::text FROM pg_database WHERE datname = current_database()"
        )
        let text = (result.first?.string(0) ?? "") + "\u{1}" + location.schema
        var bytes = [UInt8](SHA256.hash(Data(text.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
    }
}

extension CarefulSave {
    /// The rows that a save has written, as the server has them: it may have filled in values, cut or rounded them, and it
    /// alone knows their versions.
    func storedRows() throws -> [DerivedChange] {
        let (runtime, connection) = (executor.runtime, executor.connection)
        var keys: [Int: [Int64]] = [:]
        for change in plan.inserts + plan.updates {
            keys[change.entity.index, default: []].append(change.reference)
        }
        var changes: [DerivedChange] = []
        for (index, references) in keys.sorted(by: { $0.key < $1.key }) {
            guard let entity = runtime.mapping.entities[index] else { continue }
            let plan = try runtime.plan(for: entity.layout, hasValues: true)
            let reader = PostgreSQLRowReader(plan, expecting: references.count)
            try connection.forEachRow(
                "SELECT \(plan.selectList(alias: "t0")) FROM \(runtime.schema.source(entity.table)) t0 "
                    + "WHERE t0.\(SQLName.quoted(entity.system.key)) = ANY($1::int8[])",
                PostgreSQLStore.keys(references)
            ) { try reader.append($0) }
            let slab = reader.slab
            for row in 0..<slab.count {
                let reference = slab.reference(row)
                changes.append(.version(slab.version(row), of: reference, entity.layout))
                for case let slot? in entity.layout.slots where !slot.isTransient {
                    changes.append(
                        DerivedChange(
                            entity: entity.layout, reference: reference, slot: slot.index,
                            value: try slab.value(row, slot)))
                }
            }
        }
        return changes
    }
}
#endif
