import OpenCoreDataKit
import TestSupport
import Testing

/// Identifiers that leave a block are permanent, wherever they are in its value.
@Suite struct IdentifierTests {
    private enum Outcome: Sendable {
        case made(NSManagedObjectID, by: String)
        case nothing
    }

    private struct Answer: Sendable {
        var first: NSManagedObjectID
        var more: [Part]
        var outcome: Outcome

        struct Part: Sendable {
            var id: NSManagedObjectID?
        }

        var ids: [NSManagedObjectID] {
            var ids = [first] + more.compactMap(\.id)
            if case .made(let id, _) = outcome { ids.append(id) }
            return ids
        }
    }

    private static func make(_ context: Context) -> Answer {
        func id(_ name: String) -> NSManagedObjectID { context.addVillager(name).objectID }
        return Answer(
            first: id("A"), more: [Answer.Part(id: id("B")), Answer.Part(id: nil), Answer.Part(id: id("C"))],
            outcome: .made(id("D"), by: "E"))
    }

    private static func expectStored(_ ids: [NSManagedObjectID], _ names: [String], in village: Village) async throws {
        #expect(ids.allSatisfy { !$0.isTemporaryID })
        let found = try await village.database.read { context in
            try ids.map { try context.object(Villager.self, $0)?.name }
        }
        #expect(found == names)
    }

    @Test(arguments: Medium.allCases, TransactionTests.layouts)
    func theyArePermanentInValuesOfEveryShape(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let database = village.database
        try await Self.expectStored(
            try await database.write { Self.make($0) }.ids, ["A", "B", "C", "D"], in: village)
        try await Self.expectStored(
            try await database.importing { Self.make($0) }.ids, ["A", "B", "C", "D"], in: village)
        let (tuple, (optional, dictionary)) = try await database.write { context in
            (
                (context.addVillager("E").objectID, 1),
                (Optional(context.addVillager("F").objectID), ["key": [context.addVillager("G").objectID]])
            )
        }
        try await Self.expectStored(
            [tuple.0] + [optional].compactMap(\.self) + dictionary.values.flatMap(\.self), ["E", "F", "G"], in: village)
        let draft = database.draft()
        let drafted = try await draft.perform { Self.make($0) }
        try await draft.commit()
        try await Self.expectStored(drafted.ids, ["A", "B", "C", "D"], in: village)
        // Even when they leave it otherwise.
        let escaped = Locked<[NSManagedObjectID]>([])
        try await database.write { context in
            let id = context.addVillager("H").objectID
            escaped.change { $0.append(id) }
        }
        try await Self.expectStored(escaped.value, ["H"], in: village)
    }

    @Test(arguments: [NSPersistentStore.StoreType.binary, .xml])
    func theyArePermanentInStoresThatAreWrittenAsAWhole(_ type: NSPersistentStore.StoreType) async throws {
        let folder = try TemporaryFolder()
        let database = try await Database.open(
            Database.Configuration(
                name: "Whole", model: .value(VillageModel.make()),
                stores: [Store(type: type, location: .file(folder.file("Whole.data")))]))
        let ids = try await database.write { Self.make($0) }.ids
        #expect(ids.allSatisfy { !$0.isTemporaryID })
        #expect(
            try await database.read { context in try ids.map { try context.object(Villager.self, $0)?.name } }
                == ["A", "B", "C", "D"])
    }

    @Test(arguments: Medium.allCases, TransactionTests.layouts)
    func theyArePermanentInDraftsOnContexts(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let database = village.database
        let drafts = [
            await MainActor.run { database.main.draft() }, database.context().draft(), database.layoutDraft(),
            database.context().draft().context.draft(),
        ]
        for draft in drafts {
            let ids = try await draft.perform { Self.make($0).ids }
            #expect(try await draft.commit() == .saved)
            if let parent = draft.context.parent?.parent { _ = try await parent.saveToStore() }
            try await Self.expectStored(ids, ["A", "B", "C", "D"], in: village)
            // What is made and deleted before a commit was never there.
            try await draft.perform { context in
                let short = context.addVillager("F")
                _ = try context.villagerNames()
                context.delete(short)
                context.processPendingChanges()
                for (index, id) in ids.enumerated() { try context.object(Villager.self, id)?.age = Int64(index) }
                context.addVillager("E")
                if let first = try context.object(Villager.self, ids[0]) { context.delete(first) }
            }
            #expect(try await draft.commit() == .saved)
            let ages = try await database.read { context in
                try ids.map { try context.object(Villager.self, $0)?.age }
            }
            #expect(ages == [nil, 1, 2, 3])
        }
        let names = Array(repeating: ["B", "C", "D", "E"], count: 4).flatMap(\.self)
        #expect(try await village.storedNames() == names.sorted())
    }

    /// The main context and those of `context()` are Core Data's: their new objects have temporary identifiers.
    @Test(arguments: Medium.allCases, TransactionTests.layouts)
    func temporaryOnesOfSavedObjectsAreResolved(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let database = village.database
        let other = database.context()
        let ids = [
            await MainActor.run { database.main.addVillager("A").objectID },
            await other.perform { other.addVillager("B").objectID },
        ]
        #expect(ids.allSatisfy { $0.isTemporaryID })
        let unsaved = try await database.read { context in ids.map { try? context.object(Villager.self, $0)?.name } }
        #expect(unsaved == [nil, nil])
        _ = try await database.main.saveToStore()
        _ = try await other.saveToStore()
        let names = try await database.read { context in try ids.map { try context.object(Villager.self, $0)?.name } }
        #expect(names == ["A", "B"])
        try await database.write { context in
            try context.object(Villager.self, ids[0])?.age = 7
            if let second = try context.object(Villager.self, ids[1]) { context.delete(second) }
        }
        let ages = try await database.read { context in try ids.map { try context.object(Villager.self, $0)?.age } }
        #expect(ages == [7, nil])
        #expect(try await MainActor.run { try database.main.object(Villager.self, ids[0])?.age } == 7)
    }
}
