import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Inserting an object again that is to be deleted, and objects that were made without a context.
@Suite struct UndeletingTests {
    @Test(arguments: UndoWalkTests.types) func insertingTakesADeletionBack(_ type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let (author, book, label) = (Author(context: context), Book(context: context), Label(context: context))
            book.author = author
            book.tags = [label]
            try context.save()
            for processes in [false, true] {
                let log = NotificationLog(context)
                context.delete(book)
                if processes { context.processPendingChanges() }
                context.insert(book)
                #expect(!book.isDeleted && context.deletedObjects.isEmpty)
                #expect(author.books == [book] && label.books == [book] && book.author === author)
                context.processPendingChanges()
                let deleted = log.entries.reduce(into: Set<NSManagedObject>()) {
                    $0.formUnion($1.objects(NSDeletedObjectsKey))
                }
                #expect(deleted == (processes ? [book] : []))
                book.pages += 1
                try context.save()
            }
            context.reset()
            let found = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            #expect(found.map(\.pages) == [2] && found.first?.author?.books.count == 1)
        }
    }

    @Test func insertingTakesTheDeletionOfANewObjectBack() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            for processes in [false, true] {
                let book = Book(context: context)
                context.processPendingChanges()
                context.delete(book)
                if processes { context.processPendingChanges() }
                context.insert(book)
                #expect(book.isInserted && context.insertedObjects == [book])
                try context.save()
            }
            #expect(try context.count(for: NSFetchRequest<Book>(entityName: "Book")) == 2)
        }
    }

    /// What a rule deleted stays deleted, and what was linked elsewhere in between stays there.
    @Test func linksThatNoLongerStandAreNotTakenBack() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let (author, other) = (Author(context: context), Author(context: context))
            let books = (0..<2).map { _ in Book(context: context) }
            author.books = Set(books)
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue(author, forKey: "author")
            try context.save()
            context.delete(author)
            context.processPendingChanges()
            books[0].author = other
            context.insert(author)
            #expect(author.books == [books[1]] && other.books == [books[0]] && books[1].author === author)
            #expect(note.isDeleted && (author.value(forKey: "notes") as? Set<NSManagedObject>)?.isEmpty == true)
            try context.save()
            context.reset()
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 0)
            let authors = try context.fetch(NSFetchRequest<Author>(entityName: "Author"))
            #expect(authors.map(\.books.count) == [1, 1])
        }
    }

    @Test func takingADeletionBackCanBeUndone() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let (author, book) = (Author(context: context), Book(context: context))
            book.author = author
            try context.save()
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            manager.beginUndoGrouping()
            context.delete(author)
            context.processPendingChanges()
            manager.endUndoGrouping()
            manager.beginUndoGrouping()
            context.insert(author)
            context.processPendingChanges()
            manager.endUndoGrouping()
            #expect(book.author === author)
            context.undo()
            #expect(author.isDeleted && book.author == nil)
            context.undo()
            #expect(!author.isDeleted && book.author === author && !context.hasChanges)
        }
    }

    @Test func anObjectThatOthersDeletedIsSavedAsANewOne() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            book.title = "Emma"
            try context.save()
            let id = book.objectID
            try stack.inContext { other in
                other.delete(other.object(with: id))
                try other.save()
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: [id]], into: [context])
            #expect(book.isDeleted)
            context.insert(book)
            #expect(book.isInserted && book.title == "Emma")
            try context.save()
        }
        let titles = try stack.inContext { try $0.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title) }
        #expect(titles == ["Emma"])
    }

    @Test(arguments: UndoWalkTests.types) func anObjectWhoseDeletionWasSavedBecomesANewOne(_ type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let (author, book) = (Author(context: context), Book(context: context))
            book.title = "Emma"
            book.author = author
            try context.save()
            context.delete(book)
            try context.save()
            context.insert(book)
            #expect(book.isInserted && book.managedObjectContext === context && author.books == [book])
            try context.save()
            let new = Book(context: context)
            new.title = "rolled back"
            context.rollback()
            context.insert(new)
            try context.save()
        }
        let titles = try stack.inContext { try $0.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title) }
        #expect(titles.sorted() == ["Emma", "rolled back"])
    }

    @Test func anObjectThatLeftAsAFaultFailsTheSave() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            book.title = "Emma"
            try context.save()
            context.reset()
            context.insert(book)
            #expect(throws: CocoaError.self) { try context.save() }
            #expect(try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title) == ["Emma"])
        }
    }

    @Test func anObjectMadeWithoutAContextIsSavedOnceInserted() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let author = Author()
            author.name = "Jane"
            #expect(author.managedObjectContext == nil && author.entity.name == "Author")
            context.insert(author)
            #expect(context.insertedObjects == [author])
            Book(context: context).author = author
            try context.save()
        }
        let names = try stack.inContext { try $0.fetch(NSFetchRequest<Author>(entityName: "Author")).map(\.name) }
        #expect(names == ["Jane"])
    }

    @Test func anObjectWithoutAnEntityFailsTheSave() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let stray = NSManagedObject()
            context.insert(stray)
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.localizedDescription.contains("NSManagedObject") == true)
            try context.save()
        }
    }
}

extension UndeletingTests {
    /// Two coordinators with equal models: which of them an object without a context is made for can't be known.
    @Test(arguments: UndoWalkTests.types) func anObjectOfAnEqualModelIsSavedToo(_ type: String) throws {
        let (first, second) = (try TestStack(type: type), try TestStack(type: type))
        let entity = try #require(first.coordinator.managedObjectModel.entitiesByName["Author"])
        try second.inContext { context in
            let author = Author(entity: entity, insertInto: nil)
            author.name = "Jane"
            context.insert(author)
            Book(context: context).author = author
            let book = try #require(context.insertedObjects.first { $0 is Book } as? Book)
            #expect(author.books == [book])
            try context.save()
            author.name = "Jane Austen"
            try context.save()
            context.refresh(author, mergeChanges: false)
            #expect(author.name == "Jane Austen" && author.books == [book])
        }
        try second.inContext { context in
            let author = try #require(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            #expect(author.name == "Jane Austen" && author.books.count == 1)
            context.delete(author)
            try context.save()
            #expect(try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.author) == [nil])
        }
    }
}
