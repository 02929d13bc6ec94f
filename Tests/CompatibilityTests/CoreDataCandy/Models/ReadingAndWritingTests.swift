import CoreDataCandy
import TestSupport
import Testing

@Suite struct ReadingAndWritingTests {
    // Feature CANDY-14, CANDY-21
    @Test(arguments: StoreKind.allCases) func assignedValuesAreReadBeforeTheyAreSaved(_ kind: StoreKind) throws {
        let stack = try kind.stack()
        try stack.inContext { context throws in
            let player = Player("Zerator", in: context)
            try context.save()
            #expect(!context.hasChanges)
            let newName = "Maghla"
            player.assign(newName, to: \.name)
            player.assign(12, to: \.score)
            #expect(context.hasChanges)
            let name: String? = player.current(\.name)
            let score: Int = player.current(\.score)
            #expect(name == "Maghla")
            #expect(score == 12)
            #expect(try Player.request().first().fetch(in: stack.context())?.current(\.name) == "Zerator")
            try context.save()
            #expect(try Player.request().first().fetch(in: stack.context())?.current(\.name) == "Maghla")
        }
    }

    // Feature CANDY-14
    @Test func readingWaitsForTheContextsQueue() throws {
        let stack = try StoreKind.sqlite.stack()
        let context = stack.context()
        let player = try context.performAndWait {
            let player = Player("Zerator", in: context)
            try context.save()
            return player
        }
        // Outside of the context's blocks.
        #expect(player.current(\.name) == "Zerator")
        player.assign(5, to: \.score)
        #expect(player.current(\.score) == 5)
        #expect(player.current(\.games).isEmpty)
    }

    // Feature CANDY-21
    @Test func nilClearsAndARefusedValueChangesNothing() throws {
        try StoreKind.sqlite.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            try context.save()
            let result = player.assign("  ", to: \.name)
            #expect(throws: CoreDataCandyError.self) { try result.get() }
            #expect(player.current(\.name) == "Zerator")
            #expect(!context.hasChanges)
            try player.assign(nil, to: \.name).get()
            #expect(player.current(\.name) == nil)
            player.assign(200, to: \.age)
            #expect(player.current(\.age) == 0)
        }
    }

    // Feature CANDY-22
    @Test func validatingWritesNothingAndStopsAtTheFirstFailure() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let player = Ruled(entity: PlayerRow(name: "Dora").insert(into: context))
            try player.validate("Doremi", for: \.name)
            #expect(player.current(\.name) == "Dora")
            #expect(throws: CoreDataCandyError.dataValidation(description: "first")) {
                try player.validate("x", for: \.name)
            }
            #expect(throws: CoreDataCandyError.dataValidation(description: "second")) {
                try player.validate("Do", for: \.name)
            }
            #expect(player.current(\.name) == "Dora")
            // A unique field asks for other objects too, and nothing is written.
            let taken = Player("Taken", in: context)
            let other = Player("Other", in: context)
            #expect(throws: CoreDataCandyError.self) { try other.validate("Taken", for: \.name) }
            try other.validate("Free", for: \.name)
            #expect(other.current(\.name) == "Other")
            #expect(taken.current(\.name) == "Taken")
        }
    }

    // Feature CANDY-23
    @Test func validateAndAssignThrowsAndKeepsTheOldValue() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let player = Player("Zerator", age: 20, in: context)
            let newName = "Maghla"
            try player.validateAndAssign(newName, to: \.name)
            #expect(player.current(\.name) == "Maghla")
            #expect(throws: CoreDataCandyError.self) { try player.validateAndAssign(121, to: \.age) }
            #expect(player.current(\.age) == 20)
        }
    }

    // Feature CANDY-22
    @Test func theErrorOfAnOwnRuleArrivesAsItIs() throws {
        struct Own: Error {}
        struct Strict: DatabaseModel {
            let _entityWrapper: EntityWrapper<PlayerEntity>
            let score = Field(\.score, validations: Validation { _ in throw Own() })
            init(entity: PlayerEntity) { _entityWrapper = .init(entity: entity) }
        }
        try StoreKind.memory.stack().inContext { context throws in
            let player = Strict(entity: PlayerRow().insert(into: context))
            #expect(throws: Own.self) { try player.validate(1, for: \.score) }
            #expect(throws: Own.self) { try player.validateAndAssign(1, to: \.score) }
            #expect(throws: CoreDataCandyError.unknown) { try player.assign(1, to: \.score).get() }
            #expect(player.current(\.score) == 0)
        }
    }

    // Feature CANDY-25
    @Test func togglingTurnsAValueRound() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            player.toggle(\.isActive)
            #expect(player.current(\.isActive))
            player.toggle(\.isActive)
            #expect(!player.current(\.isActive))
        }
    }

    // Feature CANDY-26
    @Test func anObjectThatBreaksTheModelIsNotSavedAndTheReasonIsTold() throws {
        let stack = try StoreKind.sqlite.stack()
        try stack.inContext { context throws in
            let profile = Profile(entity: ProfileEntity(context: context))
            try profile.save()
            #expect(try stack.sqlite("SELECT count(*) FROM ZPROFILE") == "1")
            let entity = ProfileEntity(context: context)
            entity.setValue(nil, forKey: "text")
            let broken = Profile(entity: entity)
            let error = #expect(throws: CoreDataCandyError.self) { try broken.save() }
            guard case .unableToSaveContext(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("text"))
        }
    }

    // Feature CANDY-26
    @Test func savingReachesTheStoreThroughParents() throws {
        let stack = try StoreKind.sqlite.stack()
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait {
            try Player("Zerator", in: child).save()
        }
        #expect(try stack.sqlite("SELECT ZNAME FROM ZPLAYER") == "Zerator")
    }
}

/// A player whose name has two rules.
private struct Ruled: DatabaseModel {
    let _entityWrapper: EntityWrapper<PlayerEntity>

    let name = Field(
        \.name,
        validations: Validation {
            if !$0.hasPrefix("Do") { throw CoreDataCandyError.dataValidation(description: "first") }
        },
        Validation {
            if $0.count < 3 { throw CoreDataCandyError.dataValidation(description: "second") }
        })

    init(entity: PlayerEntity) {
        _entityWrapper = .init(entity: entity)
    }
}
