import Foundation
import OpenCoreDataKit
import TestSupport
import Testing

/// What is a conflict for drafts, and what isn't.
@Suite struct DraftConflictTests {
    private func open(_ layout: Layout = .standard) async throws -> (Database, NSManagedObjectID) {
        let database = try await Database.open(
            Database.Configuration(name: "Club", model: .value(ClubModel.make()), stores: [.memory()], layout: layout))
        let id = try await database.write { context -> NSManagedObjectID in
            let player = try context.create(PlayerEntity.self)
            player.setValue(Data([1, 2, 3, 4]), forKey: "avatar")
            player.setValue(Date(timeIntervalSinceReferenceDate: 0.25), forKey: "joined")
            player.setValue(Double.nan, forKey: "ratio")
            player.setValue("Ada", forKey: "name")
            return player.objectID
        }
        return (database, id)
    }

    @Test(arguments: ["avatar", "joined", "name"]) @MainActor
    func aChangedValueOfTheSameLengthOrSecondIsAConflict(_ key: String) async throws {
        let (database, id) = try await open()
        let values: [String: any Sendable] = [
            "avatar": Data([4, 3, 2, 1]), "joined": Date(timeIntervalSinceReferenceDate: 0.5), "name": "Eve",
        ]
        let value = try #require(values[key])
        let player = try #require(try database.main.object(PlayerEntity.self, id))
        let draft = database.main.draft()
        try await draft.perform { try $0.object(PlayerEntity.self, id)?.setValue("Paris", forKey: "city") }
        player.setValue(value, forKey: key)
        let error = await #expect(throws: DatabaseError.self) { try await draft.commit() }
        guard case .conflict(let conflicts)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(conflicts.map(\.properties) == [[key]])
    }

    @Test func bothVersionsOfDataAndDatesAreNamed() async throws {
        let (database, id) = try await open()
        let draft = database.draft()
        try await draft.perform { try $0.object(PlayerEntity.self, id)?.setValue("Paris", forKey: "city") }
        try await database.write { context in
            let player = try context.object(PlayerEntity.self, id)
            player?.setValue(Data([4, 3, 2, 1]), forKey: "avatar")
            player?.setValue(Date(timeIntervalSinceReferenceDate: 0.5), forKey: "joined")
        }
        let error = await #expect(throws: DatabaseError.self) { try await draft.commit() }
        guard case .conflict(let conflicts)? = error, let conflict = conflicts.first else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(conflict.properties == ["avatar", "joined"])
        #expect(conflict.stored["avatar"] == "4 bytes: 04 03 02 01")
        #expect(conflict.stored["joined"]?.contains("0.5 seconds since 2001") == true)
        #expect(conflict.yours["city"] == "Paris")
    }

    @Test @MainActor func theSameValuesAreNoConflict() async throws {
        let (database, id) = try await open()
        let player = try #require(try database.main.object(PlayerEntity.self, id))
        let draft = database.main.draft()
        try await draft.perform { try $0.object(PlayerEntity.self, id)?.setValue("Paris", forKey: "city") }
        player.setValue(Data([1, 2, 3, 4]), forKey: "avatar")
        player.setValue(Double.nan, forKey: "ratio")
        #expect(try await draft.commit() == .saved)
        #expect(player.value(forKey: "city") as? String == "Paris")
    }

    /// A form shows what one block has read, and another block writes it back.
    @Test(arguments: [Layout.standard, .nested, .merging, .siblings]) @MainActor
    func whatADraftHasReadCountsAfterTheBlockThatReadIt(_ layout: Layout) async throws {
        let (database, id) = try await open(layout)
        // A draft on the writer holds only what it has changed.
        let further = layout == .standard ? [database.layoutDraft()] : []
        for draft in [database.draft(), database.main.draft()] + further {
            try await database.write { try $0.object(PlayerEntity.self, id)?.setValue("Ada", forKey: "name") }
            await database.settle()
            await draft.discard()
            let shown = try await draft.perform {
                try $0.object(PlayerEntity.self, id)?.value(forKey: "name") as? String
            }
            #expect(shown == "Ada")
            try await database.write { try $0.object(PlayerEntity.self, id)?.setValue("Other", forKey: "name") }
            await database.settle()
            try await draft.perform { try $0.object(PlayerEntity.self, id)?.setValue("Ada!", forKey: "name") }
            await #expect(throws: DatabaseError.self) { try await draft.commit() }
            await draft.discard()
            #expect(
                try await database.read { try $0.object(PlayerEntity.self, id)?.value(forKey: "name") as? String }
                    == "Other")
        }
    }
}
