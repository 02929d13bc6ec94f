import Bookshelf
public import Foundation
import OpenCoreDataKit

/// One import of the kit, for the memory that it needs: books that are made while they are brought in, so that nothing is
/// held but what the import holds.
public enum ImportFigures {
    /// Brings `count` books into a store in `folder`, twice: into nothing, and over what is there then.
    ///
    /// - Returns: How many books the store has at the end.
    public static func run(folder: URL, count: Int) throws -> Int {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent("import-\(count).sqlite")
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
        let stack = try EngineStack(url: url)
        defer { try? stack.close() }
        for _ in 1...2 {
            let context = stack.freshContext()
            try context.performAndWait { try bring(count, into: context) }
        }
        let context = stack.freshContext()
        return try context.performAndWait { try context.count(Query(Book.self)) }
    }

    private static func bring(_ count: Int, into context: Context) throws {
        let authorNumbers = Array(0..<1000)
        try context.upsert(authorNumbers, into: Author.self, key: authorName) { _, author in
            author.born = Date(timeIntervalSinceReferenceDate: 0)
            author.country = ""
        }
        let authors = try context.objects(Author.self, keys: authorNumbers.map(authorName))
        try context.upsert(
            Array(0..<count), into: Book.self, batchSize: EngineWorkload.importBatchSize,
            key: BookRecord.isbn(number:)
        ) { number, book in
            let record = BookRecord(number: number, authorCount: authorNumbers.count)
            book.take(record)
            book.author = authors[authorName(record.author)]
        }
    }

    private static func authorName(_ number: Int) -> String { "author \(number)" }
}
