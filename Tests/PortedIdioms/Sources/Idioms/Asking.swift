import CoreData
import Foundation

@MainActor
private func filled() throws -> NSManagedObjectContext {
    let context = try Library.container().viewContext
    try Library.fill(context)
    return context
}

/// A column of a dictionary result.
private func column(_ name: String, _ expression: NSExpression, _ type: NSAttributeType) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expression = expression
    description.expressionResultType = type
    return description
}

private func rows(_ entity: String, _ properties: [Any]) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    return request
}

let asking: [Idiom] = [
    Idiom("the identifier as a column beside others") {
        let context = try filled()
        let id = column("objectID", NSExpression.expressionForEvaluatedObject(), .objectIDAttributeType)
        let request = rows("Book", [id, "title", "author.name", "author"])
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        request.fetchLimit = 2
        let found = try context.fetch(request)
        let first = try unwrap(found.first)
        let book = try unwrap((first["objectID"] as? NSManagedObjectID).map(context.object(with:)) as? Book)
        try check(found.count == 2 && book.title == "Book 1" && first["title"] as? String == "Book 1")
        try check(
            first["author.name"] as? String == "Bob" && first["author"] as? NSManagedObjectID == book.author?.objectID)
    },
    Idiom("the newest and the oldest, with one request") {
        let context = try filled()
        let published = NSExpression(forKeyPath: \Book.published)
        let request = rows(
            "Book",
            [
                column("newest", NSExpression(forFunction: "max:", arguments: [published]), .dateAttributeType),
                column("oldest", NSExpression(forFunction: "min:", arguments: [published]), .dateAttributeType),
                column(
                    "mean", NSExpression(forFunction: "average:", arguments: [NSExpression(forKeyPath: "rating")]),
                    .doubleAttributeType),
            ])
        request.predicate = NSPredicate(format: "genre == 'novel'")
        let found = try unwrap(context.fetch(request).first)
        try check((found["newest"] as? Date)?.timeIntervalSinceReferenceDate == 12 * 86_400)
        try check((found["oldest"] as? Date)?.timeIntervalSinceReferenceDate == 3 * 86_400)
        try check(found["mean"] as? Double == 2.5, "\(found)")
    },
    Idiom("a sum for each group, through a relationship, sorted by the group") {
        let context = try filled()
        let pages = column("pages", NSExpression(format: "sum:(pages)"), .integer64AttributeType)
        let request = rows("Book", ["author.name", "genre", pages])
        request.propertiesToGroupBy = ["author.name", "genre"]
        request.sortDescriptors = [
            NSSortDescriptor(key: "author.name", ascending: true), NSSortDescriptor(key: "genre", ascending: true),
        ]
        let found = try context.fetch(request)
        try check(
            found.compactMap { $0["pages"] as? Int }.reduce(0, +) == 780
                && found.first?["author.name"] as? String == "Ann")
        try check(
            (found.compactMap { $0["genre"] as? String }) == [
                "novel", "poetry", "science", "novel", "poetry", "science",
            ])
    },
    Idiom("groups that fulfil a condition on a named column") {
        let context = try filled()
        let count = column(
            "count", NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "title")]),
            .integer32AttributeType)
        let request = rows("Book", ["rating", count])
        request.propertiesToGroupBy = ["rating"]
        request.havingPredicate = NSPredicate(format: "%@ > 2", NSExpression(forVariable: "count"))
        let found = try context.fetch(request)
        try check(
            Set(found.compactMap { $0["rating"] as? Double }) == [1, 2]
                && found.allSatisfy { $0["count"] as? Int == 3 }, "\(found)")
    },
    Idiom("how many different values, and how many of a related kind") {
        let context = try filled()
        let genres = rows("Book", ["genre"])
        genres.returnsDistinctResults = true
        try check(context.fetch(genres).count == 3)
        let books = column(
            "number", NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "books")]),
            .integer32AttributeType)
        let authors = rows("Author", ["name", books])
        authors.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        authors.propertiesToGroupBy = ["name"]
        let counted = try context.fetch(authors)
        try check(counted.compactMap { $0["number"] as? Int } == [6, 6], "\(counted)")
    },
    Idiom("attribute descriptions as columns, and distinct pairs") {
        let context = try filled()
        let entity = Book.entity()
        let request = rows("Book", [entity.attributesByName["genre"]!, entity.propertiesByName["rating"]!])
        request.returnsDistinctResults = true
        request.predicate = NSPredicate(format: "pages <= 60")
        let found = try context.fetch(request)
        try check(
            found.count == 6 && found.allSatisfy { ($0.allKeys as? [String]).map(Set.init) == ["genre", "rating"] })
        try check((request.propertiesToFetch as? [NSPropertyDescription])?.map(\.name) == ["genre", "rating"])
    },
    Idiom("templates with several variables") {
        let context = try filled()
        let model = Library.model.copy() as! NSManagedObjectModel
        let template = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        template.predicate = NSPredicate(
            format: "genre IN $GENRES AND pages BETWEEN {$LOW, $HIGH} AND author.name == $NAME")
        template.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)]
        model.setFetchRequestTemplate(template, forName: "Some")
        let request = try unwrap(
            model.fetchRequestFromTemplate(
                withName: "Some",
                substitutionVariables: ["GENRES": ["novel", "poetry"], "LOW": 30, "HIGH": 100, "NAME": "Ann"]))
        let found = try context.fetch(request) as! [Book]
        try check(found.map(\.pages) == [100, 60, 40], "\(found.map(\.pages))")
        try check(model.fetchRequestTemplate(forName: "None") == nil && model.fetchRequestTemplatesByName.count == 2)
        let author = try unwrap(found[0].author)
        let byObject = NSPredicate(format: "author == $AUTHOR AND published > $SINCE AND NOT genre == $NOTHING")
            .withSubstitutionVariables([
                "AUTHOR": author, "SINCE": Date(timeIntervalSinceReferenceDate: 0), "NOTHING": NSNull(),
            ])
        let books: NSFetchRequest<Book> = Book.fetchRequest()
        books.predicate = byObject
        try check(context.count(for: books) == 6)
    },
    Idiom("a copy of a template is changed, the template stays") {
        let model = Library.model
        let request = try unwrap(
            model.fetchRequestTemplate(forName: "LongBooks")?.copy() as? NSFetchRequest<NSFetchRequestResult>)
        request.predicate = NSPredicate(format: "pages > 10")
        request.fetchLimit = 3
        try check(model.fetchRequestTemplate(forName: "LongBooks")?.fetchLimit == 0)
        try check(filled().fetch(request).count == 3)
    },
    Idiom("objects without their values, and faults of a relationship that are prefetched") {
        let context = try filled()
        context.reset()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.includesPropertyValues = false
        let found = try context.fetch(request)
        try check(found.count == 12 && found.allSatisfy(\.isFault) && found.reduce(0) { $0 + $1.pages } == 780)
        context.reset()
        let authors: NSFetchRequest<Author> = Author.fetchRequest()
        authors.relationshipKeyPathsForPrefetching = ["books", "books.reviews"]
        authors.returnsObjectsAsFaults = false
        let author = try unwrap(context.fetch(authors).first)
        try check(!author.isFault && !author.hasFault(forRelationshipNamed: "books") && author.books?.count == 6)
    },
    Idiom("identifiers in an order, a window of them, and their objects") {
        let context = try filled()
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
        request.resultType = .managedObjectIDResultType
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.pages, ascending: false)]
        request.fetchOffset = 2
        request.fetchLimit = 3
        let ids = try context.fetch(request)
        let pages = ids.compactMap { (try? context.existingObject(with: $0) as? Book)?.pages }
        try check(pages == [100, 90, 80])
        let books: NSFetchRequest<Book> = Book.fetchRequest()
        books.predicate = NSPredicate(format: "SELF IN %@", ids)
        try check(context.count(for: books) == 3)
    },
]
