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
    /// Reads every attribute of all books, 500 at a time, by title or in no order.
    ///
    /// - Returns: The sum of the touch sums, as `fetch-touch` answers it.
    public func read(_ reading: BatchedReading, isSorted: Bool) throws -> String {
        try withFullStore { stack in
            try inFreshContext(stack) { context in
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.fetchBatchSize = 500
                if isSorted { request.sortDescriptors = [NSSortDescriptor(key: "isbn", ascending: true)] }
                var sum = 0
                switch reading {
                case .collection: for book in try context.fetchInBatches(request) { sum += book.touchSum }
                case .array: for book in try context.fetch(request) { sum += book.touchSum }
                case .untouched: return "\(try context.fetch(request).count)"
                }
                return "\(sum)"
            }
        }
    }

    private func withFullStore<Result>(_ body: (EngineStack) throws -> Result) throws -> Result {
        let stack = try openFullStore()
        defer { try? stack.close() }
        return try body(stack)
    }
}
