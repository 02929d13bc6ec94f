import Bookshelf
import Foundation
import OpenCoreData

extension EngineWorkload {
    func fetchTouch(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        try inFreshContext(stack) { context in
            let watch = Stopwatch()
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            var sum = 0
            for book in books { sum += book.touchSum }
            let times = watch.elapsed()
            return withExtendedLifetime(books) { measurement(times, "\(sum)") }
        }
    }

    func fetchIDs(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        try inFreshContext(stack) { context in
            let watch = Stopwatch()
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            request.resultType = .managedObjectIDResultType
            let ids = try context.fetch(request)
            let times = watch.elapsed()
            return withExtendedLifetime(ids) { measurement(times, "\(ids.count)") }
        }
    }

    func fetchFaults(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        try inFreshContext(stack) { context in
            let watch = Stopwatch()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.includesPropertyValues = false
            let books = try context.fetch(request)
            let times = watch.elapsed()
            return withExtendedLifetime(books) { measurement(times, "\(books.count)") }
        }
    }

    func byKey(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        let keys = lookups.map(BookRecord.isbn(number:))
        return try inFreshContext(stack) { context in
            let watch = Stopwatch()
            var books: [Book] = []
            for key in keys {
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.predicate = NSPredicate(format: "isbn == %@", key)
                books += try context.fetch(request)
            }
            let sum = books.reduce(0) { $0 + Int($1.pages) }
            let times = watch.elapsed()
            return withExtendedLifetime(books) { measurement(times, "\(sum)") }
        }
    }

    func byID(_ stack: EngineStack, registered: Bool) throws -> Bookshelf.Measurement {
        let allIDs = try stack.bookIDs()
        let ids = lookups.map { allIDs[$0] }
        return try inFreshContext(stack) { context in
            registered ? try byIDHit(ids, context) : byIDMiss(ids, context)
        }
    }

    /// All books are held before and after, so that nothing needs to be kept of a look-up but its number of pages.
    private func byIDHit(_ ids: [NSManagedObjectID], _ context: NSManagedObjectContext) throws -> Bookshelf.Measurement
    {
        let held = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
        return withExtendedLifetime(held) {
            let watch = Stopwatch()
            var sum = 0
            for id in ids {
                if let book = context.object(with: id) as? Book { sum += Int(book.pages) }
            }
            return measurement(watch.elapsed(), "\(sum)")
        }
    }

    private func byIDMiss(_ ids: [NSManagedObjectID], _ context: NSManagedObjectContext) -> Bookshelf.Measurement {
        let watch = Stopwatch()
        var books: [NSManagedObject] = []
        books.reserveCapacity(ids.count)
        var sum = 0
        for id in ids {
            let object = context.object(with: id)
            if let book = object as? Book { sum += Int(book.pages) }
            books.append(object)
        }
        let times = watch.elapsed()
        return withExtendedLifetime(books) { measurement(times, "\(sum)") }
    }

    func predicate(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        try inFreshContext(stack) { context in
            let watch = Stopwatch()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(
                format: "pages > %d AND price < %lf AND author.country == %@", 400, 20.0, "FR")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            request.fetchLimit = 1000
            let books = try context.fetch(request)
            let sum = books.reduce(0) { $0 + Int($1.pages) }
            let times = watch.elapsed()
            return withExtendedLifetime(books) { measurement(times, "\(books.count):\(sum)") }
        }
    }

    func traverse(_ stack: EngineStack, prefetch: Bool) throws -> Bookshelf.Measurement {
        try inFreshContext(stack) { context in
            let watch = Stopwatch()
            let request = NSFetchRequest<Author>(entityName: "Author")
            if prefetch { request.relationshipKeyPathsForPrefetching = ["books"] }
            let authors = try context.fetch(request)
            var sum = 0
            for author in authors {
                for book in author.books { sum += Int(book.pages) }
            }
            let times = watch.elapsed()
            return withExtendedLifetime(authors) { measurement(times, "\(sum)") }
        }
    }

    func aggregate(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        try inFreshContext(stack) { context in
            let watch = Stopwatch()
            let price = NSExpression(forKeyPath: "price")
            let average = Self.aggregate("average", "average:", price, .doubleAttributeType)
            let count = Self.aggregate("count", "count:", .expressionForEvaluatedObject(), .integer64AttributeType)
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.propertiesToGroupBy = ["author.country"]
            request.propertiesToFetch = ["author.country", average, count]
            request.havingPredicate = NSPredicate(
                format: "%@ > %d", NSExpression(forVariable: "count"), bookCount / 10)
            let groups = try context.fetch(request)
            var counts = 0
            var averages = 0
            for group in groups {
                counts += group.object(forKey: "count") as? Int ?? 0
                averages += Int(((group.object(forKey: "average") as? Double ?? 0) * 100 + 0.5).rounded(.down))
            }
            return measurement(watch.elapsed(), "\(groups.count):\(counts):\(averages)")
        }
    }

    func match(_ stack: EngineStack) throws -> Bookshelf.Measurement {
        try inFreshContext(stack) { context in
            let watch = Stopwatch()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "title CONTAINS[cd] %@", "cafe")
            let count = try context.count(for: request)
            return measurement(watch.elapsed(), "\(count)")
        }
    }

    private static func aggregate(
        _ name: String, _ function: String, _ argument: NSExpression, _ type: NSAttributeType
    ) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(forFunction: function, arguments: [argument])
        description.expressionResultType = type
        return description
    }
}
