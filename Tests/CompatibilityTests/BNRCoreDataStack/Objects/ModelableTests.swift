import BNRCoreDataStack
import TestSupport
import Testing

/// What classes of managed objects find, make and remove.
@MainActor struct ModelableTests {
    private func context(_ kind: StoreKind, titles: [String] = []) async throws -> (
        LibraryStack, NSManagedObjectContext
    ) {
        let library = try await LibraryStack(kind)
        if !titles.isEmpty { try await library.shelve(titles) }
        return (library, library.main)
    }

    // Feature BNR-19
    @Test(arguments: StoreKind.allCases) func anObjectIsMadeInItsContext(_ kind: StoreKind) async throws {
        let (_, context) = try await context(kind)
        let book = Book(managedObjectContext: context)
        #expect(book.managedObjectContext === context && book.entity.name == "Book" && book.isInserted)
        #expect(Tome(managedObjectContext: try tomes()).entity.name == "BigBook")
    }

    // Feature BNR-19
    @Test func theEntityIsThatOfTheContext() async throws {
        let (library, context) = try await context(.memory)
        #expect(Book.entityDescription(in: context) === Book.entityDescriptionInContext(context))
        #expect(Book.entityDescription(in: context).name == "Book")
        let other = try await LibraryStack(.memory)
        #expect(Author.entityDescription(in: other.main) !== Author.entityDescription(in: context))
        #expect(GraphicNovel.fetchRequestForEntity(inContext: context).entityName == "GraphicNovel")
        withExtendedLifetime((library, other)) {}
    }

    // Feature BNR-19
    @Test(arguments: StoreKind.allCases) func theFirstIsFoundOrNothing(_ kind: StoreKind) async throws {
        let (_, context) = try await context(kind)
        #expect(try Book.findFirstInContext(context) == nil)
        #expect(try Book.allInContext(context).isEmpty)
        #expect(try Book.countInContext(context) == 0)
        try Book.removeAllInContext(context)
        #expect(!context.hasChanges)
    }

    // Feature BNR-19
    @Test(arguments: StoreKind.allCases) func objectsAreFoundByPredicateAndInOrder(_ kind: StoreKind) async throws {
        let (_, context) = try await context(kind, titles: ["Solaris", "Momo", "Emil", "Dune"])
        let wanted = NSPredicate(format: "title == %@", "Emil")
        #expect(try Book.findFirstInContext(context) != nil)
        #expect(try Book.findFirstInContext(context, predicate: wanted)?.title == "Emil")
        #expect(try Book.findFirstInContext(context, predicate: NSPredicate(format: "title == 'None'")) == nil)
        #expect(try Book.allInContext(context).count == 4)
        #expect(try Book.allInContext(context, predicate: wanted).map(\.title) == ["Emil"])
        let order = [NSSortDescriptor(key: "title", ascending: false)]
        #expect(
            try Book.allInContext(context, sortDescriptors: order).map(\.title) == ["Solaris", "Momo", "Emil", "Dune"])
        let long = NSPredicate(format: "title BEGINSWITH 'S' OR title BEGINSWITH 'D'")
        #expect(
            try Book.allInContext(context, predicate: long, sortDescriptors: order).map(\.title) == ["Solaris", "Dune"])
        #expect(try Book.countInContext(context, predicate: long) == 2)
    }

    // Feature BNR-19
    @Test(arguments: StoreKind.allCases) func subentitiesAreFoundButNotCountedOrRemoved(_ kind: StoreKind) async throws
    {
        let (_, context) = try await context(kind, titles: ["Solaris"])
        GraphicNovel(managedObjectContext: context).title = "Maus"
        #expect(try Book.allInContext(context).count == 2)
        #expect(try Book.findFirstInContext(context, predicate: NSPredicate(format: "title == 'Maus'")) is GraphicNovel)
        #expect(try Book.countInContext(context) == 1)
        #expect(try GraphicNovel.countInContext(context) == 1)
        try Book.removeAllInContext(context)
        #expect(try Book.allInContext(context).map(\.title) == ["Maus"])
    }

    // Feature BNR-19
    @Test(arguments: StoreKind.allCases) func allOrAllButSomeAreRemoved(_ kind: StoreKind) async throws {
        let (library, context) = try await context(kind, titles: ["Solaris", "Momo", "Emil"])
        let fresh = Book(managedObjectContext: context)
        let author = Author(managedObjectContext: context)
        let kept = try #require(try Book.findFirstInContext(context, predicate: NSPredicate(format: "title == 'Momo'")))
        try Book.removeAllInContext(context, except: [kept, fresh])
        #expect(try Set(Book.allInContext(context)) == [kept, fresh])
        #expect(context.deletedObjects.count == 2 && !author.isDeleted)
        // Nothing is saved yet.
        await library.settle()
        let persisting = library.persisting
        #expect(try await persisting.perform { try Book.countInContext(persisting) } == 3)
        try Book.removeAllInContext(context)
        try context.saveContextToStoreAndWait()
        #expect(try await persisting.perform { try Book.countInContext(persisting) } == 0)
    }

    private func tomes() throws -> NSManagedObjectContext {
        let entity = NSEntityDescription()
        entity.name = "BigBook"
        entity.managedObjectClassName = NSStringFromClass(Tome.self)
        entity.properties = [LibraryModel.attribute("title", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return try CoreDataStack.constructInMemoryStack(model: model).mainQueueContext
    }

    // Feature BNR-19
    @Test func aClassMayNameItsEntity() throws {
        let context = try tomes()
        let tome = Tome(managedObjectContext: context)
        tome.setValue("War and Peace", forKey: "title")
        #expect(try Tome.findFirstInContext(context, predicate: NSPredicate(format: "title LIKE 'War*'")) === tome)
        #expect(try Tome.countInContext(context) == 1)
        #expect(Tome.fetchRequestForEntity(inContext: context).entityName == "BigBook")
        try Tome.removeAllInContext(context)
        #expect(try Tome.allInContext(context).isEmpty)
    }

    // Feature BNR-19
    @Test func aWrongNameOfAnEntityStopsTheProgramWithTheNames() async throws {
        let (_, context) = try await context(.memory)
        #expect(throws: DatabaseError.self) { try LostBook.countInContext(context) }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try CoreDataStack.constructInMemoryStack(model: LibraryModel.make())
            let context = stack.privateQueueContext
            context.performAndWait { _ = LostBook(managedObjectContext: context) }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("NoSuchEntity") && said.contains("Author"))
    }
}
