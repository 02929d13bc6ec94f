import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Random changes against a model of what they mean: after each step the objects, and after each save the rows, are what
/// the model says.
@Suite(.serialized) struct RandomGraphTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    /// What a library holds, by numbers that the titles and names carry.
    private struct Expected: Equatable {
        struct Entry: Equatable {
            var pages = 0
            var author: Int?
            var tags: Set<Int> = []
        }

        var books: [Int: Entry] = [:]
        var authors: Set<Int> = []
        var tags: Set<Int> = []
        /// The order of books on the one shelf.
        var shelf: [Int] = []
    }

    /// A context, its objects by number, and what they should be.
    private struct Run {
        let context: NSManagedObjectContext
        var generator: SeededGenerator
        var now = Expected()
        var saved = Expected()
        var nextNumber = 0
        var steps: [String] = []

        mutating func pick(_ numbers: some Collection<Int>) -> Int? {
            numbers.sorted().randomElement(using: &generator)
        }

        func book(_ number: Int) throws -> Book { try object("Book", "title", number) }
        func author(_ number: Int) throws -> Author { try object("Author", "name", number) }
        func tag(_ number: Int) throws -> Label { try object("Label", "name", number) }

        func shelf() throws -> NSManagedObject {
            let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf"))
            return try #require(found.first)
        }

        private func object<Object: NSManagedObject>(_ entity: String, _ key: String, _ number: Int) throws -> Object {
            let request = NSFetchRequest<Object>(entityName: entity)
            request.predicate = NSPredicate(format: "%K == %@", key, "\(number)")
            return try #require(try context.fetch(request).first, "\(entity) \(number) after \(steps)")
        }
    }

    @Test(arguments: storeTypes) func randomChangesMeanWhatTheySay(type: String) throws {
        let seed =
            ProcessInfo.processInfo.environment["OPENCOREDATA_SEED"].flatMap { UInt64($0) }
            ?? .random(in: 0..<1_000_000)
        print("RandomGraphTests \(type): OPENCOREDATA_SEED=\(seed)")
        for round in 0..<150 {
            try run(type, seed: seed &+ UInt64(round))
        }
    }

    private func run(_ type: String, seed: UInt64) throws {
        let stack = try TestStack(type: type)
        let context = stack.context()
        try context.performAndWait {
            var run = Run(context: context, generator: SeededGenerator(seed: seed))
            _ = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            try context.save()
            for _ in 0..<25 {
                try step(&run, stack)
                let seen = try Self.observed(context)
                #expect(seen == run.now, "seed \(seed) after \(run.steps)")
                #expect(context.checkInvariants() == [], "seed \(seed) after \(run.steps)")
                if seen != run.now { return }
            }
            context.rollback()
            let back = try Self.observed(context)
            #expect(back == run.saved, "seed \(seed), rollback after \(run.steps)")
        }
    }

    private func step(_ run: inout Run, _ stack: TestStack) throws {
        let context = run.context
        switch Int.random(in: 0..<16, using: &run.generator) {
        case 0, 1, 2:
            let number = run.nextNumber
            run.nextNumber += 1
            run.steps.append("insert book \(number)")
            Book(context: context).title = "\(number)"
            run.now.books[number] = Expected.Entry()
        case 3:
            let number = run.nextNumber
            run.nextNumber += 1
            run.steps.append("insert author \(number)")
            Author(context: context).name = "\(number)"
            run.now.authors.insert(number)
        case 4:
            let number = run.nextNumber
            run.nextNumber += 1
            run.steps.append("insert tag \(number)")
            Label(context: context).name = "\(number)"
            run.now.tags.insert(number)
        case 5:
            guard let number = run.pick(run.now.books.keys) else { return }
            let pages = Int.random(in: 0..<1_000, using: &run.generator)
            run.steps.append("pages of \(number) = \(pages)")
            try run.book(number).pages = Int32(pages)
            run.now.books[number]?.pages = pages
        case 6, 7: try relateAuthor(&run)
        case 8: try relateTags(&run)
        case 9: try arrangeShelf(&run)
        case 10: try delete(&run)
        case 11, 12:
            run.steps.append("save")
            try context.save()
            run.saved = run.now
            let stored = try stack.inContext { try Self.observed($0) }
            #expect(stored == run.saved, "stored after \(run.steps)")
        case 13:
            run.steps.append("rollback")
            context.rollback()
            run.now = run.saved
        case 14:
            run.steps.append("refresh all")
            context.refreshAllObjects()
        default:
            run.steps.append("process")
            context.processPendingChanges()
        }
    }

    private func relateAuthor(_ run: inout Run) throws {
        guard let number = run.pick(run.now.books.keys), let author = run.pick(run.now.authors) else { return }
        switch Int.random(in: 0..<3, using: &run.generator) {
        case 0:
            run.steps.append("author of \(number) = \(author)")
            try run.book(number).author = run.author(author)
            run.now.books[number]?.author = author
        case 1:
            run.steps.append("author of \(number) = nil")
            try run.book(number).author = nil
            run.now.books[number]?.author = nil
        default:
            let numbers = Set(run.now.books.keys.sorted().filter { _ in Bool.random(using: &run.generator) })
            run.steps.append("books of \(author) = \(numbers.sorted())")
            try run.author(author).books = Set(numbers.map { try run.book($0) })
            for (other, entry) in run.now.books {
                if numbers.contains(other) {
                    run.now.books[other]?.author = author
                } else if entry.author == author {
                    run.now.books[other]?.author = nil
                }
            }
        }
    }

    private func relateTags(_ run: inout Run) throws {
        guard let number = run.pick(run.now.books.keys), let tag = run.pick(run.now.tags) else { return }
        let book = try run.book(number)
        if Bool.random(using: &run.generator) {
            run.steps.append("toggle tag \(tag) of \(number)")
            let label = try run.tag(tag)
            if run.now.books[number]?.tags.contains(tag) == true {
                book.tags.remove(label)
                run.now.books[number]?.tags.remove(tag)
            } else {
                label.mutableSetValue(forKey: "books").add(book)
                run.now.books[number]?.tags.insert(tag)
            }
        } else {
            let tags = Set(run.now.tags.sorted().filter { _ in Bool.random(using: &run.generator) })
            run.steps.append("tags of \(number) = \(tags.sorted())")
            book.tags = Set(try tags.map { try run.tag($0) })
            run.now.books[number]?.tags = tags
        }
    }

    private func arrangeShelf(_ run: inout Run) throws {
        let numbers = run.now.books.keys.sorted().filter { _ in Bool.random(using: &run.generator) }
            .shuffled(using: &run.generator)
        run.steps.append("shelf = \(numbers)")
        let books = try numbers.map { try run.book($0) }
        try run.shelf().setValue(NSOrderedSet(array: books), forKey: "books")
        run.now.shelf = numbers
    }

    private func delete(_ run: inout Run) throws {
        switch Int.random(in: 0..<3, using: &run.generator) {
        case 0:
            guard let number = run.pick(run.now.books.keys) else { return }
            run.steps.append("delete book \(number)")
            run.context.delete(try run.book(number))
            run.now.books[number] = nil
            run.now.shelf.removeAll { $0 == number }
        case 1:
            guard let author = run.pick(run.now.authors) else { return }
            run.steps.append("delete author \(author)")
            run.context.delete(try run.author(author))
            run.now.authors.remove(author)
            for (number, entry) in run.now.books where entry.author == author { run.now.books[number]?.author = nil }
        default:
            guard let tag = run.pick(run.now.tags) else { return }
            run.steps.append("delete tag \(tag)")
            run.context.delete(try run.tag(tag))
            run.now.tags.remove(tag)
            for number in run.now.books.keys { run.now.books[number]?.tags.remove(tag) }
        }
        run.context.processPendingChanges()
    }

    /// What a context shows, with inverses compared on the way.
    private static func observed(_ context: NSManagedObjectContext) throws -> Expected {
        var result = Expected()
        for author in try context.fetch(NSFetchRequest<Author>(entityName: "Author")) {
            result.authors.insert(Int(author.name) ?? -1)
            for book in author.books { #expect(book.author === author) }
        }
        for tag in try context.fetch(NSFetchRequest<Label>(entityName: "Label")) {
            result.tags.insert(Int(tag.name) ?? -1)
            for book in tag.books { #expect(book.tags.contains(tag)) }
        }
        for book in try context.fetch(NSFetchRequest<Book>(entityName: "Book")) {
            let author = book.author
            #expect(author.map { $0.books.contains(book) } ?? true)
            for tag in book.tags { #expect(tag.books.contains(book)) }
            result.books[Int(book.title) ?? -1] = Expected.Entry(
                pages: Int(book.pages), author: author.flatMap { Int($0.name) },
                tags: Set(book.tags.compactMap { Int($0.name) }))
        }
        for shelf in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")) {
            let books = (shelf.value(forKey: "books") as? NSOrderedSet)?.array.compactMap { $0 as? Book } ?? []
            result.shelf = books.compactMap { Int($0.title) }
            for book in books { #expect(book.value(forKey: "shelf") as? NSManagedObject === shelf) }
        }
        return result
    }
}
