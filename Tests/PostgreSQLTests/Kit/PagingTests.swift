#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataKit
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Pages that go on after an object, on a server.
@Suite(.needsServer) struct PagingTests {
    private static func order(_ keys: (String, Bool)..., selector: String = "compare:") -> [NSSortDescriptor] {
        keys.map { NSSortDescriptor(key: $0.0, ascending: $0.1, selector: Selector(selector)) }
    }

    private static var orders: [[NSSortDescriptor]] {
        [
            order(("title", true)), order(("title", false), ("pages", true)),
            order(("isbn", true), ("price", false)),
            order(("isbn", false), ("cost", false)), order(("published", true), ("inPrint", false)),
            order(("published", false)), order(("identifier", true)), order(("identifier", false), ("home", true)),
            order(("author.name", false), ("cost", true)), order(("price", true), ("pages", false), ("cost", true)),
            order(("isbn", true), selector: "localizedStandardCompare:"),
            order(("title", false), ("isbn", false), selector: "caseInsensitiveCompare:"),
        ]
    }

    private func fill(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
        let authors = try ["Lem", "lem", "Łem"].map { name in
            let author = try context.create(Author.self)
            author.name = name
            return author
        }
        func some<Value>(_ values: [Value?]) -> Value? { values[random.below(values.count)] }
        for _ in 0..<70 {
            let book = try context.create(Book.self)
            book.title = some(["a", "B", "b", "Ä", "item 10", "item 2"]) ?? ""
            book.pages = Int32(random.below(4))
            book.price = Double(random.below(3)) / 3
            book.author = some([authors[0], authors[1], authors[2], nil])
            let values: [String: Any?] = [
                "isbn": some(["x", "X", "é", nil]), "cost": some([Decimal(string: "0.1"), 10, nil]),
                "published": some([
                    Date(timeIntervalSinceReferenceDate: 0.123_456_7), Date(timeIntervalSinceReferenceDate: 9), nil,
                ]),
                "inPrint": some([true, false, nil]), "home": some([URL(string: "a:b"), URL(string: "a:c"), nil]),
                "identifier": some([UUID(uuidString: "00000000-0000-0000-0000-0000000000FF"), UUID(), nil]),
            ]
            for (key, value) in values { book.setValue(value, forKey: key) }
        }
        try context.save()
    }

    @Test func pagesJoinedAreTheWholeResult() throws {
        try ServerStack.with { stack in
            var random = SeededGenerator(seed: 1)
            try stack.inContext { try fill($0, &random) }
            for order in Self.orders {
                try stack.inContext { context in
                    let query = Query(Book.self).sorted(order)
                    let whole = try context.all(query).map(\.objectID)
                    for size in [1, 9] {
                        var found: [NSManagedObjectID] = []
                        var last: Book?
                        repeat {
                            let page = try context.all(query.after(last).limit(size))
                            found += page.map(\.objectID)
                            last = page.last
                        } while last != nil
                        #expect(found == whole, "\(order), \(size)")
                    }
                }
            }
        }
    }

    @Test func aPageFarBehindReadsFromTheIndex() throws {
        let model = LibraryModel.make()
        let book = try #require(model.entitiesByName["Book"])
        book.indexes = [
            NSFetchIndexDescription(
                name: "byTitle",
                elements: [
                    NSFetchIndexElementDescription(
                        property: try #require(book.propertiesByName["title"]), collationType: .binary)
                ])
        ]
        try ServerStack.with(model: model) { stack in
            let connection = try TestServer.connect()
            defer { connection.close() }
            let schema = SQLName.quoted(stack.schema)
            try connection.runScript(
                """
                INSERT INTO \(schema).book (z_pk, z_ent, z_opt, title, pages, price)
                    SELECT i, (SELECT number FROM \(schema).ocd_entity WHERE name = 'Book'), 1, 't' || lpad(i::text, 6, '0'), 1, 1
                    FROM generate_series(1, 20000) AS i;
                ANALYZE \(schema).book
                """)
            try stack.inContext { context in
                for (order, sign) in [(SortOrder.forward, ">="), (.reverse, "<=")] {
                    let query = Query(Book.self).sorted(by: \.title, order).limit(20)
                    let titles = Query(Book.self).filter(NSPredicate(format: "title == 't015000'"))
                    let next = query.after(try context.one(titles))
                    #expect(
                        try context.all(next).map(\.title).first == (order == .forward ? "t015001" : "t014999"))
                    let plan = try context.explain(next.fetchRequest(in: context)).description
                    #expect(plan.contains("Index Cond: (title \(sign) 't015000'"), "\(plan)")
                }
            }
        }
    }
}
#endif
