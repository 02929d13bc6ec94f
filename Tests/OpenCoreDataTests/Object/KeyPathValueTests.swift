import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Key-value coding over key paths with collections and their operators.
struct KeyPathValueTests {
    private func withAuthor(_ body: (Author) throws -> Void) throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let author = Author(context: context)
            author.name = "Austen"
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            for (title, pages) in [("Emma", 400), ("Persuasion", 250), ("Sanditon", 250)] {
                let book = Book(context: context)
                (book.title, book.pages, book.price) = (title, Int32(pages), Double(pages) / 100)
                book.author = author
                shelf.mutableOrderedSetValue(forKey: "books").add(book)
            }
            try context.save()
            context.refreshAllObjects()
            try body(author)
        }
    }

    @Test func operatorsGiveNumbersThatCast() throws {
        try withAuthor { author in
            #expect(author.value(forKeyPath: "books.@count") as? Int == 3)
            #expect(author.value(forKeyPath: "books.@sum.pages") as? Int == 900)
            #expect(author.value(forKeyPath: "books.@sum.pages") as? Double == 900)
            #expect(author.value(forKeyPath: "books.@avg.pages") as? Double == 300)
            #expect(author.value(forKeyPath: "books.@min.pages") as? Int32 == 250)
            #expect(author.value(forKeyPath: "books.@max.price") as? Double == 4)
            #expect(author.value(forKeyPath: "books.@max.title") as? String == "Sanditon")
            #expect((author.value(forKeyPath: "books.@sum.pages") as? NSNumber)?.intValue == 900)
            #expect(author.value(forKeyPath: "books.@sum.nonsense") == nil)
        }
    }

    @Test func collectionsGiveCollectionsOfTheirKind() throws {
        try withAuthor { author in
            #expect(author.value(forKeyPath: "books.title") as? Set<String> == ["Emma", "Persuasion", "Sanditon"])
            #expect(author.value(forKeyPath: "books.pages") as? Set<Int> == [400, 250])
            #expect(author.value(forKeyPath: "books.@distinctUnionOfObjects.pages") as? Set<Int> == [400, 250])
            #expect(author.value(forKeyPath: "books.author") as? Set<NSManagedObject> == [author])
            let book = try #require(author.books.first { $0.title == "Emma" })
            let titles = try #require(book.value(forKeyPath: "shelf.books.title") as? NSOrderedSet)
            #expect(titles.array as? [String] == ["Emma", "Persuasion", "Sanditon"])
            #expect(book.value(forKeyPath: "author.books.@count") as? Int == 3)
            #expect(book.value(forKeyPath: "author.name") as? String == "Austen")
            let list = Array(author.books).sorted { $0.title < $1.title } as NSArray
            #expect(list.value(forKeyPath: "title") as? [String] == ["Emma", "Persuasion", "Sanditon"])
            #expect(list.value(forKeyPath: "@unionOfObjects.pages") as? [Int] == [400, 250, 250])
            #expect(list.value(forKeyPath: "@distinctUnionOfObjects.pages") as? [Int] == [400, 250])
            #expect(list.value(forKeyPath: "@sum.pages") as? Int == 900)
            #expect(list.value(forKeyPath: "isbn") as? [NSNull] == [NSNull(), NSNull(), NSNull()])
            book.author = nil
            #expect(book.value(forKeyPath: "author.name") == nil)
            #expect(book.value(forKeyPath: "author.books.@count") == nil)
        }
    }

    @Test func keysWithDotsSetThroughToOnes() throws {
        try withAuthor { author in
            let book = try #require(author.books.first)
            book.setValue("Brontë", forKeyPath: "author.name")
            #expect(author.name == "Brontë" && author.hasChanges)
            #expect(book.dictionaryWithValues(forKeys: ["pages", "isbn"])["pages"] as? Int == Int(book.pages))
        }
    }
}
