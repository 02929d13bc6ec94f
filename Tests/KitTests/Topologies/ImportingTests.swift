import OpenCoreDataKit
import Synchronization
import TestSupport
import Testing

/// Topology E: a big import, beside others that read.
@Suite struct ImportingTests {
    static let rounds = 1_000

    @Test @MainActor func theTimeLineOfAnImport() async throws {
        let village = try await Village.open(.disk, layout: .nested)
        let id = try await village.settle("Hero", age: 0)
        let main = village.database.main
        let hero = try #require(try main.existingObject(with: id) as? Villager)
        #expect(hero.age == 0)
        var heard = village.database.commits.filter { $0.kind == .imported }.makeAsyncIterator()
        let refreshed = NoticeCount(.databaseDidRefresh, of: main)
        let load = Load(village, [Load.reader, Load.blockingReader, Load.writer("Zoe")])
        for round in 1...Self.rounds {
            load.go(round)
            hero.street = "Edited \(round)"
            try await main.saveToStore()
            try await walk(village, hero, Int64(round))
            let commit = await heard.next()
            #expect(commit?.inserted.count == 1)
            #expect(commit?.updated == [id])
            #expect(commit?.inserted.allSatisfy { !$0.isTemporaryID && $0.persistentStore != nil } == true)
            #expect(refreshed.take() == 1)
            try await village.database.write { context in try context.villager("Newcomer").map(context.delete) }
        }
        try await load.stop()
    }

    /// One import in which the test looks around after the first of two saves.
    @MainActor
    private func walk(_ village: Village, _ hero: Villager, _ round: Int64) async throws {
        let (saves, saved) = AsyncStream.makeStream(of: Void.self)
        let goOn = DispatchSemaphore(value: 0)
        let database = village.database
        let work = Task.detached {
            try await database.importing { context in
                defer { saved.finish() }
                try context.villager("Hero")?.age = round
                context.addVillager("Newcomer")
                try context.save()
                saved.yield()
                goOn.wait()
            }
        }
        for await _ in saves { break }
        // t0: saved, and not committed yet: no other context sees it.
        #expect(try database.main.villager("Newcomer") == nil)
        #expect(hero.age == round - 1)
        goOn.signal()
        try await work.value
        // At the end loaded objects are fresh, once the main queue has got to it.
        await database.main.perform(schedule: .enqueued) {}
        #expect(hero.age == round)
        #expect(hero.street == "Edited \(round)")
    }

    @Test(arguments: Medium.allCases, [Layout.nested, .merging, .siblings, .manual]) @MainActor
    func loadedObjectsAreFreshAfterwards(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let ids = [try await village.settle("Ada", age: 1), try await village.settle("Bob", age: 2)]
        let main = village.database.main
        let loaded = try ids.map { try #require(try main.existingObject(with: $0) as? Villager) }
        let new = try await village.database.importing { context in
            try context.villager("Ada")?.age = 10
            try context.villager("Bob").map(context.delete)
            return (0..<100).map { context.addVillager("V\($0)").objectID }
        }
        #expect(loaded[0].age == 10)
        #expect(try main.villagers().count == 101)
        #expect(new.allSatisfy { !$0.isTemporaryID })
        #expect((try main.existingObject(with: new[0]) as? Villager)?.name == "V0")
        // The writer and the main context save on top of it without a conflict that would undo it.
        loaded[0].street = "A"
        try await main.saveToStore()
        #expect(try await village.storedAge("Ada") == 10)
    }

    @Test(arguments: Medium.allCases) @MainActor
    func unsavedEditsOfTheMainContextStay(_ medium: Medium) async throws {
        let village = try await Village.open(medium)
        try await village.settle("Ada", age: 1)
        let ada = try #require(try village.database.main.villager("Ada"))
        ada.street = "Mine"
        try await village.database.importing { context in
            try context.villager("Ada")?.age = 10
            try context.villager("Ada")?.street = "Theirs"
        }
        #expect(ada.age == 10)
        #expect(ada.street == "Mine")
        try await village.database.main.saveToStore()
        let stored = try await village.database.read { try $0.villager("Ada").map { "\($0.age) \($0.street ?? "")" } }
        #expect(stored == "10 Mine")
    }

    @Test(arguments: Medium.allCases) @MainActor
    func aListShowsWhatAnImportBrought(_ medium: Medium) async throws {
        let village = try await Village.open(medium)
        try await village.settle("Bob")
        let results = try LiveResults(
            Query(Villager.self).sorted(SortDescriptor(\.name)), in: village.database.main)
        #expect(results.objects.map(\.name) == ["Bob"])
        let surface = HeadlessSurface<Villager>()
        results.drive(surface)
        try await village.database.importing { context in
            context.addVillager("Ada")
            try context.save()
            context.addVillager("Cid")
        }
        #expect(results.objects.map(\.name) == ["Ada", "Bob", "Cid"])
        #expect(surface.rows.joined().map(\.name) == ["Ada", "Bob", "Cid"])
    }

    @Test(arguments: Medium.allCases) func aThrowLeavesNothing(_ medium: Medium) async throws {
        let village = try await Village.open(medium)
        await #expect(throws: Mishap(number: 2)) {
            try await village.database.importing { context in
                context.addVillager("Saved")
                try context.save()
                context.addVillager("Lost")
                throw Mishap(number: 2)
            }
        }
        #expect(try await village.storedNames() == [])
        #expect(try await MainActor.run { try village.database.main.villagerNames() } == [])
    }

    @Test(arguments: Medium.allCases) func anImportIsOneCommit(_ medium: Medium) async throws {
        let village = try await Village.open(medium)
        let commits = village.database.commits
        let passing = try await village.database.importing { context in
            for part in 0..<5 {
                for number in 0..<20 { context.addVillager("\(part)-\(number)") }
                try context.save()
            }
            let passing = context.addVillager("Passing")
            try context.save()
            let id = passing.objectID
            context.delete(passing)
            return id
        }
        try await village.database.close()
        var heard: [Commit] = []
        for await commit in commits { heard.append(commit) }
        #expect(heard.map(\.kind) == [.imported])
        #expect(heard.first?.inserted.count == 100)
        #expect(heard.first?.inserted.contains(passing) == false)
        #expect(heard.first?.deleted.isEmpty == true)
    }

    @Test func whatIsNotValidIsTold() async throws {
        let village = try await Village.open(.disk)
        let error = await #expect(throws: DatabaseError.self) {
            try await village.database.importing { _ = $0.addVillager(nil) }
        }
        guard case .validation = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
