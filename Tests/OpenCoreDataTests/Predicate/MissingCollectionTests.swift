import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Functions of collections that are not there, and of values that they don't take: stores answer as memory does.
@Suite struct MissingCollectionTests {
    private static let storeTypes = [NSSQLiteStoreType, NSInMemoryStoreType]

    private func stack(_ type: String) throws -> TestStack {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let author = Author(context: context)
            for title in ["two", "three"] {
                let book = Book(context: context)
                (book.title, book.author) = (title, author)
                book.setValue(Data([1, 2]), forKey: "cover")
            }
            Book(context: context).title = "none"
            try context.save()
        }
        return stack
    }

    @Test(arguments: storeTypes) func theLengthOfNoCollectionIsNothing(type: String) throws {
        let stack = try stack(type)
        let titles = [
            "length:(author.books) != 0": ["none", "three", "two"], "length:(author.books) == nil": ["none"],
            "length:(author.books.title) == 2": ["three", "two"], "length:(tags) == 0": ["none", "three", "two"],
            "length:(author.books) IN {author.country}": ["none"],
        ]
        for (format, expected) in titles {
            let found = try stack.inContext { context in
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.predicate = NSPredicate(format: format)
                return try context.fetch(request).map(\.title).sorted()
            }
            #expect(found == expected, "\(format)")
        }
    }

    @Test(arguments: storeTypes) func dataHasNoMedian(type: String) throws {
        let stack = try stack(type)
        try stack.inContext { context throws in
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.predicate = NSPredicate(format: "median:(books.cover) == 1")
            #expect(throws: CocoaError.self) { try context.fetch(request) }
            request.predicate = NSPredicate(format: "median:(books.title) == 'three'")
            #expect(try context.count(for: request) == 1)
        }
    }
}
