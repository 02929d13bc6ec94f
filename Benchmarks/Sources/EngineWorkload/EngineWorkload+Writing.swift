import Bookshelf
import Foundation
import OpenCoreData

extension EngineWorkload {
    func insert(_ stack: EngineStack, _ library: Library, withTags: Bool) throws -> Bookshelf.Measurement {
        let times = try inFreshContext(stack) { context in
            let watch = Stopwatch()
            let authors = library.authors.map { Author($0, in: context) }
            let tags = withTags ? library.tagNames.map { Tag($0, in: context) } : []
            for record in library.books {
                let book = Book(record, author: authors[record.author], in: context)
                if withTags { book.tags = [tags[record.tags.0], tags[record.tags.1], tags[record.tags.2]] }
            }
            try context.save()
            return watch.elapsed()
        }
        return measurement(times, "\(try count(stack))")
    }

    func update(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        let (times, changed, total) = try inFreshContext(stack) { context in
            let books = try Self.books(endingWith: "3", context)
            let watch = Stopwatch()
            for book in books { book.price += 1.0 }
            try context.save()
            let times = watch.elapsed()
            return (times, books.count, Self.cents(books))
        }
        let stored = try inFreshContext(stack) { try Self.cents(Self.books(endingWith: "3", $0)) }
        return measurement(times, stored == total ? "\(changed)" : "prices not saved")
    }

    func delete(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        let times = try inFreshContext(stack) { context in
            let books = try Self.books(endingWith: "7", context)
            let watch = Stopwatch()
            for book in books { context.delete(book) }
            try context.save()
            return watch.elapsed()
        }
        let links = try inFreshContext(stack) { context in
            try context.fetch(NSFetchRequest<Tag>(entityName: "Tag")).reduce(0) { $0 + $1.books.count }
        }
        return measurement(times, "\(try count(stack)):\(links)")
    }

    func saveSmall(_ stack: EngineStack, _ records: [BookRecord]) throws -> Bookshelf.Measurement {
        let authors = try stack.authorIDs()
        let times = try inFreshContext(stack) { context in
            let watch = Stopwatch()
            for record in records {
                _ = Book(record, author: context.object(with: authors[record.author]) as? Author, in: context)
                try context.save()
            }
            return watch.elapsed()
        }
        return measurement(times, "\(try count(stack))")
    }

    /// The books whose number ends with some digits, with their values; the title ends with the number.
    static func books(endingWith digits: String, _ context: NSManagedObjectContext) throws -> [Book] {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(format: "title ENDSWITH %@", digits)
        request.returnsObjectsAsFaults = false
        return try context.fetch(request)
    }

    static func cents(_ books: [Book]) -> Int {
        books.reduce(0) { $0 + Int(($1.price * 100 + 0.5).rounded(.down)) }
    }
}
