import CoreData
import Foundation

extension Book {
    /// The letter that an index of a table shows.
    var sectionLetter: String { String((genre ?? "#").prefix(1)).uppercased() }
}

/// A provider of snapshots, as diffable data sources take them.
@MainActor
final class SnapshotProvider: NSObject {
    private(set) var snapshots: [NSDiffableDataSourceSnapshot<String, NSManagedObjectID>] = []
    private let controller: NSFetchedResultsController<Book>

    init(_ context: NSManagedObjectContext) {
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "genre", ascending: true), NSSortDescriptor(key: "title", ascending: true),
        ]
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "genre", cacheName: nil)
        super.init()
        controller.delegate = self
    }

    func start() throws { try controller.performFetch() }
}

extension SnapshotProvider: @preconcurrency NSFetchedResultsControllerDelegate {
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        snapshots.append(NSDiffableDataSourceSnapshot<String, NSManagedObjectID>(snapshot))
    }
}

/// A collection of changes that is applied at once, as a collection view wants it.
@MainActor
final class BatchedChanges: NSObject {
    var lines: [String] = []
    private var pending: [() -> Void] = []
}

extension BatchedChanges: @preconcurrency NSFetchedResultsControllerDelegate {
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        pending.removeAll()
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        switch type {
        case .insert: pending.append { self.lines.append("+\(newIndexPath!.item)") }
        case .delete: pending.append { self.lines.append("-\(indexPath!.item)") }
        case .update: pending.append { self.lines.append("=\(indexPath!.item)") }
        case .move: pending.append { self.lines.append("\(indexPath!.item)>\(newIndexPath!.item)") }
        @unknown default: break
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        for change in pending { change() }
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, sectionIndexTitleForSectionName name: String
    ) -> String? { name }
}

private func controller(
    _ context: NSManagedObjectContext, sections: String? = nil, cache: String? = nil,
    _ prepare: (NSFetchRequest<Book>) -> Void = { _ in }
) -> NSFetchedResultsController<Book> {
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    request.sortDescriptors = [
        NSSortDescriptor(keyPath: \Book.genre, ascending: true),
        NSSortDescriptor(keyPath: \Book.pages, ascending: true),
    ]
    prepare(request)
    return NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: cache)
}

let lists: [Idiom] = [
    Idiom("sections, their titles and the index beside a table") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let controller = controller(context, sections: "genre")
        try controller.performFetch()
        try check(controller.sections?.map(\.name) == ["novel", "poetry", "science"])
        try check(controller.sections?.map(\.numberOfObjects) == [4, 4, 4])
        try check(controller.sectionIndexTitles == ["N", "P", "S"])
        try check(controller.section(forSectionIndexTitle: "P", at: 1) == 1)
        let book = controller.object(at: IndexPath(row: 2, section: 1))
        try check(controller.indexPath(forObject: book) == IndexPath(row: 2, section: 1) && book.genre == "poetry")
    },
    Idiom("snapshots of a list with sections") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let provider = SnapshotProvider(context)
        try provider.start()
        books[0].genre = "drama"
        try context.save()
        context.delete(books[1])
        context.processPendingChanges()
        let last = try unwrap(provider.snapshots.last)
        try check(last.sectionIdentifiers == ["drama", "novel", "poetry", "science"])
        try check(last.numberOfItems == 11 && last.itemIdentifiers(inSection: "drama") == [books[0].objectID])
        try check(last.sectionIdentifier(containingItem: books[0].objectID) == "drama")
    },
    Idiom("an updated object is reloaded in the next snapshot") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let provider = SnapshotProvider(context)
        try provider.start()
        books[3].pages = 77
        try context.save()
        let last = try unwrap(provider.snapshots.last)
        try check(last.reloadedItemIdentifiers == [books[3].objectID], "\(last.reloadedItemIdentifiers)")
    },
    Idiom("changes that are collected and applied at once") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let controller = controller(context) {
            $0.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        }
        let delegate = BatchedChanges()
        controller.delegate = delegate
        try controller.performFetch()
        books[0].title = "same place"
        books[11].pages = 1
        context.delete(books[5])
        Book(context: context).pages = 55
        context.processPendingChanges()
        try check(Set(delegate.lines) == ["=0", "11>0", "-5", "+6"], "\(delegate.lines)")
    },
    Idiom("a list of one author's books, by a relationship in the predicate") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let author = try unwrap(books[0].author)
        let controller = controller(context) { $0.predicate = NSPredicate(format: "author == %@", author) }
        try controller.performFetch()
        try check(controller.fetchedObjects?.count == 6)
        let delegate = BatchedChanges()
        controller.delegate = delegate
        let other = try unwrap(books.first { $0.author != author })
        other.author = author
        context.processPendingChanges()
        try check(controller.fetchedObjects?.count == 7 && delegate.lines.count == 1)
        other.author = nil
        context.processPendingChanges()
        try check(controller.fetchedObjects?.count == 6 && delegate.lines.count == 2)
    },
    Idiom("a search field changes the predicate, the cache is deleted") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let controller = controller(context, sections: "genre", cache: "Books")
        try controller.performFetch()
        NSFetchedResultsController<NSFetchRequestResult>.deleteCache(withName: "Books")
        controller.fetchRequest.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "title CONTAINS[cd] %@", "book 1"), NSPredicate(format: "pages >= %d", 100),
        ])
        try controller.performFetch()
        try check(controller.fetchedObjects?.count == 3)
        NSFetchedResultsController<Book>.deleteCache(withName: nil)
    },
    Idiom("a list without a delegate stays as it was fetched") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let controller = controller(context)
        try controller.performFetch()
        Book(context: context).title = "x"
        context.processPendingChanges()
        try check(controller.fetchedObjects?.count == 12 || controller.fetchedObjects?.count == 13)
        try controller.performFetch()
        try check(controller.fetchedObjects?.count == 13)
    },
    Idiom("a list of a private context, fetched and told there") {
        let context = try Library.container().newBackgroundContext()
        try await context.perform {
            try Library.fill(context)
            let request: NSFetchRequest<Book> = Book.fetchRequest()
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            try check(controller.fetchedObjects?.first?.title == "Book 1")
        }
    },
    Idiom("sections by a computed property that sorts like the first descriptor") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let books = try context.fetch(Book.fetchRequest()) as [Book]
        let sections = Dictionary(grouping: books, by: \.sectionLetter)
        try check(sections.keys.sorted() == ["N", "P", "S"] && sections["N"]?.count == 4)
    },
]
