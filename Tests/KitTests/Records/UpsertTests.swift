import OpenCoreDataKit
import TestSupport
import Testing

/// Objects by their keys, one by one and in bulk.
@Suite struct UpsertTests {
    private struct Item: Identifiable {
        let id: Int
        var name: String
    }

    private struct Stop: Error {}

    private func items(_ numbers: some Sequence<Int>) -> [Item] { numbers.map { Item(id: $0, name: "new \($0)") } }

    private let byCode = Query(Resident.self).sorted(SortDescriptor(\.code))

    // Feature THR-23
    @Test(arguments: TownStack.storeTypes) func halfOfTheObjectsAreThere(type: String) throws {
        let stack = try TownStack(type)
        try stack.fill()
        try stack.inContext { context throws in
            let outcome = try context.upsert(items(6...15), into: Resident.self) { item, resident in
                #expect(Int(resident.code) == item.id)
                resident.name = item.name
            }
            #expect((outcome.inserted, outcome.updated, outcome.count) == (5, 5, 10))
            #expect(stack.log.selects.count == (type == NSSQLiteStoreType ? 1 : 0))
            try context.save()
        }
        try stack.inContext { context throws in
            let all = try context.all(byCode)
            #expect(all.map(\.code) == Array(1...15))
            #expect(all.map(\.name) == (1...5).map { "r\($0)" } + (6...15).map { "new \($0)" })
        }
    }

    // Feature THR-23
    @Test func nothingAsksNothing() throws {
        let stack = try TownStack()
        try stack.inContext { context throws in
            let outcome = try context.upsert([Item](), into: Resident.self) { _, _ in }
            #expect(outcome.count == 0 && stack.log.selects.isEmpty)
        }
    }

    // Feature THR-23
    @Test func equalKeysAreOneObject() throws {
        let stack = try TownStack()
        try stack.fill()
        try stack.inContext { context throws in
            var calls: [String] = []
            let outcome = try context.upsert(["a", "b", "a"], into: Town.self, key: \.self) { name, town in
                calls.append(name)
                town.size += 1
            }
            #expect(calls == ["a", "b", "a"])
            #expect(outcome.inserted == 2 && outcome.updated == 0)
            #expect(try context.object(Town.self, key: "a")?.size == 2)
        }
    }

    // Feature THR-23
    @Test func aBlockThatImportsMakesNoDuplicates() throws {
        let stack = try TownStack()
        try stack.inContext { context throws in
            try context.upsert(items(1...3), into: Resident.self) { item, resident in
                resident.name = item.name
                try context.upsert(items([item.id, item.id + 1]), into: Resident.self) { _, _ in }
            }
            #expect(try context.all(byCode).map(\.code) == [1, 2, 3, 4])
        }
    }

    @Test(arguments: TownStack.storeTypes) func unsavedObjectsAreFoundByTheirPresentKeys(type: String) throws {
        let stack = try TownStack(type)
        try stack.fill()
        try stack.inContext { context throws in
            let new = try context.create(Resident.self)
            new.code = 50
            let moved = try context.one(byCode)
            moved.code = 60
            context.delete(try context.one(byCode.filter(#Predicate { $0.code == 2 })))
            let outcome = try context.upsert(items([1, 2, 3, 50, 60]), into: Resident.self) { item, resident in
                if item.id == 50 { #expect(resident === new) }
                if item.id == 60 { #expect(resident === moved) }
                resident.name = item.name
            }
            #expect((outcome.inserted, outcome.updated) == (2, 3))
            #expect(try context.all(byCode).map(\.code) == Array(1...10) + [50, 60])
            let child = Context(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            let below = try child.performAndWait {
                try child.upsert(items([1, 50, 70]), into: Resident.self) { _, _ in }
            }
            #expect((below.inserted, below.updated) == (1, 2))
        }
    }

    @Test func aThrowLeavesNoEmptyObjects() throws {
        let stack = try TownStack()
        try stack.fill()
        try stack.inContext { context throws in
            #expect(throws: Stop.self) {
                try context.upsert(items(9...14), into: Resident.self) { item, resident in
                    if item.id == 12 { throw Stop() }
                    resident.name = item.name
                }
            }
            #expect(try context.all(byCode).map(\.code) == Array(1...11))
        }
    }

    @Test func importsAreSavedBatchByBatchAndForgotten() throws {
        let stack = try TownStack()
        try stack.fill()
        try stack.inContext { context throws in
            let town = try context.one(Query(Town.self))
            var most = 0
            let outcome = try context.upsert(
                items(1...100), into: Resident.self, prefetching: [\.friends], batchSize: 10
            ) { item, resident in
                resident.name = item.name
                resident.town = town
                most = max(most, context.registeredObjects.count)
            }
            #expect((outcome.inserted, outcome.updated) == (90, 10))
            #expect(!context.hasChanges && most <= 13)
            #expect(town.residents.count == 100)
        }
        #expect(try stack.stack.sqlite("SELECT count(*), count(DISTINCT ZTOWN) FROM ZRESIDENT") == "100|1")
    }

    @Test func aBlockThatImportsLeavesSavingToTheOuterImport() throws {
        let stack = try TownStack()
        try stack.inContext { context throws in
            context.importBatchSize = 2
            let log = NotificationLog(context, [.NSManagedObjectContextDidSave])
            try context.upsert(items(1...4), into: Resident.self) { item, resident in
                #expect(log.entries.count == (item.id - 1) / 2)
                let names = (0..<5).map { "town \($0)" }
                try context.upsert(names, into: Town.self, key: \.self) { _, town in town.size += 1 }
                resident.name = item.name
            }
            #expect(log.entries.count == 2)
            #expect(try context.all(Query(Town.self)).map(\.size) == Array(repeating: 4, count: 5))
            #expect(context.importBatchSize == 2)
        }
    }

    @Test func prefetchedRelationshipsAreNotReadObjectByObject() throws {
        let stack = try TownStack()
        try stack.fill()
        try stack.inContext { context throws in
            try context.upsert(items(1...10), into: Resident.self, prefetching: [\.friends]) { _, resident in
                #expect(resident.friends.isEmpty)
            }
            #expect(stack.log.selects.count == 2)
        }
    }

    // Feature THR-17, THR-18
    @Test func aLoadedObjectIsFoundWithoutAQuery() throws {
        let stack = try TownStack()
        try stack.fill()
        try stack.inContext { context throws in
            let known = try context.all(byCode)
            #expect(known[2].code == 3)
            stack.log.clear()
            #expect(try context.object(Resident.self, key: 3) === known[2])
            #expect(stack.log.selects.isEmpty)
            #expect(try context.object(Resident.self, key: 30) == nil)
            context.delete(known[2])
            #expect(try context.object(Resident.self, key: 3) == nil)
        }
    }

    // Feature THR-20
    @Test func findOrCreateByKey() throws {
        let stack = try TownStack()
        try stack.fill()
        try stack.inContext { context throws in
            let bree = try context.findOrCreate(Town.self, key: "Bree")
            #expect(bree.name == "Bree")
            #expect(try context.findOrCreate(Town.self, key: "Bree") === bree)
            #expect(try context.findOrCreate(Town.self, key: "Odd").isInserted == false)
            let towns = try context.objects(Town.self, keys: ["Odd", "Bree", "Nowhere"])
            #expect(Set(towns.keys) == ["Odd", "Bree"] && towns["Bree"] === bree)
        }
    }
}
