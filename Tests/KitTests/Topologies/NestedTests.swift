import OpenCoreDataKit
import TestSupport
import Testing

/// Topology A: drafts on the main context, that on the writer, that on the stores.
@Suite struct NestedTests {
    /// On disk and in memory together a thousand.
    static let rounds = 500

    @Test(arguments: Medium.allCases) @MainActor
    func theTimeLineOfACommit(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .nested)
        let id = try await village.settle("Hero", age: 0)
        let main = village.database.main
        let hero = try #require(try main.existingObject(with: id) as? Villager)
        let changes = NoticeCount(.NSManagedObjectContextObjectsDidChange, of: main)
        let load = Load(village, [Load.reader, Load.blockingReader, Load.dreamer])
        for round in 1...Self.rounds {
            load.go(round)
            try await walk(village, hero, round, changes)
        }
        try await load.stop()
        #expect(try await village.storedNames() == ["Hero"])
    }

    @MainActor
    private func walk(
        _ village: Village, _ hero: Villager, _ round: Int, _ changes: NoticeCount
    ) async throws {
        let main = village.database.main
        let new = Int64(round)
        let old = hero.age
        let (one, two) = (village.database.layoutDraft(), village.database.layoutDraft())
        let held = try await two.perform { SendableBox(try #require(try $0.villager("Hero"))) }
        #expect(try await two.perform { _ in held.value.age } == old)

        // t0: into the main context alone.
        _ = changes.take()
        try await one.perform { context in
            try context.villager("Hero")?.age = new
            context.addVillager("Newcomer")
            try context.save()
        }
        #expect(hero.age == new)
        #expect(changes.take() == 1)
        #expect(main.hasChanges)
        #expect(try await two.perform { _ in held.value.age } == old)
        #expect(try await two.perform { try $0.villagerNames() } == ["Hero", "Newcomer"])
        #expect(try await village.database.read { try $0.villager("Hero")?.age } == old)
        #expect(try await village.storedNames() == ["Hero"])

        // t1 and t2: over the writer into the stores.
        #expect(try await main.saveToStore() == .saved)
        #expect(!main.hasChanges)
        #expect(try await village.database.read { try $0.villager("Hero")?.age } == new)
        #expect(try await village.storedNames() == ["Hero", "Newcomer"])
        #expect(try await two.perform { _ in held.value.age } == old)

        // The second draft has read what is no longer so, and wins only where it is to.
        try await two.perform { context in
            try context.villager("Hero")?.age = -new
            try context.villager("Newcomer").map(context.delete)
        }
        await #expect(throws: DatabaseError.self) { try await two.commit() }
        #expect(try await two.commit(conflicts: .mergeByPropertyObjectTrump) == .saved)
        #expect(hero.age == -new)
        #expect(try await village.database.read { try $0.villager("Hero")?.age } == -new)
    }

    @Test @MainActor func aLevelThatFailsKeepsTheChangesForTheNextSave() async throws {
        let village = try await Village.open(.disk, layout: .nested)
        let main = village.database.main
        let invalid = main.addVillager(nil)
        let draft = village.database.layoutDraft()
        try await draft.perform { _ = $0.addVillager("Ada") }
        await #expect(throws: DatabaseError.self) { try await draft.commit() }
        #expect(try main.villagerNames() == ["Ada"])
        #expect(try await village.storedNames() == [])
        // A write has no part in that.
        try await village.settle("Bob")
        #expect(try await village.storedNames() == ["Bob"])
        invalid.name = "Zoe"
        try await main.saveToStore()
        #expect(try await village.storedNames() == ["Ada", "Bob", "Zoe"])
    }

    @Test @MainActor func withoutAWriterTheMainContextWritesTheFile() async throws {
        let layout = Layout(hasWriter: false, mainOn: .store, draftsOn: .main)
        let village = try await Village.open(.disk, layout: layout)
        let draft = village.database.layoutDraft()
        try await draft.perform { context in
            context.addVillager("Ada")
            try context.save()
        }
        #expect(try village.database.main.villagerNames() == ["Ada"])
        #expect(try village.sqlite("SELECT COUNT(*) FROM ZVILLAGER") == "0")
        try village.database.main.save()
        #expect(try village.sqlite("SELECT COUNT(*) FROM ZVILLAGER") == "1")
    }
}
