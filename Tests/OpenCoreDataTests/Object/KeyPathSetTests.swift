import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Live sets at the end of a key path.
@Suite struct KeyPathSetTests {
    @Test func changesGoToTheObjectAtTheEnd() throws {
        let stack = try TestStack()
        stack.inContext { context in
            let (author, book, other) = (Author(context: context), Book(context: context), Book(context: context))
            book.author = author
            book.mutableSetValue(forKeyPath: "author.books").add(other)
            #expect(author.books == [book, other] && other.author === author)
            author.mutableSetValue(forKeyPath: "books").remove(book)
            #expect(author.books == [other])
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            book.setValue(shelf, forKey: "shelf")
            book.mutableOrderedSetValue(forKeyPath: "shelf.books").insert(other, at: 0)
            #expect((shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [Book] == [other, book])
            #expect(shelf.mutableOrderedSetValue(forKeyPath: "books").count == 2)
            #expect(Book(context: context).mutableSetValue(forKeyPath: "author.books").count == 0)
            #expect(Book(context: context).mutableOrderedSetValue(forKeyPath: "shelf.books").count == 0)
        }
    }
}
