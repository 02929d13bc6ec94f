import Foundation
import OpenCoreData
import TestSupport
import Testing

/// The order of an ordered to-many that has no inverse.
@Suite struct OrderWithoutInverseTests {
    static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType]

    static func model(adding attribute: String? = nil, withInverse: Bool = false) -> NSManagedObjectModel {
        let (poll, choice) = (NSEntityDescription(), NSEntityDescription())
        (poll.name, choice.name) = ("Poll", "Choice")
        poll.properties = [
            LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.relationship("choices", to: choice, toMany: true, ordered: true, rule: .nullifyDeleteRule),
        ]
        choice.properties = [LibraryModel.attribute("name", .stringAttributeType)]
        if let attribute { poll.properties.append(LibraryModel.attribute(attribute, .stringAttributeType)) }
        if withInverse {
            choice.properties.append(LibraryModel.relationship("poll", to: poll, rule: .nullifyDeleteRule))
            LibraryModel.pair(poll, "choices", choice, "poll")
        }
        let model = NSManagedObjectModel()
        model.entities = [poll, choice]
        return model
    }

    private static func make(_ entity: String, _ name: String, _ context: NSManagedObjectContext) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: "name")
        return object
    }

    /// Saves a poll whose choices are in another order than they were made in.
    private static func fill(_ stack: TestStack) throws {
        try stack.inContext { context in
            let choices = "abcde".map { make("Choice", String($0), context) }
            try context.save()
            make("Poll", "p", context).setValue(
                NSOrderedSet(array: [3, 0, 4, 1, 2].map { choices[$0] }), forKey: "choices")
            try context.save()
        }
    }

    private static func poll(
        _ context: NSManagedObjectContext, _ name: String = "p", prefetching: Bool = false
    ) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Poll")
        request.predicate = NSPredicate(format: "name == %@", name)
        if prefetching { request.relationshipKeyPathsForPrefetching = ["choices"] }
        return try #require(try context.fetch(request).first)
    }

    static func names(_ poll: NSManagedObject) -> String {
        let choices = (poll.value(forKey: "choices") as? NSOrderedSet)?.array ?? []
        return choices.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }.joined()
    }

    private static func stored(_ stack: TestStack) throws -> String {
        try stack.inContext { names(try poll($0)) }
    }

    @Test(arguments: types) func itIsSavedAndReadAgain(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        try Self.fill(stack)
        #expect(try Self.stored(stack) == "daebc")
        #expect(try stack.inContext { Self.names(try Self.poll($0, prefetching: true)) } == "daebc")
        try stack.inContext { context in
            let choices = try Self.poll(context).mutableOrderedSetValue(forKey: "choices")
            choices.moveObjects(at: [4], to: 0)
            try context.save()
            choices.insert(Self.make("Choice", "f", context), at: 1)
            choices.removeObject(at: 3)
            try context.save()
        }
        #expect(try Self.stored(stack) == "cfdeb")
        guard type != NSInMemoryStoreType else { return }
        let again = try TestStack(model: Self.model(), type: type, folder: stack.folder)
        #expect(try Self.stored(again) == "cfdeb")
    }

    @Test(arguments: types) func aChildsOrderComesToTheStore(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        try Self.fill(stack)
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait {
            let poll = try Self.poll(child)
            #expect(Self.names(poll) == "daebc")
            let choices = poll.mutableOrderedSetValue(forKey: "choices")
            choices.exchangeObject(at: 0, withObjectAt: 4)
            choices.add(Self.make("Choice", "f", child))
            try child.save()
        }
        try parent.performAndWait { try parent.save() }
        #expect(try Self.stored(stack) == "caebdf")
    }

    @Test(arguments: types) func aMemberThatAnotherOwnerTakesHasItsPlaceThere(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        try Self.fill(stack)
        try stack.inContext { context in
            let other = Self.make("Poll", "q", context)
            let former = try Self.poll(context)
            let choices = former.mutableOrderedSetValue(forKey: "choices")
            let taken = choices.array[1]
            choices.remove(taken)
            other.setValue(NSOrderedSet(array: [Self.make("Choice", "f", context), taken]), forKey: "choices")
            try context.save()
        }
        #expect(try Self.stored(stack) == "debc")
        #expect(try stack.inContext { Self.names(try Self.poll($0, "q")) } == "fa")
    }

    /// As Apple's stores have them: steps of 1024 from 2048, and none where there is no owner.
    @Test(.enabled(if: SQLiteShell.isAvailable && !TestStack.isOnServer)) func theColumnHasApplesNumbers() throws {
        let stack = try TestStack(model: Self.model())
        try Self.fill(stack)
        let order = "SELECT ZNAME, Z_FOK_2CHOICES FROM ZCHOICE WHERE Z2CHOICES IS NOT NULL ORDER BY 2"
        #expect(try stack.sqlite(order) == "d|2048\na|3072\ne|4096\nb|5120\nc|6144")
        try stack.inContext { context in
            try Self.poll(context).mutableOrderedSetValue(forKey: "choices").removeObjects(at: [0, 2])
            try context.save()
        }
        #expect(try stack.sqlite(order) == "a|3072\nb|5120\nc|6144")
        try stack.inContext { context in
            context.delete(try Self.poll(context))
            try context.save()
        }
        let left = "SELECT count(*), count(Z2CHOICES), count(Z_FOK_2CHOICES) FROM ZCHOICE"
        #expect(try stack.sqlite(left) == "5|0|0")
    }

    @Test(.enabled(if: !TestStack.isOnServer), arguments: [false, true], [false, true])
    func migrationsKeepIt(byObjects: Bool, withInverse: Bool) throws {
        let stack = try TestStack(model: Self.model())
        try Self.fill(stack)
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        let destination = Self.model(adding: "note", withInverse: withInverse)
        var url = stack.url
        if byObjects {
            let source = Self.model()
            let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
            manager.usesStoreSpecificMigrationManager = false
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: source, destinationModel: destination)
            url = stack.folder.file("Other.sqlite")
            try manager.migrateStore(from: stack.url, type: .sqlite, mapping: mapping, to: url, type: .sqlite)
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let names = try context.performAndWait { Self.names(try Self.poll(context)) }
        #expect(names == "daebc")
    }

    @Test(arguments: types) func aCopyOfTheStoreKeepsIt(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        try Self.fill(stack)
        let store = try #require(stack.coordinator.persistentStores.first)
        let kind = type == NSXMLStoreType ? NSBinaryStoreType : NSXMLStoreType
        try stack.coordinator.migratePersistentStore(
            store, to: stack.folder.file("Copy"), options: nil, withType: kind)
        #expect(try Self.stored(stack) == "daebc")
    }

    @Test(arguments: types) func othersMergeItAndConflictWithIt(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        try Self.fill(stack)
        let (one, two) = (stack.context(), stack.context())
        two.automaticallyMergesChangesFromParent = true
        let shown = try two.performAndWait {
            let poll = try Self.poll(two)
            #expect(Self.names(poll) == "daebc")
            return poll
        }
        try one.performAndWait {
            try Self.poll(one).mutableOrderedSetValue(forKey: "choices").moveObjects(at: [0], to: 4)
            try one.save()
        }
        two.performAndWait {
            #expect(Self.names(shown) == "aebcd")
            two.automaticallyMergesChangesFromParent = false
        }
        try one.performAndWait {
            try Self.poll(one).mutableOrderedSetValue(forKey: "choices").exchangeObject(at: 0, withObjectAt: 1)
            try one.save()
        }
        two.performAndWait {
            shown.mutableOrderedSetValue(forKey: "choices").exchangeObject(at: 3, withObjectAt: 4)
            let error = #expect(throws: CocoaError.self) { try two.save() }
            #expect(error?.code.rawValue == NSManagedObjectMergeError)
        }
        #expect(try Self.stored(stack) == "eabcd")
    }

    @Test func theHistorySaysThatItChanged() throws {
        let stack = try TestStack(model: Self.model(), options: [NSPersistentHistoryTrackingKey: true])
        try Self.fill(stack)
        try stack.inContext { context in
            let token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
            try Self.poll(context).mutableOrderedSetValue(forKey: "choices").moveObjects(at: [0], to: 4)
            try context.save()
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let changes = (result?.result as? [NSPersistentHistoryTransaction])?.flatMap { $0.changes ?? [] } ?? []
            #expect(changes.map { $0.updatedProperties?.map(\.name) } == [["choices"]])
        }
    }

    @Test(arguments: types) func undoingAndDeletingAMember(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        try Self.fill(stack)
        try stack.inContext { context in
            let undo = UndoManager()
            undo.groupsByEvent = false
            context.undoManager = undo
            let poll = try Self.poll(context)
            undo.beginUndoGrouping()
            poll.mutableOrderedSetValue(forKey: "choices").sort(using: [NSSortDescriptor(key: "name", ascending: true)])
            context.processPendingChanges()
            undo.endUndoGrouping()
            #expect(Self.names(poll) == "abcde")
            undo.undo()
            #expect(Self.names(poll) == "daebc")
            undo.redo()
            try context.save()
            context.delete(try #require(poll.mutableOrderedSetValue(forKey: "choices").array[1] as? NSManagedObject))
            try context.save()
        }
        #expect(try Self.stored(stack) == "acde")
    }

    /// A relationship that is its own inverse: each of two friends has a place in the other's order.
    @Test(arguments: types) func aRelationshipThatIsItsOwnInverseHasTwoOrders(type: String) throws {
        let person = NSEntityDescription()
        person.name = "Person"
        let friends = LibraryModel.relationship(
            "friends", to: person, toMany: true, ordered: true, rule: .nullifyDeleteRule)
        person.properties = [LibraryModel.attribute("name", .stringAttributeType), friends]
        friends.inverseRelationship = friends
        let model = NSManagedObjectModel()
        model.entities = [person]
        let stack = try TestStack(model: model, type: type)
        func names() throws -> [String] {
            try stack.inContext { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                return try context.fetch(request).map { person in
                    let friends = (person.value(forKey: "friends") as? NSOrderedSet)?.array ?? []
                    return friends.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }.joined()
                }
            }
        }
        try stack.inContext { context in
            let people = "abcd".map { Self.make("Person", String($0), context) }
            try context.save()
            people[1].setValue(NSOrderedSet(array: [people[3], people[0], people[2]]), forKey: "friends")
            people[2].mutableOrderedSetValue(forKey: "friends").insert(people[3], at: 0)
            try context.save()
            #expect(try names() == ["b", "dac", "db", "bc"])
            people[3].mutableOrderedSetValue(forKey: "friends").exchangeObject(at: 0, withObjectAt: 1)
            people[1].mutableOrderedSetValue(forKey: "friends").moveObjects(at: [0], to: 2)
            try context.save()
            #expect(try names() == ["b", "acd", "db", "cb"])
            people[1].mutableOrderedSetValue(forKey: "friends").remove(people[0])
            try context.save()
        }
        #expect(try names() == ["", "cd", "db", "cb"])
    }
}
