import OpenCoreDataKit
import TestSupport
import Testing

/// Objects of blocks have their permanent numbers from the beginning, however they get into the context.
@Suite struct PermanentNumberTests {
    @Test(arguments: Medium.allCases)
    func anObjectThatIsInsertedLaterIsFoundByItsFormerIdentifier(_ medium: Medium) async throws {
        let village = try await Village.open(medium)
        let (temporary, permanent, found) = try await village.database.write { context in
            let entity = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Villager"])
            let object = Villager(entity: entity, insertInto: nil)
            object.name = "Late"
            let temporary = object.objectID
            context.insert(object)
            let permanent = object.objectID
            let found = try? context.existingObject(with: permanent)
            return (temporary, permanent, found === object)
        }
        #expect(temporary.isTemporaryID && !permanent.isTemporaryID && found)
        let name = try await village.database.read { try $0.object(Villager.self, temporary)?.name }
        #expect(name == "Late")
        #expect(try await village.storedNames() == ["Late"])
    }

    @Test(arguments: Medium.allCases)
    func oneThatIsDeletedInItsBlockIsNotStoredAndItsNumberIsNotUsedAgain(_ medium: Medium) async throws {
        let village = try await Village.open(medium)
        let (gone, kept) = try await village.database.write { context in
            let gone = context.addVillager("Gone")
            let id = gone.objectID
            context.delete(gone)
            return (id, context.addVillager("Kept").objectID)
        }
        #expect(gone != kept)
        #expect(try await village.storedNames() == ["Kept"])
        let isThere = try await village.database.read { try $0.object(Villager.self, gone) != nil }
        #expect(!isThere)
    }

    @Test(arguments: Medium.allCases)
    func undoAndRollbackTakeItBack(_ medium: Medium) async throws {
        let village = try await Village.open(medium)
        try await village.database.write { context in
            context.undoManager = UndoManager()
            context.addVillager("Undone")
            context.processPendingChanges()
            context.undo()
            context.addVillager("Rolled back")
            context.rollback()
            context.undoManager = nil
            context.addVillager("Kept")
        }
        #expect(try await village.storedNames() == ["Kept"])
    }

    @Test func manyBlocksLeaveNoHoleInTheNumbersOfAProcess() async throws {
        let village = try await Village.open(.disk)
        // A server's numbers come from its sequence.
        guard village.isFile else { return }
        for number in 0..<600 { try await village.settle("V\(number)") }
        #expect(try village.sqlite("SELECT count(*), min(Z_PK), max(Z_PK) FROM ZVILLAGER") == "600|1|600")
        try await village.database.close()
        #expect(try village.sqlite("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Villager'") == "600")
    }

    @Test(arguments: Medium.allCases)
    func blocksOneAfterTheOtherHaveContextsOfTheirOwn(_ medium: Medium) async throws {
        let village = try await Village.open(medium)
        try await village.settle("Ada")
        for round in 0..<50 {
            let (registered, isInserted, name) = try await village.database.write { context in
                let state = (context.registeredObjects.count, context.hasChanges, context.name)
                _ = try context.villagerNames()
                context.addVillager("V\(round)")
                return state
            }
            #expect(registered == 0 && !isInserted && name?.contains(".write") == true)
        }
        #expect(try await village.storedNames().count == 51)
    }
}
