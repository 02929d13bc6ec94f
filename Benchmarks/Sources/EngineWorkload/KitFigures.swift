import Bookshelf
public import Foundation
import OpenCoreDataKit
import Synchronization

/// What a block of the kit costs beside the same work with a plain context: seconds for each, in turns with each other.
public struct KitFigures {
    /// One kind of work with a context, and the same as a block.
    public struct Figure: Sendable {
        public let name: String
        /// Seconds for one, by a context and by a block.
        public let context: Double
        public let block: Double

        public var ratio: Double { block / context }
    }

    public private(set) var figures: [Figure]

    /// - Parameters:
    ///   - count: How often each is done.
    ///   - isMainBlocked: Whether the main thread waits for all of it, or is idle. To be called on the main thread.
    public init(folder: URL, count: Int, isMainBlocked: Bool) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent("kit-\(isMainBlocked).sqlite")
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + ending) }
        let outcome = Mutex<Result<[Figure], any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                let figures = try await Self.measure(url, count, closes: !isMainBlocked)
                outcome.withLock { $0 = .success(figures) }
            } catch { outcome.withLock { $0 = .failure(error) } }
            done.signal()
        }
        while !isMainBlocked, outcome.withLock({ $0 == nil }) {
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
        }
        done.wait()
        figures = try outcome.withLock { try $0?.get() } ?? []
    }

    private static func measure(_ url: URL, _ count: Int, closes: Bool) async throws -> [Figure] {
        let database = try await Database.open(at: url, model: BookshelfModel.make())
        let id = try await database.write { try make(in: $0).objectID }
        let context = database.context()
        let saving = Work(name: "write of one") { _ in
            try await context.perform {
                try make(in: context)
                try context.save()
            }
        } block: { _ in
            try await database.write { _ = try make(in: $0) }
        }
        let changing = Work(name: "write that changes one") { number in
            let context = database.context()
            try await context.perform {
                try find(number, in: context)?.price += 1
                try context.save()
            }
        } block: { number in
            try await database.write { try find(number, in: $0)?.price += 1 }
        }
        let fetching = Work(name: "read of one") { number in
            let context = database.context()
            _ = try await context.perform { try find(number, in: context)?.price }
        } block: { number in
            _ = try await database.read { try find(number, in: $0)?.price }
        }
        let identified = Work(name: "read by identifier") { _ in
            let context = database.context()
            _ = try await context.perform { try context.object(Book.self, id)?.price }
        } block: { _ in
            _ = try await database.read { try $0.object(Book.self, id)?.price }
        }
        var figures: [Figure] = []
        for work in [saving, changing, fetching, identified] { figures.append(try await work.measure(count)) }
        // To close waits for what the main context has to take over.
        if closes { try await database.close() }
        return figures
    }

    @discardableResult
    private static func make(in context: Context) throws -> Book {
        let book = try context.create(Book.self)
        (book.title, book.isbn, book.summary) = ("Book", UUID().uuidString, "")
        (book.pages, book.price, book.published) = (100, 1, Date(timeIntervalSince1970: 0))
        book.inPrint = true
        return book
    }

    private static func find(_ number: Int, in context: Context) throws -> Book? {
        try context.first(Query(Book.self).filter("isbn >= %@", "\(number % 10)").sorted(by: \.isbn))
    }

    private struct Work: Sendable {
        let name: String
        let context: @Sendable (Int) async throws -> Void
        let block: @Sendable (Int) async throws -> Void

        /// In short parts, so that both meet the same machine. What counts is the median of the parts, as a part in which
        /// the disk is waited for takes several times as long as others.
        func measure(_ count: Int) async throws -> Figure {
            var times: [Bool: [Double]] = [:]
            let part = 20
            for round in 0...max(1, count / part) {
                for isBlock in round % 2 == 0 ? [false, true] : [true, false] {
                    let body = isBlock ? block : context
                    let watch = Stopwatch()
                    for number in 0..<part { try await body(number) }
                    // The first round isn't counted.
                    if round > 0 { times[isBlock, default: []].append(watch.elapsed().wall / Double(part)) }
                }
            }
            return Figure(name: name, context: median(times[false]), block: median(times[true]))
        }

        private func median(_ times: [Double]?) -> Double {
            let sorted = (times ?? [0]).sorted()
            return sorted[sorted.count / 2]
        }
    }
}
