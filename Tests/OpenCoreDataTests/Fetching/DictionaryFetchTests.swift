import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Dictionary results: columns, aggregates, groups. Numbers are section.fact of the observed behavior.
@Suite(.serialized) struct DictionaryFetchTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    private func withLibrary(_ type: String, _ body: (NSManagedObjectContext, NSManagedObjectID) throws -> Void) throws
    {
        let stack = try TestStack(type: type)
        let id = try stack.inContext { context in
            let author = Author(context: context)
            author.name = "Jane"
            for (index, title) in ["x", "x", "y", "y", "y", "z"].enumerated() {
                let book = Book(context: context)
                book.title = title
                book.pages = Int32(index + 1)
                book.setValue(NSDecimalNumber(string: "1.10"), forKey: "cost")
                book.setValue(index % 2 == 0, forKey: "inPrint")
                if index < 2 { book.author = author }
            }
            try context.save()
            return author.objectID
        }
        try stack.inContext { try body($0, id) }
    }

    private func request(_ columns: [Any]? = nil) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = columns
        return request
    }

    private func column(_ name: String, _ function: String, _ key: String, _ type: NSAttributeType)
        -> NSExpressionDescription
    {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        column.expressionResultType = type
        return column
    }

    // Behaviour 6.5
    @Test(arguments: storeTypes) func unsavedChangesDoNotShow(type: String) throws {
        try withLibrary(type) { context, _ in
            for book in try context.fetch(NSFetchRequest<Book>(entityName: "Book")) { book.title = "edited" }
            _ = Book(context: context)
            let rows = try context.fetch(request(["title"]))
            #expect(rows.compactMap { $0["title"] as? String }.sorted() == ["x", "x", "y", "y", "y", "z"])
        }
    }

    @Test(arguments: storeTypes) func operatorsWithoutACollectionAreAboutTheRows(type: String) throws {
        func column(_ path: String, _ type: NSAttributeType) -> NSExpressionDescription {
            let column = NSExpressionDescription()
            column.name = path
            column.expression = NSExpression(forKeyPath: path)
            column.expressionResultType = type
            return column
        }
        try withLibrary(type) { context, _ in
            let columns = [
                column("@sum.pages", .integer64AttributeType), column("@avg.pages", .doubleAttributeType),
                column("@min.pages", .integer32AttributeType), column("@max.title", .stringAttributeType),
                column("@count", .integer64AttributeType), column("@sum.cost", .decimalAttributeType),
            ]
            let rows = try context.fetch(request(columns))
            let row = try #require(rows.first)
            #expect(rows.count == 1 && row["@sum.pages"] as? Int == 21 && row["@avg.pages"] as? Double == 3.5)
            #expect(row["@min.pages"] as? Int == 1 && row["@max.title"] as? String == "z" && row["@count"] as? Int == 6)
            #expect((row["@sum.cost"] as? NSDecimalNumber)?.decimalValue == Decimal(string: "6.6"))
            let grouped = request(["title", columns[0], columns[4]])
            grouped.propertiesToGroupBy = ["title"]
            grouped.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let groups = try context.fetch(grouped)
            #expect(groups.map { $0["@sum.pages"] as? Int } == [3, 12, 6])
            #expect(groups.map { $0["@count"] as? Int } == [2, 3, 1])
            // Over to-ones, and of no rows at all.
            let names = try context.fetch(request([column("@max.author.name", .stringAttributeType)]))
            #expect(names.map { $0["@max.author.name"] as? String } == ["Jane"])
            let none = request([columns[0], columns[4]])
            none.predicate = NSPredicate(format: "title == 'no'")
            #expect(try context.fetch(none).map { $0["@sum.pages"] as? Int } == [0])
        }
    }

    // Behaviour 6.5
    @Test(arguments: storeTypes) func theDefaultColumnsAreTheAttributes(type: String) throws {
        try withLibrary(type) { context, _ in
            let row = try #require(try context.fetch(request()).first)
            let keys = Set(row.allKeys.compactMap { $0 as? String })
            #expect(keys.isSuperset(of: ["title", "pages", "price", "cost", "inPrint"]))
            #expect(keys.isDisjoint(with: ["author", "tags", "shelf"]))
            #expect(row["cost"] as? NSDecimalNumber == NSDecimalNumber(string: "1.10"))
            #expect(row["pages"] as? Int != nil && row["inPrint"] as? Bool != nil)
        }
    }

    @Test(arguments: storeTypes) func anExpressionDescriptionWithoutAnExpressionIsThePropertyOfItsName(type: String)
        throws
    {
        try withLibrary(type) { context, _ in
            let title = NSExpressionDescription()
            title.name = "title"
            let request = request([title])
            request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)]
            let titles = try context.fetch(request).map { $0["title"] as? String }
            #expect(titles == ["z", "y", "y", "y", "x", "x"])
            title.name = "nothing"
            #expect(throws: (any Error).self) { try context.fetch(request) }
        }
    }

    // Behaviour 6.5
    @Test(arguments: storeTypes) func aToOneIsAnIdentifier(type: String) throws {
        try withLibrary(type) { context, id in
            let request = request(["title", "author", "author.name"])
            request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
            let rows = try context.fetch(request)
            #expect(rows.first?["author"] as? NSManagedObjectID == id)
            #expect(rows.first?["author.name"] as? String == "Jane")
            #expect(rows.last?["author"] == nil)
        }
    }

    // A to-many, or a name that the entity lacks, is an error and not a crash.
    // Behaviour 6.5
    @Test(arguments: storeTypes) func columnsThatCannotBeAreErrors(type: String) throws {
        try withLibrary(type) { context, _ in
            for name in ["tags", "nonsense", "author.books"] {
                let error = #expect(throws: CocoaError.self) { try context.fetch(request([name])) }
                #expect(error?.localizedDescription.contains(name.split(separator: ".").last ?? "") == true)
            }
        }
    }

    // Behaviour 6.5
    @Test(arguments: storeTypes) func equalRowsCanBeLeftOut(type: String) throws {
        try withLibrary(type) { context, _ in
            let request = request(["title"])
            request.returnsDistinctResults = true
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
            let titles = try context.fetch(request).compactMap { $0["title"] as? String }
            #expect(titles == ["z", "y", "x"])
            request.fetchLimit = 1
            request.fetchOffset = 1
            let window = try context.fetch(request).compactMap { $0["title"] as? String }
            #expect(window == ["y"])
        }
    }

    // Behaviour 6.8
    @Test(arguments: storeTypes) func anAggregateWithoutGroupsIsOneRow(type: String) throws {
        try withLibrary(type) { context, _ in
            let rows = try context.fetch(
                request([
                    column("sum", "sum:", "pages", .integer64AttributeType),
                    column("average", "average:", "pages", .doubleAttributeType),
                    column("least", "min:", "pages", .integer32AttributeType),
                    column("most", "max:", "pages", .integer32AttributeType),
                    column("number", "count:", "title", .integer64AttributeType),
                    column("costs", "sum:", "cost", .decimalAttributeType),
                    column("printed", "sum:", "inPrint", .integer64AttributeType),
                ]))
            #expect(rows.count == 1)
            let row = try #require(rows.first)
            #expect(row["sum"] as? Int == 21 && row["average"] as? Double == 3.5)
            #expect(row["least"] as? Int == 1 && row["most"] as? Int == 6 && row["number"] as? Int == 6)
            #expect(row["costs"] as? NSDecimalNumber == NSDecimalNumber(string: "6.6"))
            #expect(row["printed"] as? Int == 3)
        }
    }

    // A variable names the column; the plain name and the function are taken too.
    // Behaviour 6.8
    @Test(arguments: storeTypes) func groupsAreCountedAndFiltered(type: String) throws {
        try withLibrary(type) { context, _ in
            let request = request(["title", column("number", "count:", "title", .integer64AttributeType)])
            request.propertiesToGroupBy = ["title"]
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            func rows() throws -> [String] {
                try context.fetch(request).map { "\($0["title"] as? String ?? "")\($0["number"] as? Int ?? 0)" }
            }
            let all = try rows()
            #expect(all == ["x2", "y3", "z1"])
            for having in ["$number > 1", "number > 1", "count:(title) > 1"] {
                request.havingPredicate =
                    having.hasPrefix("count")
                    ? NSComparisonPredicate(
                        leftExpression: NSExpression(
                            forFunction: "count:", arguments: [NSExpression(forKeyPath: "title")]),
                        rightExpression: NSExpression(forConstantValue: 1), modifier: .direct, type: .greaterThan,
                        options: [])
                    : NSPredicate(format: having)
                let some = try rows()
                #expect(some == ["x2", "y3"], "\(having)")
            }
            request.predicate = NSPredicate(format: "pages > 2")
            request.havingPredicate = nil
            let late = try rows()
            #expect(late == ["y3", "z1"])
        }
    }

    @Test(arguments: storeTypes) func groupsAreFilteredByAColumnThatHasTheNameOfItsProperty(type: String) throws {
        try withLibrary(type) { context, _ in
            let request = request(["title", column("pages", "average:", "pages", .doubleAttributeType)])
            request.propertiesToGroupBy = ["title"]
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            for having in ["average:(pages) > 2", "pages > 2", "$pages > 2", "max:(pages) > 2 AND pages < 100"] {
                request.havingPredicate = NSPredicate(format: having)
                let rows = try context.fetch(request)
                #expect(rows.compactMap { $0["title"] as? String } == ["y", "z"], "\(having)")
                #expect(rows.compactMap { $0["pages"] as? Double } == [4, 6], "\(having)")
            }
        }
    }

    @Test(arguments: storeTypes) func theObjectIdentifierCanBeAColumn(type: String) throws {
        try withLibrary(type) { context, _ in
            let column = NSExpressionDescription()
            column.name = "objectID"
            column.expression = NSExpression.expressionForEvaluatedObject()
            column.expressionResultType = .objectIDAttributeType
            let rows = try context.fetch(request([column, "title"]))
            let ids = Set(rows.compactMap { $0["objectID"] as? NSManagedObjectID })
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            #expect(ids == Set(books.map(\.objectID)))
        }
    }
}
