#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataKit
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Databases whose stores are a server and a file: a save changes both, or none.
@Suite(.needsServer) struct ServerAndFileTests {
    enum First: CaseIterable, Sendable { case server, file, twoServers }

    private static func model() -> NSManagedObjectModel {
        func entity(_ name: String) -> NSEntityDescription {
            let entity = NSEntityDescription()
            (entity.name, entity.managedObjectClassName) = (name, "NSManagedObject")
            entity.properties = [
                LibraryModel.attribute("name", .stringAttributeType),
                LibraryModel.attribute("age", .integer64AttributeType),
            ]
            entity.uniquenessConstraints = [["name"]]
            return entity
        }
        let (one, two) = (entity("One"), entity("Two"))
        let model = NSManagedObjectModel()
        model.entities = [one, two]
        model.setEntities([one], forConfigurationName: "First")
        model.setEntities([two], forConfigurationName: "Second")
        return model
    }

    private func with(
        _ first: First, _ body: (Database, _ counts: () throws -> [Int]) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try await TestServer.withSchema(created: false) { schema in
            try await TestServer.withSchema(created: false) { second in
                func server(_ configuration: String, _ schema: String) throws -> Store {
                    .postgreSQL(try TestServer.url(schema: schema), configuration: configuration)
                }
                func file(_ configuration: String) -> Store {
                    .sqlite(in: .at(folder.url), configuration: configuration)
                }
                let stores =
                    switch first {
                    case .server: [try server("First", schema), file("Second")]
                    case .file: [file("First"), try server("Second", schema)]
                    case .twoServers: [try server("First", schema), try server("Second", second)]
                    }
                let database = try await Database.open(
                    Database.Configuration(
                        name: "Both", model: .value(Self.model()), stores: stores, layout: .standard))
                try await body(database) {
                    let connection = try TestServer.connect()
                    defer { connection.close() }
                    return try [schema, second].compactMap { schema in
                        for table in ["one", "two"] {
                            let there = try connection.execute(
                                "SELECT 1 WHERE to_regclass($1::text) IS NOT NULL",
                                values: [.text("\(schema).\(table)")],
                                isPrepared: false)
                            guard there.count > 0 else { continue }
                            let row = try connection.execute(
                                "SELECT count(*) FROM \(schema).\(table)", isPrepared: false
                            ).first
                            return Int(try row?.integer(0) ?? 0)
                        }
                        return nil
                    }
                }
                try await database.close()
            }
        }
    }

    private static func add(_ entity: String, _ name: String, _ context: NSManagedObjectContext) {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context).setValue(name, forKey: "name")
    }

    private static func counts(_ database: Database) async throws -> [Int] {
        try await database.read { context in
            try ["One", "Two"].map { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: $0)) }
        }
    }

    @Test(arguments: First.allCases) func aSaveIsInBothStoresOrInNone(_ first: First) async throws {
        try await with(first) { database, rows in
            try await database.write { context in
                Self.add("One", "a", context)
                Self.add("Two", "taken", context)
            }
            #expect(try await Self.counts(database) == [1, 1])
            #expect(try rows() == (first == .twoServers ? [1, 1] : [1]))
            for (one, two) in [("b", "taken"), ("a", "b")] {
                let context = database.context()
                context.mergePolicy = NSMergePolicy.error
                await context.perform {
                    Self.add("One", one, context)
                    Self.add("Two", two, context)
                    #expect(throws: CocoaError.self) { try context.save() }
                    context.rollback()
                }
                await #expect(throws: DatabaseError.self) {
                    try await database.write(conflicts: .fail) { context in
                        Self.add("One", one, context)
                        Self.add("Two", two, context)
                    }
                }
                #expect(try await Self.counts(database) == [1, 1])
                #expect(try rows() == (first == .twoServers ? [1, 1] : [1]))
            }
            struct Stop: Error {}
            await #expect(throws: (any Error).self) {
                try await database.write { context in
                    Self.add("One", "c", context)
                    Self.add("Two", "c", context)
                    try context.save()
                    throw Stop()
                }
            }
            #expect(try await Self.counts(database) == [1, 1])
            #expect(try rows() == (first == .twoServers ? [1, 1] : [1]))
            try await database.write { context in
                Self.add("One", "d", context)
                Self.add("Two", "d", context)
            }
            #expect(try await Self.counts(database) == [2, 2])
        }
    }
}
#endif
