import Dispatch
import Sticky
import Synchronization
import TestSupport
import Testing

/// Making objects, and the entities of classes.
@Suite struct CreateTests {
    private func provider(_ model: NSManagedObjectModel, _ kind: StoreKind = .memory) throws
        -> PersistentContainer.ContextProvider
    {
        try BookStack(kind, model: model).start()
    }

    // Feature STICKY-14
    @Test(arguments: StoreKind.allCases) func anObjectIsMadeAndSaved(_ kind: StoreKind) throws {
        let provider = try provider(BookModel.make(), kind)
        try provider.newBackgroundContext().performAndWait { context in
            let book = try context.create(Book.self)
            #expect(book.title == "" && book.isInserted && book.managedObjectContext === context)
            book.title = "Momo"
            try context.create(Book.self)
            try context.save()
        }
        #expect(try provider.titles == ["", "Momo"])
    }

    // Feature STICKY-14, STICKY-15, STICKY-16
    @Test func equalModelsOfSeveralContainersAreKeptApart() throws {
        let providers = [try provider(BookModel.make()), try provider(BookModel.make())]
        let models = try providers.map { try #require($0.viewContext.persistentStoreCoordinator?.managedObjectModel) }
        #expect(models[0] !== models[1])
        let right = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 100) { number in
            let entity = models[number % 2].entitiesByName["Book"]
            providers[number % 2].newBackgroundContext().performAndWait { context in
                let made = try? context.create(Book.self)
                let found = try? context.entity(for: Book.self)
                let initialized = Book(context: context)
                try? context.save()
                if made?.entity === entity, found === entity, initialized.entity === entity {
                    right.withLock { $0 += 1 }
                }
            }
        }
        #expect(right.withLock { $0 } == 100)
        for provider in providers { #expect(try provider.titles.count == 100) }
    }

    // Feature STICKY-14, STICKY-16
    @Test(arguments: ["Pamphlet", "StickyTests.Pamphlet", ".Pamphlet"])
    func theModuleOfAClassMayBeLeftOut(_ name: String) throws {
        let provider = try provider(BookModel.make(className: name))
        try provider.newBackgroundContext().performAndWait { context in
            #expect(try context.entity(for: Pamphlet.self).name == "Book")
            try context.create(Pamphlet.self).setValue("Momo", forKey: "title")
            try context.save()
            #expect(try context.fetch(Pamphlet.self).map { $0.value(forKey: "title") as? String } == ["Momo"])
        }
    }

    // Feature STICKY-14, STICKY-16
    @Test func aClassWithoutEntityIsNamed() throws {
        let provider = try provider(BookModel.make())
        let name = String(reflecting: Orphan.self)
        provider.newBackgroundContext().performAndWait { context in
            let expected = EntityError.modelDoesNotContainEntityWithClassName(name)
            #expect(throws: expected) { try context.create(Orphan.self) }
            #expect(throws: expected) { try context.entity(for: Orphan.self) }
            #expect(String(describing: expected) == "modelDoesNotContainEntityWithClassName(\"\(name)\")")
            #expect(expected.localizedDescription.contains(name))
            #expect(!context.hasChanges)
        }
    }

    // Feature STICKY-14, STICKY-16
    @Test func aClassOfSeveralEntitiesIsNamed() throws {
        let provider = try provider(BookModel.make(entities: ["Book", "OldBook"]))
        let name = String(reflecting: Book.self)
        provider.newBackgroundContext().performAndWait { context in
            let expected = EntityError.modelContainsMultipleEntitiesWithClassName(name, 2)
            #expect(throws: expected) { try context.create(Book.self) }
            #expect(throws: expected) { try context.entity(for: Book.self) }
            #expect(String(describing: expected) == "modelContainsMultipleEntitiesWithClassName(\"\(name)\", 2)")
            #expect(expected.localizedDescription.contains("2 entities"))
        }
    }

    // Feature STICKY-14, STICKY-16, STICKY-17
    @Test func aContextWithoutCoordinatorHasNoEntities() {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.performAndWait { context in
            let expected = EntityError.persistentStoreCoordinatorWasNil
            #expect(throws: expected) { try context.create(Book.self) }
            #expect(throws: expected) { try context.entity(for: Book.self) }
            #expect(throws: expected) { try context.fetch(Book.self) }
            #expect(throws: expected) { try context.delete(Book.self) }
            #expect(expected.localizedDescription.contains("coordinator"))
        }
    }

    // Feature STICKY-14
    @Test func anAbstractEntityHasNoObjects() throws {
        let model = BookModel.make()
        model.entities[0].isAbstract = true
        try provider(model).newBackgroundContext().performAndWait { context in
            #expect(throws: DatabaseError.self) { try context.create(Book.self) }
            #expect(!context.hasChanges)
        }
    }
}

/// A class that no other part of the program has one of the same name of.
final class Pamphlet: NSManagedObject {}
