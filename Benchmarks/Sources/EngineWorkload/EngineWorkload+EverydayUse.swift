import Bookshelf
import Foundation
import OpenCoreData

extension EngineWorkload {
    /// Pages of a list, each from an offset of its own.
    func screen(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        let offsets = Library.screenOffsets(bookCount: bookCount)
        return try inFreshContext(stack) { context in
            let watch = Stopwatch()
            var held: [[Book]] = []
            var sum = 0
            for offset in offsets {
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "isbn", ascending: true)]
                request.fetchLimit = Library.screenRows
                request.fetchOffset = offset
                let books = try context.fetch(request)
                for book in books { sum += Int(book.pages) }
                held.append(books)
            }
            let times = watch.elapsed()
            return withExtendedLifetime(held) { measurement(times, "\(sum)") }
        }
    }

    /// Walks over relationships, each in a context of its own.
    func walk(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        let ids = try stack.bookIDs()
        let starts = Library.walkStarts(bookCount: bookCount).map { ids[$0] }
        let choices = Library.walkChoices()
        let watch = Stopwatch()
        var held: [NSManagedObjectContext] = []
        var sum = 0
        for (number, start) in starts.enumerated() {
            let first = number * Library.walkLength
            let context = stack.freshContext()
            sum += context.performAndWait { Self.walk(context, start, choices[first..<first + Library.walkLength]) }
            held.append(context)
        }
        let times = watch.elapsed()
        return withExtendedLifetime(held) { measurement(times, "\(sum)") }
    }

    private static func walk(
        _ context: NSManagedObjectContext, _ start: NSManagedObjectID, _ choices: ArraySlice<UInt64>
    ) -> Int {
        guard var book = context.object(with: start) as? Book else { return 0 }
        var author: Author?
        var sum = Int(book.pages)
        for choice in choices {
            if let left = author {
                if let next = left.books.min(by: { isBefore($0, $1, choice) }) { book = next }
                sum += Int(book.pages)
                author = nil
            } else if choice & 1 != 0 {
                for tag in book.tags { sum += tag.name.utf8.count }
            } else {
                author = book.author
                sum += author?.name.utf8.count ?? 0
            }
        }
        return sum
    }

    private static func isBefore(_ left: Book, _ right: Book, _ choice: UInt64) -> Bool {
        let ranks = (Library.rank(pages: left.pages, choice: choice), Library.rank(pages: right.pages, choice: choice))
        return ranks.0 == ranks.1 ? left.isbn < right.isbn : ranks.0 < ranks.1
    }

    /// One context saves changes that another merges while a controller shows its objects.
    func merge(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        let shown = stack.freshContext()
        // Merged below, so that the merge ends before the timer does.
        shown.automaticallyMergesChangesFromParent = false
        let writer = stack.freshContext()
        let delegate = UpdateCounter()
        let controller = try shown.performAndWait { try Self.controller(shown, delegate) }
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
        ) { notification in
            shown.performAndWait { shown.mergeChanges(fromContextDidSave: notification) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let (times, changed) = try writer.performAndWait {
            let books = try Self.books(endingWith: "23", writer)
            let watch = Stopwatch()
            for book in books { book.price += 1.0 }
            try writer.save()
            return (watch.elapsed(), books.count)
        }
        let total = shown.performAndWait { Self.cents(controller.fetchedObjects ?? []) }
        return measurement(times, delegate.count == changed ? "\(changed):\(total)" : "\(delegate.count) were shown")
    }

    private static func controller(
        _ context: NSManagedObjectContext, _ delegate: UpdateCounter
    ) throws -> NSFetchedResultsController<Book> {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(format: "title ENDSWITH %@", "3")
        request.sortDescriptors = [NSSortDescriptor(key: "isbn", ascending: true)]
        request.returnsObjectsAsFaults = false
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        controller.delegate = delegate
        try controller.performFetch()
        return controller
    }

    /// Counts the updates that a controller reports.
    private final class UpdateCounter: NSObject, NSFetchedResultsControllerDelegate {
        var count = 0

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
            at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
        ) {
            if type == .update { count += 1 }
        }
    }

    /// Authors who are deleted with all their books.
    func cascade(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        let ids = try stack.authorIDs()
        let chosen = stride(from: 0, to: ids.count, by: Library.cascadeStep).map { ids[$0] }
        let times = try inFreshContext(stack) { context in
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.predicate = NSPredicate(format: "SELF IN %@", chosen)
            request.returnsObjectsAsFaults = false
            let authors = try context.fetch(request)
            let watch = Stopwatch()
            for author in authors { context.delete(author) }
            try context.save()
            return watch.elapsed()
        }
        let (authors, links) = try inFreshContext(stack) { context in
            let links = try context.fetch(NSFetchRequest<Tag>(entityName: "Tag")).reduce(0) { $0 + $1.books.count }
            return (try context.count(for: NSFetchRequest<Author>(entityName: "Author")), links)
        }
        return measurement(times, "\(authors):\(try count(stack)):\(links)")
    }
}
