import CoreData
import Foundation

/// Changes the pages of a book in another context.
private func change(_ id: NSManagedObjectID, pages: Int32, _ container: NSPersistentContainer) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
        (context.object(with: id) as! Book).pages = pages
        try context.save()
    }
}

let refreshing: [Idiom] = [
    Idiom("a fetch alone leaves what an object has, a refresh takes what is stored") {
        let container = try Library.container()
        let context = container.viewContext
        context.automaticallyMergesChangesFromParent = false
        let book = try Library.fill(context)[0]
        try change(book.objectID, pages: 500, container)
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(format: "pages == 500")
        // The store is asked, and the object that is in use keeps its values.
        try check(context.fetch(request) == [book] && book.pages == 10)
        request.shouldRefreshRefetchedObjects = true
        try check(context.fetch(request) == [book])
        context.refresh(book, mergeChanges: true)
        try check(book.pages == 500)
    },
    Idiom("refreshAllObjects keeps what is unsaved") {
        let container = try Library.container()
        let context = container.viewContext
        let books = try Library.fill(context)
        books[0].title = "edited"
        let new = Book(context: context)
        new.title = "new"
        context.delete(books[2])
        for index in [0, 1] { try change(books[index].objectID, pages: 700, container) }
        context.refreshAllObjects()
        try check(books[0].title == "edited" && books[0].pages == 700 && books[1].isFault && books[1].pages == 700)
        try check(new.title == "new" && books[2].isDeleted && context.hasChanges)
        try context.save()
        try check(context.count(for: Book.fetchRequest()) == 12)
    },
    Idiom("a context keeps clean objects only if it is told to") {
        let container = try Library.container()
        try Library.fill(container.viewContext)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        do { _ = try context.fetch(Book.fetchRequest()) as [Book] }
        try check(context.registeredObjects.isEmpty, "\(context.registeredObjects.count)")
        context.retainsRegisteredObjects = true
        do { _ = try context.fetch(Book.fetchRequest()) as [Book] }
        try check(context.registeredObjects.count == 12)
        context.reset()
        try check(context.registeredObjects.isEmpty && context.retainsRegisteredObjects)
    },
    Idiom("changed objects are kept until they are saved") {
        let container = try Library.container()
        let context = container.viewContext
        let id = try Library.fill(context)[0].objectID
        context.reset()
        do { (context.object(with: id) as! Book).pages = 11 }
        try check(context.registeredObject(for: id)?.hasChanges == true)
        try context.save()
        try check(context.registeredObject(for: id) == nil)
        weak var held = context.object(with: id)
        try check(held == nil)
    },
    Idiom("a staleness interval of zero asks the store after a batch") {
        let container = try Library.container()
        let context = container.viewContext
        let book = try Library.fill(context)[0]
        try check(context.stalenessInterval < 0)
        let update = NSBatchUpdateRequest(entity: Book.entity())
        update.propertiesToUpdate = ["pages": 900]
        try context.execute(update)
        context.refresh(book, mergeChanges: false)
        try check(book.pages == 10, "\(book.pages)")
        context.stalenessInterval = 0
        context.refresh(book, mergeChanges: false)
        try check(book.pages == 900)
    },
    Idiom("merging keeps the changes of this side, property by property") {
        let container = try Library.container()
        let context = container.viewContext
        context.automaticallyMergesChangesFromParent = true
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        let book = try Library.fill(context)[0]
        book.title = "mine"
        try change(book.objectID, pages: 300, container)
        try await wait { book.pages == 300 }
        try check(book.title == "mine" && book.changedValues().keys.sorted() == ["title"])
        try context.save()
        try check(book.committedValues(forKeys: nil)["pages"] as? Int32 == 300)
    },
    Idiom("merged deletions are seen at once, with what is observed") {
        let container = try Library.container()
        let context = container.viewContext
        context.automaticallyMergesChangesFromParent = true
        let book = try Library.fill(context)[0]
        let author = try unwrap(book.author)
        try check(author.books?.count == 6)
        let deleted = Counter()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { note in
            deleted.add((note.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0)
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let id = book.objectID
        try await container.performBackgroundTask { background in
            background.delete(background.object(with: id))
            try background.save()
        }
        try await wait { deleted.value > 0 }
        try check(book.isDeleted || book.managedObjectContext == nil || book.isFault)
        context.refreshAllObjects()
        try check(author.books?.count == 5 && context.count(for: Book.fetchRequest()) == 11)
    },
    Idiom("an object that several ways lead to is one object") {
        let container = try Library.container()
        let context = container.viewContext
        let book = try Library.fill(context)[0]
        let uri = book.objectID.uriRepresentation()
        let id = try unwrap(container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri))
        try check(context.object(with: id) === book && context.registeredObject(for: id) === book)
        try check(try context.existingObject(with: id) === book)
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(format: "SELF == %@", id)
        try check(context.fetch(request).first === book)
        try check((book.author?.books as? Set<Book>)?.contains { $0 === book } == true)
    },
]
