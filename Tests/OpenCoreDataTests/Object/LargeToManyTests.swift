import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A to-many of few members is searched one member after the other, a large one by a table; it has each member once.
@Suite struct LargeToManyTests {
    @Test(arguments: [1, 7, 8, 9, 127, 128, 129, 300])
    func hasEachMemberOnceHoweverOftenItIsAddedAndFromWhicheverSide(count: Int) throws {
        let stack = try TestStack()
        let (members, twice, left, saved) = try stack.inContext { context in
            let author = Author(context: context)
            author.name = "Someone"
            let books = (0..<count).map { _ in Book(context: context) }
            for book in books { book.author = author }
            let members = author.books
            let set = author.mutableSetValue(forKey: "books")
            for book in books {
                set.add(book)
                book.author = author
            }
            let twice = author.books.count
            for book in books.dropFirst(count / 2) { set.remove(book) }
            let left = author.books == Set(books.prefix(count / 2)) && books.last?.author == nil
            try context.save()
            context.reset()
            let again = try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first
            return (members == Set(books), twice, left, again?.books.count)
        }
        #expect(members)
        #expect(twice == count)
        #expect(left)
        #expect(saved == count / 2)
    }
}
