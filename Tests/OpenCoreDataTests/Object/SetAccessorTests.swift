import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Accessors of to-many relationships as applications write them, with primitive values and notes of what changes.
@Suite struct SetAccessorTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    private func shelf(_ titles: [String], _ context: NSManagedObjectContext) -> NSManagedObject {
        let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
        shelf.setValue(NSOrderedSet(array: titles.map { book($0, context) }), forKey: "books")
        return shelf
    }

    private func book(_ title: String, _ context: NSManagedObjectContext) -> Book {
        let book = Book(context: context)
        book.title = title
        return book
    }

    private func titles(_ shelf: NSManagedObject) -> [String] {
        (shelf.value(forKey: "books") as? NSOrderedSet)?.array.compactMap { ($0 as? Book)?.title } ?? []
    }

    @Test(arguments: storeTypes) func indexesOfAnOrderedRelationship(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let shelf = shelf(["a", "b"], context)
            try context.save()
            let (new, indexes) = (book("c", context), IndexSet(integer: 1))
            shelf.willChange(.insertion, valuesAt: indexes, forKey: "books")
            let primitive = try #require(shelf.primitiveValue(forKey: "books") as? NSMutableOrderedSet)
            primitive.insert([new], at: indexes)
            shelf.didChange(.insertion, valuesAt: indexes, forKey: "books")
            #expect(titles(shelf) == ["a", "c", "b"] && new.value(forKey: "shelf") as? NSManagedObject === shelf)
            // As accessors do that work around those which Xcode generated for long.
            let copy = try #require(shelf.mutableOrderedSetValue(forKey: "books").mutableCopy() as? NSMutableOrderedSet)
            copy.removeObject(at: 0)
            shelf.willChangeValue(forKey: "books")
            shelf.setPrimitiveValue(copy, forKey: "books")
            shelf.didChangeValue(forKey: "books")
            #expect(context.updatedObjects.contains(shelf))
            try context.save()
            context.refresh(shelf, mergeChanges: false)
            #expect(titles(shelf) == ["c", "b"])
        }
    }

    @Test(arguments: storeTypes) func whichSetsConvert(type: String) throws {
        let stack = try TestStack(type: type)
        stack.inContext { context in
            let author = Author(context: context)
            let first = book("a", context)
            first.author = author
            #expect(author.value(forKey: "books") as? Set<Book> == [first])
            #expect(author.primitiveValue(forKey: "books") as? Set<Book> == [first])
            let live = author.mutableSetValue(forKey: "books")
            #expect(live.allObjects as? [Book] == [first] && live.contains(first))
            // Foundation's conversion, which DEVIATIONS.md warns of.
            #expect(live as? Set<Book> == [])
            // A set that was given out follows what is changed otherwise.
            let given = author.primitiveValue(forKey: "books") as? NSMutableSet
            let second = book("b", context)
            second.author = author
            #expect((author.primitiveValue(forKey: "books") as? Set<Book>) == [first, second] && given?.count == 2)
            // Nothing is taken over that was not announced, and an announcement alone changes nothing.
            author.willChangeValue(forKey: "books")
            author.didChangeValue(forKey: "books")
            #expect(author.books == [first, second])
        }
    }

    @Test(arguments: storeTypes) func membersOfAnUnorderedRelationship(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let author = Author(context: context)
            let (first, second) = (book("a", context), book("b", context))
            first.author = author
            try context.save()
            let kind = NSKeyValueSetMutationKind.union
            author.willChangeValue(forKey: "books", withSetMutation: kind, using: [second])
            (author.primitiveValue(forKey: "books") as? NSMutableSet)?.add(second)
            author.didChangeValue(forKey: "books", withSetMutation: kind, using: [second])
            author.willChangeValue(forKey: "books")
            (author.primitiveValue(forKey: "books") as? NSMutableSet)?.remove(first)
            author.didChangeValue(forKey: "books")
            #expect(author.books == [second] && first.author == nil && second.author === author)
            #expect((author.primitiveValue(forKey: "books") as? NSSet)?.count == 1)
            #expect(author.primitiveValue(forKey: "books") as? Set<Book> == [second])
            try context.save()
            context.refreshAllObjects()
            #expect(author.books == [second])
        }
    }

    @Test(arguments: storeTypes) func aSetThatIsHeldSeesWhatIsChangedOtherwise(type: String) throws {
        let stack = try TestStack(type: type)
        stack.inContext { context in
            let shelf = shelf(["a"], context)
            let held = shelf.mutableOrderedSetValue(forKey: "books")
            let second = book("b", context)
            second.setValue(shelf, forKey: "shelf")
            #expect(held.count == 2 && held.lastObject as? Book === second)
            // A change through it keeps changes made since.
            let third = book("c", context)
            third.setValue(shelf, forKey: "shelf")
            held.add(book("d", context))
            #expect(titles(shelf) == ["a", "b", "c", "d"])
            held.removeObject(at: 0)
            shelf.setValue(NSOrderedSet(array: [third, second]), forKey: "books")
            held.moveObjects(at: IndexSet(integer: 1), to: 0)
            #expect(titles(shelf) == ["b", "c"] && held.array.count == 2)
        }
    }
}
