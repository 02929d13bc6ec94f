import OpenCoreDataKit
import TestSupport
import Testing

/// Changes that come otherwise than by a block or a save of the object that is looked at.
@Suite struct UnusualChangeTests {
    @Test func whatADerivedAttributeIsMadeOfCounts() async throws {
        let folder = try TemporaryFolder()
        let model = VillageModel.make()
        let count = NSDerivedAttributeDescription()
        count.name = "inhabitants"
        count.attributeType = .integer64AttributeType
        count.isOptional = true
        count.derivationExpression = NSExpression(forKeyPath: "villagers.@count")
        model.entitiesByName["House"]?.properties.append(count)
        let database = try await Database.open(
            Database.Configuration(
                name: "Village", model: .value(model), stores: [.sqlite(at: folder.file("Village.sqlite"))],
                layout: .standard))
        let house = try await database.write { context -> NSManagedObjectID in
            let house = try context.create(House.self)
            house.number = 7
            return house.objectID
        }
        var counts = database.observe { try $0.count(Query(House.self).filter("inhabitants > %@", 0)) }
            .makeAsyncIterator()
        #expect(try await counts.next() == 0)
        try await database.write { context in
            context.addVillager("Ada").house = try context.object(House.self, house)
        }
        #expect(try await counts.next() == 1)
    }

    @Test func batchesInATransactionOfAPlainContextAreAnnounced() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        let ada = try await village.settle("Ada", age: 1)
        let commits = village.database.changes
        let context = village.database.context()
        try await context.perform {
            try context.performTransaction {
                _ = try context.batchUpdate(Query(Villager.self), set: ["age": 2])
            }
            // As Apple's API has it, outside of a transaction.
            let update = NSBatchUpdateRequest(entityName: "Villager")
            update.propertiesToUpdate = ["age": 3]
            update.resultType = .updatedObjectIDsResultType
            _ = try context.execute(update)
            update.resultType = .updatedObjectsCountResultType
            _ = try context.execute(update)
        }
        try await village.database.close()
        var heard: [[NSManagedObjectID]] = []
        for await commit in commits { heard.append(Array(commit.updated)) }
        #expect(heard == [[ada], [ada], []])
    }

    @Test(arguments: [Layout.merging, .nested, .standard, .siblings]) @MainActor
    func theMainContextFollowsSavesOfPlainContexts(_ layout: Layout) async throws {
        let village = try await Village.open(.disk, layout: layout)
        let (first, second) = (try await village.settle("Ada", age: 1), try await village.settle("Bob", age: 1))
        let main = village.database.main
        let ada = try #require(try main.object(Villager.self, first))
        let bob = try #require(try main.object(Villager.self, second))
        #expect(ada.age == 1 && bob.age == 1)
        let context = village.database.context()
        try await context.perform {
            try context.object(Villager.self, first)?.age = 2
            try context.object(Villager.self, second).map(context.delete)
            try context.save()
        }
        await village.database.settle()
        #expect(ada.age == 2)
        #expect(try main.villagerNames() == ["Ada"])
        bob.age = 5
        await #expect(throws: DatabaseError.self) { try await main.saveToStore() }
    }

    @Test(arguments: Medium.allCases) func twoWorkersTakeDifferentRows(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        for number in 0..<40 { try await village.settle("Job \(number)", age: 0) }
        let free = Query(Villager.self).filter("age == 0").sorted(by: \.name).limit(1)
        let taken = try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 1...8 {
                group.addTask {
                    var taken = 0
                    let context = village.database.context()
                    for _ in 0..<10 {
                        taken += try await context.perform { try context.batchUpdate(free, set: ["age": worker]) }
                    }
                    return taken
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(taken == 40)
    }
}
