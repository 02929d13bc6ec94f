import Bookshelf
import Foundation
import OpenCoreDataKit

extension Book: Keyed {
    typealias Key = String
    static var keyAttribute: String { "isbn" }
}

extension Author: Keyed {
    typealias Key = String
    static var keyAttribute: String { "name" }
}

extension Tag: Keyed {
    typealias Key = String
    static var keyAttribute: String { "name" }
}

extension EngineWorkload {
    /// How many books an import handles between saves.
    static let importBatchSize = 2000

    func importBooks(_ stack: EngineStack, _ library: Library) throws -> Bookshelf.Measurement {
        let items = importedBooks
        let times = try inFreshContext(stack) { context in
            let watch = Stopwatch()
            let authors = try context.objects(Author.self, keys: library.authors.map(\.name))
            let tags = try context.objects(Tag.self, keys: library.tagNames)
            try context.upsert(
                items, into: Book.self, prefetching: [\.tags], batchSize: Self.importBatchSize, key: \.isbn
            ) { record, book in
                book.take(record)
                book.author = authors[library.authors[record.author].name]
                let names = [record.tags.0, record.tags.1, record.tags.2].map { library.tagNames[$0] }
                book.tags = Set(names.compactMap { tags[$0] })
            }
            return watch.elapsed()
        }
        return try inFreshContext(stack) { context in
            let links = try context.all(Query(Tag.self)).reduce(0) { $0 + $1.books.count }
            let total: Double? = try context.value(Query(Book.self).sum(\.price))
            let cents = Int(((total ?? 0) * 100).rounded())
            return measurement(times, "\(try context.count(Query(Book.self))):\(links):\(cents)")
        }
    }
}

extension Book {
    /// Takes the values of a record, other than its key.
    func take(_ record: BookRecord) {
        title = record.title
        pages = record.pages
        price = record.price
        published = Date(timeIntervalSinceReferenceDate: Double(record.published))
        rating = record.rating
        inPrint = record.inPrint
        summary = record.summary
    }
}
