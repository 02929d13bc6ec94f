#if PostgreSQL
import Dispatch
import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Stores on a server that are brought to another version of the model in place.
@Suite(.needsServer) struct MigrationTests {
    private func withStore(_ body: (URL, String) throws -> Void) throws {
        PostgreSQLStore.register()
        try TestServer.withSchema(created: false) { schema in
            let url = try TestServer.url(schema: schema)
            try MigrationModels.makeStore(at: url, type: PostgreSQLStore.type)
            try body(url, schema)
        }
    }

    private func open<Result>(
        _ url: URL, _ model: NSManagedObjectModel,
        options: [AnyHashable: Any] = MigrationModels.automatically,
        _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        try MigrationModels.open(url, model, type: PostgreSQLStore.type, options: options, body)
    }

    /// The entities and keys of all objects.
    private func keys(_ context: NSManagedObjectContext) throws -> [String] {
        let model = try #require(context.persistentStoreCoordinator?.managedObjectModel)
        return try model.entities.filter { $0.superentity == nil }.flatMap { entity in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
                .map { $0.objectID.uriRepresentation().pathComponents.suffix(2).joined(separator: "/") }
        }.sorted()
    }

    private func rows(_ sql: String, _ schema: String) throws -> [[String]] {
        let connection = try TestServer.connect()
        defer { connection.close() }
        try connection.runScript("SET search_path = \(SQLName.quoted(schema))")
        var rows: [[String]] = []
        try connection.execute(sql).forEachRow { row in
            rows.append((0..<row.columnCount).map { row.isNull($0) ? "NULL" : row.string($0) })
        }
        return rows
    }

    /// SQLite and PostgreSQL are migrated by different code, and compared object by object.
    @Test(arguments: MigrationModels.changes.indices, [false, true])
    func theResultIsThatOfAFile(index: Int, isPrepared: Bool) throws {
        try TablePreparation.$leastSize.withValue(isPrepared ? 0 : .max) {
            let statements = Noted<String>()
            try compareWithFile(index, statements)
            let name = MigrationModels.changes[index].name
            #expect(
                statements.all.contains { $0.contains("\"\(TablePreparation.prefix)") }
                    == (isPrepared && Self.prepared.contains(name)), "\(name)")
        }
    }

    /// The changes for which something is done before tables are locked.
    private static let prepared: Set<String> = [
        "mandatory with a default", "wider types", "a hidden list that gets an inverse",
    ]

    private func compareWithFile(_ index: Int, _ statements: Noted<String>) throws {
        let folder = try TemporaryFolder()
        let file = try MigrationModels.makeStore(in: folder)
        let model = MigrationModels.make(MigrationModels.changes[index].change)
        let (expected, expectedKeys) = try MigrationModels.open(file, model) {
            (try MigrationModels.contents(of: $0), try keys($0))
        }
        #expect(expected.count >= 9)
        try withStore { url, schema in
            let recorder: @Sendable (String) -> Void = { statements.note($0) }
            let options = MigrationModels.automatically.merging([PostgreSQLStore.statementRecorderOption: recorder]) {
                $1
            }
            #expect(try open(url, model, options: options) { try MigrationModels.contents(of: $0) } == expected)
            #expect(try open(url, model, options: [:]) { try keys($0) } == expectedKeys)
            // What is left is what a new store of the model has.
            try TestServer.withSchema(created: false) { other in
                try open(TestServer.url(schema: other), model) { _ in }
                let columns = """
                    SELECT c.relname::text, a.attname::text, a.atttypid::regtype::text, a.attstorage::text
                    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
                    WHERE n.nspname = current_schema() AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, 2
                    """
                #expect(try rows(columns, schema) == rows(columns, other))
                let indexes = """
                    SELECT replace(regexp_replace(indexdef, 'INDEX \\S+ ON', 'INDEX ON'), current_schema() || '.', '')
                    FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1
                    """
                #expect(try rows(indexes, schema) == rows(indexes, other))
                let foreignKeys = """
                    SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
                    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 1, 2
                    """
                #expect(try rows(foreignKeys, schema) == rows(foreignKeys, other))
                let rules = try ServerRules.lines(of: schema, hasNumbers: false)
                #expect(rules.contains { $0.contains("z_pk NOT NULL identity") })
                #expect(try rules == ServerRules.lines(of: other, hasNumbers: false))
            }
            // And what is saved from then on gets keys that nothing has.
            try open(url, model, options: [:]) { context in
                let before = try keys(context)
                let new = NSEntityDescription.insertNewObject(forEntityName: "Car", into: context)
                try context.save()
                #expect(try keys(context).count == before.count + 1)
                context.delete(new)
                try context.save()
                #expect(try MigrationModels.contents(of: context) == expected)
            }
        }
    }

    @Test func aMigrationThatFailsChangesNothing() throws {
        try withStore { url, schema in
            let before = try open(url, MigrationModels.make(), options: [:]) {
                try MigrationModels.contents(of: $0)
            }
            let mandatory = MigrationModels.make {
                $0["Club"]?.properties.append(
                    MigrationModels.attribute("city", .stringAttributeType, optional: false))
                $0["Vehicle"]?.properties.removeAll { $0.name == "plate" }
            }
            let first = #expect(throws: CocoaError.self) { try open(url, mandatory) { _ in } }
            #expect(first?.code == .migration)
            #expect(first?.userInfo["entity"] as? String == "Club")
            #expect(first?.userInfo["attribute"] as? String == "city")
            let unique = MigrationModels.make { $0["Vehicle"]?.uniquenessConstraints = [["wheels"]] }
            let second = #expect(throws: CocoaError.self) { try open(url, unique) { _ in } }
            #expect(second?.code.rawValue == NSMigrationConstraintViolationError)
            let inferred = MigrationModels.make {
                $0["Person"]?.attributesByName["name"]?.attributeType = .integer16AttributeType
            }
            let third = #expect(throws: CocoaError.self) { try open(url, inferred) { _ in } }
            #expect(third?.code.rawValue == NSMigrationMissingMappingModelError)
            let fourth = #expect(throws: CocoaError.self) { try open(url, unique, options: [:]) { _ in } }
            #expect(fourth?.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
            for error in [first, second, third, fourth] {
                let text = "\(error.map { "\($0) \($0.userInfo)" } ?? "")"
                let password = URLComponents(string: TestServer.url ?? "")?.password ?? "-"
                #expect(!text.contains(":\(password)@"))
            }
            #expect(
                try open(url, MigrationModels.make(), options: [:]) { try MigrationModels.contents(of: $0) }
                    == before)
            #expect(try rows("SELECT count(*)::text FROM ocd_model", schema) == [["1"]])
        }
    }

    @Test func derivedAttributesHistoryMetadataAndKeysComeAlong() throws {
        PostgreSQLStore.register()
        try TestServer.withSchema(created: false) { schema in
            let url = try TestServer.url(schema: schema)
            let recording: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
            try MigrationModels.makeStore(at: url, type: PostgreSQLStore.type, options: recording)
            try NSPersistentStoreCoordinator.setMetadata(
                try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: PostgreSQLStore.type, at: url
                ).merging(["color": "red"]) { $1 }, forPersistentStoreOfType: PostgreSQLStore.type, at: url)
            _ = try rows("UPDATE ocd_key SET z_max = 4000 WHERE z_max < 4000 RETURNING '1'", schema)
            try open(url, MigrationModels.make(), options: recording) { context in
                for car in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Car")) {
                    car.setValue("X", forKey: "plate")
                }
                try context.save()
            }
            let model = MigrationModels.make { entities in
                let count = NSDerivedAttributeDescription()
                count.name = "fleetSize"
                count.attributeType = .integer64AttributeType
                count.derivationExpression = NSExpression(forKeyPath: "cars.@count")
                entities["Person"]?.properties.append(count)
                entities["Vehicle"]?.attributesByName["plate"]?.renamingIdentifier = "plate"
                entities["Vehicle"]?.attributesByName["plate"]?.name = "number"
                entities["Club"]?.name = "Society"
                entities["Club"]?.renamingIdentifier = "Club"
            }
            try open(url, model, options: MigrationModels.automatically.merging(recording) { $1 }) { context in
                let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
                #expect(
                    Set(people.map { "\($0.value(forKey: "name") ?? "") \($0.value(forKey: "fleetSize") ?? "")" })
                        == ["Ann 3", "Bob 0"])
                let new = NSEntityDescription.insertNewObject(forEntityName: "Society", into: context)
                try context.save()
                #expect(new.objectID.uriRepresentation().lastPathComponent == "p4001")
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
                var changes: [NSPersistentHistoryChange] = []
                // What other tests write at this moment may hold the newest transactions back.
                for _ in 0..<500 where !changes.contains(where: { $0.changedObjectID == new.objectID }) {
                    let result = try context.execute(request) as? NSPersistentHistoryResult
                    changes = try #require(result?.result as? [NSPersistentHistoryTransaction])
                        .flatMap { $0.changes ?? [] }
                    usleep(20_000)
                }
                #expect(
                    Set(
                        changes.filter { $0.changeType == .update }.flatMap { $0.updatedProperties ?? [] }.map(
                            \.name)) == ["number"])
                #expect(
                    changes.contains { $0.changedObjectID.entity.name == "Society" && $0.changeType == .insert })
            }
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: PostgreSQLStore.type, at: url)
            #expect(metadata["color"] as? String == "red")
            #expect(metadata[NSStoreModelVersionHashesKey] as? [String: Data] == model.entityVersionHashesByName)
        }
    }

    @Test func ofTwoMigrationsAtOnceOneWaitsAndFindsItDone() throws {
        try withStore { url, schema in
            let change = MigrationModels.changes[2].change
            let results = Mutex<[String]>([])
            let group = DispatchGroup()
            for _ in 0..<4 {
                group.enter()
                Thread {
                    let result = Result {
                        try self.open(url, MigrationModels.make(change)) { try MigrationModels.contents(of: $0) }
                    }
                    results.withLock { results in
                        switch result {
                        case .success(let lines): results.append(lines.joined())
                        case .failure(let error): results.append("\(error)")
                        }
                    }
                    group.leave()
                }.start()
            }
            group.wait()
            let all = results.withLock { $0 }
            #expect(all.count == 4 && Set(all).count == 1)
            #expect(all.first?.contains("Society Chess") == true)
            let states = try rows("SELECT state, count(*)::text FROM ocd_model GROUP BY 1 ORDER BY 1", schema)
            #expect(states == [["active", "1"], ["retired", "1"]])
        }
    }

    @Test func stagesAreGoneThroughOneAfterTheOther() throws {
        try withStore { url, schema in
            func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
                NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
            }
            let middle = MigrationModels.make(MigrationModels.changes[0].change)
            let last = MigrationModels.make { entities in
                MigrationModels.changes[0].change(&entities)
                MigrationModels.changes[2].change(&entities)
            }
            let stage = NSCustomMigrationStage(
                migratingFrom: reference(MigrationModels.make()), to: reference(middle))
            stage.label = "nicknames"
            stage.didMigrateHandler = { manager, _ in
                let context = try #require(manager.container).newBackgroundContext()
                try context.performAndWait {
                    for person in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")) {
                        person.setValue("Mx \(person.value(forKey: "name") ?? "")", forKey: "nick")
                    }
                    try context.save()
                }
            }
            var options = MigrationModels.automatically
            options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager([
                stage, NSLightweightMigrationStage([middle.versionChecksum, last.versionChecksum]),
            ])
            let nicks = try open(url, last, options: options) { context in
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
                    .compactMap { $0.value(forKey: "nick") as? String }.sorted()
            }
            #expect(nicks == ["Mx Ann", "Mx Bob"])
            #expect(try rows("SELECT count(*)::text FROM society", schema) == [["2"]])
        }
    }

    @Test func aMappingModelOfTheApplicationsOwnIsRefused() throws {
        try withStore { url, _ in
            let (source, destination) = (
                MigrationModels.make(), MigrationModels.make(MigrationModels.changes[0].change)
            )
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: source, destinationModel: destination)
            mapping.entityMappings?.first?.entityMigrationPolicyClassName = "Policy"
            let migration = StoreMigration(
                url: url, type: PostgreSQLStore.type,
                metadata: try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: PostgreSQLStore.type, at: url), sourceModel: source, destinationModel: destination,
                configuration: nil, options: nil)
            let error = #expect(throws: CocoaError.self) { try migration.run(with: mapping) }
            #expect(error?.code == .migration)
            #expect(error?.localizedDescription.contains("mapping model of its own") == true)
            #expect(try open(url, source, options: [:]) { try MigrationModels.contents(of: $0) }.count == 10)
        }
    }
}
#endif
