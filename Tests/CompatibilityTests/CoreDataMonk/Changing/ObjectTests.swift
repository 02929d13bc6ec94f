import CoreDataMonk
import TestSupport
import Testing

/// Creating and deleting objects in updates.
@MainActor struct ObjectTests {
    /// Runs a block in an update; what it throws is a failure.
    private func update(_ people: PeopleStack, _ block: (CoreDataUpdate) throws -> Void) async {
        people.world.beginUpdateAndWait(block)
        await people.settle()
        #expect(people.errors.all.isEmpty)
    }

    // Feature MONK-32
    @Test(arguments: StoreKind.allCases) func aNewObjectHasTheModelsDefaults(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        await update(people) { update in
            let note = try update.create(Note.self)
            #expect(note.text == "empty" && note.isInserted)
            let student = try update.create(Student.self)
            #expect(student.entity.name == "Student" && !student.isMember)
            #expect(throws: (any Error).self) { try update.create(Creature.self) }
            #expect(throws: CoreDataUnregisteredClass.self) { try update.create(Stranger.self) }
            #expect(update.managedObjectContext.insertedObjects.count == 2)
        }
    }

    // Feature MONK-32
    @Test func aNewObjectGoesToItsClassesStore() async throws {
        let stack = CoreDataStack(model: PeopleModel.make())
        try stack.addInMemoryStore(configuration: "InMemory")
        let folder = try TemporaryFolder()
        try stack.addDatabaseStore(fileURL: folder.file("People.sqlite"), configuration: "Database")
        let updater = try CoreDataContext(stack: stack)
        let stores = stack.persistentStoreCoordinator.persistentStores
        updater.beginUpdateAndWait { update in
            let visit = try update.create(Visit.self)
            let ann = try update.person("Ann")
            try update.commit()
            #expect(visit.objectID.persistentStore === stores[0])
            #expect(ann.objectID.persistentStore === stores[1])
        }
        #expect(stack.lastError == nil)
    }

    // Feature MONK-33
    @Test(arguments: StoreKind.allCases) func theSecondCallFindsWhatTheFirstMade(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        await update(people) { update in
            let knight = try update.fetchOrCreate(Person.self, %"name" == "Knight" && %"age" == 18)
            #expect(knight.name == "Knight" && knight.age == 18)
            #expect(try update.fetchOrCreate(Person.self, %"name" == "Knight" && %"age" == 18) === knight)
            #expect(try update.fetchCount(Person.self) == 1)
            let other = try update.fetchOrCreate(
                Person.self, %"name" == "Knight" && %"age" == 19 && %"location" == "Bern" && %"title" == nil)
            #expect(other !== knight)
            #expect(other.name == "Knight" && other.age == 19 && other.location == "Bern" && other.title == nil)
            try update.commit()
        }
        await update(people) { update in
            let knight = try update.fetchOrCreate(Person.self, %"name" == "Knight" && %"age" == 18)
            #expect(!knight.isInserted)
            #expect(try update.fetchCount(Person.self) == 2)
        }
    }

    // Feature MONK-33
    @Test(arguments: StoreKind.allCases) func keysAreCopiedAndPathsFollowed(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        await update(people) { update in
            let copy = try update.fetchOrCreate(Person.self, %"name" == "Echo" && %"title" == %"name")
            #expect(copy.title == "Echo")
            #expect(try update.fetchOrCreate(Person.self, %"name" == "Echo" && %"title" == %"name") === copy)
            let friend = try update.person("Ann", age: 1)
            let made = try update.fetchOrCreate(
                Person.self, %"name" == "Bob" && %"friend" == friend && %"friend.age" == 40)
            #expect(made.friend === friend && friend.age == 40)
            #expect(try update.fetchOrCreate(Person.self, %"friend.name" == "Ann") === made)
        }
    }

    // Feature MONK-33
    @Test(arguments: StoreKind.allCases) func anythingButEqualitiesCreatesNothing(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        await update(people) { update in
            try update.person("Ann", age: 40)
            for query in [
                %"name" == "Ann" || %"age" == 1, %"name" == "Knight" && %"age" > 18, !(%"name" == "Knight"),
                %"name" != "Knight", %"friends.age"%.any == 3, .where("name BEGINSWITH %@", "K"),
                %"name" == "Knight" && (%"age" == 1 || %"age" == 2), %"shoeSize" == 3, %"name" == "a" && %"name" == "b",
                %"age" == "old",
            ] as [CoreDataQuery] {
                #expect(throws: DatabaseError.self, "\(query)") { try update.fetchOrCreate(Person.self, query) }
            }
            #expect(try update.fetchCount(Person.self) == 1)
        }
    }

    // Feature MONK-34
    @Test(arguments: StoreKind.allCases) func deletingFollowsTheModelsRules(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        await update(people) { update in
            let ann = try people.first(update, "Ann")
            try update.create(Note.self).person = ann
            try update.create(Note.self).person = try people.first(update, "Bob")
            try update.commit()
            try update.delete(ann)
            try update.commit()
        }
        #expect(try people.names() == ["Bob"])
        // Cascade, and nullify.
        #expect(try people.world.fetchAll(Note.self).map(\.person?.name) == ["Bob"])
        #expect(try people.world.fetch(Person.self).friend == nil)
    }

    // Feature MONK-34
    @Test(arguments: StoreKind.allCases) func manyObjectsAreDeleted(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.numbered(6, kind)
        await update(people) { update in
            #expect(try update.deleteAll(Person.self, %"age" < 2) == 2)
            try update.delete([people.first(update, "P02")])
            try update.delete(Person.self, id: update.fetchID(Person.self, %"name" == "P03"))
            #expect(try update.fetchCount(Person.self) == 2)
            try update.commit()
        }
        #expect(try people.names() == ["P04", "P05"])
        await update(people) { update in
            try update.delete(Person.self, ids: update.fetchAllIDs(Person.self, %"age" == 4))
            try update.deleteAll(Note.self)
            #expect(try update.deleteAll(Person.self) == 1)
            try update.commit()
        }
        #expect(try people.names().isEmpty)
    }

    // Feature MONK-34
    @Test(arguments: StoreKind.allCases) func whatIsNotHereCannotBeDeleted(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        let ann = try people.world.fetch(Person.self, %"name" == "Ann")
        let id = ann.objectID
        await update(people) { update in
            let bob = try people.first(update, "Bob")
            #expect(throws: DatabaseError.self) { try update.delete(ann) }
            #expect(throws: DatabaseError.self) { try update.delete([bob, ann]) }
            #expect(!bob.isDeleted)
            try update.delete(Person.self, id: id)
            try update.commit()
            #expect(throws: DatabaseError.self) { try update.delete(Person.self, id: id) }
            #expect(throws: DatabaseError.self) { try update.delete(Person.self, ids: [id]) }
        }
        #expect(try people.names() == ["Bob"])
    }

    // Feature MONK-35
    @Test func rowsAreChangedAtOnce() async throws {
        let people = try await PeopleStack.numbered(1000)
        let shown = try people.world.fetch(Person.self, %"name" == "P500")
        #expect(shown.age == 500)
        await update(people) { update in
            let changed = try update.batchUpdate(
                Person.self, %"age" >= 500, properties: ["location": "Bern", "age": 1])
            #expect(changed == 500)
            #expect(try update.fetchCount(Person.self, %"location" == "Bern") == 500)
            #expect(throws: DatabaseError.self) {
                _ = try update.batchUpdate(Person.self, nil, properties: ["shoeSize": 3])
            }
        }
        // Without a commit.
        #expect(try people.sqlite("SELECT COUNT(*) FROM ZPERSON WHERE ZLOCATION = 'Bern' AND ZAGE = 1") == "500")
        people.world.refreshAll()
        #expect(shown.age == 1 && shown.location == "Bern")
        await update(people) { update in
            #expect(try update.batchDelete(Person.self, %"location" == "Bern") == 500)
            let ids = try update.fetchAllIDs(Person.self, %"age" < 10)
            #expect(try update.batchDelete(Person.self, ids: ids) == 10)
            #expect(try update.fetchCount(Person.self) == 490)
        }
        #expect(try people.peopleInFile == 490)
        #expect(try people.world.fetchCount(Person.self) == 490)
        // From the main context too.
        #expect(try people.world.batchUpdate(Person.self, properties: ["title": "Dr"]) == 490)
        #expect(try people.world.batchDelete(Person.self) == 490)
        #expect(try people.peopleInFile == 0)
    }
}
