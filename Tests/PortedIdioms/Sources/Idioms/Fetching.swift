import CoreData
import Foundation

private func filled() throws -> NSManagedObjectContext {
    let context = try Library.container().viewContext
    try Library.fill(context)
    return context
}

let fetching: [Idiom] = [
    Idiom("a request for the result of a type that is written down") {
        let context = try filled()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(format: "pages >= %d AND genre == %@", 50, "novel")
        try check(context.fetch(request).count == 3)
    },
    Idiom("NSFetchRequest<NSFetchRequestResult>(entityName:) and a cast of the results") {
        let context = try filled()
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        guard let books = try context.fetch(request) as? [Book] else { throw IdiomFailure(description: "no books") }
        try check(books.count == 12)
    },
    Idiom("NSFetchRequest() with an entity description") {
        let context = try filled()
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = NSEntityDescription.entity(forEntityName: "Author", in: context)
        let names = try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }.sorted()
        try check(names == ["Ann", "Bob"])
    },
    Idiom("predicates with %K, IN, BETWEEN, CONTAINS[cd], BEGINSWITH, ANY, dates") {
        let context = try filled()
        func count(_ format: String, _ arguments: CVarArg...) throws -> Int {
            let request = Book.fetchRequest()
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
            return try context.count(for: request)
        }
        try check(count("%K == %@", keyPathText("author.name"), "Ann") == 6)
        try check(count("genre IN %@", ["novel", "poetry"] as NSArray) == 8)
        try check(count("pages BETWEEN {20, 40}") == 3)
        try check(count("title CONTAINS[cd] %@", "BÓOK 1") == 4)
        try check(count("title BEGINSWITH %@ AND pages > %d", "Book", 100) == 2)
        let day = Date(timeIntervalSinceReferenceDate: 86_400 * 3) as NSDate
        try check(count("published >= %@ AND published < %@", day, day.addingTimeInterval(86_400 * 2)) == 2)
        let authors = Author.fetchRequest()
        authors.predicate = NSPredicate(format: "ANY books.pages > %d", 110)
        try check(context.fetch(authors).map(\.name) == ["Ann"])
        authors.predicate = NSPredicate(
            format: "SUBQUERY(books, $b, $b.pages > 50 AND $b.genre == %@).@count > 1", "novel")
        try check(context.count(for: authors) == 1)
    },
    Idiom("compound predicates of optional filters") {
        let context = try filled()
        var predicates: [NSPredicate] = []
        predicates.append(NSPredicate(format: "rating > 1"))
        predicates.append(NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "genre = 'novel'")))
        let request = Book.fetchRequest()
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
        let both = try context.fetch(request)
        request.predicate = NSCompoundPredicate(type: .or, subpredicates: predicates)
        try check(both.count == 4 && context.count(for: request) == 11, "\(both.count)")
        try check(both.filter { request.predicate!.evaluate(with: $0) } == both)
    },
    Idiom("a predicate with substitution variables, a template of the model") {
        let context = try filled()
        let template = NSPredicate(format: "genre == $GENRE")
        let request = Book.fetchRequest()
        request.predicate = template.withSubstitutionVariables(["GENRE": "poetry"])
        try check(context.count(for: request) == 4)
        let model = context.persistentStoreCoordinator!.managedObjectModel
        let long = try unwrap(
            model.fetchRequestFromTemplate(withName: "LongBooks", substitutionVariables: ["LEAST": 100]))
        try check((context.fetch(long) as! [Book]).count == 2)
    },
    Idiom("sorting by key path, with localized comparison, in memory too") {
        let context = try filled()
        let request = Book.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(keyPath: \Book.author?.name, ascending: true),
            NSSortDescriptor(key: "title", ascending: true, selector: selectorText("localizedStandardCompare:")),
        ]
        let titles = try context.fetch(request).compactMap(\.title)
        try check(titles.prefix(6) == ["Book 2", "Book 4", "Book 6", "Book 8", "Book 10", "Book 12"], "\(titles)")
        let sorted = (try context.fetch(Book.fetchRequest()) as NSArray).sortedArray(using: [
            NSSortDescriptor(key: keyPathText("pages"), ascending: false)
        ])
        try check((sorted.first as? Book)?.pages == 120)
    },
    Idiom("sum by an expression description, dictionary result") {
        let context = try filled()
        let sum = NSExpressionDescription()
        sum.name = "sumPages"
        sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "pages")])
        sum.expressionResultType = .integer64AttributeType
        let request: NSFetchRequest<NSFetchRequestResult> = Book.fetchRequest()
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [sum]
        let results = try context.fetch(request) as! [[String: Any]]
        try check(results[0]["sumPages"] as? Int == 780)
        try check((results.first?["sumPages"] as? NSNumber)?.int64Value == 780)
    },
    Idiom("group by with count and average, NSFetchRequest<NSDictionary>") {
        let context = try filled()
        let count = NSExpressionDescription()
        count.name = "count"
        count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "title")])
        count.expressionResultType = .integer64AttributeType
        let average = NSExpressionDescription()
        average.name = "average"
        average.expression = NSExpression(format: "average:(pages)")
        average.expressionResultType = .doubleAttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.propertiesToFetch = ["genre", count, average]
        request.propertiesToGroupBy = ["genre"]
        request.havingPredicate = NSPredicate(format: "average:(pages) > 60")
        request.resultType = .dictionaryResultType
        request.sortDescriptors = [NSSortDescriptor(key: "genre", ascending: true)]
        let rows = try context.fetch(request)
        try check(rows.compactMap { $0["genre"] as? String } == ["novel", "science"], "\(rows)")
        try check(rows.compactMap { $0["count"] as? Int } == [4, 4])
        try check(rows.compactMap { $0["average"] as? Double } == [75, 65])
    },
    Idiom("distinct values of a column") {
        let context = try filled()
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        request.propertiesToFetch = ["genre"]
        request.returnsDistinctResults = true
        request.resultType = .dictionaryResultType
        let genres = try context.fetch(request).compactMap { ($0 as? [String: String])?["genre"] }
        try check(Set(genres) == ["novel", "poetry", "science"] && genres.count == 3)
    },
    Idiom("maximum by fetchLimit, minimum by a function of a collection") {
        let context = try filled()
        let request = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.pages, ascending: false)]
        request.fetchLimit = 1
        try check(context.fetch(request).first?.pages == 120)
        let author = try unwrap(context.fetch(Author.fetchRequest()).first { $0.name == "Ann" })
        try check(author.value(forKeyPath: "books.@min.pages") as? Int == 20)
        try check(author.value(forKeyPath: "books.@sum.pages") as? Int == 420)
        try check((author.books as? Set<Book>)?.count == 6)
    },
    Idiom("identifiers and counts") {
        let context = try filled()
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
        ids.resultType = .managedObjectIDResultType
        try check(context.fetch(ids).compactMap { context.object(with: $0) as? Book }.count == 12)
        let number = NSFetchRequest<NSNumber>(entityName: "Book")
        number.resultType = .countResultType
        try check(context.fetch(number).first?.intValue == 12)
    },
    Idiom("paging by offset and limit, prefetching, batch size") {
        let context = try filled()
        context.reset()
        let request = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        request.fetchOffset = 4
        request.fetchLimit = 4
        request.relationshipKeyPathsForPrefetching = ["author"]
        try check(context.fetch(request).map(\.pages) == [50, 60, 70, 80])
        let batched = Book.fetchRequest()
        batched.fetchBatchSize = 5
        batched.sortDescriptors = request.sortDescriptors
        try check(context.fetch(batched).reduce(0) { $0 + $1.pages } == 780)
    },
    Idiom("an asynchronous fetch request") {
        let context = try filled()
        let request = Book.fetchRequest()
        request.predicate = NSPredicate(format: "pages < 50")
        let found = Counter()
        let asynchronous = NSAsynchronousFetchRequest<Book>(fetchRequest: request) { result in
            found.add(result.finalResult?.count ?? 0)
        }
        try context.execute(asynchronous)
        try await wait { found.value == 4 }
    },
    Idiom("request.execute() in a block") {
        let context = try filled()
        let request = Book.fetchRequest()
        let count = try context.performAndWait { try request.execute().count }
        try check(count == 12)
    },
    Idiom("a #Predicate for a request") {
        let context = try filled()
        let least: Int32 = 60
        let request = Book.fetchRequest()
        request.predicate = NSPredicate(#Predicate<Book> { $0.pages > least && $0.genre == "novel" })
        try check(context.count(for: request) == 2)
    },
    Idiom("filtering and grouping what was fetched") {
        let context = try filled()
        let books = try context.fetch(Book.fetchRequest())
        let filtered = (books as NSArray).filtered(using: NSPredicate(format: "pages > 100")) as? [Book]
        try check(filtered?.count == 2)
        let groups = Dictionary(grouping: books, by: { $0.genre ?? "" })
        try check(groups.mapValues(\.count) == ["novel": 4, "poetry": 4, "science": 4])
    },
    Idiom("a fetched request is copied and changed") {
        let context = try filled()
        let request = Book.fetchRequest()
        request.predicate = NSPredicate(format: "pages > 60")
        let copy = request.copy() as! NSFetchRequest<Book>
        copy.predicate = nil
        try check(context.count(for: request) == 6 && context.count(for: copy) == 12)
    },
]

// `#keyPath` and `#selector` need Objective-C; `opencoredata model port` leaves their texts.
func keyPathText(_ text: String) -> String { text }
func selectorText(_ text: String) -> Selector { NSSelectorFromString(text) }
