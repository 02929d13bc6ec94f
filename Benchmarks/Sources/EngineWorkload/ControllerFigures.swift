import Bookshelf
public import Foundation
import OpenCoreData

/// What it costs a fetched results controller to follow one change, at some number of results.
public struct ControllerFigures {
    /// Nanoseconds for a pass with one change: with the controller, and without it.
    public struct Figure {
        public let name: String
        public let followed: Double
        public let alone: Double

        /// The controller's part.
        public var cost: Double { max(0, followed - alone) }
    }

    public let count: Int
    /// Seconds for fetching with a controller, sections included.
    public let fetch: Double
    public private(set) var figures: [Figure] = []

    /// Makes a store of `count` books in `folder` and measures there.
    public init(folder: URL, count: Int) throws {
        self.count = count
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let stack = try EngineStack(url: folder.appendingPathComponent("controller-\(count).sqlite"))
        defer { try? stack.close() }
        try Self.fill(stack, count)
        let context = stack.freshContext()
        (fetch, figures) = try context.performAndWait { try Self.measure(context, count) }
    }

    // MARK: Data

    private static func fill(_ stack: EngineStack, _ count: Int) throws {
        let chunk = 20_000
        for start in stride(from: 0, to: count, by: chunk) {
            let context = stack.freshContext()
            try context.performAndWait {
                for number in start..<min(start + chunk, count) { makeBook(number, context) }
                try context.save()
            }
        }
    }

    @discardableResult
    private static func makeBook(_ number: Int, _ context: NSManagedObjectContext) -> Book {
        let book = Book(context: context)
        book.title = "Book \(number)"
        book.isbn = isbn(number)
        book.pages = Int32(truncatingIfNeeded: SplitMix64.number(seed: 1, index: UInt64(number + 1)) % 500)
        book.price = 1
        book.published = Date(timeIntervalSinceReferenceDate: 0)
        book.inPrint = true
        book.summary = ""
        return book
    }

    private static func isbn(_ number: Int) -> String {
        String(SplitMix64.number(seed: 2, index: UInt64(number + 1)), radix: 36)
    }

    // MARK: Measuring

    private final class Counter: NSObject, NSFetchedResultsControllerDelegate {
        var count = 0

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
            at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
        ) {
            count += 1
        }
    }

    private static let passes = 301

    private static func measure(_ context: NSManagedObjectContext, _ count: Int) throws -> (Double, [Figure]) {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.sortDescriptors = [
            NSSortDescriptor(key: "pages", ascending: true), NSSortDescriptor(key: "isbn", ascending: true),
        ]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "pages", cacheName: nil)
        let watch = Stopwatch()
        try controller.performFetch()
        let fetch = watch.elapsed().wall
        let books = controller.fetchedObjects ?? []
        let alone = run(books, context, from: count)
        try context.save()
        try controller.performFetch()
        let counter = Counter()
        controller.delegate = counter
        // Finds out what the delegate takes, once.
        books[0].price = 2
        context.processPendingChanges()
        counter.count = 0
        let followed = run(controller.fetchedObjects ?? [], context, from: count + 10_000)
        precondition(counter.count == 4 * passes, "\(counter.count) changes were told")
        let names = ["update", "move", "insert", "delete"]
        return (fetch, names.indices.map { Figure(name: names[$0], followed: followed[$0], alone: alone[$0]) })
    }

    /// The median of passes with one change each: update, move, insert, delete.
    private static func run(_ books: [Book], _ context: NSManagedObjectContext, from first: Int) -> [Double] {
        let step = max(1, books.count / passes)
        var made: [Book] = []
        return [
            median { books[$0 * step % books.count].price += 1 },
            median { number in
                let book = books[number * step % books.count]
                book.pages = (book.pages + 250) % 500
            },
            median { made.append(makeBook(first + $0, context)) },
            median { context.delete(made[$0]) },
        ]

        func median(_ change: (Int) -> Void) -> Double {
            let times = (0..<passes).map { number in
                let watch = Stopwatch()
                change(number)
                context.processPendingChanges()
                return watch.elapsed().wall
            }
            return times.sorted()[passes / 2] * 1e9
        }
    }
}
