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

    @Test(arguments: 1...6) func agreesWithASetWhateverIsDoneToIt(seed: UInt64) throws {
        let stack = try TestStack()
        let (wrong, saved, expected) = try stack.inContext { context in
            var generator = SeededGenerator(seed: seed)
            let author = Author(context: context)
            let set = author.mutableSetValue(forKey: "books")
            var books: [Book] = []
            var expected: Set<Book> = []
            var wrong = 0
            for round in 1...900 {
                if books.isEmpty || generator.below(3) == 0 { books.append(Book(context: context)) }
                // The latest more often than others, as where a graph is built.
                let book = generator.below(2) == 0 ? books[books.count - 1] : books[generator.below(books.count)]
                switch generator.below(8) {
                case 0: set.remove(book)
                case 1: book.author = nil
                case 2...4: set.add(book)
                default: book.author = author
                }
                if book.author == nil { expected.remove(book) } else { expected.insert(book) }
                if set.contains(book) != expected.contains(book) || set.count != expected.count { wrong += 1 }
                if round.isMultiple(of: 300) {
                    if author.books != expected { wrong += 1 }
                    try context.save()
                }
            }
            context.reset()
            let again = try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first
            return (wrong, again?.books.count, expected.count)
        }
        #expect(wrong == 0)
        #expect(saved == expected)
        #expect(expected > 128)
    }

    @Test(arguments: 1...6) func agreesWithSetsWhenItsOwnerIsForgottenInBetween(seed: UInt64) throws {
        let stack = try TestStack()
        let (wrong, saved, expected) = try stack.inContext { context in
            var generator = SeededGenerator(seed: seed)
            let author = Author(context: context)
            author.name = "Someone"
            let kinds = [("Book", "books"), ("Note", "notes")]
            var made: [[NSManagedObject]] = [[], []]
            var expected: [Set<NSManagedObject>] = [[], []]
            var wrong = 0
            try context.save()
            for _ in 1...600 {
                let kind = generator.below(2)
                if made[kind].isEmpty || generator.below(3) == 0 {
                    made[kind].append(
                        NSEntityDescription.insertNewObject(forEntityName: kinds[kind].0, into: context))
                }
                let object = made[kind][generator.below(made[kind].count)]
                switch generator.below(12) {
                case 0: context.refresh(author, mergeChanges: true)
                case 1:
                    try context.save()
                    context.refresh(author, mergeChanges: false)
                case 2: try context.save()
                case 3, 4:
                    object.setValue(nil, forKey: "author")
                    expected[kind].remove(object)
                default:
                    object.setValue(author, forKey: "author")
                    expected[kind].insert(object)
                }
                // Not each time: what was not read is added to without being known.
                guard generator.below(4) == 0 else { continue }
                for (kind, objects) in zip(kinds, expected) {
                    if author.value(forKey: kind.1) as? Set<NSManagedObject> != objects { wrong += 1 }
                }
            }
            try context.save()
            context.reset()
            let again = try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first
            let saved = kinds.map { (again?.value(forKey: $0.1) as? Set<NSManagedObject>)?.count }
            return (wrong, saved, expected.map(\.count))
        }
        #expect(wrong == 0)
        #expect(saved == expected)
        #expect(expected.allSatisfy { $0 > 10 })
    }
}
