import CoreData
import Foundation
import Idioms

// What Swift 6 refuses on Apple's systems as well.

/// A singleton that is no `Sendable` class.
class CoreDataManager {
    static let shared = CoreDataManager()
    static var modelName = "Library"

    lazy var container: NSPersistentContainer = {
        let container = NSPersistentContainer(name: Self.modelName, managedObjectModel: Library.model)
        container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
        container.loadPersistentStores { _, error in precondition(error == nil) }
        return container
    }()

    lazy var context = container.viewContext

    private init() {}

    func save(completion: @escaping (Error?) -> Void) {
        let background = container.newBackgroundContext()
        DispatchQueue.global(qos: .background).async {
            background.perform {
                let book = Book(context: background)
                book.title = "later"
                do {
                    try background.save()
                    DispatchQueue.main.async { completion(nil) }
                } catch {
                    DispatchQueue.main.async { completion(error) }
                }
            }
        }
    }
}

var globalContext: NSManagedObjectContext!

protocol BooksDelegate: AnyObject {
    func booksDidChange(_ books: [Book])
}

class BooksPresenter: NSObject, NSFetchedResultsControllerDelegate {
    weak var delegate: BooksDelegate?
    private var controller: NSFetchedResultsController<Book>!
    var books: [Book] { controller.fetchedObjects ?? [] }

    func start(in context: NSManagedObjectContext) {
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        controller.delegate = self
        try? controller.performFetch()
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        delegate?.booksDidChange(controller.fetchedObjects as? [Book] ?? [])
    }
}

private final class Listener: BooksDelegate {
    var titles: [String?] = []
    func booksDidChange(_ books: [Book]) { titles = books.map { $0.title } }
}

public let swift5Idioms: [Idiom] = [
    Idiom("a singleton that saves behind and calls back on the main queue") {
        let done = Counter()
        CoreDataManager.shared.save { error in if error == nil { done.add() } }
        try await wait { done.value == 1 }
        try check(CoreDataManager.shared.context.fetch(Book.fetchRequest()).first?.title == "later")
    },
    Idiom("a global context") {
        globalContext = try Library.container().viewContext
        Book(context: globalContext).title = "global"
        try globalContext.save()
        try check(globalContext.count(for: Book.fetchRequest()) == 1)
    },
    Idiom("a presenter that is a delegate off the main actor") {
        let context = try Library.container().viewContext
        let (presenter, listener) = (BooksPresenter(), Listener())
        presenter.delegate = listener
        presenter.start(in: context)
        Book(context: context).title = "b"
        try context.save()
        try check(listener.titles == ["b"] && presenter.books.count == 1)
    },
    Idiom("performAndWait passed as a function") {
        let context = try Library.container().newBackgroundContext()
        let run: (() -> Void) -> Void = context.performAndWait
        var count = 0
        run { count += 1 }
        try check(count == 1)
    },
    Idiom("objects carried out of perform, as old code does") {
        let context = try Library.container().viewContext
        var book: Book?
        context.performAndWait { book = Book(context: context) }
        book?.title = "carried"
        try context.save()
        try check(book?.objectID.isTemporaryID == false)
    },
    Idiom("objects gathered in a background block and handed to a completion") {
        let container = try Library.container()
        var received: [NSManagedObjectID] = []
        loadBooks(container) { ids in received = ids }
        try await wait { received.count == 3 }
        try check(received.allSatisfy { container.viewContext.object(with: $0) is Book })
    },
    Idiom("an importer that counts what its blocks did in a captured variable") {
        let context = try Library.container().newBackgroundContext()
        var count = 0
        for title in ["a", "b"] {
            context.performAndWait {
                Book(context: context).title = title
                count += 1
            }
        }
        var saved = false
        context.perform {
            saved = (try? context.save()) != nil
        }
        context.performAndWait {}
        try check(count == 2 && saved)
    },
    Idiom("a delegate that is no main actor, in a background context") {
        let context = try Library.container().newBackgroundContext()
        let presenter = BooksPresenter()
        context.performAndWait {
            presenter.start(in: context)
            Book(context: context).title = "z"
            context.processPendingChanges()
        }
        try check(context.performAndWait { presenter.books.count } == 1)
    },
]

/// As apps did before async functions.
func loadBooks(_ container: NSPersistentContainer, completion: @escaping ([NSManagedObjectID]) -> Void) {
    container.performBackgroundTask { context in
        let books = (0..<3).map { index -> Book in
            let book = Book(context: context)
            book.title = "\(index)"
            return book
        }
        try? context.save()
        let ids = books.map { $0.objectID }
        DispatchQueue.main.async { completion(ids) }
    }
}
