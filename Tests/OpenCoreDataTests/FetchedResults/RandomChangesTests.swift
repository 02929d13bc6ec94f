import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Random changes: carrying out what the delegate is told on a copy of the results gives the new results, and these are
/// what a fresh fetch gives.
@Suite(.serialized) struct RandomChangesTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    private enum Sectioning: CaseIterable {
        case none
        case attribute
        case relationship
    }

    @Test(arguments: storeTypes) func whatIsToldGivesTheNewResults(type: String) throws {
        let seed =
            ProcessInfo.processInfo.environment["OPENCOREDATA_SEED"].flatMap { UInt64($0) }
            ?? .random(in: 0..<1_000_000)
        print("RandomChangesTests \(type): OPENCOREDATA_SEED=\(seed)")
        for round in 0..<60 {
            try run(type, seed: seed &+ UInt64(round))
        }
    }

    @Test func manyResultsStayInOrder() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("RandomChangesTests many: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        try TestStack().inContext { context in
            var books = (0..<2000).map { _ in Book(context: context) }
            func shuffle(_ book: Book, _ number: Int) {
                book.title = "\(generator.below(1_000_000)) \(number)"
                book.pages = Int32(generator.below(40))
            }
            for (number, book) in books.enumerated() { shuffle(book, number) }
            try context.save()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = ["pages", "title"].map { NSSortDescriptor(key: $0, ascending: true) }
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "pages", cacheName: nil)
            let recorder = ChangeRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            recorder.show(controller)
            for pass in 1...12 {
                books.shuffle(using: &generator)
                for book in books.suffix(150) { context.delete(book) }
                books.removeLast(150)
                for number in 0..<200 { shuffle(books[number], pass * 10_000 + number) }
                for number in 0..<120 {
                    books.append(Book(context: context))
                    shuffle(books[books.count - 1], pass * 10_000 + 5_000 + number)
                }
                try context.save()
                try #require(recorder.failures.isEmpty && controller.checkInvariants() == [])
                let found = try context.fetch(request)
                try #require(controller.fetchedObjects == found)
            }
        }
    }

    private func request(_ sectioning: Sectioning, _ generator: inout SeededGenerator) -> NSFetchRequest<Book> {
        let request = NSFetchRequest<Book>(entityName: "Book")
        let first: [String]
        switch sectioning {
        case .none: first = ["pages"]
        case .attribute: first = ["isbn", "pages"]
        case .relationship: first = ["author.name", "pages"]
        }
        request.sortDescriptors = (first + ["title"]).map {
            NSSortDescriptor(key: $0, ascending: $0 == "title" || generator.below(2) == 0)
        }
        if generator.below(3) > 0 { request.predicate = NSPredicate(format: "inPrint == YES AND price < 8") }
        if generator.below(4) == 0 { request.fetchLimit = 12 }
        if generator.below(6) == 0 { request.fetchOffset = 3 }
        if generator.below(4) == 0 { request.fetchBatchSize = 5 }
        if generator.below(4) == 0 { request.returnsObjectsAsFaults = false }
        if generator.below(4) == 0 { request.includesSubentities = false }
        return request
    }

    /// What all contexts change.
    private struct Actor {
        let context: NSManagedObjectContext
        let number: Int
        var made = 0

        mutating func change(_ generator: inout SeededGenerator) throws {
            let all = NSFetchRequest<Book>(entityName: "Book")
            all.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let books = try context.fetch(all)
            switch generator.below(10) {
            case 0...2: try insert(&generator)
            case 3:
                if let book = books.randomElement(using: &generator) { context.delete(book) }
            default:
                if let book = books.randomElement(using: &generator) { try edit(book, &generator) }
            }
        }

        private mutating func insert(_ generator: inout SeededGenerator) throws {
            let book = generator.below(4) == 0 ? GraphicNovel(context: context) : Book(context: context)
            made += 1
            book.title = "\(generator.below(100))-\(number)-\(made)"
            for _ in 0..<4 { try edit(book, &generator) }
        }

        private func edit(_ book: Book, _ generator: inout SeededGenerator) throws {
            switch generator.below(6) {
            case 0: book.pages = Int32(generator.below(6))
            case 1: book.setValue(["a", "b", "c", "d", nil][generator.below(5)], forKey: "isbn")
            case 2: book.setValue(generator.below(3) > 0, forKey: "inPrint")
            case 3: book.price = Double(generator.below(10))
            case 4:
                let authors = NSFetchRequest<Author>(entityName: "Author")
                authors.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                book.author = try context.fetch(authors).randomElement(using: &generator)
            default: book.setValue(Data([1]), forKey: "cover")
            }
        }
    }

    private func run(_ type: String, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            for name in ["x", "y", "z"] { Author(context: context).name = name }
            try context.save()
        }
        let usesChild = generator.below(5) == 0
        let parent = stack.context()
        let context = usesChild ? NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType) : parent
        if usesChild { context.parent = parent }
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        parent.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        let other = stack.context()
        other.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try context.performAndWait {
            var mine = Actor(context: context, number: 1)
            var theirs = Actor(context: other, number: 2)
            for _ in 0..<25 { try mine.change(&generator) }
            try context.save()
            if usesChild { try parent.performAndWait { try parent.save() } }
            let sectioning = Sectioning.allCases[generator.below(3)]
            let request = request(sectioning, &generator)
            let keyPath = [Sectioning.attribute: "isbn", .relationship: "author.name"][sectioning]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: keyPath, cacheName: nil)
            let recorder = ChangeRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            recorder.show(controller)
            for step in 0..<40 {
                let what = try change(&generator, &mine, &theirs, usesChild: usesChild)
                context.processPendingChanges()
                let found = try context.fetch(request)
                let comment = Comment(rawValue: "seed \(seed) step \(step) \(what) \(sectioning) \(request)")
                try #require(recorder.failures.isEmpty, comment)
                try #require(controller.fetchedObjects?.map(\.title) == found.map(\.title), comment)
                try #require(controller.checkInvariants() == [], comment)
                try #require(recorder.shown == ChangeRecorder.sections(of: controller), comment)
                for (index, book) in found.enumerated() where index % 7 == 0 {
                    let path = try #require(controller.indexPath(forObject: book))
                    try #require(controller.object(at: path) === book)
                }
            }
        }
    }

    private func change(
        _ generator: inout SeededGenerator, _ mine: inout Actor, _ theirs: inout Actor, usesChild: Bool
    ) throws -> String {
        let context = mine.context
        switch generator.below(12) {
        case 0:
            try context.save()
            return "save"
        case 1:
            context.rollback()
            return "rollback"
        case 2:
            context.refreshAllObjects()
            return "refresh"
        case 3...5 where !usesChild:
            let other = theirs.context
            let log = NotificationLog(other)
            var copy = (theirs, generator)
            try other.performAndWait {
                other.reset()
                for _ in 0...copy.1.below(4) { try copy.0.change(&copy.1) }
                try other.save()
            }
            (theirs, generator) = copy
            let saved = try #require(log.entries(.NSManagedObjectContextDidSave).last).notification
            context.mergeChanges(fromContextDidSave: saved)
            return "merge"
        default:
            for _ in 0...generator.below(5) { try mine.change(&generator) }
            return "change"
        }
    }
}
