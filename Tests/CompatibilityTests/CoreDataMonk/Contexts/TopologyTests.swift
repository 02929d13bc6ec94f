import CoreDataMonk
import TestSupport
import Testing

/// The ways in which contexts are wired, and what a commit reaches when.
@MainActor struct TopologyTests {
    /// The ages of Ann that the main context's object, a fetch on the main context, and the file have.
    private func ages(_ people: PeopleStack, _ ann: Person) throws -> [Int?] {
        [
            ann.age,
            try people.world.fetchAll(
                Person.self, %"name" == "Ann",
                options: .tweak {
                    $0.shouldRefreshRefetchedObjects = false
                }
            ).first?.age,
            Int(try people.sqlite("SELECT ZAGE FROM ZPERSON WHERE ZNAME = 'Ann'")),
        ]
    }

    /// Commits a new age of Ann and a new person.
    private func change(_ people: PeopleStack, _ context: CoreDataContext? = nil) {
        (context ?? people.world).beginUpdateAndWait { update in
            try people.first(update, "Ann").age = 41
            try update.person("New", age: 1)
            try update.commit()
        }
    }

    private func made(
        _ root: CoreDataStack.RootContextType, _ target: CoreDataContext.UpdateTarget
    ) async throws -> (people: PeopleStack, ann: Person) {
        let people = try PeopleStack(.database, root: root, target: target)
        try await people.update { update in
            let ann = try update.person("Ann", age: 40)
            try update.person("Bob", age: 20).friend = ann
        }
        let ann = try people.world.fetch(Person.self, %"name" == "Ann")
        #expect(ann.age == 40)
        return (people, ann)
    }

    // Feature MONK-20, MONK-63
    @Test func threeTiers() async throws {
        let (people, ann) = try await made(.shared, .mainContext)
        let root = try #require(people.stack.rootManagedObjectContext)
        change(people)
        // The block was waited for: every context has written what it committed.
        #expect(ann.age == 41)
        #expect(!people.main.hasChanges)
        #expect(try people.sqlite("SELECT ZAGE FROM ZPERSON WHERE ZNAME = 'Ann'") == "41")
        await people.settle()
        #expect(try ages(people, ann) == [41, 41, 41])
        #expect(try people.names() == ["Ann", "Bob", "New"])
        #expect(!people.main.hasChanges)
        #expect(await root.perform { !root.hasChanges })
        let outsider = try people.outsider()
        #expect(await outsider.perform { try? outsider.count(for: NSFetchRequest<Person>(entityName: "Person")) } == 3)
    }

    // Feature MONK-20
    @Test func theMainContextWritesWhereThereIsNoRoot() async throws {
        let (people, ann) = try await made(.none, .mainContext)
        change(people)
        #expect(ann.age == 41)
        #expect(try people.sqlite("SELECT ZAGE FROM ZPERSON WHERE ZNAME = 'Ann'") == "41")
        await people.settle()
        #expect(try ages(people, ann) == [41, 41, 41])
        #expect(try people.peopleInFile == 3)
    }

    // Feature MONK-20
    @Test func withoutMergingTheMainContextHearsNothing() async throws {
        let (people, ann) = try await made(.shared, .rootContext(autoMerge: false))
        change(people)
        #expect(ann.age == 40)
        await people.settle()
        #expect(ann.age == 40)
        #expect(try people.sqlite("SELECT ZAGE FROM ZPERSON WHERE ZNAME = 'Ann'") == "41")
        // Fetches go through the root context.
        #expect(try people.names() == ["Ann", "Bob", "New"])
        people.world.refreshAll()
        #expect(ann.age == 41)
    }

    // Feature MONK-20
    @Test func anUpdateOfTheStoreTellsNobody() async throws {
        for root in [CoreDataStack.RootContextType.shared, .none] {
            let (people, ann) = try await made(root, .persistentStore)
            change(people)
            #expect(try people.sqlite("SELECT ZAGE FROM ZPERSON WHERE ZNAME = 'Ann'") == "41")
            await people.settle()
            #expect(ann.age == 40)
            people.world.reset()
            await people.stack.rootManagedObjectContext?.perform { [stack = people.stack] in
                stack.rootManagedObjectContext?.refreshAllObjects()
            }
            #expect(try people.world.fetch(Person.self, %"name" == "Ann").age == 41)
            #expect(try people.names() == ["Ann", "Bob", "New"])
        }
    }

    // Feature MONK-12, MONK-64
    @Test func twoTiersWithMerging() async throws {
        let (people, ann) = try await made(.shared, .rootContext(autoMerge: true))
        ann.location = "Taipei"
        let log = NotificationLog(people.main, [.NSManagedObjectContextObjectsDidChange])
        people.world.beginUpdateAndWait { update in
            try people.first(update, "Ann").age = 41
            try update.person("New", age: 1)
            try update.commit()
            // The main context has no part in the save.
        }
        #expect(ann.age == 40)
        await people.settle()
        // Without a fetch; its own edit of another property stays.
        #expect(ann.age == 41)
        #expect(ann.location == "Taipei")
        #expect(people.main.hasChanges)
        #expect(log.entries.contains { $0.objects(NSInsertedObjectsKey).count == 1 })
        #expect(try people.names() == ["Ann", "Bob", "New"])
        #expect(try people.sqlite("SELECT ZAGE FROM ZPERSON WHERE ZNAME = 'Ann'") == "41")
        try people.main.save()
        await people.stack.rootManagedObjectContext?.perform { [root = people.stack.rootManagedObjectContext] in
            try? root?.save()
        }
        #expect(try people.sqlite("SELECT ZAGE, ZLOCATION FROM ZPERSON WHERE ZNAME = 'Ann'") == "41|Taipei")
    }

    // Feature MONK-12
    @Test func whatIsDeletedElsewhereGoes() async throws {
        let (people, ann) = try await made(.shared, .rootContext(autoMerge: true))
        people.world.beginUpdateAndWait { update in
            try update.delete(people.first(update, "Ann"))
            try update.commit()
        }
        await people.settle()
        #expect(ann.isDeleted || ann.managedObjectContext == nil || ann.isFault)
        #expect(try people.names() == ["Bob"])
    }

    // Feature MONK-65
    @Test func eachScreenShowsItsOwnStateUntilItReloads() async throws {
        let folder = try TemporaryFolder()
        let stack = CoreDataStack(model: PeopleModel.make(), rootContext: .none)
        try stack.addDatabaseStore(fileURL: folder.file("People.sqlite"), resetOnFailure: true)
        let updater = try CoreDataContext(stack: stack, updateTarget: .persistentStore)
        updater.beginUpdateAndWait { update in
            try update.person("Ann", age: 40)
            try update.commit()
        }
        let one = try CoreDataMainContext(stack: stack, updateTarget: .persistentStore)
        let two = try CoreDataMainContext(stack: stack, updateTarget: .persistentStore)
        let shown = [try one.fetch(Person.self), try two.fetch(Person.self)]
        #expect(shown.map(\.age) == [40, 40])
        let reloaded = Flag()
        let observer = updater.observeCommit {
            one.reset()
            reloaded.set()
        }
        updater.beginUpdate { update in
            try update.fetch(Person.self).age = 41
            try update.person("New")
            try update.commit()
        }
        await reloaded.wait()
        withExtendedLifetime(observer) {}
        #expect(try one.fetch(Person.self, %"name" == "Ann").age == 41)
        #expect(try one.fetchCount(Person.self) == 2)
        #expect(shown[1].age == 40)
        two.reset()
        #expect(try two.fetch(Person.self, %"name" == "Ann").age == 41)
    }
}
