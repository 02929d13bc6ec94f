import Bookshelf
import Foundation
import OpenCoreData

/// Ways to read all books of which memory should not hold all.
public enum BatchedReading: String, CaseIterable {
    /// `fetchInBatches(_:)`: a collection of identities.
    case collection = "fetch-in-batches"
    /// `fetch(_:)` with a batch size: an array of objects whose rows come and go.
    case array = "fetch-batch-size"
    /// The same without reading any value: what the array's own objects need.
    case untouched = "fetch-batch-size-untouched"
}

extension EngineWorkload {
    /// Reads every attribute of all books, 500 at a time, in the order of the ISBN or in none.
    ///
    /// - Parameter look: Called now and then, while everything is held that reading needs.
    /// - Returns: The sum of the touch sums, as `fetch-touch` answers it; the number of books when nothing is read.
    public func read(_ reading: BatchedReading, isSorted: Bool, look: () -> Void) throws -> String {
        try withFullStore { stack in
            try inFreshContext(stack) { context in
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.fetchBatchSize = 500
                if isSorted { request.sortDescriptors = [NSSortDescriptor(key: "isbn", ascending: true)] }
                switch reading {
                case .collection: return "\(touch(try context.fetchInBatches(request), look))"
                case .array: return "\(touch(try context.fetch(request), look))"
                case .untouched:
                    let books = try context.fetch(request)
                    return withExtendedLifetime(books) {
                        look()
                        return "\(books.count)"
                    }
                }
            }
        }
    }

    private func touch(_ books: some RandomAccessCollection<Book>, _ look: () -> Void) -> Int {
        var sum = 0
        for (index, book) in books.enumerated() {
            sum += book.touchSum
            if index % 10_000 == 0 { look() }
        }
        look()
        return sum
    }

    private func withFullStore<Result>(_ body: (EngineStack) throws -> Result) throws -> Result {
        let stack = try openFullStore()
        defer { try? stack.close() }
        return try body(stack)
    }
}
