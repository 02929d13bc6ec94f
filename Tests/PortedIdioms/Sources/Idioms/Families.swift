import CoreData
import Foundation

/// A view context, its child and its grandchild.
@MainActor
private func family(merging: Bool = false) throws
    -> (top: NSManagedObjectContext, child: NSManagedObjectContext, grandchild: NSManagedObjectContext)
{
    let top = try Library.container().viewContext
    let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    child.parent = top
    let grandchild = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    grandchild.parent = child
    for context in [child, grandchild] { context.automaticallyMergesChangesFromParent = merging }
    return (top, child, grandchild)
}

extension NSManagedObjectContext {
    /// Saves it, its parent, and so on, as stacks with several levels do.
    func saveUpwards() throws {
        var context: NSManagedObjectContext? = self
        while let current = context {
            try current.performAndWait { if current.hasChanges { try current.save() } }
            context = current.parent
        }
    }
}

let families: [Idiom] = [
    Idiom("a change goes up level by level") {
        let (top, child, grandchild) = try family()
        let book = try Library.fill(top)[0]
        let copy = grandchild.object(with: book.objectID) as! Book
        copy.title = "deep"
        try grandchild.save()
        try check(
            (child.object(with: book.objectID) as! Book).title == "deep" && book.title == "Book 1" && child.hasChanges)
        try child.save()
        try check(book.title == "deep" && book.isUpdated && !child.hasChanges)
        try top.save()
        try check(!top.hasChanges && !copy.hasChanges)
    },
    Idiom("saved through all levels at once, with permanent identifiers below") {
        let (top, child, grandchild) = try family()
        let book = Book(context: grandchild)
        book.title = "new"
        let author = Author(context: grandchild)
        author.name = "Ann"
        book.author = author
        try check(book.objectID.isTemporaryID)
        try grandchild.obtainPermanentIDs(for: [book, author])
        let id = book.objectID
        try check(!id.isTemporaryID)
        try grandchild.saveUpwards()
        try check(book.objectID == id && (top.object(with: id) as! Book).author?.name == "Ann")
        try check((child.object(with: id) as! Book).author?.objectID == author.objectID)
    },
    Idiom("a deletion in a grandchild, with its cascade") {
        let (top, child, grandchild) = try family()
        let author = try unwrap(try Library.fill(top)[0].author)
        grandchild.delete(grandchild.object(with: author.objectID))
        try grandchild.save()
        try check(child.deletedObjects.count == 7 && top.deletedObjects.isEmpty)
        try grandchild.saveUpwards()
        try check(top.count(for: Book.fetchRequest()) == 6)
        try check(top.count(for: Author.fetchRequest()) == 1 && grandchild.count(for: Author.fetchRequest()) == 1)
    },
    Idiom("a grandchild fetches what levels above have not saved") {
        let (top, child, grandchild) = try family()
        let books = try Library.fill(top)
        books[0].title = "top"
        (child.object(with: books[1].objectID) as! Book).title = "child"
        top.delete(books[2])
        let new = Book(context: child)
        new.title = "new"
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(format: "title IN %@", ["top", "child", "new", "Book 3", "Book 4"])
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let found = try grandchild.fetch(request)
        try check(found.map(\.title) == ["Book 4", "child", "new", "top"], "\(found.map(\.title))")
        try check(found[2].objectID == new.objectID && found[2].managedObjectContext === grandchild)
        try check(grandchild.count(for: request) == 4 && !grandchild.hasChanges)
    },
    Idiom("levels that merge what is saved below and above") {
        let (top, child, grandchild) = try family(merging: true)
        let book = try Library.fill(top)[0]
        let copies = [child, grandchild].map { $0.object(with: book.objectID) as! Book }
        try check(copies.allSatisfy { $0.title == "Book 1" })
        book.title = "from the top"
        try top.save()
        try await wait { copies[0].title == "from the top" }
        // The child has merged, and not saved.
        grandchild.refresh(copies[1], mergeChanges: true)
        try check(copies[1].title == "from the top")
        copies[0].title = "from the middle"
        try child.save()
        try await wait { copies[1].title == "from the middle" }
    },
    Idiom("a scratch pad of a scratch pad that is thrown away") {
        let (top, child, grandchild) = try family()
        let book = try Library.fill(top)[0]
        (child.object(with: book.objectID) as! Book).title = "kept"
        (grandchild.object(with: book.objectID) as! Book).title = "lost"
        Book(context: grandchild).title = "lost"
        grandchild.reset()
        try child.save()
        try top.save()
        try check(book.title == "kept" && top.count(for: Book.fetchRequest()) == 12)
        try check((grandchild.object(with: book.objectID) as! Book).title == "kept")
    },
    Idiom("a private writer, the view context over it, and editors over that") {
        let container = try Library.container()
        let writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        writer.persistentStoreCoordinator = container.persistentStoreCoordinator
        let view = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        view.parent = writer
        let editor = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        editor.parent = view
        try await editor.perform {
            for index in 0..<10 { Book(context: editor).pages = Int32(index) }
            try editor.save()
        }
        try check(view.insertedObjects.count == 10)
        try view.save()
        try await writer.perform { try writer.save() }
        let ids = view.registeredObjects.map(\.objectID)
        try check(ids.allSatisfy { !$0.isTemporaryID })
        try check(container.viewContext.count(for: Book.fetchRequest()) == 10)
        let sum = try await editor.perform {
            try (editor.fetch(Book.fetchRequest()) as [Book]).map(\.pages).reduce(0, +)
        }
        try check(sum == 45)
    },
]
