import CoreData
import Foundation

/// An importer as Apple's sample "Loading and displaying a large data feed" has it.
final class Importer: Sendable {
    let container: NSPersistentContainer

    init(_ container: NSPersistentContainer) { self.container = container }

    private func newTaskContext() -> NSManagedObjectContext {
        let taskContext = container.newBackgroundContext()
        taskContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        taskContext.undoManager = nil
        return taskContext
    }

    func importBooks(_ titles: [String]) async throws {
        guard !titles.isEmpty else { return }
        let taskContext = newTaskContext()
        taskContext.name = "importContext"
        taskContext.transactionAuthor = "importBooks"
        try await taskContext.perform {
            let batchInsertRequest = self.newBatchInsertRequest(with: titles)
            if let fetchResult = try? taskContext.execute(batchInsertRequest),
                let batchInsertResult = fetchResult as? NSBatchInsertResult,
                let success = batchInsertResult.result as? Bool, success
            {
                return
            }
            throw IdiomFailure(description: "batch insert")
        }
    }

    private func newBatchInsertRequest(with titles: [String]) -> NSBatchInsertRequest {
        var index = 0
        let total = titles.count
        let batchInsertRequest = NSBatchInsertRequest(
            entity: Book.entity(),
            dictionaryHandler: { dictionary in
                guard index < total else { return true }
                dictionary.addEntries(from: ["title": titles[index], "pages": index])
                index += 1
                return false
            })
        return batchInsertRequest
    }

    func deleteBooks(identifiedBy objectIDs: [NSManagedObjectID]) {
        let viewContext = container.viewContext
        viewContext.perform {
            for objectID in objectIDs {
                let book = viewContext.object(with: objectID)
                viewContext.delete(book)
            }
            try? viewContext.save()
        }
    }
}

/// A generic helper around a context, as many apps have one.
extension NSManagedObjectContext {
    func performAndSave<T>(_ block: @escaping () throws -> T) async throws -> T {
        try await perform {
            let result = try block()
            if self.hasChanges { try self.save() }
            return result
        }
    }
}

/// A change that nothing sees until it is saved.
@MainActor
final class EditingSession {
    let context: NSManagedObjectContext
    let book: Book

    init(_ book: Book) {
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.parent = book.managedObjectContext
        self.book = context.object(with: book.objectID) as! Book
    }

    func save() throws {
        try context.save()
        try context.parent?.save()
    }

    func cancel() { context.rollback() }
}

/// What a button's action does; asynchronous code would take the other form of the method.
private func saveBehind(_ container: NSPersistentContainer, _ done: Counter) {
    container.performBackgroundTask { context in
        let book = Book(context: context)
        book.title = "background"
        do {
            try context.save()
        } catch {
            print("\(error)")
        }
        DispatchQueue.main.async { done.add() }
    }
}

private func addWrapped(to context: NSManagedObjectContext) async throws -> String? {
    try await context.performAndSave {
        let book = Book(context: context)
        book.title = "wrapped"
        return book.title
    }
}

private func enqueue(_ context: NSManagedObjectContext, _ done: Counter) {
    context.perform {
        Book(context: context).title = "queued"
        try? context.save()
        done.add()
    }
}

let saving: [Idiom] = [
    Idiom("batch insert with a dictionary handler, async") {
        let container = try Library.container()
        try await Importer(container).importBooks((1...500).map { "Imported \($0)" })
        try check(container.viewContext.count(for: Book.fetchRequest()) == 500)
    },
    Idiom("batch insert with a managed object handler") {
        let container = try Library.container()
        let context = container.newBackgroundContext()
        let count = try await context.perform { () -> Int in
            var left = 20
            let request = NSBatchInsertRequest(entity: Book.entity()) { (object: NSManagedObject) -> Bool in
                guard left > 0, let book = object as? Book else { return true }
                left -= 1
                book.title = "Row \(left)"
                return false
            }
            request.resultType = .count
            let result = try context.execute(request) as? NSBatchInsertResult
            return result?.result as? Int ?? 0
        }
        try check(count == 20)
    },
    Idiom("batch insert of dictionaries, merged into the view context") {
        let container = try Library.container()
        let request = NSBatchInsertRequest(entityName: "Setting", objects: [["key": "a", "value": "1"], ["key": "b"]])
        request.resultType = .objectIDs
        let result = try container.viewContext.execute(request) as! NSBatchInsertResult
        let ids = result.result as! [NSManagedObjectID]
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSInsertedObjectsKey: ids], into: [container.viewContext])
        try check(container.viewContext.fetch(Setting.fetchRequest()).count == 2 && ids.count == 2)
    },
    Idiom("upsert by a batch insert and a uniqueness constraint") {
        let context = try Library.container().newBackgroundContext()
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try context.performAndWait {
            for value in ["1", "2"] {
                try context.execute(
                    NSBatchInsertRequest(entity: Setting.entity(), objects: [["key": "k", "value": value]]))
            }
            try check(context.fetch(Setting.fetchRequest()).map(\.value) == ["2"])
        }
    },
    Idiom("batch update with identifiers, merged") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.predicate = NSPredicate(format: "isRead == NO")
        request.propertiesToUpdate = ["isRead": true]
        request.resultType = .updatedObjectIDsResultType
        let result = try context.execute(request) as? NSBatchUpdateResult
        let ids = try unwrap(result?.result as? [NSManagedObjectID])
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
        try check(ids.count == 12 && books.allSatisfy(\.isRead))
    },
    Idiom("batch delete of an entity, merged") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let fetchRequest: NSFetchRequest<NSFetchRequestResult> = Book.fetchRequest()
        let deleteRequest = NSBatchDeleteRequest(fetchRequest: fetchRequest)
        deleteRequest.resultType = .resultTypeObjectIDs
        let result = try context.execute(deleteRequest) as? NSBatchDeleteResult
        let changes: [AnyHashable: Any] = [NSDeletedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
        let known = context.registeredObjects.filter { $0 is Book }
        try check(context.count(for: Book.fetchRequest()) == 0 && known.allSatisfy(\.isDeleted))
    },
    Idiom("batch delete of a request of the entity's own type, and of identifiers") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: String(describing: Book.self))
        request.predicate = NSPredicate(format: "pages > 60")
        _ = try context.persistentStoreCoordinator?.execute(NSBatchDeleteRequest(fetchRequest: request), with: context)
        try context.execute(NSBatchDeleteRequest(objectIDs: books.prefix(2).map(\.objectID)))
        try check(context.count(for: Book.fetchRequest()) == 4)
    },
    Idiom("performBackgroundTask with a completion on the main queue") {
        let container = try Library.container()
        let done = Counter()
        saveBehind(container, done)
        try await wait { done.value == 1 }
        try check(container.viewContext.fetch(Book.fetchRequest()).map(\.title) == ["background"])
    },
    Idiom("await performBackgroundTask, a value back, an error thrown") {
        let container = try Library.container()
        let id = try await container.performBackgroundTask { context -> NSManagedObjectID in
            let author = Author(context: context)
            author.name = "Ann"
            try context.save()
            return author.objectID
        }
        try check((container.viewContext.object(with: id) as? Author)?.name == "Ann")
        do {
            try await container.performBackgroundTask { context in
                Author(context: context).name = " spaced"
                try context.save()
            }
            throw IdiomFailure(description: "saved")
        } catch let error as NSError where error.domain == "Library" {
            try check(error.code == 7 && error.localizedDescription == "The name begins with a space.")
        }
    },
    Idiom("a generic async wrapper around perform") {
        let context = try Library.container().newBackgroundContext()
        let title = try await addWrapped(to: context)
        try check(title == "wrapped" && context.performAndWait { !context.hasChanges })
    },
    Idiom("perform and performAndWait of a private context") {
        let context = try Library.container().newBackgroundContext()
        let done = Counter()
        enqueue(context, done)
        let count = try context.performAndWait { try context.count(for: Book.fetchRequest()) }
        try check(count == 1 && done.value == 1)
    },
    Idiom("identifiers passed between contexts") {
        let container = try Library.container()
        let books = try Library.fill(container.viewContext)
        let id = books[0].objectID
        let background = container.newBackgroundContext()
        try await background.perform {
            let book = background.object(with: id) as! Book
            book.title = "Renamed"
            try background.save()
        }
        container.viewContext.refresh(books[0], mergeChanges: true)
        try check(books[0].title == "Renamed")
    },
    Idiom("a child context as a scratch pad") {
        let context = try Library.container().viewContext
        let book = try Library.fill(context)[0]
        let session = EditingSession(book)
        session.book.title = "Draft"
        try check(book.title == "Book 1")
        session.cancel()
        try check(session.book.title == "Book 1")
        session.book.title = "Final"
        try session.save()
        try check(book.title == "Final" && !context.hasChanges)
    },
    Idiom("a new object in a child context, permanent identifiers") {
        let context = try Library.container().viewContext
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        let id = try child.performAndWait { () -> NSManagedObjectID in
            let book = Book(context: child)
            book.title = "child"
            try child.obtainPermanentIDs(for: [book])
            try child.save()
            return book.objectID
        }
        try context.save()
        try check(!id.isTemporaryID && (context.object(with: id) as? Book)?.title == "child")
    },
    Idiom("undo and redo of a change and a group") {
        let context = try Library.container().viewContext
        let undoManager = UndoManager()
        context.undoManager = undoManager
        let book = Book(context: context)
        book.title = "first"
        context.processPendingChanges()
        undoManager.beginUndoGrouping()
        book.title = "second"
        book.pages = 5
        context.processPendingChanges()
        undoManager.endUndoGrouping()
        context.undo()
        try check(book.title == "first" && book.pages == 0)
        context.redo()
        try check(book.title == "second" && book.pages == 5)
    },
    Idiom("rollback and reset") {
        let context = try Library.container().viewContext
        let book = try Library.fill(context)[0]
        book.title = "lost"
        Book(context: context).title = "lost too"
        context.rollback()
        try check(book.title == "Book 1" && !context.hasChanges)
        context.reset()
        try check(context.registeredObjects.isEmpty && book.managedObjectContext == nil)
    },
    Idiom("deletion with cascade and nullify, isDeleted") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let author = try unwrap(books[1].author)
        let review = Review(context: context)
        review.book = books[1]
        try context.save()
        context.delete(books[1])
        try check(books[1].isDeleted)
        try context.save()
        try check(author.books?.count == 5 && context.count(for: Review.fetchRequest()) == 0)
        context.delete(author)
        try context.save()
        try check(context.count(for: Book.fetchRequest()) == 6)
    },
    Idiom("generated accessors of relationships") {
        let context = try Library.container().viewContext
        let author = Author(context: context)
        author.name = "Ann"
        let books = (1...3).map { _ in Book(context: context) }
        author.addToBooks(books[0])
        author.addToBooks(NSSet(array: [books[1], books[2]]))
        author.removeFromBooks(books[2])
        let review = Review(context: context)
        books[0].addToReviews(review)
        books[0].insertIntoReviews(Review(context: context), at: 0)
        try context.save()
        try check((author.books as? Set<Book>) == Set(books.prefix(2)) && books[2].author == nil)
        try check(books[0].reviews?.index(of: review) == 1)
        author.mutableSetValue(forKey: "books").removeAllObjects()
        try check(books[0].author == nil)
    },
]
