import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Inverses, delete rules and order, with both stores.
@Suite(.serialized) struct RelationshipTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    @Test(arguments: storeTypes) func inversesAreKeptBothWays(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let (jane, leo) = (Author(context: context), Author(context: context))
            let (emma, war) = (Book(context: context), Book(context: context))
            emma.author = jane
            leo.books = [war]
            #expect(jane.books == [emma] && war.author === leo)
            leo.books.insert(emma)
            #expect(emma.author === leo && jane.books.isEmpty)
            let tag = Label(context: context)
            tag.name = "classic"
            emma.tags = [tag]
            #expect(tag.books == [emma])
            try context.save()
        }
        try stack.inContext { context in
            let authors = try context.fetch(NSFetchRequest<Author>(entityName: "Author"))
            #expect(authors.map { $0.books.count }.sorted() == [0, 2])
            let tag = try #require(try context.fetch(NSFetchRequest<Label>(entityName: "Label")).first)
            #expect(tag.books.count == 1 && tag.books.first?.tags == [tag])
        }
    }

    @Test(arguments: storeTypes) func orderedRelationshipsKeepTheirOrder(type: String) throws {
        let stack = try TestStack(type: type)
        let titles = ["c", "a", "d", "b"]
        try stack.inContext { context in
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let books = shelf.mutableOrderedSetValue(forKey: "books")
            for title in titles {
                let book = Book(context: context)
                book.title = title
                books.add(book)
            }
            #expect(books.count == 4)
            #expect((shelf.value(forKey: "books") as? NSOrderedSet)?.count == 4)
            try context.save()
        }
        func stored() throws -> [String] {
            try stack.inContext { context in
                let shelf = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).first)
                let books = try #require(shelf.value(forKey: "books") as? NSOrderedSet)
                return books.array.compactMap { ($0 as? Book)?.title }
            }
        }
        #expect(try stored() == titles)
        try stack.inContext { context in
            let shelf = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).first)
            let books = shelf.mutableOrderedSetValue(forKey: "books")
            books.moveObjects(at: IndexSet(integer: 3), to: 0)
            let new = Book(context: context)
            new.title = "e"
            books.insert(new, at: 2)
            try context.save()
        }
        #expect(try stored() == ["b", "c", "e", "a", "d"])
    }

    // Behaviour 4.7
    @Test(arguments: storeTypes) func cascadeAndNullifyFollowTheModel(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let author = Author(context: context)
            let book = Book(context: context)
            book.author = author
            for _ in 0..<3 {
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(
                    author, forKey: "author")
            }
            try context.save()
        }
        try stack.inContext { context in
            let author = try #require(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            context.delete(author)
            try context.save()
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 0)
            let book = try #require(try context.fetch(NSFetchRequest<Book>(entityName: "Book")).first)
            #expect(book.author == nil)
        }
    }

    // Behaviour 4.6
    @Test(arguments: storeTypes) func denyBlocksUntilTheRelatedObjectGoesToo(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let book = Book(context: context)
            book.setValue(shelf, forKey: "shelf")
            try context.save()
            context.delete(shelf)
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSValidationRelationshipDeniedDeleteError)
            context.delete(book)
            try context.save()
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Shelf")) == 0)
        }
    }

    // Behaviour 4.6
    @Test(arguments: storeTypes) func denyLeavesTheRelatedObjectAsItIs(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let book = Book(context: context)
            book.setValue(shelf, forKey: "shelf")
            try context.save()
            context.delete(shelf)
            context.processPendingChanges()
            #expect(book.value(forKey: "shelf") as? NSManagedObject === shelf && !book.hasChanges)
        }
    }
}
