#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataPostgreSQL
import TestSupport
import Testing

/// Columns of existing tables that the store writes by itself, and that the model has as attributes all the same: the one
/// that counts the changes of a row, and the primary key. `psql` says what became of the rows.
@Suite(.needsServer)
struct ExistingCounterTests {
    private let database: ServerDatabase
    private let context: NSManagedObjectContext

    private static func attribute(_ name: String, _ type: NSAttributeType, _ column: String)
        -> NSAttributeDescription
    {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        attribute.userInfo = ["column": column]
        return attribute
    }

    /// A model of the table, made by hand.
    private static func model(version: String = "changes") -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Author"
        entity.userInfo = ["table": "author", "primaryKey": "id", "version": version]
        let changes = attribute("changes", .integer32AttributeType, "changes")
        // As `model import` makes it of a column that can't be empty.
        (changes.isOptional, changes.defaultValue) = (false, 1)
        entity.properties = [
            attribute("id", .integer32AttributeType, "id"), attribute("name", .stringAttributeType, "name"),
            attribute("size", .integer32AttributeType, "size"), changes,
        ]
        entity.uniquenessConstraints = [["name"]]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    init() throws {
        database = try ServerDatabase(isMade: true)
        try database.sql(
            """
            CREATE TABLE author (id serial PRIMARY KEY, name text NOT NULL UNIQUE, size int,
                twice int GENERATED ALWAYS AS (size * 2) STORED, changes int NOT NULL DEFAULT 1);
            INSERT INTO author (name, size, changes) VALUES ('Ada', 1, 7), ('Bob', 2, 1);
            """)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = try database.coordinator(Self.model())
    }

    private func rows() throws -> String {
        try database.sql("SELECT id, name, size, changes FROM author ORDER BY id")
    }

    private func author(_ name: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.predicate = NSPredicate(format: "name == %@", name)
        return try #require(try context.fetch(request).first)
    }

    @Test func insertedObjectsShowTheCountAndTheKeyOfTheirRows() throws {
        try context.performAndWait {
            let first = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            first.setValue("Cy", forKey: "name")
            let second = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            second.setValue("Dee", forKey: "name")
            // What the store writes by itself isn't the program's to choose.
            second.setValue(40, forKey: "changes")
            second.setValue(99, forKey: "id")
            try context.save()
            for object in [first, second] {
                #expect(object.value(forKey: "changes") as? Int == 1)
                #expect(!object.hasChanges)
                let key = object.objectID.uriRepresentation().lastPathComponent
                #expect((object.value(forKey: "id") as? Int).map { "p\($0)" } == key)
            }
        }
        #expect(
            try database.sql(
                "SELECT string_agg(name, ',' ORDER BY name), min(id), max(id), min(changes), max(changes) FROM author "
                    + "WHERE id > 2") == "Cy,Dee|3|4|1|1")
    }

    @Test func changedObjectsShowTheNextCount() throws {
        try context.performAndWait {
            let ada = try author("Ada", in: context)
            #expect(ada.value(forKey: "changes") as? Int == 7)
            ada.setValue(3, forKey: "size")
            try context.save()
            #expect(ada.value(forKey: "changes") as? Int == 8)
            #expect(try rows() == "1|Ada|3|8\n2|Bob|2|1")
            // A count that the program sets is ignored, together with other values and alone.
            ada.setValue(4, forKey: "size")
            ada.setValue(50, forKey: "changes")
            try context.save()
            #expect(ada.value(forKey: "changes") as? Int == 9)
            ada.setValue(60, forKey: "changes")
            try context.save()
            #expect(ada.value(forKey: "changes") as? Int == 10)
            #expect(ada.value(forKey: "id") as? Int == 1)
            #expect(!context.hasChanges)
            #expect(try rows() == "1|Ada|4|10\n2|Bob|2|1")
            context.reset()
            #expect(try author("Ada", in: context).value(forKey: "changes") as? Int == 10)
            context.delete(try author("Ada", in: context))
            try context.save()
            #expect(try rows() == "2|Bob|2|1")
        }
    }

    @Test func theCountIsCompared() throws {
        try context.performAndWait {
            let bob = try author("Bob", in: context)
            _ = bob.value(forKey: "name")
            try database.sql("UPDATE author SET size = 5, changes = changes + 1 WHERE id = 2")
            bob.setValue(6, forKey: "size")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            try context.save()
            #expect(bob.value(forKey: "changes") as? Int == 3)
            #expect(try rows() == "1|Ada|1|7\n2|Bob|6|3")
        }
    }

    @Test func rowsAreFoundByCountAndKey() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        for (format, expected) in [("changes > 1", "Ada"), ("id == 2", "Bob"), ("id < 2 AND changes == 7", "Ada")] {
            request.predicate = NSPredicate(format: format)
            let names = try context.performAndWait {
                try context.fetch(request).map { $0.value(forKey: "name") as? String }
            }
            #expect(names == [expected], "\(format)")
        }
    }

    @Test func batchInsertsWriteTheFirstCount() throws {
        let request = NSBatchInsertRequest(
            entityName: "Author", objects: [["name": "Eve", "changes": 12, "id": 70], ["name": "Foe", "size": 8]])
        request.resultType = .count
        let result = try context.performAndWait { try context.execute(request) as? NSBatchInsertResult }
        #expect(result?.result as? Int == 2)
        #expect(try rows() == "1|Ada|1|7\n2|Bob|2|1\n3|Eve||1\n4|Foe|8|1")
        // Where the merge policy turns an insertion into a change, the row is counted on.
        try context.performAndWait {
            context.mergePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
            _ = try context.execute(
                NSBatchInsertRequest(entityName: "Author", objects: [["name": "Ada", "size": 9, "changes": 0]]))
        }
        #expect(try database.sql("SELECT id, size, changes FROM author WHERE name = 'Ada'") == "1|9|8")
    }

    @Test func batchUpdatesCountAndRefuseToSetTheCount() throws {
        let request = NSBatchUpdateRequest(entityName: "Author")
        request.propertiesToUpdate = ["size": NSExpression(format: "size + changes")]
        request.resultType = .updatedObjectsCountResultType
        let result = try context.performAndWait { try context.execute(request) as? NSBatchUpdateResult }
        #expect(result?.result as? Int == 2)
        #expect(try rows() == "1|Ada|8|8\n2|Bob|3|2")
        for (name, value) in [("changes", 3), ("id", 8)] {
            request.propertiesToUpdate = ["size": 1, name: value]
            let error = #expect(throws: CocoaError.self) {
                try context.performAndWait { _ = try context.execute(request) }
            }
            #expect(error?.code.rawValue == NSManagedObjectValidationError)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == name)
            #expect("\(error.map { "\($0)" } ?? "")".contains("can't be set"))
        }
        #expect(try rows() == "1|Ada|8|8\n2|Bob|3|2")
    }

    @Test func aPrimaryKeyIsNoCount() throws {
        let error = #expect(throws: CocoaError.self) {
            _ = try database.coordinator(Self.model(version: "id"))
        }
        #expect(error?.code.rawValue == NSPersistentStoreIncompatibleSchemaError)
        #expect("\(error.map { "\($0)" } ?? "")".contains("the primary key id of the table author"))
    }
}
#endif
