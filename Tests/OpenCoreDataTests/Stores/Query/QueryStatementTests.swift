import Foundation
import OpenCoreData
import TestSupport
import Testing

/// The text of common queries: indexes must be usable, joins shared, and values bound.
@Suite struct QueryStatementTests {
    private func statement(
        _ format: String, _ arguments: [Any] = [], entity: String = "Book", sort: [NSSortDescriptor] = [],
        limit: Int = 0
    ) throws -> String {
        let fixture = try StoreFixture()
        var query = StoreQuery(entity: try fixture.layout(entity))
        query.predicate = try NSPredicate(validatingFormat: format, argumentArray: arguments)
        query.sortDescriptors = sort
        query.limit = limit
        query.includesValues = false
        let statements = try fixture.statements { _ = try fixture.store.fetchRows(query) }
        let string = try #require(statements.first { $0.hasPrefix("SELECT") })
        return String(string[try #require(string.range(of: " FROM ")).lowerBound...])
    }

    @Test func aComparisonIsTheColumnAndAValue() throws {
        #expect(try statement("isbn == 'x'") == " FROM ZBOOK t0 WHERE t0.ZISBN = ?")
        #expect(
            try statement("pages > 3 AND price <= 2.5")
                == " FROM ZBOOK t0 WHERE (t0.ZPAGES > ? AND t0.ZPRICE <= ?)")
    }

    @Test func nilIsAskedForByName() throws {
        #expect(try statement("isbn == nil") == " FROM ZBOOK t0 WHERE t0.ZISBN IS NULL")
        #expect(try statement("author != nil") == " FROM ZBOOK t0 WHERE NOT (t0.ZAUTHOR IS NULL)")
    }

    @Test func aToOneIsJoinedOnceForPredicateAndOrder() throws {
        let string = try statement(
            "author.country == 'FR' AND author.name BEGINSWITH 'A'",
            sort: [NSSortDescriptor(key: "author.name", ascending: true)], limit: 3)
        #expect(
            string == " FROM ZBOOK t0 LEFT JOIN ZAUTHOR t1 ON t1.Z_PK = t0.ZAUTHOR WHERE "
                + "(t1.ZCOUNTRY = ? AND (t1.ZNAME >= ? AND t1.ZNAME < ?)) ORDER BY t1.ZNAME, t0.Z_PK LIMIT ?")
    }

    @Test func subentitiesAreToldApartWhereNeeded() throws {
        #expect(
            try statement("pages == 1", entity: "GraphicNovel")
                == " FROM ZBOOK t0 WHERE t0.Z_ENT = 3 AND t0.ZPAGES = ?")
    }

    @Test func aRowOfAnotherEntityOfTheTreeIsMissing() throws {
        let fixture = try StoreFixture()
        try fixture.save {
            $0.inserts = [try fixture.insert("Book", 1, [:]), try fixture.insert("GraphicNovel", 2, [:])]
        }
        let novels = try fixture.store.fetchRows(
            references: [1, 2, 3], entity: try fixture.layout("GraphicNovel"), includesValues: true)
        #expect((0..<novels.count).map { novels.reference($0) } == [2])
    }

    @Test func equalQueriesWithOtherValuesShareTheirText() throws {
        let fixture = try StoreFixture()
        try fixture.save { plan in
            plan.inserts = try (1...5).map {
                try fixture.insert("Book", $0, ["pages": .integer($0), "isbn": .string("\($0)")])
            }
        }
        for value in 1...5 {
            #expect(try fixture.references("Book", NSPredicate(format: "pages == %d", value)) == [Int64(value)])
            #expect(try fixture.references("Book", NSPredicate(format: "isbn == %@", "\(value)")) == [Int64(value)])
            // A number is compared with a text as a text.
            #expect(try fixture.references("Book", NSPredicate(format: "isbn == %d", value)) == [Int64(value)])
            #expect(try fixture.references("Book", NSPredicate(format: "pages == %@", "\(value)")) == [Int64(value)])
        }
        #expect(try fixture.references("Book", NSPredicate(format: "pages != 3"), limit: 2, offset: 1) == [2, 4])
        #expect(try fixture.references("Book", NSPredicate(format: "pages != 4"), limit: 3, offset: 1) == [2, 3, 5])
    }

    @Test func anyIsAnExistingRow() throws {
        #expect(
            try statement("ANY books.pages > 300", entity: "Author")
                == " FROM ZAUTHOR t0 WHERE EXISTS (SELECT 1 FROM ZBOOK t1 WHERE t1.ZAUTHOR = t0.Z_PK AND t1.ZPAGES > ?)"
        )
    }

    @Test func longListsAreOneValue() throws {
        let fixture = try StoreFixture()
        try fixture.save { plan in
            plan.inserts = try (1...3).map {
                try fixture.insert(
                    "Book", $0, ["pages": .integer($0), "isbn": .string("n'\($0)"), "price": .double(0.1 * Double($0))])
            }
        }
        let numbers = Array(2...40_000)
        #expect(try fixture.references("Book", NSPredicate(format: "pages IN %@", numbers)).sorted() == [2, 3])
        let texts = numbers.map { "n'\($0)" }
        #expect(try fixture.references("Book", NSPredicate(format: "isbn IN %@", texts)).sorted() == [2, 3])
        let prices = numbers.map { 0.1 * Double($0) }
        #expect(try fixture.references("Book", NSPredicate(format: "price IN %@", prices)).sorted() == [2, 3])
        #expect(try fixture.references("Book", NSPredicate(format: "NOT pages IN %@", numbers)) == [1])
    }

    @Test func whatAStoreCannotDoIsNamed() throws {
        let fixture = try StoreFixture()
        func message(_ predicate: NSPredicate, _ entity: String = "Book") -> String {
            do {
                _ = try fixture.references(entity, predicate)
                return ""
            } catch {
                return (error as NSError).localizedDescription
            }
        }
        let unknown = message(NSPredicate(format: "color == 'red'"))
        #expect(unknown.contains("color") && unknown.contains("Book"))
        #expect(message(NSPredicate(format: "mood == 'bad'"), "Author").contains("mood"))
        #expect(message(NSPredicate { _, _ in true }).contains("block predicate"))
        #expect(message(NSPredicate { _, _ in true }).contains("filter the objects"))
        #expect(message(OwnPredicate()).contains("class OwnPredicate"))
        let block = NSExpression(block: { _, _, _ in 1 }, arguments: [NSExpression(forKeyPath: "pages")])
        let comparison = NSComparisonPredicate(
            leftExpression: block, rightExpression: NSExpression(forKeyPath: "pages"), modifier: .direct, type: .equalTo
        )
        #expect(message(comparison).contains("block expression"))
        var sorted = StoreQuery(entity: try fixture.layout("Book"))
        sorted.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true) { _, _ in .orderedSame }]
        let error = #expect(throws: CocoaError.self) { _ = try fixture.store.fetchReferences(sorted) }
        #expect(error?.localizedDescription.contains("Sort the fetched objects") == true)
        #expect(message(NSPredicate(format: "count:(tags UNION tags) == $none")).contains("none"))
    }

    @Test func conditionsBeforeWhatSQLCannotSayLeaveFewRows() throws {
        let fixture = try StoreFixture()
        try fixture.save { plan in
            plan.inserts = try (1...5).map { try fixture.insert("Book", $0, ["pages": .integer($0)]) }
        }
        let predicate = NSPredicate(format: "pages > 3 AND count:(tags UNION tags) == 0 AND pages < 9")
        var found: [Int64] = []
        let statements = try fixture.statements { found = try fixture.references("Book", predicate) }
        #expect(found == [4, 5])
        #expect(statements.contains("SELECT t0.Z_PK, t0.Z_ENT FROM ZBOOK t0 WHERE t0.ZPAGES > ?"), "\(statements)")
    }

    @Test func groupsAreCountedAndFiltered() throws {
        let fixture = try StoreFixture()
        try fixture.save { plan in
            plan.inserts = try [("FR", 1), ("FR", 2), ("DE", 3)].map { country, reference in
                try fixture.insert("Author", Int64(reference), ["country": .string(country)])
            }
        }
        var query = StoreQuery(entity: try fixture.layout("Author"))
        let count = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "country")])
        query.columns = [
            .keyPath("country"), .expression(count, name: "number", type: .integer32AttributeType),
        ]
        query.groupBy = [.keyPath("country")]
        query.having = NSPredicate(format: "number > 1")
        let rows = try fixture.store.fetchColumns(query)
        #expect(rows.count == 1)
        guard case .string("FR")? = rows.first?[0], case .integer(2)? = rows.first?[1] else {
            Issue.record("\(rows)")
            return
        }
        query.having = NSPredicate(format: "$number > 1")
        #expect(try fixture.store.fetchColumns(query).count == 1)
    }
}

private final class OwnPredicate: NSPredicate {
    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool { true }
}
