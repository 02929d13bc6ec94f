import Bookshelf
public import Foundation
import OpenCoreData

/// Nanoseconds for one read or write of a property, beside a stored property of a Swift class: of one in another module that
/// may have subclasses, and of a final one that the optimizer sees through.
public struct AccessorFigures {
    public let figures: [(name: String, nanoseconds: Double)]

    /// Measures on a store of its own in `folder`.
    public init(folder: URL) throws {
        let library = Library(bookCount: 10_000)
        let workload = try EngineWorkload(folder: folder, bookCount: library.bookCount) { library }
        try workload.buildStore()
        let stack = try EngineStack(url: StoreFolder(url: folder, name: workload.name).fullStore)
        defer { try? stack.close() }
        figures = try workload.inFreshContext(stack) { try Self.measure($0) }
    }

    private final class Plain {
        var pages: Int32 = 0
    }

    private struct TextBytes {
        let bytes: ContiguousArray<UInt8>
    }

    private static func measure(_ context: NSManagedObjectContext) throws -> [(name: String, nanoseconds: Double)] {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.returnsObjectsAsFaults = false
        // As few as the fastest cache keeps: what counts is the read, not the memory.
        request.fetchLimit = 100
        let books = try context.fetch(request)
        let plain = books.map { book in
            let object = Plain()
            object.pages = book.pages
            return object
        }
        let stored = books.map { StoredBook(pages: $0.pages, isbn: $0.isbn) }
        let isbns = books.map { TextBytes(bytes: ContiguousArray($0.isbn.utf8)) }
        // Makes the authors, so that the to-one below is loaded.
        let countries = books.reduce(0) { $0 + ($1.author?.country.utf8.count ?? 0) }
        precondition(countries == 2 * books.count, "an author is missing")
        return [
            ("stored Swift integer, final class", time(plain) { Int($0.pages) }),
            ("stored Swift integer, read", time(stored) { Int($0.pages) }),
            ("integer, typed read", time(books) { Int($0.pages) }),
            ("number, typed read", time(books) { Int($0.price) }),
            ("stored Swift text, read", time(stored) { $0.isbn.utf8.count }),
            ("short text, made of its bytes", time(isbns) { String(decoding: $0.bytes, as: UTF8.self).utf8.count }),
            ("short text, typed read", time(books) { $0.isbn.utf8.count }),
            ("text of 79 bytes, typed read", time(books) { $0.summary.utf8.count }),
            ("loaded to-one, typed read", time(books) { $0.author == nil ? 0 : 1 }),
            (
                "integer, typed write with change tracking",
                time(books) { book in
                    book.pages = 7
                    return 0
                }
            ),
            ("integer, value(forKey:)", time(books) { $0.value(forKey: "pages") == nil ? 0 : 1 }),
            ("short text, value(forKey:)", time(books) { $0.value(forKey: "isbn") == nil ? 0 : 1 }),
        ]
    }

    /// The median of some passes, per object.
    private static func time<Object>(_ objects: [Object], _ body: (Object) -> Int) -> Double {
        let passes = 1000
        var times: [Double] = []
        var sum = 0
        for _ in 0..<11 {
            let watch = Stopwatch()
            for start in 0..<passes { sum &+= pass(objects, from: start % objects.count, body) }
            times.append(watch.elapsed().wall / Double(passes * objects.count) * 1e9)
        }
        withExtendedLifetime(sum) {}
        return times.sorted()[times.count / 2]
    }

    /// All objects once, beginning with another one each time: of passes that were all alike the optimizer would keep one.
    @inline(never)
    private static func pass<Object>(_ objects: [Object], from start: Int, _ body: (Object) -> Int) -> Int {
        var sum = 0
        for object in objects[start...] { sum &+= body(object) }
        for object in objects[..<start] { sum &+= body(object) }
        return sum
    }
}
