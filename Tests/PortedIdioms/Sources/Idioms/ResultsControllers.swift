import CoreData
import Foundation

/// A table as UIKit has it, without a screen.
@MainActor
final class Table {
    private(set) var rows: [[String]] = []
    private(set) var log: [String] = []

    func reload(_ controller: NSFetchedResultsController<Book>) {
        rows = (controller.sections ?? []).map { section in
            (section.objects as? [Book] ?? []).map { $0.title ?? "" }
        }
    }

    func note(_ line: String) { log.append(line) }
}

@MainActor
class BooksViewController: NSObject {
    let context: NSManagedObjectContext
    let table = Table()

    lazy var fetchedResultsController: NSFetchedResultsController<Book> = {
        let fetchRequest: NSFetchRequest<Book> = Book.fetchRequest()
        fetchRequest.fetchBatchSize = 20
        fetchRequest.sortDescriptors = [
            NSSortDescriptor(key: "genre", ascending: true), NSSortDescriptor(key: "pages", ascending: true),
        ]
        let controller = NSFetchedResultsController(
            fetchRequest: fetchRequest, managedObjectContext: self.context, sectionNameKeyPath: "genre",
            cacheName: nil)
        controller.delegate = self
        return controller
    }()

    init(context: NSManagedObjectContext) { self.context = context }

    func viewDidLoad() throws {
        try fetchedResultsController.performFetch()
        table.reload(fetchedResultsController)
    }

    func numberOfSections() -> Int { fetchedResultsController.sections?.count ?? 0 }

    func numberOfRows(inSection section: Int) -> Int {
        guard let sectionInfo = fetchedResultsController.sections?[section] else { return 0 }
        return sectionInfo.numberOfObjects
    }

    func title(forHeaderInSection section: Int) -> String? { fetchedResultsController.sections?[section].name }

    func cellTitle(at indexPath: IndexPath) -> String? { fetchedResultsController.object(at: indexPath).title }
}

extension BooksViewController: @preconcurrency NSFetchedResultsControllerDelegate {
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        table.note("begin")
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
        switch type {
        case .insert: table.note("insert section \(sectionIndex) \(sectionInfo.name)")
        case .delete: table.note("delete section \(sectionIndex)")
        default: return
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        guard let book = anObject as? Book else { return }
        switch type {
        case .insert: table.note("insert \(book.title ?? "") \(newIndexPath!.section).\(newIndexPath!.row)")
        case .delete: table.note("delete \(indexPath!.section).\(indexPath!.row)")
        case .update: table.note("update \(indexPath!.section).\(indexPath!.row)")
        case .move: table.note("move \(indexPath!.row) \(newIndexPath!.row)")
        @unknown default: fatalError()
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        table.note("end")
        table.reload(fetchedResultsController)
    }
}

/// A delegate that takes snapshots, as for diffable data sources.
final class SnapshotTaker: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var items: [[NSManagedObjectID]] = []

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        items = snapshot.sectionIdentifiers.map { section in
            snapshot.itemIdentifiersInSection(withIdentifier: section).compactMap { $0 as? NSManagedObjectID }
        }
    }
}

/// An observable list over a controller, as for SwiftUI.
@MainActor
final class BookStorage: NSObject, @preconcurrency NSFetchedResultsControllerDelegate {
    private let controller: NSFetchedResultsController<Book>
    private(set) var books: [Book] = []

    init(_ context: NSManagedObjectContext) {
        let request = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.pages, ascending: true)]
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        super.init()
        controller.delegate = self
        do {
            try controller.performFetch()
            books = controller.fetchedObjects ?? []
        } catch {
            print("failed to fetch items! \(error)")
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        guard let books = controller.fetchedObjects as? [Book] else { return }
        self.books = books
    }
}

let resultsControllers: [Idiom] = [
    Idiom("a table with sections") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let controller = BooksViewController(context: context)
        try controller.viewDidLoad()
        try check(controller.numberOfSections() == 3 && controller.numberOfRows(inSection: 1) == 4)
        try check(controller.title(forHeaderInSection: 2) == "science")
        try check(controller.cellTitle(at: IndexPath(row: 0, section: 0)) == "Book 3")
        try check(controller.fetchedResultsController.sectionIndexTitles == ["N", "P", "S"])
    },
    Idiom("a table that follows changes") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let controller = BooksViewController(context: context)
        try controller.viewDidLoad()
        let essay = Book(context: context)
        essay.title = "Essay"
        essay.genre = "essay"
        try context.save()
        try check(controller.table.rows.map(\.count) == [1, 4, 4, 4])
        try check(controller.table.log.contains("insert section 0 essay"), "\(controller.table.log)")
        essay.title = "Essays"
        try context.save()
        try check(controller.table.log.contains("update 0.0"))
        context.delete(essay)
        try context.save()
        try check(controller.table.log.contains("delete section 0") && controller.table.rows.count == 3)
        try check(controller.fetchedResultsController.indexPath(forObject: essay) == nil)
    },
    Idiom("a table that follows a background save") {
        let container = try Library.container()
        container.viewContext.automaticallyMergesChangesFromParent = true
        let controller = BooksViewController(context: container.viewContext)
        try controller.viewDidLoad()
        try await container.performBackgroundTask { context in
            let book = Book(context: context)
            book.title = "From behind"
            book.genre = "novel"
            try context.save()
        }
        try await wait { controller.table.rows == [["From behind"]] }
    },
    Idiom("snapshots for a diffable data source") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let request = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let taker = SnapshotTaker()
        controller.delegate = taker
        try controller.performFetch()
        try check(taker.items == [books.map(\.objectID)])
        books[0].pages = 1000
        try context.save()
        try check(taker.items.first?.last == books[0].objectID)
    },
    Idiom("an observable list") {
        let context = try Library.container().viewContext
        let storage = BookStorage(context)
        try Library.fill(context)
        try check(storage.books.count == 12 && storage.books.first?.pages == 10)
    },
    Idiom("NSFetchedResultsController<NSFetchRequestResult>") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let request: NSFetchRequest<NSFetchRequestResult> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        let controller: NSFetchedResultsController<NSFetchRequestResult> = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        try controller.performFetch()
        let book = controller.object(at: IndexPath(row: 11, section: 0)) as! Book
        try check(book.pages == 120 && (controller.fetchedObjects as? [Book])?.count == 12)
    },
    Idiom("another predicate for the same controller") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let controller = BooksViewController(context: context)
        try controller.viewDidLoad()
        controller.fetchedResultsController.fetchRequest.predicate = NSPredicate(
            format: "title CONTAINS[c] %@", "book 1")
        try controller.fetchedResultsController.performFetch()
        try check(controller.fetchedResultsController.fetchedObjects?.count == 4)
    },
]
