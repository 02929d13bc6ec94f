#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Attributes whose numbers get another type, on a server: the same rules as in a file.
@Suite(.needsServer) struct NumberConversionTests {
    private static func model(_ type: NSAttributeType, name: String = "value") -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Thing"
        entity.properties = [
            MigrationModels.attribute(name, type, was: name == "value" ? nil : "value"),
            MigrationModels.attribute("number", .integer16AttributeType),
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private func open<Result>(
        _ url: URL, _ model: NSManagedObjectModel, migrating: Bool = false,
        _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        try MigrationModels.open(
            url, model, type: PostgreSQLStore.type, options: migrating ? MigrationModels.automatically : [:], body)
    }

    private func make(_ values: [NSNumber?], _ model: NSManagedObjectModel, at url: URL) throws {
        try open(url, model) { context in
            for (number, value) in values.enumerated() {
                let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                thing.setValue(value, forKey: "value")
                thing.setValue(number, forKey: "number")
                try context.save()
            }
        }
    }

    private func values(_ key: String, _ context: NSManagedObjectContext) throws -> [NSNumber?] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        return try context.fetch(request).map { $0.value(forKey: key) as? NSNumber }
    }

    private func withStore(_ body: (URL) throws -> Void) throws {
        PostgreSQLStore.register()
        try TestServer.withSchema(created: false) { schema in try body(TestServer.url(schema: schema)) }
    }

    @Test(arguments: NumberChange.fitting) func valuesStayTheSameNumbers(change: NumberChange) throws {
        for name in ["value", "renamed"] {
            try withStore { url in
                try make([change.number(), nil], Self.model(change.from), at: url)
                let new = Self.model(change.to, name: name)
                let found = try open(url, new, migrating: true) { try values(name, $0) }
                #expect(found == [change.expected?(), nil])
            }
        }
    }

    @Test(arguments: NumberChange.misfits) func aValueThatDoesNotFitIsAnErrorThatNamesIt(
        change: NumberChange
    ) throws {
        try withStore { url in
            let (old, new) = (Self.model(change.from), Self.model(change.to))
            try make([1, change.number(), nil], old, at: url)
            let error = #expect(throws: CocoaError.self) { try open(url, new, migrating: true) { _ in } }
            #expect(error?.code == .migration)
            #expect(error?.userInfo["entity"] as? String == "Thing")
            #expect(error?.userInfo["property"] as? String == "value")
            #expect(error?.localizedDescription.contains("Thing.value of Thing/p") == true)
            #expect(try open(url, old) { try values("value", $0) } == [1, change.number(), nil])
        }
    }
}
#endif
