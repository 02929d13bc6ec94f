import OpenCoreDataKit
import TestSupport
import Testing

/// Drafts: changes that aren't committed are seen by no other context.
@Suite struct DraftTests {
    static let layouts: [Layout] = [.standard, .nested, .merging, .siblings, .manual]

    @Test(arguments: Medium.allCases, layouts)
    func nobodySeesADraftBeforeItIsCommitted(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let draft = village.database.draft()
        try await draft.perform { _ = $0.addVillager("Knight") }
        #expect(try await draft.perform { try $0.villagerNames() } == ["Knight"])
        #expect(try await village.storedNames() == [])
        #expect(try await MainActor.run { try village.database.main.villagerNames() } == [])

        #expect(try await draft.commit() == .saved)
        #expect(try await village.storedNames() == ["Knight"])
        #expect(try await MainActor.run { try village.database.main.villagerNames() } == ["Knight"])
        #expect(try await draft.commit() == .unchanged)
    }

    @Test(arguments: Medium.allCases, layouts)
    func aDraftGoesOnAfterACommit(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let draft = village.database.draft()
        try await draft.perform { _ = $0.addVillager("Knight", age: 20) }
        try await draft.commit()
        try await draft.perform { try $0.villager("Knight")?.age = 21 }
        try await draft.commit()
        #expect(try await village.storedAge("Knight") == 21)
        try await draft.perform { context in try context.villager("Knight").map(context.delete) }
        try await draft.commit()
        #expect(try await village.storedNames() == [])
    }

    @Test(arguments: Medium.allCases, layouts)
    func batchesGoBesideTheChangesOfADraft(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        for name in ["Ada", "Bob", "Cid"] { try await village.settle(name, age: 1) }
        let draft = village.database.draft()
        try await draft.perform { context in
            context.addVillager("Knight", age: 9)
            let query = Query(Villager.self)
            let bob = NSPredicate(format: "name == 'Bob'")
            let updated = try context.batchUpdate(query.filter(NSPredicate(format: "name != 'Bob'")), set: ["age": 4])
            let deleted = try context.batchDelete(query.filter(bob))
            #expect(updated == 2 && deleted == 1)
            let seen = try context.villagers().map { "\($0.name ?? "")\($0.age)" }
            #expect(seen == ["Ada4", "Cid4", "Knight9"])
        }
        try await draft.commit()
        #expect(try await village.storedNames() == ["Ada", "Cid", "Knight"])
        #expect(try await village.storedAge("Ada") == 4)
    }

    @Test(arguments: Medium.allCases, layouts)
    func batchesOfAnImportSeeWhatItHasSaved(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        for name in ["Ada", "Bob"] { try await village.settle(name, age: 1) }
        try await village.database.importing { context in
            context.addVillager("Knight", age: 9)
            try context.save()
            context.addVillager("Page", age: 7)
            #expect(try context.batchUpdate(Query(Villager.self), set: ["age": 4]) == 3)
            #expect(try context.batchDelete(Query(Villager.self).filter(NSPredicate(format: "name == 'Bob'"))) == 1)
        }
        #expect(
            try await village.database.read { try $0.villagers().map { "\($0.name ?? "")\($0.age)" } }
                == ["Ada4", "Knight4", "Page7"])
    }

    @Test(arguments: Medium.allCases, layouts)
    func discardedChangesAreGone(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        try await village.settle("Ada", age: 1)
        let draft = village.database.draft()
        try await draft.perform { context in
            context.addVillager("Knight")
            try context.villager("Ada")?.age = 2
        }
        await draft.discard()
        #expect(try await draft.perform { try $0.villagers().map { "\($0.name ?? "")\($0.age)" } } == ["Ada1"])
        #expect(try await draft.commit() == .unchanged)
        #expect(try await village.storedAge("Ada") == 1)
    }

    @Test func aDraftThatNobodyHoldsIsGone() async throws {
        let village = try await Village.open(.memory)
        weak var context: Context?
        do {
            let draft = village.database.draft()
            try await draft.perform { _ = $0.addVillager("Knight") }
            context = draft.context
            #expect(context != nil)
        }
        #expect(try await isGone { context })
        #expect(try await village.storedNames() == [])
        #expect(await MainActor.run { village.database.main.hasChanges } == false)
    }

    /// The queue lets go of a block, and with it of a context, only after the block's result is known.
    private func isGone(_ context: () -> Context?) async throws -> Bool {
        for _ in 0..<1_000 where context() != nil { await Task.yield() }
        for _ in 0..<100 where context() != nil { try await Task.sleep(for: .milliseconds(10)) }
        return context() == nil
    }

    @Test(arguments: Medium.allCases, layouts)
    func aDraftThatIsNotValidCanBeCorrected(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let draft = village.database.draft()
        let id = try await draft.perform { $0.addVillager(nil).objectID }
        let error = await #expect(throws: DatabaseError.self) { try await draft.commit() }
        guard case .validation(let failures) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failures.map(\.property) == ["name"])
        #expect(await MainActor.run { village.database.main.hasChanges } == false)
        try await draft.perform { ($0.object(with: id) as? Villager)?.name = "Named" }
        #expect(try await draft.commit() == .saved)
        #expect(try await village.storedNames() == ["Named"])
    }

    @Test func aBlockThatThrowsUndoesNothing() async throws {
        let village = try await Village.open(.memory)
        let draft = village.database.draft()
        await #expect(throws: Mishap(number: 3)) {
            try await draft.perform { context in
                context.addVillager("Knight")
                throw Mishap(number: 3)
            }
        }
        try await draft.commit()
        #expect(try await village.storedNames() == ["Knight"])
    }

    @Test @MainActor func aDraftOnAContextSeesItsUnsavedChanges() async throws {
        let village = try await Village.open(.disk)
        let main = village.database.main
        main.addVillager("Unsaved")
        let draft = main.draft()
        #expect(draft.context.parent === main)
        #expect(try await draft.perform { try $0.villagerNames() } == ["Unsaved"])
        try await draft.perform { try $0.villager("Unsaved")?.age = 5 }
        #expect(main.villagerAges == ["Unsaved": 0])
        try await draft.commit()
        #expect(main.villagerAges == ["Unsaved": 5])
        #expect(try village.sqlite("SELECT ZNAME, ZAGE FROM ZVILLAGER") == "Unsaved|5")
    }

    @Test func blocksOfADraftRunOneAfterTheOther() async throws {
        let village = try await Village.open(.memory)
        try await village.settle("Counter")
        let draft = village.database.draft()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { try await draft.perform { try $0.villager("Counter")?.age += 1 } } }
            try await group.waitForAll()
        }
        try await draft.commit()
        #expect(try await village.storedAge("Counter") == 100)
    }
}

extension NSManagedObjectContext {
    fileprivate var villagerAges: [String: Int64] {
        let villagers = (try? villagers()) ?? []
        return Dictionary(villagers.map { ($0.name ?? "", $0.age) }) { first, _ in first }
    }
}
