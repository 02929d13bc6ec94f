#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Derived attributes are the same in two versions of a model if they are computed the same way, however that is written.
@Suite(.needsServer) struct DerivedMigrationTests {
    private static func model(_ formats: [String], extra: Bool = false) -> NSManagedObjectModel {
        let model = LibraryModel.make()
        for (number, format) in formats.enumerated() {
            let attribute = NSDerivedAttributeDescription()
            attribute.name = "derived\(number)"
            attribute.attributeType = .integer64AttributeType
            attribute.isOptional = true
            attribute.derivationExpression = NSExpression(format: format)
            model.entitiesByName["Author"]?.properties.append(attribute)
        }
        if extra {
            model.entitiesByName["Label"]?.properties.append(LibraryModel.attribute("color", .stringAttributeType))
        }
        return model
    }

    private func insert(_ stack: ServerStack, _ entity: String, _ key: String, _ value: String) throws {
        try stack.inContext { context in
            NSEntityDescription.insertNewObject(forEntityName: entity, into: context).setValue(value, forKey: key)
            try context.save()
        }
    }

    @Test(arguments: [
        ["books.@count", "books.@sum.pages"], ["count:(books)", "sum:(books.pages)"],
        ["books.@count", "sum:(books.pages)"],
    ]) func whatIsComputedAsBeforeStaysAsItIs(_ formats: [String]) throws {
        try TestServer.withSchema(created: false) { schema in
            let old = try ServerStack(model: Self.model(["books.@count", "books.@sum.pages"]), schema: schema)
            defer { old.close() }
            try insert(old, "Author", "name", "first")
            // The file of the table, and the transaction that wrote its row.
            let sql = "SELECT pg_relation_filenode('\(schema).author')::text, xmin::text FROM author"
            let before = try old.rows(sql)
            let new = try ServerStack(
                model: Self.model(formats, extra: true), schema: schema,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true,
                    NSInferMappingModelAutomaticallyOption: true,
                ])
            defer { new.close() }
            #expect(try new.rows(sql) == before)
            // The old version works on, so the migration was one that only adds things.
            try insert(old, "Author", "name", "second")
            try insert(new, "Label", "color", "red")
            let counts = try new.rows("SELECT derived0::text, derived1::text FROM author")
            #expect(counts == [["0", "0"], ["0", "0"]])
        }
    }
}
#endif
