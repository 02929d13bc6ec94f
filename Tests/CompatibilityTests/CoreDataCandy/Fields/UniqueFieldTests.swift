import CoreDataCandy
import TestSupport
import Testing

@Suite struct UniqueFieldTests {
    // Feature CANDY-13
    @Test(arguments: StoreKind.allCases) func aValueThatAnotherHasIsRefused(_ kind: StoreKind) throws {
        try kind.withPlayers(PlayerRow.streamers) { context throws in
            let player = try #require(try Player.request().first().where(\.name == "Zerator").fetch(in: context))
            #expect(throws: CoreDataCandyError.existingUnique(field: "name", value: "Maghla", model: "Player")) {
                try player.assign("Maghla", to: \.name).get()
            }
            #expect(player.current(\.name) == "Zerator")
            // The own value may be assigned again.
            try player.assign("Zerator", to: \.name).get()
            try player.assign("Dan", to: \.name).get()
            #expect(player.current(\.name) == "Dan")
            // Unsaved values count, both ways.
            let other = try #require(try Player.request().first().where(\.name == "Maghla").fetch(in: context))
            #expect(throws: CoreDataCandyError.self) { try other.validateAndAssign("Dan", to: \.name) }
            try other.validateAndAssign("Zerator", to: \.name)
            // Nil is not compared: one has none already.
            try other.assign(nil, to: \.name).get()
            #expect(other.current(\.name) == nil)
        }
    }

    // Feature CANDY-13
    @Test func validationsComeFirst() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            let error = #expect(throws: CoreDataCandyError.self) { try player.assign(" ", to: \.name).get() }
            #expect(
                error?.errorDescription
                    == "The value \" \" of the field 'name' is refused. The text must not be empty.")
        }
    }

    // Feature CANDY-13
    @Test func unsavedObjectsOfTheParentCount() throws {
        let stack = try StoreKind.sqlite.stack()
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        parent.performAndWait { _ = PlayerRow(name: "Zerator").insert(into: parent) }
        try child.performAndWait { () throws in
            let player = Player("Dan", in: child)
            #expect(throws: CoreDataCandyError.self) { try player.assign("Zerator", to: \.name).get() }
        }
    }

    // Feature CANDY-13
    @Test func numbersMayBeUnique() throws {
        struct Numbered: DatabaseModel {
            let _entityWrapper: EntityWrapper<PlayerEntity>
            let score = UniqueField(\.score, validations: .greaterThan(0))
            init(entity: PlayerEntity) { _entityWrapper = .init(entity: entity) }
        }
        try StoreKind.sqlite.withPlayers([PlayerRow(score: 1), PlayerRow(score: 2)]) { context throws in
            let entities = try PlayerEntity.request().all().sorted(by: \.score).fetch(in: context)
            let player = Numbered(entity: try #require(entities.first))
            #expect(throws: CoreDataCandyError.existingUnique(field: "score", value: "2", model: "Player")) {
                try player.assign(2, to: \.score).get()
            }
            try player.assign(3, to: \.score).get()
            #expect(player.current(\.score) == 3)
        }
    }

    // Feature CANDY-13
    @Test func anObjectWithoutAContextStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try StoreKind.memory.stack()
            let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Player"])
            Player(entity: PlayerEntity(entity: entity, insertInto: nil)).assign("x", to: \.name)
        }
        #expect(said(result).contains("unique field 'name'"))
        #expect(said(result).contains("Player is in a context"))
    }

    // Feature CANDY-54
    @Test func errorsAreSentences() {
        let errors: [(CoreDataCandyError, String)] = [
            (.outputConversion, "The stored value can't be converted to the type of the field."),
            (.storeConversion, "The value can't be converted to the type of the attribute."),
            (.dataValidation(description: "The value 3 is less than 4."), "The value 3 is less than 4."),
            (
                .existingUnique(field: "name", value: "Zerator", model: "Player"),
                "The value \"Zerator\" of the field 'name' is taken: another Player has it."
            ),
            (.unableToSaveContext(reason: "Disk full."), "The context can't be saved. Disk full."),
            (.nsObjectDecodingError, "The archived object can't be decoded."),
            (.unknown, "An unknown error occurred."),
        ]
        for (error, text) in errors {
            #expect(error.errorDescription == text)
            #expect(error.localizedDescription == text)
        }
    }
}
