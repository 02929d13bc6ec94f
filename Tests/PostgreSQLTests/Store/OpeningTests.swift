#if PostgreSQL
import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer) struct OpeningTests {
    @Test func aDescriptionOpensAContainer() throws {
        try TestServer.withSchema(created: false) { schema in
            let container = NSPersistentContainer(name: "Library", managedObjectModel: LibraryModel.make())
            container.persistentStoreDescriptions = [.postgreSQL(url: try TestServer.url(schema: schema))]
            var failure: (any Error)?
            container.loadPersistentStores { _, error in failure = error }
            #expect(failure == nil)
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
            #expect(store.type == "PostgreSQL")
            try container.persistentStoreCoordinator.remove(store)
        }
    }

    @Test func metadataAndModelAreKept() throws {
        try ServerStack.with { stack in
            let store = try #require(stack.coordinator.persistentStores.first)
            var metadata = stack.coordinator.metadata(for: store)
            metadata["mine"] = "kept"
            stack.coordinator.setMetadata(metadata, for: store)
            try stack.inContext { context in
                _ = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                try context.save()
            }
            let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: PostgreSQLStore.type, at: stack.url)
            #expect(read["mine"] as? String == "kept")
            #expect(read[NSStoreUUIDKey] as? String == store.identifier)
            let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: stack.url, options: nil)
            #expect(model.entitiesByName.keys.sorted() == LibraryModel.make().entitiesByName.keys.sorted())
        }
    }

    @Test func anotherModelIsIncompatible() throws {
        try ServerStack.with { stack in
            let other = LibraryModel.make()
            other.entitiesByName["Author"]?.properties.append(
                LibraryModel.attribute("age", .integer16AttributeType))
            let error = #expect(throws: CocoaError.self) {
                try ServerStack(
                    model: other, schema: stack.schema,
                    options: [NSMigratePersistentStoresAutomaticallyOption: false])
            }
            #expect(error?.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
        }
    }

    @Test func aTableThatSomebodyChangedIsAnErrorThatNamesIt() throws {
        try ServerStack.with { stack in
            stack.close()
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript("ALTER TABLE \(SQLName.quoted(stack.schema)).book DROP COLUMN pages")
            let error = #expect(throws: CocoaError.self) { try ServerStack(schema: stack.schema) }
            #expect(error?.code.rawValue == NSPersistentStoreIncompatibleSchemaError)
            #expect(error?.localizedDescription.contains("pages") == true)
        }
    }

    @Test func whatGoesAwayWhileTheStoreIsOpenIsAnErrorAndNoTrap() throws {
        try ServerStack.with { stack in
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript("DROP TABLE \(SQLName.quoted(stack.schema)).book CASCADE")
            stack.inContext { context in
                let error = #expect(throws: CocoaError.self) {
                    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
                }
                #expect((error?.userInfo[NSUnderlyingErrorKey] as? PostgreSQLError)?.kind == .undefinedObject)
                _ = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                #expect(throws: CocoaError.self) { try context.save() }
            }
        }
    }

    @Test func noMessageHasThePassword() throws {
        var parts = try #require(URLComponents(string: TestServer.url ?? ""))
        parts.password = "s3cret-word"
        parts.port = 1
        let url = try #require(parts.url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let description = NSPersistentStoreDescription.postgreSQL(url: url)
        #expect(!"\(description)".contains("s3cret-word"))
        let error = #expect(throws: (any Error).self) {
            try coordinator.addPersistentStore(
                ofType: PostgreSQLStore.type, configurationName: nil, at: url, options: nil)
        }
        #expect(!"\(error as Any)".contains("s3cret-word"))
        let sentence = error.map { ($0 as NSError).localizedDescription } ?? ""
        #expect(!sentence.isEmpty && !sentence.contains("s3cret-word"))
    }

    @Test(arguments: [2, 4, 8]) func openersOfAStoreThatIsNotThereYetGetTheOneStore(_ count: Int) throws {
        try TestServer.withSchema(created: false) { schema in
            let url = try TestServer.url(schema: schema)
            let failures = Mutex<[String]>([])
            let ended = DispatchGroup()
            for number in 0..<count {
                ended.enter()
                Thread {
                    defer { ended.leave() }
                    do {
                        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
                        let store = try coordinator.addPersistentStore(
                            ofType: PostgreSQLStore.type, configurationName: nil, at: url)
                        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                        context.persistentStoreCoordinator = coordinator
                        try context.performAndWait {
                            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                            author.setValue("\(number)", forKey: "name")
                            try context.save()
                        }
                        try coordinator.remove(store)
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }.start()
            }
            ended.wait()
            #expect(failures.withLock { $0 } == [])
            let stack = try ServerStack(schema: schema)
            defer { stack.close() }
            #expect(try stack.rows("SELECT count(*)::text FROM \(SQLName.quoted(schema)).author") == [["\(count)"]])
        }
    }

    @Test func aDestroyedStoreIsGoneAndItsNeighborsStay() throws {
        try ServerStack.with { stack in
            stack.close()
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript("CREATE TABLE \(SQLName.quoted(stack.schema)).own (id int8)")
            try stack.coordinator.destroyPersistentStore(at: stack.url, ofType: PostgreSQLStore.type)
            let names = try stack.rows(
                "SELECT relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace "
                    + "WHERE nspname = '\(stack.schema)' AND relkind = 'r'")
            #expect(names == [["own"]])
            #expect(throws: CocoaError.self) {
                try stack.coordinator.destroyPersistentStore(at: stack.url, ofType: PostgreSQLStore.type)
            }
            let again = try ServerStack(schema: stack.schema)
            again.close()
        }
    }
}
#endif
