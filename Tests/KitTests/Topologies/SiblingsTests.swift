import OpenCoreDataKit
import TestSupport
import Testing

/// Topology C: main context and writer side by side on the stores, each merging the other's saves.
@Suite struct SiblingsTests {
    /// On disk and in memory together a thousand.
    static let rounds = 500

    @Test(arguments: Medium.allCases) @MainActor
    func theTimeLineOfACommit(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .siblings)
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
        let old = hero.age
        let child = main.draft()
        let held = try await child.perform { SendableBox(try #require(try $0.villager("Hero"))) }
        #expect(try await child.perform { _ in held.value.age } == old)

        // t0: a child of the writer saves; the other contexts don't see it.
        let draft = village.database.layoutDraft()
        try await draft.perform { context in
            try context.villager("Hero")?.age = round
            context.addVillager("Newcomer")
            try context.save()
        }
        #expect(try main.villagerNames() == ["Hero"])
        #expect(hero.age == old)

        let kept = try await writer.perform { SendableBox(try #require(try writer.villager("Hero"))) }
        #expect(await writer.perform { kept.value.age } == round)

        // t1: in the stores, and not merged yet, because the main queue is here.
        try writer.performAndWait { try writer.save() }
        #expect(hero.age == old)
        #expect(try main.villagerNames() == ["Hero", "Newcomer"])
        #expect(hero.age == old)

        // After the merge.
        await main.perform(schedule: .enqueued) {}
        #expect(hero.age == round)
        #expect(!main.hasChanges)
        #expect(try await child.perform { _ in held.value.age } == old)
        #expect(try await child.perform { try $0.villagerNames() } == ["Hero", "Newcomer"])

        // The other way round: a save of the main context is merged into the writer.
        hero.age = -round
        try main.villager("Newcomer").map(main.delete)
        #expect(try await main.saveToStore() == .saved)
        #expect(await writer.perform { kept.value.age } == -round)
        #expect(await writer.perform { writer.hasChanges } == false)
        #expect(!main.hasChanges)
        #expect(try await village.storedAge("Hero") == -round)
    }

    @Test(arguments: Medium.allCases) @MainActor
    func theSecondOfTwoSaversMeetsTheConflict(_ medium: Medium) async throws {
        var layout = Layout.siblings
        layout.policies.main = .mergeByPropertyStoreTrumpMergePolicyType
        let village = try await Village.open(medium, layout: layout)
        let id = try await village.settle("Hero", age: 1)
        let main = village.database.main
        let writer = try #require(village.database.tree.writer)
        let hero = try #require(try main.existingObject(with: id) as? Villager)
        hero.age = 2
        hero.street = "Main street"
        try writer.performAndWait {
            try writer.villager("Hero")?.age = 3
            try writer.save()
        }
        try main.save()
        #expect(hero.age == 3)
        #expect(hero.street == "Main street")
        await village.database.settle()
        let stored = try await village.database.read { try $0.villager("Hero").map { "\($0.age) \($0.street ?? "")" } }
        #expect(stored == "3 Main street")
    }

    @Test(arguments: Medium.allCases) @MainActor func mergesAreNotSavedBack(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .siblings)
        try await village.settle("Hero", age: 0)
        let hero = try #require(try village.database.main.villager("Hero"))
        var commits = village.database.commits.makeAsyncIterator()
        for round in 1...100 {
            if round.isMultiple(of: 2) {
                hero.age = Int64(round)
                try await village.database.main.saveToStore()
            } else {
                try await village.database.write { try $0.villager("Hero")?.age = Int64(round) }
            }
        }
        await village.database.settle()
        #expect(hero.age == 100)
        try await village.database.close()
        var count = 0
        while await commits.next() != nil { count += 1 }
        #expect(count == 100)
    }
}
