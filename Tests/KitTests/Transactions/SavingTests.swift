import OpenCoreDataKit
import Synchronization
import TestSupport
import Testing

/// `saveToStore` and `local`.
@Suite struct SavingTests {
    static let layouts: [Layout] = [.nested, .merging, .siblings, .manual]

    @Test(arguments: Medium.allCases, layouts) @MainActor
    func theMainContextSavesUpToTheStores(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let main = village.database.main
        #expect(try await main.saveToStore() == .unchanged)
        main.addVillager("Ada")
        #expect(try await main.saveToStore() == .saved)
        #expect(!main.hasChanges)
        #expect(try await village.storedNames() == ["Ada"])
        #expect(try await main.saveToStore() == .unchanged)
    }

    @Test @MainActor func saveStaysOneLevel() async throws {
        let village = try await Village.open(.disk)
        village.database.main.addVillager("Ada")
        try village.database.main.save()
        #expect(try village.sqlite("SELECT COUNT(*) FROM ZVILLAGER") == "0")
        #expect(try await village.database.main.saveToStore() == .saved)
        #expect(try village.sqlite("SELECT COUNT(*) FROM ZVILLAGER") == "1")
    }

    @Test func everyLevelOfAChainIsSaved() async throws {
        let stack = try TestStack(model: VillageModel.make())
        let bottom = stack.context()
        var chain = [bottom]
        for _ in 0..<4 {
            let child = Context(concurrencyType: .privateQueueConcurrencyType)
            child.parent = chain.last
            chain.append(child)
        }
        let top = chain[4]
        await top.perform { _ = top.addVillager("Ada") }
        #expect(try await top.saveToStore() == .saved)
        for context in chain { #expect(await context.perform { context.hasChanges } == false) }
        #expect(try stack.sqlite("SELECT ZNAME FROM ZVILLAGER").contains("Ada"))
    }

    @Test func theFirstLevelThatFailsKeepsItsChanges() async throws {
        let stack = try TestStack(model: VillageModel.make())
        let parent = stack.context()
        let child = Context(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        await parent.perform { _ = parent.addVillager(nil) }
        await child.perform { _ = child.addVillager("Ada") }
        let error = await #expect(throws: DatabaseError.self) { try await child.saveToStore() }
        guard case .validation = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await child.perform { child.hasChanges } == false)
        #expect(await parent.perform { parent.insertedObjects.count } == 2)
        await parent.perform { for case let villager as Villager in parent.insertedObjects { villager.name = "X" } }
        #expect(try await child.saveToStore() == .saved)
        #expect(try stack.sqlite("SELECT COUNT(*) FROM ZVILLAGER").contains("2"))
    }

    @Test func aSaveReturnsBeforeAnythingHappenedAndTellsItsEndOnce() async throws {
        let stack = try TestStack(model: VillageModel.make())
        let context = stack.context()
        let calls = Atomic<Int>(0)
        let outcome = try await withCheckedThrowingContinuation { continuation in
            context.performAndWait {
                context.addVillager("Ada")
                ClimbingSave.start(from: context) { result in
                    calls.add(1, ordering: .relaxed)
                    continuation.resume(with: result)
                }
                #expect(calls.load(ordering: .relaxed) == 0)
                #expect(context.hasChanges)
            }
        }
        #expect(outcome == .saved)
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test func errorsOfSavesThatNobodyWaitsForAreTold() async throws {
        let (errors, continuation) = AsyncStream.makeStream(of: (any Error).self)
        let village = try await Village.open(.memory, layout: .manual) { continuation.yield($0) }
        let context = village.database.context()
        await context.perform { _ = context.addVillager(nil) }
        context.saveToStoreInBackground()
        let error = await errors.first { _ in true }
        guard case .validation = error as? DatabaseError else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aConflictThatNoPolicySettlesIsTold() async throws {
        var layout = Layout.manual
        layout.policies.drafts = .errorMergePolicyType
        let village = try await Village.open(.disk, layout: layout)
        let id = try await village.settle("Ada", age: 1)
        let draft = village.database.draft()
        try await draft.perform { try $0.villager("Ada")?.age = 2 }
        try await village.database.write { try $0.villager("Ada")?.age = 3 }
        let error = await #expect(throws: DatabaseError.self) { try await draft.commit() }
        guard case .conflict(let conflicts) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(conflicts.map(\.entity) == ["Villager"])
        #expect(conflicts.map(\.objectID) == [id])
        #expect(conflicts.first?.properties == ["age"])
        #expect(try await village.storedAge("Ada") == 3)
    }

    // MARK: Local

    @Test @MainActor func anObjectIsBroughtToAnotherContext() async throws {
        let village = try await Village.open(.disk)
        let id = try await village.settle("Ada", age: 36)
        let main = village.database.main
        let ada = try #require(try main.existingObject(with: id) as? Villager)
        #expect(try main.local(ada) === ada)
        let box = SendableBox(ada)
        let seen = try await village.database.read { context in
            let local = try context.local(box.value)
            #expect(local.managedObjectContext === context)
            #expect(!local.isFault)
            return local.age
        }
        #expect(seen == 36)
    }

    @Test @MainActor func anObjectThatWasNeverSavedIsKnownToChildrenAlone() async throws {
        let village = try await Village.open(.disk)
        let main = village.database.main
        let box = SendableBox(main.addVillager("New"))
        #expect(try await main.draft().perform { try $0.local(box.value).name } == "New")
        let error = await #expect(throws: DatabaseError.self) {
            try await village.database.read { _ = try $0.local(box.value) }
        }
        guard case .foreignObject("Villager", let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("save"))
    }

    @Test @MainActor func anObjectWhoseRowIsGoneIsNotFound() async throws {
        let village = try await Village.open(.disk, layout: .manual)
        let id = try await village.settle("Ada")
        let ada = try #require(try village.database.main.existingObject(with: id) as? Villager)
        try await village.database.write { context in try context.villager("Ada").map(context.delete) }
        let box = SendableBox(ada)
        let error = await #expect(throws: DatabaseError.self) {
            try await village.database.read { _ = try $0.local(box.value) }
        }
        guard case .notFound("Villager", .some) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test @MainActor func anObjectOfAnotherDatabaseIsForeign() async throws {
        let one = try await Village.open(.memory)
        let other = try await Village.open(.memory)
        let id = try await one.settle("Ada")
        let box = SendableBox(try #require(try one.database.main.existingObject(with: id) as? Villager))
        let error = await #expect(throws: DatabaseError.self) {
            try await other.database.read { _ = try $0.local(box.value) }
        }
        guard case .foreignObject("Villager", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
