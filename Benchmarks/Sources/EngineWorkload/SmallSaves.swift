import Bookshelf
import Foundation
public import OpenCoreDataKit
import Synchronization

/// Saves of one or a few objects with the kit, one after the other or side by side: milliseconds for each.
public struct SmallSaves {
    /// How often a kind of save is done, by how many at a time.
    private struct Work: Sendable {
        let name: String
        var workers = 1
        let body: @Sendable (Database, Int) async throws -> Void
    }

    private let store: Store
    private let count: Int

    /// - Parameters:
    ///   - store: An empty store.
    ///   - count: How many saves of each kind there are.
    public init(_ store: Store, count: Int) {
        self.store = store
        self.count = count
    }

    private static let works = [
        Work(name: "insert") { database, number in
            try await database.write { try make(number, in: $0) }
        },
        Work(name: "change") { database, number in
            try await database.write { try find(number, in: $0).price += 1 }
        },
        Work(name: "order") { database, number in
            try await database.write { context in
                let author = try context.create(Author.self)
                (author.name, author.country, author.born) = ("Author \(number)", "FR", Date(timeIntervalSince1970: 0))
                for place in 1...3 { try make(number * 10 + place + 1_000_000, in: context).author = author }
            }
        },
        Work(name: "delete") { database, number in
            try await database.write { $0.delete(try find(number, in: $0)) }
        },
        Work(name: "insert by 8", workers: 8) { database, number in
            try await database.write(locking: .rows) { try make(number + 2_000_000, in: $0) }
        },
    ]

    /// - Parameter report: Receives the name and the milliseconds of each kind.
    public func run(_ report: @escaping @Sendable (String, Double) -> Void) throws {
        let (store, count) = (store, count)
        let outcome = Mutex<Result<Void, any Error>>(.success(()))
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await Self.run(store, count, report) } catch { outcome.withLock { $0 = .failure(error) } }
            done.signal()
        }
        while done.wait(timeout: .now()) == .timedOut { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02)) }
        try outcome.withLock { $0 }.get()
    }

    private static func run(
        _ store: Store, _ count: Int, _ report: @Sendable (String, Double) -> Void
    ) async throws {
        let database = try await Database.open(
            .init(name: "Small saves", model: .value(BookshelfModel.make()), stores: [store]))
        for work in works {
            // Connected, and with its statements prepared.
            let warm = 8
            try await run(work, in: database, -warm..<0)
            let watch = Stopwatch()
            try await run(work, in: database, 0..<count)
            report(work.name, watch.elapsed().wall * 1_000 / Double(count))
        }
        try await database.close()
    }

    private static func run(_ work: Work, in database: Database, _ numbers: Range<Int>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<work.workers {
                group.addTask {
                    for number in numbers.dropFirst(worker) where (number - numbers.lowerBound) % work.workers == worker
                    {
                        try await work.body(database, number)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @discardableResult
    private static func make(_ number: Int, in context: Context) throws -> Book {
        let book = try context.create(Book.self)
        (book.title, book.isbn, book.summary) = ("Book \(number)", "isbn \(number)", "A book of many words.")
        (book.pages, book.price, book.published) = (100, 1, Date(timeIntervalSince1970: 0))
        book.inPrint = true
        return book
    }

    private static func find(_ number: Int, in context: Context) throws -> Book {
        guard let book = try context.first(Query(Book.self).filter("isbn == %@", "isbn \(number)")) else {
            throw CocoaError(.fileReadUnknown)
        }
        return book
    }
}
