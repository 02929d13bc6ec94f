#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// A composite attribute within another one: a file can't keep it, and neither can a server.
@Suite(.needsServer) struct NestedCompositeTests {
    private static func model(hasNested: Bool) -> NSManagedObjectModel {
        func composite(_ name: String, _ elements: [NSAttributeDescription]) -> NSCompositeAttributeDescription {
            let composite = NSCompositeAttributeDescription()
            (composite.name, composite.isOptional, composite.elements) = (name, true, elements)
            return composite
        }
        let (street, town) = (LibraryModel.attribute("street", .stringAttributeType), "town")
        street.isOptional = true
        let place = composite("place", [LibraryModel.attribute(town, .stringAttributeType)])
        let entity = NSEntityDescription()
        entity.name = "Person"
        entity.properties = [composite("address", hasNested ? [street, place] : [street])]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private func requireRefusal(_ error: CocoaError?) throws {
        let error = try #require(error)
        #expect(error.code.rawValue == NSPersistentStoreIncompatibleSchemaError)
        #expect("\(error)".contains("“place” of entity “Person”"), "\(error)")
    }

    @Test func aNewStoreIsRefusedAsAFileIs() throws {
        try TestServer.withSchema(created: false) { schema in
            try requireRefusal(
                #expect(throws: CocoaError.self) {
                    try ServerStack(model: Self.model(hasNested: true), schema: schema)
                })
            let connection = try TestServer.connect()
            defer { connection.close() }
            let found = try connection.execute(
                "SELECT 1 FROM pg_namespace WHERE nspname = $1::text", values: [.text(schema)])
            #expect(found.count == 0)
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(hasNested: true))
        let folder = try TemporaryFolder()
        try requireRefusal(
            #expect(throws: CocoaError.self) {
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("Library.sqlite"),
                    options: nil)
            })
    }

    @Test func aMigrationToItChangesNothing() throws {
        try ServerStack.with(model: Self.model(hasNested: false)) { stack in
            try stack.inContext { context in
                let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
                person.setValue(["street": "Weg"], forKey: "address")
                try context.save()
            }
            stack.close()
            let failure = #expect(throws: CocoaError.self) {
                try ServerStack(
                    model: Self.model(hasNested: true), schema: stack.schema,
                    options: MigrationModels.automatically)
            }
            #expect("\(failure.map { "\($0)" } ?? "")".contains("“place” of entity “Person”"), "\(failure as Any)")
            let again = try ServerStack(model: Self.model(hasNested: false), schema: stack.schema)
            defer { again.close() }
            #expect(try again.rows("SELECT address_street FROM person") == [["Weg"]])
        }
    }
}
#endif
