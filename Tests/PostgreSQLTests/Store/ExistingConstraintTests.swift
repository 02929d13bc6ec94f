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
}
#endif
