import CoreData
import Foundation

private struct BookRow {
    let title: String
    let pages: Int32
    let identifier: UUID?
}

/// As apps write imports of a server's list, once for any entity.
private func insert<T: NSManagedObject>(
    _ type: T.Type, _ rows: [BookRow], into context: NSManagedObjectContext, _ configure: @escaping (T, BookRow) -> Void
) throws -> [NSManagedObjectID] {
    var iterator = rows.makeIterator()
    let request = NSBatchInsertRequest(entity: T.entity()) { (object: NSManagedObject) in
        guard let row = iterator.next() else { return true }
        if let object = object as? T { configure(object, row) }
        return false
    }
    request.resultType = .objectIDs
    let result = try context.execute(request) as? NSBatchInsertResult
    return result?.result as? [NSManagedObjectID] ?? []
}

let batches: [Idiom] = [
    Idiom("a generic batch insert whose block gets objects") {
        let context = try Library.container().viewContext
        let rows = (0..<300).map { BookRow(title: "\($0)", pages: $0, identifier: $0 % 2 == 0 ? UUID() : nil) }
        let ids = try insert(Book.self, rows, into: context) { book, row in
            book.title = row.title
            book.pages = row.pages
            book.identifier = row.identifier
        }
        try check(ids.count == 300 && Set(ids).count == 300)
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(format: "identifier == nil")
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        let odd = try context.fetch(request)
        // What one row was given, the next has not.
        try check(odd.count == 150 && odd.first?.title == "1" && odd.last?.pages == 299)
        try check(odd.allSatisfy { $0.genre == nil && !$0.isRead && $0.author == nil })
    },
    Idiom("how many were inserted, and a block that gives nothing") {
        let context = try Library.container().viewContext
        let request = NSBatchInsertRequest(
            entityName: "Book",
            objects: [["title": "a", "isRead": true], ["title": "b", "price": NSDecimalNumber(string: "9.99")]])
        request.resultType = .count
        try check((context.execute(request) as? NSBatchInsertResult)?.result as? Int == 2)
        let none = NSBatchInsertRequest(entityName: "Book", dictionaryHandler: { (_: NSMutableDictionary) in true })
        none.resultType = .statusOnly
        try check((context.execute(none) as? NSBatchInsertResult)?.result as? Bool == true)
        let books = try context.fetch(Book.fetchRequest()) as [Book]
        try check(
            books.count == 2 && books.contains { $0.isRead }
                && books.contains { $0.price == NSDecimalNumber(string: "9.99") })
    },
    Idiom("one row that lacks what it needs, and nothing is inserted") {
        let context = try League.context()
        let request = NSBatchInsertRequest(entityName: "Team", objects: [["title": "one"], [:]])
        do {
            try context.execute(request)
            throw IdiomFailure(description: "inserted")
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            try check(
                error.code == NSValidationMissingMandatoryPropertyError
                    || error.code == NSValidationMultipleErrorsError, "\(error)")
        }
        try check(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Team")) == 0)
    },
    Idiom("a batch update of a to-one, a date and a value that is taken away") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let request = NSBatchUpdateRequest(entity: Book.entity())
        request.predicate = NSPredicate(format: "author.name == %@", "Ann")
        let day = Date(timeIntervalSinceReferenceDate: 1_000)
        request.propertiesToUpdate = [
            "published": day, "genre": NSExpression(forConstantValue: nil),
            "rating": NSExpression(format: "rating + 1"),
        ]
        request.resultType = .updatedObjectIDsResultType
        let ids = try unwrap((context.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID])
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
        let changed = books.filter { $0.author?.name == "Ann" }
        try check(ids.count == 6 && changed.allSatisfy { $0.published == day && $0.genre == nil })
        try check(changed.map(\.rating).reduce(0, +) == 18)
    },
    Idiom("a batch delete by identifiers, and related objects afterwards") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let author = try unwrap(books[0].author)
        let request = NSBatchDeleteRequest(objectIDs: books.filter { $0.author === author }.map(\.objectID))
        request.resultType = .resultTypeObjectIDs
        let ids = try unwrap((context.execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID])
        try check(ids.count == 6 && author.books?.count == 6)
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
        context.refreshAllObjects()
        try check(author.books?.count == 0 && context.count(for: Book.fetchRequest()) == 6)
    },
    Idiom("a batch in a block of a background context, then its results in a list") {
        let container = try Library.container()
        let context = container.viewContext
        try Library.fill(context)
        let log = TableLog()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        controller.delegate = log
        try controller.performFetch()
        let ids = try await container.performBackgroundTask { background -> [NSManagedObjectID] in
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.predicate = NSPredicate(format: "pages == 10")
            update.propertiesToUpdate = ["pages": 1_000]
            update.resultType = .updatedObjectIDsResultType
            return (try background.execute(update) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID] ?? []
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectIDsKey: ids], into: [context])
        try check(log.take() == ["0.0>0.11"] && controller.fetchedObjects?.last?.pages == 1_000)
    },
]
