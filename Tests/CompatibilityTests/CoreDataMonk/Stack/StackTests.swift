import CoreDataMonk
import TestSupport
import Testing

/// Opening a stack: the model, the root context, and errors of operations that aren't awaited.
@MainActor struct StackTests {
    /// A bundle with models of some names.
    private func bundle(_ names: String..., in folder: TemporaryFolder) throws -> Bundle {
        let location = folder.file("Models.resources")
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        for name in names {
            try PeopleModel.write(to: location.appendingPathComponent("\(name).momd"))
        }
        return try #require(Bundle(url: location))
    }

    // Feature MONK-1
    @Test func aModelIsFoundByName() throws {
        let folder = try TemporaryFolder()
        let bundle = try bundle("People", "Other", in: folder)
        let stack = try CoreDataStack(modelName: "People", bundle: bundle)
        #expect(stack.persistentStoreCoordinator.managedObjectModel.entitiesByName["Person"] != nil)
        #expect(stack.persistentStoreCoordinator.persistentStores.isEmpty)
    }

    // Feature MONK-1
    @Test func theOnlyModelNeedsNoName() throws {
        let folder = try TemporaryFolder()
        let stack = try CoreDataStack(bundle: bundle("People", in: folder))
        #expect(stack.persistentStoreCoordinator.managedObjectModel.entitiesByName["Person"] != nil)
    }

    // Feature MONK-1
    @Test func aWrongNameIsToldWithWhatIsThere() throws {
        let folder = try TemporaryFolder()
        let bundle = try bundle("People", in: folder)
        let error = #expect(throws: DatabaseError.self) { try CoreDataStack(modelName: "Peeple", bundle: bundle) }
        let string = try #require(error).description
        #expect(string.contains("Peeple") && string.contains("People") && string.contains(folder.url.lastPathComponent))
    }

    // Feature MONK-1
    @Test func ofTwoModelsOneHasToBeNamed() throws {
        let folder = try TemporaryFolder()
        let bundle = try bundle("People", "Other", in: folder)
        let error = #expect(throws: DatabaseError.self) { try CoreDataStack(bundle: bundle) }
        let string = try #require(error).description
        #expect(string.contains("People") && string.contains("Other"))
    }

    // Feature MONK-1
    @Test func aModelThatCannotBeReadIsAnError() throws {
        let folder = try TemporaryFolder()
        let location = folder.file("Broken.resources")
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        try Data("no model".utf8).write(to: location.appendingPathComponent("Broken.mom"))
        let bundle = try #require(Bundle(url: location))
        let error = #expect(throws: DatabaseError.self) { try CoreDataStack(modelName: "Broken", bundle: bundle) }
        #expect(try #require(error).description.contains("Broken"))
        let empty = try #require(Bundle(url: folder.url))
        #expect(throws: DatabaseError.self) { try CoreDataStack(bundle: empty) }
    }

    // Feature MONK-2
    @Test func theRootContextSitsOnTheCoordinator() throws {
        let stack = CoreDataStack(model: PeopleModel.make())
        let root = try #require(stack.rootManagedObjectContext)
        #expect(root.concurrencyType == .privateQueueConcurrencyType)
        #expect(root.parent == nil)
        #expect(root.persistentStoreCoordinator === stack.persistentStoreCoordinator)
        #expect((root.mergePolicy as? NSMergePolicy)?.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
        #expect(root.undoManager == nil)
        #expect(root.name?.isEmpty == false)
        #expect(CoreDataStack.RootContextType.Shared == .shared)
    }

    // Feature MONK-2
    @Test func aStackMayBeWithoutRootContext() {
        let stack = CoreDataStack(model: PeopleModel.make(), rootContext: .none)
        #expect(stack.rootManagedObjectContext == nil)
        #expect(CoreDataStack.RootContextType.None == .none)
    }

    // Feature MONK-8
    @Test func anErrorOfABlockGoesToTheHandler() async throws {
        let people = try PeopleStack()
        let world = people.world
        world.beginUpdateAndWait { update in
            try update.person("Half")
            throw Refusal()
        }
        #expect(people.errors.all.map { $0 as? Refusal } == [Refusal()])
        #expect(people.stack.lastError as? Refusal == Refusal())
        #expect(try people.names().isEmpty)
        try await PeopleStack.check(world) { update in try update.person("Whole") }
        #expect(try people.names() == ["Whole"])
    }

    // Feature MONK-8
    @Test func anErrorOfALaterBlockGoesToTheHandlerToo() async throws {
        let people = try PeopleStack()
        let told = Flag()
        people.stack.onError = { error in if error is Refusal { told.set() } }
        people.world.beginUpdate { _ in throw Refusal() }
        await told.wait()
        #expect(people.stack.lastError is Refusal)
        let context = people.world.beginUpdateContext()
        context.handleError(CocoaError(.fileNoSuchFile))
        #expect((people.stack.lastError as? CocoaError)?.code == .fileNoSuchFile)
        people.stack.onError = nil
        people.stack.handleError(Refusal(reason: "logged"))
        #expect(people.stack.lastError as? Refusal == Refusal(reason: "logged"))
    }

    // Feature MONK-8
    @Test func aHandlerMayUseTheStack() async throws {
        let people = try PeopleStack()
        let (stack, world) = (people.stack, people.world)
        let counter = Counter()
        stack.onError = { [unowned stack] error in
            guard error is Refusal else { return }
            stack.onError = { _ in counter.add() }
            world.beginUpdateAndWait { update in counter.add(try update.fetchCount(Person.self)) }
            stack.handleError(CocoaError(.featureUnsupported))
        }
        world.beginUpdateAndWait { update in
            try update.person("Half")
            throw Refusal()
        }
        #expect(counter.value == 1)
        #expect(stack.lastError is CocoaError)
    }

    // Feature MONK-8
    @Test func anErrorOnTheWayToTheStoreGoesToTheHandler() async throws {
        let people = try await PeopleStack.readOnly()
        people.world.beginUpdateAndWait { update in
            try people.first(update, "Ann").age = 41
            try update.commit()
        }
        #expect(people.errors.all.count == 1)
        #expect(people.errors.all.first.map { DatabaseError.sentence($0) }?.contains("read-only") == true)
        // What could not be saved stays in the contexts above.
        #expect(try people.world.fetch(Person.self, %"name" == "Ann").age == 41)
        let root = try #require(people.stack.rootManagedObjectContext)
        #expect(await root.perform { root.hasChanges })
    }
}

extension PeopleStack {
    /// Ann, 40, and Bob, 20, in a file that can't be written.
    static func readOnly() async throws -> PeopleStack {
        let made = try await PeopleStack.withFriends(.database)
        for store in made.stack.persistentStoreCoordinator.persistentStores {
            try made.stack.persistentStoreCoordinator.remove(store)
        }
        let people = try PeopleStack(nil, in: made.folder)
        try people.stack.persistentStoreCoordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: made.file,
            options: [NSReadOnlyPersistentStoreOption: true])
        return people
    }

    /// Runs an update and commits it.
    static func check(_ world: CoreDataMainContext, _ block: (CoreDataUpdate) throws -> Void) async throws {
        world.beginUpdateAndWait { update in
            try block(update)
            try update.commit()
        }
        await world.managedObjectContext.perform(schedule: .enqueued) {}
    }
}
