#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// What breaks the rules of a table that others have made is a validation error with entity and property.
@Suite(.needsServer) struct ExistingConstraintTests {
    private static func model() -> NSManagedObjectModel {
        let book = NSEntityDescription()
        book.name = "Book"
        book.managedObjectClassName = "NSManagedObject"
        book.userInfo = ["table": "books", "primaryKey": "id"]
        book.properties = [
            ("title", NSAttributeType.stringAttributeType), ("isbn", .stringAttributeType),
            ("pages", .integer32AttributeType), ("shelf", .stringAttributeType),
        ].map { name, type in
            let attribute = LibraryModel.attribute(name, type)
            attribute.userInfo = ["column": "the_" + name]
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [book]
        return model
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var changes: [String: String?]
        var code: Int
        var key: String
        var testDescription: String { key }
    }

    @Test(arguments: [
        Case(changes: ["title": nil], code: NSValidationMissingMandatoryPropertyError, key: "title"),
        Case(changes: ["shelf": "Z"], code: NSManagedObjectValidationError, key: "shelf"),
        Case(changes: ["isbn": "1"], code: NSManagedObjectConstraintMergeError, key: "isbn"),
        Case(changes: ["title": "12345678901"], code: NSValidationStringTooLongError, key: "title"),
    ]) func whatBreaksARuleNamesEntityAndProperty(_ test: Case) throws {
        try TestServer.withSchema { schema in
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript(
                """
                CREATE TABLE \(schema).books (id serial PRIMARY KEY, the_title varchar(10) NOT NULL, the_isbn text UNIQUE,
                    the_pages int, the_shelf text CHECK (the_shelf IN ('A', 'B')));
                INSERT INTO \(schema).books (the_title, the_isbn) VALUES ('first', '1')
                """)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
            let store = try coordinator.addPersistentStore(
                ofType: PostgreSQLStore.type, configurationName: nil, at: TestServer.url(schema: schema))
            defer { try? coordinator.remove(store) }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValuesForKeys(["title": "1234567890", "isbn": "2", "shelf": "A"])
                try context.save()
                for inserts in [false, true] {
                    let changed =
                        inserts ? NSEntityDescription.insertNewObject(forEntityName: "Book", into: context) : book
                    if inserts { changed.setValuesForKeys(["title": "next", "isbn": "3"]) }
                    for (key, value) in test.changes { changed.setValue(value, forKey: key) }
                    let error = #expect(throws: CocoaError.self) { try context.save() }
                    #expect(error?.code.rawValue == test.code)
                    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == test.key)
                    let sentence = error?.localizedDescription ?? ""
                    #expect(sentence.contains("Book") && sentence.contains(test.key))
                    context.rollback()
                }
                // Nothing was written, and the context works on.
                book.setValue("last", forKey: "title")
                try context.save()
            }
        }
    }

    private static func itemModel() -> NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        item.managedObjectClassName = "NSManagedObject"
        item.userInfo = ["table": "items", "primaryKey": "id"]
        item.properties = [
            LibraryModel.attribute("code", .stringAttributeType),
            LibraryModel.attribute("price", .decimalAttributeType),
            LibraryModel.attribute("rate", .decimalAttributeType),
        ]
        item.uniquenessConstraints = [["code"]]
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    /// Opens a table of items, of which there are two.
    private func withItems(
        code: String, _ body: (NSManagedObjectContext, [NSManagedObject], PostgreSQLConnection, String) throws -> Void
    ) throws {
        try TestServer.withSchema { schema in
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript(
                """
                CREATE TABLE \(schema).items (id serial PRIMARY KEY, code \(code) NOT NULL UNIQUE,
                    price numeric(4,1), rate numeric(6,3));
                INSERT INTO \(schema).items (code) VALUES ('AA'), ('BB'), ('CC')
                """)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.itemModel())
            let store = try coordinator.addPersistentStore(
                ofType: PostgreSQLStore.type, configurationName: nil, at: TestServer.url(schema: schema))
            defer { try? coordinator.remove(store) }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
                try body(context, context.fetch(request), connection, schema)
            }
        }
    }

    @Test(arguments: ["varchar(2)", "varchar(12)", "char(2)", "text"])
    func uniqueValuesThatCannotBeMissingChangePlaces(_ type: String) throws {
        try withItems(code: type) { context, items, connection, schema in
            let codes = ["BB", "CC", "AA"]
            for (item, code) in zip(items, codes) { item.setValue(code, forKey: "code") }
            try context.save()
            var found: [String] = []
            try connection.execute("SELECT code::text FROM \(schema).items ORDER BY id").forEachRow {
                found.append($0.string(0))
            }
            #expect(found == codes)
            items[0].setValue("AA", forKey: "code")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
        }
    }

    /// The rows can't be given other values in the meantime, so the save fails, and says of which values.
    @Test func uniqueValuesThatRulesKeepInPlaceAreAConflict() throws {
        try withItems(code: "text CHECK (code ~ '^[A-Z]{2}$')") { context, items, connection, schema in
            items[0].setValue("BB", forKey: "code")
            items[1].setValue("AA", forKey: "code")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
            #expect(error?.localizedDescription.contains("Item") == true)
            context.rollback()
            items[0].setValue("DD", forKey: "code")
            try context.save()
            #expect(try connection.execute("SELECT code FROM \(schema).items ORDER BY id").first?.string(0) == "DD")
        }
    }

    @Test(arguments: ["999.95", "-1000", "123456", "1e30"]) func aNumberWithTooManyDigitsNamesItsProperty(
        _ number: String
    )
        throws
    {
        try withItems(code: "text") { context, items, connection, schema in
            items[0].setValue(NSDecimalNumber(string: "12.3456"), forKey: "rate")
            items[0].setValue(NSDecimalNumber(string: number), forKey: "price")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSValidationNumberTooLargeError)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "price")
            items[0].setValue(NSDecimalNumber(string: "999.94"), forKey: "price")
            try context.save()
            #expect(
                try connection.execute("SELECT price || ' ' || rate FROM \(schema).items ORDER BY id").first?.string(0)
                    == "999.9 12.346")
        }
    }
}
#endif
