import CoreDataCandy
import TestSupport
import Testing

@Suite struct DraftTests {
    // Feature CANDY-31
    @Test(arguments: StoreKind.allCases) func aDraftShowsInItsParentOnceItIsSaved(_ kind: StoreKind) throws {
        let stack = try kind.stack()
        let context = stack.context()
        let player = try context.performAndWait {
            let player = Player("Zerator", score: 1, in: context)
            try context.save()
            return player
        }
        let draft = player.draft()
        #expect(draft.current(\.name) == "Zerator")
        draft.assign("Maghla", to: \.name)
        try draft.validateAndAssign(5, to: \.score)
        draft.toggle(\.isActive)
        #expect(draft.current(\.name) == "Maghla")
        #expect(draft.current(\.score) == 5)
        #expect(draft.current(\.isActive))
        #expect(throws: CoreDataCandyError.self) { try draft.validate(" ", for: \.name) }
        #expect(player.current(\.name) == "Zerator")
        #expect(player.current(\.score) == 1)
        try draft.save()
        #expect(player.current(\.name) == "Maghla")
        #expect(player.current(\.score) == 5)
        #expect(player.current(\.isActive))
        // One level: the store knows nothing of it yet.
        #expect(try stored(stack) == ["Zerator"])
        try player.save()
        #expect(try stored(stack) == ["Maghla"])
    }

    private func stored(_ stack: TestStack) throws -> [String?] {
        try stack.inContext { context throws in try Player.request().all().fetch(in: context).mapCurrent(\.name) }
    }

    // Feature CANDY-31
    @Test func aDraftThatIsDroppedLeavesNoTrace() throws {
        let stack = try StoreKind.sqlite.stack()
        let context = stack.context()
        let player = try context.performAndWait {
            let player = Player("Zerator", in: context)
            try context.save()
            return player
        }
        do {
            let draft = player.draft()
            draft.assign("Maghla", to: \.name)
            let new = Player.createDraft(in: context)
            new.assign("Dan", to: \.name)
        }
        #expect(player.current(\.name) == "Zerator")
        context.performAndWait { #expect(!context.hasChanges) }
        try player.save()
        #expect(try stored(stack) == ["Zerator"])
    }

    // Feature CANDY-31
    @Test func aDraftOfANewObject() throws {
        let stack = try StoreKind.sqlite.stack()
        let context = stack.context()
        let draft = Player.createDraft(in: context)
        draft.assign("Dan", to: \.name)
        #expect(try context.performAndWait { () throws in try Player.request().all().fetch(in: context).isEmpty })
        try draft.save()
        try context.performAndWait { () throws in
            #expect(try Player.request().all().fetch(in: context).mapCurrent(\.name) == ["Dan"])
            #expect(try stored(stack).isEmpty)
            try context.save()
            #expect(try stored(stack) == ["Dan"])
        }
        try DefaultContext.$current.withValue(context) { () throws in
            let other = Player.createDraft()
            other.assign("Jane", to: \.name)
            try other.save()
        }
        #expect(context.performAndWait { context.insertedObjects.count } == 1)
    }

    // Feature CANDY-31
    @Test func aDraftOfAnObjectThatIsNotSavedYet() throws {
        let stack = try StoreKind.sqlite.stack()
        let context = stack.context()
        let player = context.performAndWait { Player("Zerator", in: context) }
        let draft = player.draft()
        #expect(draft.current(\.name) == "Zerator")
        draft.assign("Maghla", to: \.name)
        #expect(player.current(\.name) == "Zerator")
        try draft.save()
        #expect(player.current(\.name) == "Maghla")
    }

    // Feature CANDY-31
    @Test func aDraftThatBreaksTheModelIsNotPushed() throws {
        let stack = try StoreKind.sqlite.stack()
        let context = stack.context()
        let taken = context.performAndWait { Player("Taken", in: context) }
        let draft = Player.createDraft(in: context)
        #expect(throws: CoreDataCandyError.self) { try draft.validateAndAssign("Taken", to: \.name) }
        #expect(taken.current(\.name) == "Taken")
    }

    #if Publishers
    // Feature CANDY-31
    @Test @MainActor func aDraftPublishesItsValues() throws {
        let stack = try StoreKind.sqlite.stack()
        let context = stack.context()
        let player = context.performAndWait { Player("Zerator", in: context) }
        let draft = player.draft()
        var names: [String?] = []
        let subscription = draft.publisher(for: \.name).sink { names.append($0) }
        draft.assign("Maghla", to: \.name)
        try draft.save()
        #expect(names == ["Zerator", "Maghla"])
        subscription.cancel()
    }
    #endif
}
