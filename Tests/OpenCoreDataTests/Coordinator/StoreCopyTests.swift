import OpenCoreData
import TestSupport
import Testing

/// Moving a store to another type: all objects, relationships and orders go along.
@Suite struct StoreCopyTests {
    let folder: TemporaryFolder
    static let types = [
        NSSQLiteStoreType, NSInMemoryStoreType, NSBinaryStoreType, NSXMLStoreType, ArchiveStore.storeType,
        RecordStore.storeType,
    ]

    init() throws {
        ArchiveStore.register()
        RecordStore.register()
        folder = try TemporaryFolder()
    }

    private func inContext<T>(
        _ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> T
    ) throws -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    private func fill(_ coordinator: NSPersistentStoreCoordinator) throws {
        try inContext(coordinator) { context in
            let ada = Author(context: context)
            ada.name = "Ada"
            ada.born = Date(timeIntervalSinceReferenceDate: 1.25)
            let book = Book(context: context)
            book.title = "Text"
            book.setValue(Data(repeating: 3, count: 200_000), forKey: "cover")
            book.setValue(["a", "b"], forKey: "extra")
            let novel = GraphicNovel(context: context)
            novel.title = "Pictures"
            novel.isColored = true
            ada.books = [book, novel]
            let tag = Label(context: context)
            tag.name = "new"
            tag.books = [book, novel]
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            shelf.setValue(NSOrderedSet(array: [novel, book]), forKey: "books")
            try context.save()
        }
    }

    private func expectFilled(_ coordinator: NSPersistentStoreCoordinator) throws {
        try inContext(coordinator) { context in
            let ada = try #require(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            #expect(ada.name == "Ada" && ada.born == Date(timeIntervalSinceReferenceDate: 1.25))
            #expect(Set(ada.books.map(\.title)) == ["Text", "Pictures"])
            let shelf = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).first)
            let books = (shelf.value(forKey: "books") as? NSOrderedSet)?.array.compactMap { $0 as? Book } ?? []
            #expect(books.map(\.title) == ["Pictures", "Text"])
            #expect((books.first as? GraphicNovel)?.isColored == true)
            #expect(books.last?.value(forKey: "cover") as? Data == Data(repeating: 3, count: 200_000))
            #expect(books.last?.value(forKey: "extra") as? [String] == ["a", "b"])
            #expect(books.allSatisfy { $0.tags.map(\.name) == ["new"] })
        }
    }

    @Test(arguments: types, types) func everyTypeCanBecomeEveryOther(_ from: String, _ to: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: from, configurationName: nil, at: folder.file("From.store"))
        try fill(coordinator)
        let added = try coordinator.migratePersistentStore(store, to: folder.file("To.store"), withType: to)
        #expect(coordinator.persistentStores == [added] && added.type == to)
        try expectFilled(coordinator)
    }

    @Test(arguments: [NSXMLStoreType, NSSQLiteStoreType]) func manyRowsGoInBatches(_ to: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("From.sqlite"))
        try inContext(coordinator) { context in
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let books = (0..<2_500).map { index in
                let book = Book(context: context)
                book.title = "Book \(index)"
                return book
            }
            shelf.setValue(NSOrderedSet(array: books.reversed()), forKey: "books")
            try context.save()
        }
        try coordinator.migratePersistentStore(store, to: folder.file("To.store"), withType: to)
        try inContext(coordinator) { context in
            let shelf = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).first)
            let books = try #require(shelf.value(forKey: "books") as? NSOrderedSet)
            #expect(books.count == 2_500)
            #expect((books.firstObject as? Book)?.title == "Book 2499")
        }
    }

    @Test func aCopyThatFailsLeavesTheStoreAndNoFile() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("From.sqlite"))
        try fill(coordinator)
        let location = folder.file("missing/To.xml")
        #expect(throws: CocoaError.self) {
            try coordinator.migratePersistentStore(store, to: location, withType: NSXMLStoreType)
        }
        #expect(coordinator.persistentStores == [store])
        try expectFilled(coordinator)
    }
}
