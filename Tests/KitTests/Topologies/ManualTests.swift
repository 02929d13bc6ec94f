import OpenCoreDataKit
import TestSupport
import Testing

/// Topology D: a main context for each screen, drafts on the stores, and only observers are notified.
@Suite struct ManualTests {
    /// On disk and in memory together a thousand.
    static let rounds = 500

    @Test(arguments: Medium.allCases) @MainActor
    func theTimeLineOfACommit(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .manual)
        let id = try await village.settle("Hero", age: 0)
        let commits = village.database.commits.filter { $0.updated.contains(id) || $0.deleted.contains(id) }
        var heard = commits.makeAsyncIterator()
        // The second screen never reloads.
        let second = Context(concurrencyType: .mainQueueConcurrencyType)
        second.persistentStoreCoordinator = village.database.tree.coordinator
        let stale = try #require(try second.existingObject(with: id) as? Villager)
        #expect(stale.age == 0)
        let load = Load(village, [Load.reader, Load.dreamer, Load.writer("Zoe"), Load.writer("Yan")])
        for round in 1...Self.rounds {
            load.go(round)
            let first = village.database.main
            let shown = try #require(try first.villager("Hero"))
            #expect(shown.age == Int64(round - 1))

            // t0: in the stores; no screen knows.
            let draft = village.database.draft()
            try await draft.perform { try $0.villager("Hero")?.age = Int64(round) }
            #expect(shown.age == Int64(round - 1))
            #expect(try await draft.commit() == .saved)
            #expect(shown.age == Int64(round - 1))
            #expect(try await village.storedAge("Hero") == Int64(round))

            // t1: who listens reloads; who does not keeps the old values.
            let commit = await heard.next()
            #expect(commit?.kind == .saved)
            #expect(commit?.updated == [id])
            first.reset()
            #expect(try first.villager("Hero")?.age == Int64(round))
            #expect(stale.age == 0)
        }
        try await load.stop()

        // An edit of an old row gives way to what is stored.
        stale.age = 77
        second.mergePolicy = NSMergePolicy.rollback
        try second.save()
        #expect(stale.age == Int64(Self.rounds))
        #expect(try await village.storedAge("Hero") == Int64(Self.rounds))
    }

    @Test(arguments: Medium.allCases) @MainActor
    func anEditOfTheMainContextGivesWay(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .manual)
        let id = try await village.settle("Hero", age: 1)
        let main = village.database.main
        let hero = try #require(try main.existingObject(with: id) as? Villager)
        hero.age = 2
        try await village.database.write { try $0.villager("Hero")?.age = 3 }
        #expect(hero.age == 2)
        try await main.saveToStore()
        #expect(hero.age == 3)
        #expect(try await village.storedAge("Hero") == 3)
    }
}
