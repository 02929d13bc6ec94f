import Foundation
public import OpenCoreData
import Synchronization

/// Threads that save small changes side by side, each with a context and a book of its own: how many saves a second there
/// are.
public struct ConcurrentWriters {
    private let stack: EngineStack
    private let books: [NSManagedObjectID]

    /// What ends the writers.
    public enum End: Sendable {
        case seconds(Double)
        /// So many saves of each.
        case saves(Int)
    }

    /// - Parameter description: An empty store.
    public init(_ description: NSPersistentStoreDescription, count: Int) throws {
        stack = try EngineStack(description)
        let context = stack.freshContext()
        books = try context.performAndWait {
            let books = (0..<count).map { number in
                let author = Author(context: context)
                (author.name, author.country, author.born) = ("Author \(number)", "FR", Date(timeIntervalSince1970: 0))
                let book = Book(context: context)
                (book.title, book.isbn, book.summary) = ("Book \(number)", "isbn \(number)", "")
                (book.pages, book.price, book.published) = (100, 1, Date(timeIntervalSince1970: 0))
                (book.inPrint, book.author) = (true, author)
                return book
            }
            try context.save()
            return books.map(\.objectID)
        }
    }

    /// - Returns: How many saves there were, in how many seconds.
    public func run(until end: End) throws -> (saves: Int, seconds: Double) {
        let total = Atomic(0)
        let failure = Mutex<(any Error)?>(nil)
        let writers = books.map { Writer(context: stack.freshContext(), book: $0) }
        let ready = DispatchGroup()
        let start = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        for writer in writers {
            ready.enter()
            done.enter()
            Thread {
                defer { done.leave() }
                do {
                    // Connected, and with its statements prepared.
                    try writer.save(2)
                    ready.leave()
                    start.wait()
                    let saves =
                        switch end {
                        case .seconds(let seconds): try writer.save(for: seconds)
                        case .saves(let count): try writer.save(count)
                        }
                    total.add(saves, ordering: .relaxed)
                } catch {
                    failure.withLock { $0 = $0 ?? error }
                }
            }.start()
        }
        ready.wait()
        let clock = ContinuousClock.now
        for _ in writers { start.signal() }
        done.wait()
        let time = clock.duration(to: .now).components
        if let error = failure.withLock({ $0 }) { throw error }
        return (total.load(ordering: .relaxed), Double(time.seconds) + Double(time.attoseconds) / 1e18)
    }

    public func close() throws { try stack.close() }

    private struct Writer: Sendable {
        let context: NSManagedObjectContext
        let book: NSManagedObjectID

        @discardableResult
        func save(_ count: Int) throws -> Int {
            try context.performAndWait {
                let book = try heldBook()
                for _ in 0..<count { try change(book) }
                return count
            }
        }

        func save(for seconds: Double) throws -> Int {
            let end = ContinuousClock.now.advanced(by: .seconds(seconds))
            return try context.performAndWait {
                let book = try heldBook()
                var count = 0
                while ContinuousClock.now < end {
                    try change(book)
                    count += 1
                }
                return count
            }
        }

        /// Held while it is changed, so that its row isn't read again for each save.
        private func heldBook() throws -> Book {
            guard let book = try context.existingObject(with: book) as? Book else {
                throw CocoaError(.fileReadUnknown)
            }
            return book
        }

        private func change(_ book: Book) throws {
            book.price += 1
            try context.save()
        }
    }
}
