import OpenCoreDataKit
import Synchronization
import TestSupport
import Testing

/// Values and lists that follow what is saved.
@Suite struct ObservationTests {
    @Test(arguments: Medium.allCases) func aValueIsReadAgainWhenItMayHaveChanged(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        var counts = village.database.observe { try $0.count(Villager.self) }.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        try await village.settle("Ada")
        #expect(try await counts.next() == 1)
        // Of no concern.
        try await village.database.write { context in _ = try context.create(Notice.self) }
        // Several at a time are one value.
        for name in ["Bob", "Cid"] { try await village.settle(name) }
        #expect(try await counts.next() == 3)
        try await village.database.write { _ = try $0.batchDelete(Query(Villager.self)) }
        #expect(try await counts.next() == 0)
        try await village.database.close()
        #expect(try await counts.next() == nil)
    }

    @Test func whatAConditionReadsOverARelationshipCounts() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        try await village.database.write { context in
            let house = try context.create(House.self)
            house.number = 1
            context.addVillager("Ada").house = house
        }
        var names = village.database.observe(
            Query(Villager.self).filter("house.number == %@", 7).sorted(by: \.name), { $0.name ?? "" }
        ).makeAsyncIterator()
        #expect(try await names.next() == [])
        try await village.database.write { try $0.first(House.self)?.number = 7 }
        #expect(try await names.next() == ["Ada"])
    }

    @Test(arguments: Medium.allCases) func objectsThatABlockReleasesCount(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        let (id, house) = try await village.database.write { context in
            let house = try context.create(House.self)
            house.number = 1
            let ada = context.addVillager("Ada", age: 1)
            ada.house = house
            return (ada.objectID, house.objectID)
        }
        var ages = village.database.observe { try $0.object(Villager.self, id)?.age }.makeAsyncIterator()
        var numbers = village.database.observe { try $0.object(Villager.self, id)?.house?.number }.makeAsyncIterator()
        var counts = village.database.observe { try $0.object(House.self, house)?.villagers.count }.makeAsyncIterator()
        #expect(try await ages.next() == 1)
        #expect(try await numbers.next() == 1)
        #expect(try await counts.next() == 1)
        try await village.database.write { context in
            try context.object(Villager.self, id)?.age = 2
            try context.object(House.self, house)?.number = 2
            context.addVillager("Bob").house = try context.object(House.self, house)
        }
        #expect(try await ages.next() == 2)
        #expect(try await numbers.next() == 2)
        #expect(try await counts.next() == 2)
        try await village.database.write { context in try context.object(Villager.self, id).map(context.delete) }
        let last = try await ages.next()
        #expect(last == .some(nil))
    }

    @Test func whatAStatementReadsCounts() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        guard village.isFile else { return }
        var counts = village.database.observe { context in
            try context.sql("SELECT COUNT(*) AS n FROM ZVILLAGER").first?.value("n", as: Int.self)
        }.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        try await village.settle("Ada")
        #expect(try await counts.next() == 1)
    }

    @Test(arguments: Medium.allCases) func manyCommitsLeadToFewValues(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        var counts = village.database.observe { try $0.count(Villager.self) }.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        for number in 0..<50 { try await village.settle("\(number)") }
        #expect(try await counts.next() == 50)
        let next = Task { () -> Int? in
            var counts = counts
            return try await counts.next()
        }
        try await Task.sleep(for: .milliseconds(50))
        next.cancel()
        #expect(try await next.value == nil)
    }

    @Test func anObservationEndsWithItsTask() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        let task = Task {
            var seen = 0
            for try await _ in village.database.observe({ try $0.count(Villager.self) }) { seen += 1 }
            return seen
        }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        #expect(try await task.value <= 1)
    }

    @Test func aCancellationWhileAValueIsReadEndsTheObservation() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        let hasBegun = Mutex(false)
        let isCancelled = Mutex(false)
        let values = village.database.observe { _ -> Int in
            hasBegun.withLock { $0 = true }
            while !isCancelled.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.001) }
            throw CancellationError()
        }
        try await withThrowingTaskGroup(of: Int?.self) { group in
            group.addTask {
                var iterator = values.makeAsyncIterator()
                return try await iterator.next()
            }
            while !hasBegun.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            group.cancelAll()
            isCancelled.withLock { $0 = true }
            let value = try await group.next()
            #expect(value == .some(nil))
        }
    }

    @Test(arguments: [Layout.standard, .nested, .merging, .siblings]) @MainActor
    func aListFollowsRelatedObjectsThatItsConditionAndOrderRead(_ layout: Layout) async throws {
        let village = try await Village.open(.disk, layout: layout)
        try await village.database.write { context in
            for number in [1, 2] as [Int64] {
                let house = try context.create(House.self)
                house.number = number
                context.addVillager("V\(number)").house = house
            }
        }
        let main = village.database.main
        let inFirst = try LiveResults(
            Query(Villager.self).filter("house.number == %@", 1).sorted(by: \.name), in: village.database)
        let byNumber = try LiveResults(
            Query(Villager.self).sorted(NSSortDescriptor(key: "house.number", ascending: true)), in: main)
        #expect(inFirst.objects.map(\.name) == ["V1"])
        #expect(byNumber.objects.map(\.name) == ["V1", "V2"])
        func settleLists() async throws {
            for _ in 0..<4 { await main.perform(schedule: .enqueued) {} }
            try await Task.sleep(for: .milliseconds(50))
        }
        try await village.database.write { try $0.first(Query(House.self).filter("number == %@", 2))?.number = 1 }
        try await settleLists()
        #expect(inFirst.objects.map(\.name) == ["V1", "V2"])
        // By a batch, which no object of the context knows.
        try await village.database.write { context in
            _ = try context.batchUpdate(
                Query(House.self).filter("ANY villagers.name == %@", "V1"), set: ["number": 9])
        }
        try await settleLists()
        #expect(inFirst.objects.map(\.name) == ["V2"])
        #expect(byNumber.objects.map(\.name) == ["V2", "V1"])
        // By the context itself.
        try main.first(Query(House.self).filter("number == %@", 9))?.number = 1
        try await main.saveToStore()
        try await settleLists()
        #expect(inFirst.objects.map(\.name) == ["V1", "V2"])
    }

    @Test @MainActor func aListIsASequenceOfItsResults() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        try await village.settle("Ada")
        let list = try LiveResults(Query(Villager.self).sorted(by: \.name), in: village.database)
        Task { try await village.settle("Bob") }
        var last: [String?] = []
        for await villagers in list {
            last = villagers.map(\.name)
            if last.count == 2 { break }
        }
        #expect(last == ["Ada", "Bob"])
    }
}
