import Foundation
import OpenCoreData
import TestSupport
import Testing

/// One coordinator over several stores, by configuration or by choice.
@Suite(.serialized) struct SeveralStoresTests {
    private let folder: TemporaryFolder
    private let coordinator: NSPersistentStoreCoordinator
    private let first: NSPersistentStore
    private let second: NSPersistentStore

    init() throws {
        folder = try TemporaryFolder()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        first = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("first.sqlite"), options: nil)
        second = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("second.sqlite"), options: nil)
    }

    private func inContext<T>(_ body: (NSManagedObjectContext) throws -> T) rethrows -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    // Behaviour 6.12
    @Test func newObjectsGoToTheFirstStoreUnlessAssigned() throws {
        try inContext { context in
            let (one, two) = (Book(context: context), Book(context: context))
            one.title = "one"
            two.title = "two"
            context.assign(two, to: second)
            try context.save()
            #expect(one.objectID.persistentStore === first && two.objectID.persistentStore === second)
        }
        try inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            let all = try context.fetch(request)
            #expect(all.map(\.title) == ["one", "two"])
            for book in all { book.pages = 9 }
            try context.save()
            request.affectedStores = [second]
            let some = try context.fetch(request)
            let count = try context.count(for: request)
            #expect(some.map(\.title) == ["two"] && count == 1)
            request.resultType = .managedObjectIDResultType
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            ids.resultType = .managedObjectIDResultType
            ids.affectedStores = [first]
            let found = try context.fetch(ids)
            #expect(found.count == 1 && found.first?.persistentStore === first)
        }
    }

    @Test func severalStoresAreSortedAndCutTogether() throws {
        try inContext { context in
            for index in 0..<10 {
                let book = Book(context: context)
                book.title = "\(index)"
                if index % 2 == 1 { context.assign(book, to: second) }
            }
            try context.save()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            request.fetchOffset = 2
            request.fetchLimit = 5
            let titles = try context.fetch(request).map(\.title)
            #expect(titles == ["2", "3", "4", "5", "6"])
            let count = try context.count(for: request)
            #expect(count == 5)
        }
    }

    @Test func configurationsDecideWhereEntitiesLive() throws {
        let model = LibraryModel.make()
        let books = model.entities.filter { ["Book", "GraphicNovel", "Author", "Label", "Shelf"].contains($0.name) }
        model.setEntities(books, forConfigurationName: "Books")
        model.setEntities(model.entities.filter { $0.name == "Note" }, forConfigurationName: "Notes")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let bookStore = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "Books", at: folder.file("books.sqlite"), options: nil)
        let noteStore = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "Notes", at: folder.file("notes.sqlite"), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            let book = Book(context: context)
            try context.save()
            #expect(book.objectID.persistentStore === bookStore && note.objectID.persistentStore === noteStore)
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
            #expect(count == 1)
        }
    }
}
