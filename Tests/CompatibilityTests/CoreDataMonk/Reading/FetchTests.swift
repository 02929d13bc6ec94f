import CoreDataMonk
import TestSupport
import Testing

/// Reading objects.
@MainActor struct FetchTests {
    // Feature MONK-23
    @Test(arguments: StoreKind.allCases) func oneObjectOrAnError(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        #expect(try people.world.fetch(Person.self, %"name" == "Ann").age == 40)
        #expect(try people.world.fetch(Person.self, %"age" > 0, options: nil).age ?? 0 > 0)
        #expect(["Ann", "Bob"].contains(try people.world.fetch(Person.self).name))
        do {
            _ = try people.world.fetch(Person.self, %"name" == "Nobody")
            Issue.record("Nobody was found.")
        } catch DatabaseError.notFound(let entity, let condition) {
            #expect(entity == "Person")
            #expect(condition?.contains("Nobody") == true)
        }
        #expect(throws: CoreDataUnregisteredClass.self) { try people.world.fetch(Stranger.self) }
    }

    // Feature MONK-24
    @Test(arguments: StoreKind.allCases) func allObjects(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        try await people.update { update in
            for (name, age, location) in [
                ("a", 30, "Bern"), ("b", 10, "Taipei"), ("c", 10, "Bern"), ("b", 20, "Zug"), ("d", 18, "Bern"),
            ] {
                try update.person(name, age: age, location: location)
            }
        }
        #expect(try people.world.fetchAll(Person.self).count == 5)
        #expect(try people.world.fetchAll(Person.self, %"age" > 100).isEmpty)
        let found = try people.world.fetchAll(
            Person.self, %"age" >= 18 || %"location" == "Taipei", orderBy: .Ascending("name") | .Descending("age"),
            options: .Limit(100) | .Offset(1))
        #expect(found.map(\.name) == ["b", "b", "d"])
        #expect(found.map(\.age) == [20, 10, 18])
        let ordered = try people.world.fetchAll(Person.self, orderBy: .ascending("age") | .ascending("name"))
        #expect(ordered.map(\.age) == [10, 10, 18, 20, 30])
        #expect(try people.world.fetchAll(Person.self, options: .limit(2)).count == 2)
    }

    // Feature MONK-24
    @Test(arguments: StoreKind.allCases) func unsavedChangesCount(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        let unsaved = try people.world.fetch(Person.self, %"name" == "Bob")
        unsaved.age = 21
        people.world.beginUpdateAndWait { update in
            try update.person("New", age: 5)
            let found = try update.fetchAll(Person.self, %"age" < 30, orderBy: .ascending("age"))
            // Its own, and those of the main context above it.
            #expect(found.map(\.age) == [5, 21])
        }
        #expect(people.errors.all.isEmpty)
    }

    // Feature MONK-25
    @Test(arguments: StoreKind.allCases) func objectsByIdentity(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        var ids: [NSManagedObjectID] = []
        var note: NSManagedObjectID?
        try await people.update { update in
            ids = try ["Bob", "Ann"].map { try people.first(update, $0).objectID }
            let made = try update.create(Note.self)
            try update.commit()
            note = made.objectID
        }
        #expect(try people.world.fetch(Person.self, ids: ids).map(\.name) == ["Bob", "Ann"])
        #expect(try people.world.fetch(Person.self, id: ids[1]).age == 40)
        let foreign = try #require(note)
        #expect(throws: DatabaseError.self) { try people.world.fetch(Person.self, id: foreign) }
        try await people.update { update in try update.delete(Person.self, id: ids[0]) }
        people.world.reset()
        do {
            _ = try people.world.fetch(Person.self, ids: ids)
            Issue.record("A deleted object was found.")
        } catch DatabaseError.notFound(let entity, _) {
            #expect(entity == "Person")
        }
    }

    // Feature MONK-26
    @Test(arguments: StoreKind.allCases) func countsAndIdentities(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.numbered(5, kind)
        people.world.beginUpdateAndWait { update in
            try update.person("New", age: 100)
            try update.delete(people.first(update, "P01"))
            for query in [nil, %"age" > 2, %"age" == 1, %"name" == "New"] {
                #expect(try update.fetchCount(Person.self, query) == update.fetchAll(Person.self, query).count)
            }
            #expect(try update.fetchCount(Person.self, orderBy: .ascending("age"), options: .limit(2)) == 2)
        }
        #expect(people.errors.all.isEmpty)
        let world = people.world
        let id = try world.fetchID(Person.self, %"name" == "P03")
        #expect(try world.fetch(Person.self, id: id).name == "P03")
        let ids = try world.fetchAllIDs(Person.self, %"age" < 3, orderBy: .descending("age"))
        #expect(try world.fetch(Person.self, ids: ids).map(\.age) == [2, 1, 0])
        #expect(try world.fetchAllID(Person.self, %"age" < 3, orderBy: .descending("age")) == ids)
        do {
            _ = try world.fetchID(Person.self, %"name" == "Nobody")
            Issue.record("Nobody has an identifier.")
        } catch DatabaseError.notFound(let entity, _) {
            #expect(entity == "Person")
        }
    }

    // Feature MONK-27
    @Test(arguments: StoreKind.allCases) func objectsAreBroughtOver(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        let world = people.world
        let ann = try world.fetch(Person.self, %"name" == "Ann")
        #expect(try world.use(ann) === ann)
        let box = Box<Person>()
        world.beginUpdateAndWait { update in
            let local = try update.use(ann)
            #expect(local !== ann && local.name == "Ann")
            #expect(local.managedObjectContext === update.managedObjectContext)
            let both = try update.use([ann, local])
            #expect(both.allSatisfy { $0 === local })
            local.age = 41
            try update.commit()
            box.value = local
        }
        let back = try #require(box.value)
        #expect(try world.use(back) === ann)
        #expect(ann.age == 41)
        #expect(people.errors.all.isEmpty)
    }

    // Feature MONK-27
    @Test(arguments: StoreKind.allCases) func whatIsNotThereCannotBeBroughtOver(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        let ann = try people.world.fetch(Person.self, %"name" == "Ann")
        let context = people.world.beginUpdateContext()
        let unsaved = Box<Person>()
        context.performAndWait { update in
            unsaved.value = try update.person("New")
            try update.delete(update.use(ann))
            do {
                _ = try update.use(ann)
                Issue.record("A deleted object was brought over.")
            } catch DatabaseError.notFound {}
        }
        let new = try #require(unsaved.value)
        do {
            _ = try people.world.use(new)
            Issue.record("An object that was never saved was brought over.")
        } catch DatabaseError.foreignObject(_, let reason) {
            #expect(reason.lowercased().contains("save it first"))
        }
        #expect(people.errors.all.isEmpty)
    }

    // Feature MONK-30
    @Test(arguments: StoreKind.allCases) func aControllerFollowsTheMainContext(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        let results = try people.world.fetchResults(
            Person.self, %"age" > 0, orderBy: .ascending("name"), sectionBy: %"location")
        #expect(results.fetchedObjects == nil)
        #expect(results.cacheName == nil)
        let listener = ResultsListener()
        results.delegate = listener
        try results.performFetch()
        #expect(results.sections?.map(\.name) == ["Bern", "Taipei"])
        #expect(results.sections?.map(\.numberOfObjects) == [1, 1])
        try await people.update { try $0.person("Cid", age: 3, location: "Bern") }
        #expect(listener.inserted == ["Cid"])
        #expect(results.sections?.map(\.numberOfObjects) == [2, 1])
        #expect(results.object(at: IndexPath(row: 1, section: 0)).name == "Cid")
    }
}

/// Notes what a controller tells.
final class ResultsListener: NSObject, NSFetchedResultsControllerDelegate {
    var inserted: [String] = []

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        if type == .insert, let name = (anObject as? Person)?.name { inserted.append(name) }
    }
}
