import OpenCoreDataKit
import TestSupport
import Testing

/// What compiles in an application, and what the compiler says where a name leads elsewhere.
@Suite(.enabled(if: SwiftCompiler.isThere, "there is no compiler")) struct CompilerTests {
    private static let plant = """
        import OpenCoreDataKit

        nonisolated final class Plant: NSManagedObject {
            static let nameProperty = ManagedProperty<String>("name")
            static let heightProperty = ManagedProperty<Double>("height")
            var name: String {
                get { self[Plant.nameProperty] }
                set { self[Plant.nameProperty] = newValue }
            }
            var height: Double {
                get { self[Plant.heightProperty] }
                set { self[Plant.heightProperty] = newValue }
            }
        }

        """

    private static let program =
        plant + """
            func names(_ database: Database, _ model: NSManagedObjectModel, _ url: URL) async throws {
                _ = try await Database.open(name: "Garden", model: model)
                _ = try await Database.open(name: "Garden")
                _ = try await Database.open(at: url, model: model)
                let query = Query(Plant.self)
                let title = "Rose"
                let id = try await database.write { context in
                    let plant = try context.create(Plant.self)
                    plant.name = title
                    return plant.objectID
                }
                try await database.read { context in
                    _ = try context.fetch(query.where(#Predicate { $0.name == "Rose" }))
                    _ = try context.all(Plant.self).count + context.count(Plant.self)
                    _ = try context.first(Plant.self)?.name
                    _ = try context.all(Query(Plant.self).filter("name == %@", title).sorted(by: \\.name))
                    _ = try context.all(Query(Plant.self).sorted(\\.name, .reverse)).map(\\.height)
                    _ = try context.object(Plant.self, id)
                }
                for await commit in database.changes { _ = commit.inserted }
                for try await count in database.observe({ try $0.count(Plant.self) }) { print(count) }
                let draft = database.draft()
                try await draft.perform { try $0.object(Plant.self, id)?.height += 1 }
                try await draft.commit()
                try await database.importing { _ = try $0.create(Plant.self) }
            }

            @MainActor func show(_ database: Database) async throws {
                for await plants in try LiveResults(Query(Plant.self).sorted(by: \\.name), in: database) {
                    print(plants.map(\\.name))
                }
            }

            @MainActor func grow(_ plant: Plant, in database: Database) async throws {
                let reference = ObjectReference(plant)
                try await database.write { context in try context.local(reference).height += 1 }
                try await database.write(plant) { _, plant in plant.height += 1 }
                try database.main.local(plant).height += 1
                try await database.main.saveToStore()
            }

            actor Gardener {
                var seen: [String] = []
                func watch(_ database: Database) async throws {
                    let plants = LiveValues(Query(Plant.self).sorted(by: \\.name), in: database) { $0.name }
                    for try await list in plants { seen = list.values }
                }
            }

            func count<T: NSManagedObject>(_ type: T.Type, in database: Database) async throws -> Int {
                try await database.read { try $0.count(T.self) }
            }
            """

    @Test(arguments: [
        "-swift-version 6", "-swift-version 5", "-swift-version 6 -default-isolation MainActor",
        "-swift-version 5 -strict-concurrency=complete -enable-upcoming-feature InferSendableFromCaptures",
        "-swift-version 6 -enable-upcoming-feature NonisolatedNonsendingByDefault",
    ])
    func theNamesThatPeopleTryCompile(_ options: String) throws {
        let options = options.split(separator: " ").map(String.init)
        #expect(try SwiftCompiler.messages(in: Self.program, options: options) == [])
    }

    @Test(arguments: [
        ("_ = Query(Plant.self).filter { $0.name == \"Rose\" }", "#Predicate"),
        ("_ = Query(Plant.self).where { $0.name == \"Rose\" }", "#Predicate"),
        ("_ = Query(Plant.self).sorted { $0.name < $1.name }", "sorted(by: "),
        ("try database.save()", "database.write"),
    ])
    func aNameThatCantBeKeptLeadsToTheRightOne(_ statement: String, _ hint: String) throws {
        let errors = try SwiftCompiler.errors(
            in: Self.plant + "func use(_ database: Database) throws {\n\(statement)\n}")
        #expect(errors.count == 1 && errors.allSatisfy { $0.contains("unavailable") && $0.contains(hint) }, "\(errors)")
    }

    @Test(arguments: [
        // Objects don't leave their queue.
        "_ = try await database.write { try $0.create(Plant.self) }",
        "let plant = await plant()\ntry await database.write { try $0.local(plant).height += 1 }",
        // The list of the main context is the main actor's.
        "for await plants in try await LiveResults(Query(Plant.self).sorted(by: \\.name), in: database) { _ = plants }",
    ])
    func whatWouldBeWrongDoesNotCompile(_ statement: String) throws {
        let errors = try SwiftCompiler.errors(
            in: Self.plant + """
                @MainActor func plant() -> Plant { fatalError() }
                actor Gardener {
                    func use(_ database: Database) async throws {
                        \(statement)
                    }
                }
                """)
        #expect(!errors.isEmpty)
    }
}
