#if PostgreSQL
import Dispatch
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Programs of two versions of a model on one store.
@Suite(.needsServer) struct TwoVersionTests {
    private static let added: @Sendable (inout [String: NSEntityDescription]) -> Void = { entities in
        let service = NSEntityDescription()
        service.name = "Service"
        service.properties = [MigrationModels.attribute("title", .stringAttributeType)]
        entities["Service"] = service
        MigrationModels.pair(entities, "Vehicle", "services", "Service", "vehicle")
        entities["Vehicle"]?.relationshipsByName["services"]?.deleteRule = .nullifyDeleteRule
        entities["Person"]?.properties += [
            MigrationModels.attribute("nick", .stringAttributeType),
            MigrationModels.attribute("age", .integer16AttributeType, optional: false, default: 18),
        ]
        entities["Car"]?.properties.append(
            MigrationModels.attribute("doors", .integer16AttributeType, optional: false, default: 5))
    }

    private func withStore(
        options: [AnyHashable: Any] = [:], _ body: (ServerStack, String) throws -> Void
    ) throws {
        PostgreSQLStore.register()
        try TestServer.withSchema(created: false) { schema in
            try MigrationModels.makeStore(at: TestServer.url(schema: schema), type: PostgreSQLStore.type)
            let old = try ServerStack(model: MigrationModels.make(), schema: schema, options: options)
            defer { old.close() }
            try body(old, schema)
        }
    }

    private func stack(
        _ schema: String, _ change: (inout [String: NSEntityDescription]) -> Void = { _ in }
    ) throws -> ServerStack {
        try ServerStack(
            model: MigrationModels.make(change), schema: schema, options: MigrationModels.automatically)
    }

    private func insert(_ entity: String, _ name: String, _ stack: ServerStack) throws {
        try stack.inContext { context in
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValue(name, forKey: "name")
            try context.save()
        }
    }

    private func names(_ entity: String, _ stack: ServerStack) throws -> [String] {
        try stack.inContext { context in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
                .compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
    }

    @Test func afterAChangeThatOnlyAddsBothVersionsWorkOn() throws {
        try withStore { old, schema in
            let uuid = try old.rows("SELECT uuid FROM ocd_store")
            let new = try stack(schema, Self.added)
            defer { new.close() }
            // The old program, which was connected all the time.
            try insert("Person", "Eve", old)
            try insert("Person", "Max", new)
            #expect(try names("Person", old) == ["Ann", "Bob", "Eve", "Max"])
            try new.inContext { context in
                let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
                #expect(people.map { $0.value(forKey: "age") as? Int } == [18, 18, 18, 18])
                let car = try #require(
                    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Car")).first)
                #expect(car.value(forKey: "doors") as? Int == 5)
                let service = NSEntityDescription.insertNewObject(forEntityName: "Service", into: context)
                service.setValue(car, forKey: "vehicle")
                try context.save()
            }
            // And one of the old version that starts now, which must not bring the store back.
            let late = try stack(schema)
            defer { late.close() }
            #expect(try names("Person", late) == ["Ann", "Bob", "Eve", "Max"])
            try insert("Club", "Tennis", late)
            let store = try #require(late.coordinator.persistentStores.first)
            store.metadata = store.metadata.merging(["color": "red"]) { $1 }
            try late.inContext { context in
                context.insert(
                    NSEntityDescription.insertNewObject(forEntityName: "Club", into: context))
                try context.save()
            }
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: PostgreSQLStore.type, at: new.url)
            #expect(metadata["color"] as? String == "red")
            #expect(
                metadata[NSStoreModelVersionHashesKey] as? [String: Data]
                    == new.coordinator.managedObjectModel.entityVersionHashesByName)
            #expect(try old.rows("SELECT uuid FROM ocd_store") == uuid)
            #expect(try old.rows("SELECT DISTINCT state FROM ocd_model") == [["active"]])
            // What the old version doesn't know is guarded by the server.
            let error = #expect(throws: CocoaError.self) {
                try old.inContext { context in
                    for car in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Car")) {
                        context.delete(car)
                    }
                    try context.save()
                }
            }
            let cause = error?.userInfo[NSUnderlyingErrorKey] as? PostgreSQLError
            #expect(cause?.kind == .foreignKeyViolation)
        }
    }

    @Test(arguments: [2, 3, 4, 8])
    func afterAnyOtherChangeTheOldVersionIsRefusedAndWritesNothing(index: Int) throws {
        try withStore { old, schema in
            try insert("Club", "Tennis", old)
            let kept = old.context()
            let club = try kept.performAndWait {
                try #require(try kept.fetch(NSFetchRequest<NSManagedObject>(entityName: "Club")).first)
            }
            let new = try stack(schema, MigrationModels.changes[index].change)
            defer { new.close() }
            let before = try new.inContext { try MigrationModels.contents(of: $0) }
            func requireRefusal(_ body: () throws -> Void) {
                let error = #expect(throws: CocoaError.self) { try body() }
                #expect(error?.code.rawValue == NSPersistentStoreIncompatibleVersionHashError, "\(error as Any)")
            }
            requireRefusal { try insert("Person", "Eve", old) }
            requireRefusal {
                try kept.performAndWait {
                    club.setValue("Golf", forKey: "name")
                    try kept.save()
                }
            }
            requireRefusal {
                try old.inContext { context in
                    let request = NSBatchUpdateRequest(entityName: "Person")
                    request.propertiesToUpdate = ["name": "Nobody"]
                    try context.execute(request)
                }
            }
            requireRefusal {
                try old.inContext { context in
                    let rows = [["name": "Eve"]]
                    try context.execute(NSBatchInsertRequest(entityName: "Person", objects: rows))
                }
            }
            requireRefusal {
                let store = try #require(old.coordinator.persistentStores.first)
                store.metadata = ["color": "red"]
                try insert("Person", "Eve", old)
            }
            // A program of the old version that starts is refused too, and doesn't bring the store back.
            requireRefusal { try stack(schema).close() }
            #expect(try new.inContext { try MigrationModels.contents(of: $0) } == before)
        }
    }

    @Test func aReadOfWhatIsGoneTellsWhy() throws {
        try withStore { old, schema in
            let new = try stack(schema, MigrationModels.changes[2].change)
            defer { new.close() }
            for entity in ["Club", "Vehicle"] {
                let error = #expect(throws: CocoaError.self) {
                    try old.inContext { context in
                        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                        request.predicate = NSPredicate(format: "SELF != nil")
                        return try context.fetch(request).count
                    }
                }
                #expect(error?.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
            }
        }
    }

    @Test func aSaveThatIsUnderWayIsWaitedFor() throws {
        try withStore { old, schema in
            let begun = DispatchSemaphore(value: 0)
            Thread {
                guard let writer = try? TestServer.connect() else { return }
                // As a save begins.
                try? writer.runScript(
                    "BEGIN; SELECT 1 FROM \(SQLName.quoted(schema)).ocd_model; "
                        + "UPDATE \(SQLName.quoted(schema)).club SET name = 'Go' WHERE name = 'Chess'")
                begun.signal()
                usleep(300_000)
                try? writer.runScript("COMMIT")
                writer.close()
            }.start()
            #expect(begun.wait(timeout: .now() + 20) == .success)
            let new = try stack(schema, MigrationModels.changes[2].change)
            defer { new.close() }
            #expect(try names("Society", new) == ["Go", "Rowing"])
            #expect(try old.rows("SELECT count(*)::text FROM society") == [["2"]])
        }
    }

    @Test func aTableThatStaysLockedIsAnErrorAndChangesNothing() throws {
        try withStore { old, schema in
            let other = try TestServer.connect()
            defer { other.close() }
            try other.runScript("BEGIN; SELECT count(*) FROM \(SQLName.quoted(schema)).club")
            var options = MigrationModels.automatically
            options[NSPersistentStoreTimeoutOption] = 1
            let error = #expect(throws: CocoaError.self) {
                try ServerStack(
                    model: MigrationModels.make(MigrationModels.changes[2].change), schema: schema,
                    options: options)
            }
            #expect(error?.code.rawValue == NSPersistentStoreTimeoutError)
            try other.runScript("COMMIT")
            #expect(try names("Club", old) == ["Chess", "Rowing"])
            try insert("Club", "Tennis", old)
        }
    }
}
#endif
