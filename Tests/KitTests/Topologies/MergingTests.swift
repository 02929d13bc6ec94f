import OpenCoreDataKit
import TestSupport
import Testing

/// Topology B: drafts and main context on the writer, whose saves are merged into the main context.
@Suite struct MergingTests {
    /// On disk and in memory together a thousand.
    static let rounds = 500

    @Test(arguments: Medium.allCases) @MainActor
    func theTimeLineOfACommit(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .merging)
        let id = try await village.settle("Hero", age: 0)
        let hero = try #require(try village.database.main.existingObject(with: id) as? Villager)
        #expect(hero.age == 0)
        let load = Load(village, [Load.reader, Load.blockingReader, Load.dreamer])
        for round in 1...Self.rounds {
            load.go(round)
            try await walk(village, hero, Int64(round))
        }
        try await load.stop()
        #expect(try await village.storedNames() == ["Hero"])
    }

    @MainActor
    private func walk(_ village: Village, _ hero: Villager, _ round: Int64) async throws {
        let main = village.database.main
        let writer = try #require(village.database.tree.writer)
        hero.street = "Edited \(round)"

        // t0: into the writer; the main queue has no part in it.
        let draft = village.database.layoutDraft()
        try await draft.perform { context in
            try context.villager("Hero")?.age = round
            context.addVillager("Newcomer")
            try context.save()
        }
        #expect(hero.age == round - 1)
        #expect(try main.villagerNames() == ["Hero", "Newcomer"])
        #expect(hero.age == round - 1)
        #expect(try await village.storedAge("Hero") == round - 1)

        // t1: into the stores. The merge waits for the main queue, which is here.
        try writer.performAndWait { try writer.save() }
        #expect(hero.age == round - 1)
        await main.perform(schedule: .enqueued) {}
        #expect(hero.age == round)
        #expect(hero.street == "Edited \(round)")
        #expect(try await village.storedAge("Hero") == round)

        // Of the main context: what comes back by the merge changes nothing.
        #expect(try await main.saveToStore() == .saved)
        #expect(hero.age == round)
        #expect(hero.street == "Edited \(round)")
        #expect(!main.hasChanges)
        let stored = try await village.database.read { try $0.villager("Hero").map { "\($0.age) \($0.street ?? "")" } }
        #expect(stored == "\(round) Edited \(round)")

        try await village.database.write { context in try context.villager("Newcomer").map(context.delete) }
        #expect(try main.villagerNames() == ["Hero"])
        #expect(!main.hasChanges)
    }

    @Test @MainActor func withoutMergingTheMainContextStaysBehind() async throws {
        let layout = Layout(hasWriter: true, mainOn: .writer, draftsOn: .writer, merging: .none)
        let village = try await Village.open(.disk, layout: layout)
        let id = try await village.settle("Hero", age: 1)
        let main = village.database.main
        let hero = try #require(try main.existingObject(with: id) as? Villager)
        var commits = village.database.commits.makeAsyncIterator()
        try await village.database.write { try $0.villager("Hero")?.age = 2 }
        #expect(hero.age == 1)
        let commit = await commits.next()
        #expect(commit?.updated == [id])
        main.refreshAllObjects()
        #expect(hero.age == 2)
    }
}
