import OpenCoreDataKit
import TestSupport
import Testing

/// Creating, changing and deleting by query.
@Suite struct ChangingTests {
    private let byCode = Query(Resident.self).sorted(SortDescriptor(\.code))

    private func filled(_ type: String, _ body: (TownStack, Context) throws -> Void) throws {
        let stack = try TownStack(type)
        try stack.fill()
        try stack.inContext { try body(stack, $0) }
    }

    // Feature MONK-32, STICKY-14
    @Test func newObjectsHaveDefaultsAndTheirContextsEntity() throws {
        let (one, two) = (try TownStack(), try TownStack())
        for stack in [one, two] {
            try stack.inContext { context throws in
                let town = try context.create(Town.self)
                #expect(town.size == 0 && town.isInserted)
                #expect(town.entity === stack.stack.coordinator.managedObjectModel.entitiesByName["Town"])
                #expect(try context.entity(for: Mayor.self).name == "Mayor")
                expectError({ $0.queryReason?.contains("abstract") == true }) { try context.create(Place.self) }
                expectError({ if case .unknownEntity = $0 { true } else { false } }) { try context.create(Author.self) }
                expectError({ if case .ambiguousEntity(_, let names) = $0 { names == ["A", "B"] } else { false } }) {
                    _ = try ambiguous().create(Town.self)
                }
            }
        }
    }

    private func ambiguous() throws -> Context {
        let model = NSManagedObjectModel()
        model.entities = ["A", "B"].map { name in
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = name == "A" ? "Town" : NSStringFromClass(Town.self)
            return entity
        }
        let context = Context(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        return context
    }

    // Feature MONK-33, CANDY-35
    @Test(arguments: TownStack.storeTypes) func findOrCreateFindsWhatItMade(type: String) throws {
        try filled(type) { _, context throws in
            let town = try context.one(Query(Town.self))
            let values: [String: Any?] = ["name": "Knight", "age": 18, "street": nil, "town": town]
            let made = try context.findOrCreate(Resident.self, matching: values)
            #expect(made.name == "Knight" && made.age == 18 && made.street == nil && made.town == town)
            #expect(try context.findOrCreate(Resident.self, matching: values) === made)
            #expect(try context.findOrCreate(Resident.self, matching: ["code": 3]).name == "r3")
            #expect(try context.findOrCreate(Resident.self, matching: ["town.name": "Odd", "age": 3]).code == 3)
            #expect(try context.count(Query(Resident.self)) == 11)
        }
    }

    // Feature MONK-33
    @Test(arguments: TownStack.storeTypes) func findOrCreateMakesNothingFromMistakes(type: String) throws {
        try filled(type) { _, context throws in
            func refuses(_ values: [String: Any?], _ word: String) {
                expectError({ $0.queryReason?.contains(word) == true }) {
                    _ = try context.findOrCreate(Resident.self, matching: values)
                }
            }
            refuses([:], "no values")
            refuses(["nmae": "x"], "nmae")
            refuses(["age": "old"], "age")
            refuses(["friends": 3], "to-many")
            refuses(["town.name": "Atlantis"], "town")
            #expect(!context.hasChanges)
        }
    }

    // Feature STICKY-21
    @Test(arguments: TownStack.storeTypes) func updateChangesWhatTheQueryFinds(type: String) throws {
        try filled(type) { _, context throws in
            #expect(try context.update(byCode.filter(#Predicate { $0.age > 7 })) { $0.street = "High" } == 3)
            #expect(try context.all(byCode.filter(#Predicate { $0.street == "High" })).map(\.code) == [8, 9, 10])
        }
    }

    // Feature MONK-34, THR-21, STICKY-19, STICKY-20
    @Test(arguments: TownStack.storeTypes) func deleteTakesExactlyWhatTheQueryFinds(type: String) throws {
        try filled(type) { stack, context throws in
            #expect(try context.delete(byCode.limit(2)) == 2)
            #expect(try context.all(byCode).map(\.code) == Array(3...10))
            #expect(try context.delete(Query(Town.self).filter(#Predicate { $0.name == "Odd" })) == 1)
            try context.save()
            try stack.inContext { other throws in
                #expect(try other.all(byCode).map(\.code) == [4, 6, 8, 10])
                #expect(try other.delete(Query(Town.self)) == 1)
                #expect(try other.delete(Query(Town.self)) == 0)
                try other.save()
            }
            #expect(try stack.inContext { try $0.count(byCode) } == 0)
        }
    }

    // Feature MONK-35
    @Test(arguments: TownStack.storeTypes) func batchesReachTheStoreAtOnce(type: String) throws {
        try filled(type) { stack, context throws in
            let known = try context.all(byCode)
            #expect(known[9].age == 10)
            #expect(
                try context.batchUpdate(byCode.filter(#Predicate { $0.age > 5 }), set: ["age": 50, "name": nil]) == 5)
            #expect(known[9].age == 50 && known[9].name == nil && known[0].age == 1)
            #expect(!context.hasChanges)
            #expect(try context.batchUpdate(byCode.limit(2).offset(1), set: ["street": "High"]) == 2)
            #expect(try context.all(byCode.filter(#Predicate { $0.street == "High" })).map(\.code) == [2, 3])
            expectError({ $0.queryReason?.contains("shoeSize") == true }) {
                try context.batchUpdate(byCode, set: ["shoeSize": 3])
            }
            expectError({ $0.queryReason?.contains("age") == true }) {
                try context.batchUpdate(byCode, set: ["age": "old"])
            }
            let child = Context(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            #expect(try child.performAndWait { try child.batchDelete(byCode.filter(#Predicate { $0.age == 50 })) } == 5)
            #expect(try context.all(byCode).map(\.code) == Array(1...5))
            #expect(try stack.inContext { try $0.count(byCode) } == 5)
            #expect(try context.batchDelete(Query(Town.self)) == 7)
            #expect(try context.count(byCode) == 0)
        }
    }
}
