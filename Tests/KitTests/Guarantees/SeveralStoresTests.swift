import Foundation
import OpenCoreDataKit
import TestSupport
import Testing

/// Databases with several stores.
@Suite struct SeveralStoresTests {
    enum Kind: CaseIterable, Sendable { case sqlite, mixed, memory }

    private func open(_ kind: Kind, _ folder: TemporaryFolder) async throws -> Database {
        let database = try await reopen(kind, folder)
        try await database.write { context in
            context.addVillager("Ada", age: 1)
            try context.create(Notice.self).text = "taken"
        }
        return database
    }

    private func reopen(_ kind: Kind, _ folder: TemporaryFolder) async throws -> Database {
        let model = VillageModel.make()
        model.entitiesByName["Notice"]?.uniquenessConstraints = [["text"]]
        let stores: [Store] =
            switch kind {
            case .sqlite:
                [
                    .sqlite(in: .at(folder.url), configuration: "Lasting"),
                    .sqlite(in: .at(folder.url), configuration: "Passing"),
                ]
            case .mixed:
                [
                    .binary(in: .at(folder.url), configuration: "Lasting"),
                    .sqlite(in: .at(folder.url), configuration: "Passing"),
                ]
            case .memory: [.memory(configuration: "Lasting"), .memory(configuration: "Passing")]
            }
        return try await Database.open(
            Database.Configuration(name: "Village", model: .value(model), stores: stores, layout: .standard))
    }

    private func counts(_ database: Database) async throws -> [Int] {
        try await database.read { [try $0.count(Villager.self), try $0.count(Notice.self)] }
    }

    @Test(arguments: Kind.allCases) func aDraftIsSavedInAllStoresOrInNone(_ kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let database = try await open(kind, folder)
        let draft = database.draft()
        try await draft.perform { context in
            context.addVillager("Bob")
            try context.villager("Ada")?.age = 2
            try context.create(Notice.self).text = "taken"
        }
        let error = await #expect(throws: DatabaseError.self) { try await draft.commit() }
        guard case .conflict? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await counts(database) == [1, 1])
        #expect(try await database.read { try $0.villager("Ada")?.age } == 1)
        // The draft still has all of its changes.
        try await draft.perform { context in
            let notice = try #require(context.insertedObjects.compactMap { $0 as? Notice }.first)
            #expect(try context.villager("Ada")?.age == 2)
            notice.text = "free"
        }
        #expect(try await draft.commit() == .saved)
        #expect(try await counts(database) == [2, 2])
        #expect(try await database.read { try $0.villager("Ada")?.age } == 2)
        #expect(try await draft.commit() == .unchanged)
    }

    @Test(arguments: Kind.allCases) func aSaveThatTheSecondStoreRefusesLeavesTheFirstAsItWas(_ kind: Kind) async throws
    {
        let folder = try TemporaryFolder()
        let database = try await open(kind, folder)
        let context = database.context()
        context.mergePolicy = NSMergePolicy.error
        try await context.perform {
            let bob = context.addVillager("Bob")
            let notice = try context.create(Notice.self)
            notice.text = "taken"
            #expect(throws: CocoaError.self) { try context.save() }
            #expect(bob.isInserted && notice.isInserted)
            notice.text = "free"
            try context.save()
            #expect(!context.hasChanges)
            bob.age = 7
            context.delete(notice)
            try context.save()
        }
        #expect(try await counts(database) == [2, 1])
        #expect(try await database.read { try $0.villager("Bob")?.age } == 7)
    }

    /// Keys that a refused save has taken aren't given to other objects, and other contexts show the newest values.
    @Test(arguments: Kind.allCases) func savesGoOnAfterARefusedOne(_ kind: Kind) async throws {
        let folder = try TemporaryFolder()
        try await open(kind, folder).close()
        let database = try await reopen(kind, folder)
        if kind == .memory { try await database.write { try $0.create(Notice.self).text = "taken" } }
        let view = database.context()
        view.automaticallyMergesChangesFromParent = true
        let context = database.context()
        context.mergePolicy = NSMergePolicy.error
        let id = try await context.perform { () -> NSManagedObjectID in
            let one = context.addVillager("One")
            let notice = try context.create(Notice.self)
            notice.text = "taken"
            #expect(throws: CocoaError.self) { try context.save() }
            notice.text = "free"
            context.addVillager("Two")
            try context.save()
            #expect(try context.count(Villager.self) == (kind == .memory ? 2 : 3))
            return one.objectID
        }
        let seen = try #require(try await view.perform { try view.object(Villager.self, id).map(SendableBox.init) })
        #expect(await view.perform { seen.value.age } == 0)
        for age in 1...5 {
            try await context.perform {
                try context.object(Villager.self, id)?.age = Int64(age)
                if age > 1 { try context.create(Notice.self).text = "Notice \(age)" }
                try context.save()
            }
            await view.perform(schedule: .enqueued) {}
            #expect(await view.perform { seen.value.age } == Int64(age))
        }
        try await view.perform {
            seen.value.street = "x"
            try view.save()
        }
        if kind == .sqlite {
            let file = folder.file("Village-Lasting.sqlite")
            let keys = try SQLiteShell.run(
                "SELECT (SELECT max(Z_PK) FROM ZVILLAGER) <= (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Villager')",
                on: file)
            #expect(keys.trimmingCharacters(in: .whitespacesAndNewlines) == "1")
        }
    }

    @Test func aSaveThatOneStoreRefusesFailsTheBlock() async throws {
        let folder = try TemporaryFolder()
        let database = try await open(.sqlite, folder)
        await #expect(throws: DatabaseError.self) {
            try await database.write { context in
                context.addVillager("Bob")
                try context.create(Notice.self).text = "taken"
                do { try context.save() } catch { context.rollback() }
            }
        }
        #expect(try await counts(database) == [1, 1])
    }

    @Test(arguments: Kind.allCases) func aReadSeesOneStateOfAllStores(_ kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let database = try await open(kind, folder)
        let seen = try await database.read { context -> [Int] in
            let first = try context.count(Villager.self)
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                try? await database.write { context in
                    context.addVillager("Bob")
                    try context.create(Notice.self).text = "free"
                }
                done.signal()
            }
            done.wait()
            return [first, try context.count(Notice.self)]
        }
        #expect(seen == [1, 1])
        #expect(try await counts(database) == [2, 2])
    }
}
