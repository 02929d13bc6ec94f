import CoreDataMonk
import TestSupport
import Testing

/// Main contexts, updaters, and what they are wired to.
@MainActor struct ContextTests {
    private func stack(_ root: CoreDataStack.RootContextType = .shared) throws -> CoreDataStack {
        let stack = CoreDataStack(model: PeopleModel.make(), rootContext: root)
        try stack.addInMemoryStore()
        return stack
    }

    // Feature MONK-9
    @Test func theMainContextSitsOnTheRootContext() throws {
        let stack = try stack()
        let main = try CoreDataMainContext(stack: stack).managedObjectContext
        #expect(main.concurrencyType == .mainQueueConcurrencyType)
        #expect(main.parent === stack.rootManagedObjectContext)
        #expect((main.mergePolicy as? NSMergePolicy)?.mergeType == .rollbackMergePolicyType)
        #expect(main.undoManager == nil)
        let alone = try CoreDataMainContext(stack: self.stack(.none), updateTarget: .persistentStore)
        #expect(alone.managedObjectContext.parent == nil)
        #expect(alone.managedObjectContext.persistentStoreCoordinator === alone.stack.persistentStoreCoordinator)
    }

    // Feature MONK-9
    @Test func resettingForgetsObjects() async throws {
        let people = try await PeopleStack.withFriends(.database)
        let ann = try people.world.fetch(Person.self, %"name" == "Ann")
        ann.age = 99
        people.world.reset()
        #expect(people.main.registeredObjects.isEmpty)
        #expect(!people.main.hasChanges)
        let again = try people.world.fetch(Person.self, %"name" == "Ann")
        #expect(again !== ann && again.age == 40)
    }

    // Feature MONK-9
    @Test func usingItOffTheMainQueueIsReported() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
            let stack = CoreDataStack(model: PeopleModel.make())
            try stack.addInMemoryStore()
            let world = try CoreDataMainContext(stack: stack)
            let queue = DispatchQueue(label: "elsewhere")
            queue.sync { _ = try? world.fetchAll(Person.self) }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("concurrency violation") && said.contains("main queue"))
    }

    // Feature MONK-10
    @Test func updatersAndMainContextsWorkSideBySide() async throws {
        let stack = try stack()
        let updaters = try (0..<2).map { _ in try CoreDataContext(stack: stack) }
        let mains = try (0..<2).map { _ in try CoreDataMainContext(stack: stack) }
        for (number, context) in (updaters + mains).enumerated() {
            context.beginUpdateAndWait { update in
                try update.person("P\(number)")
                try update.commit()
            }
        }
        for main in mains {
            await main.managedObjectContext.perform(schedule: .enqueued) {}
        }
        for main in mains {
            let names = try main.fetchAll(Person.self, orderBy: .ascending("name")).map(\.name)
            #expect(names == ["P0", "P1", "P2", "P3"])
        }
        #expect(stack.lastError == nil)
    }

    // Feature MONK-11
    @Test func updatesSaveIntoTheirTarget() throws {
        let stack = try stack()
        let main = try CoreDataMainContext(stack: stack)
        #expect(main.beginUpdateContext().managedObjectContext.parent === main.managedObjectContext)
        for target in [CoreDataContext.UpdateTarget.rootContext(autoMerge: false), .RootContext(autoMerge: true)] {
            let world = try CoreDataMainContext(stack: stack, updateTarget: target)
            #expect(world.beginUpdateContext().managedObjectContext.parent === stack.rootManagedObjectContext)
        }
        let direct = try CoreDataContext(stack: stack, updateTarget: .PersistentStore)
        let context = direct.beginUpdateContext().managedObjectContext
        #expect(context.parent == nil && context.persistentStoreCoordinator === stack.persistentStoreCoordinator)
        #expect(context.concurrencyType == .privateQueueConcurrencyType)
        let chosen = try CoreDataContext(
            stack: stack, mainContext: main.managedObjectContext, updateTarget: .MainContext)
        #expect(chosen.beginUpdateContext().managedObjectContext.parent === main.managedObjectContext)
    }

    // Feature MONK-11
    @Test func aTargetThatIsNotThereIsAnError() throws {
        let (with, without) = (try stack(), try stack(.none))
        func refused(_ body: () throws -> Any) -> Bool {
            do {
                _ = try body()
                return false
            } catch DatabaseError.invalidLayout {
                return true
            } catch {
                return false
            }
        }
        #expect(refused { try CoreDataContext(stack: with, updateTarget: .mainContext) })
        #expect(refused { try CoreDataContext(stack: without, updateTarget: .rootContext(autoMerge: false)) })
        #expect(refused { try CoreDataMainContext(stack: without, updateTarget: .rootContext(autoMerge: true)) })
        #expect(refused { try CoreDataContext(stack: with, updateTarget: .rootContext(autoMerge: true)) })
        #expect(!refused { try CoreDataContext(stack: with) })
        #expect(!refused { try CoreDataContext(stack: without, updateTarget: .persistentStore) })
    }

    // Feature MONK-31
    @Test func refreshingShowsWhatOthersWrote() async throws {
        for root in [CoreDataStack.RootContextType.shared, .none] {
            let people = try PeopleStack(.database, root: root)
            try await people.update { update in
                try update.person("Ann", age: 40)
                try update.person("Bob", age: 20)
            }
            let ann = try people.world.fetch(Person.self, %"name" == "Ann")
            let bob = try people.world.fetch(Person.self, %"name" == "Bob")
            #expect(ann.age == 40 && bob.age == 20)
            bob.location = "Bern"
            let outsider = try people.outsider()
            try await outsider.perform {
                for person in try outsider.fetch(NSFetchRequest<Person>(entityName: "Person")) {
                    person.age = (person.age ?? 0) + 1
                }
                try outsider.save()
            }
            #expect(ann.age == 40)
            people.world.refreshAll()
            #expect(ann.age == 41, "\(root)")
            #expect(bob.location == "Bern")
        }
    }
}
