#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Indexes for searches in texts and for the order of a language: made on request, used by predicates and sorts, with the same
/// results as without them.
@Suite(.needsServer) struct TextIndexTests {
    private static let words = [
        "Straße", "Élan", "élan", "naïve", "Ωmega", "ЙОД", "100%", "a_b", "back\\slash", "plain", "PLAIN text", "ﬁn",
        "日本", "e\u{301}clair", "İstanbul", "ส้มตำ", "ᾀρα", "ἀιρα", "αιρα", "αρα", "नमस्ते", "Ångström", "ocdxqzunfolded",
        "OCDXQZUNFOLDED", "", "x",
    ]

    /// A model whose entity Book has a title, as in other tests.
    private func with(
        rows: Int, _ body: (ServerStack) throws -> Void
    ) throws {
        try ServerStack.with { stack in
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript(
                """
                SET search_path = \(SQLName.quoted(stack.schema));
                INSERT INTO book (z_pk, z_ent, z_opt, title)
                    SELECT i + 1000000, (SELECT number FROM ocd_entity WHERE name = 'Book'), 1,
                        CASE WHEN i % 1000 = 0 THEN 'Ein Müßiggang ' || i ELSE 'Title ' || md5(i::text) END
                    FROM generate_series(1, \(rows)) AS i
                """)
            try body(stack)
        }
    }

    /// Makes indexes, and opens the store again.
    private func reopened(
        _ stack: ServerStack, _ indexes: PostgreSQLStore.TextIndex..., body: (ServerStack) throws -> Void
    ) throws {
        for index in indexes {
            try PostgreSQLStore.makeTextIndex(index, of: "title", in: "Book", at: stack.url)
        }
        let other = try ServerStack(schema: stack.schema)
        defer { other.close() }
        try body(other)
    }

    private func request(_ format: String, _ argument: String) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: format, argument)
        return request
    }

    @Test(arguments: [
        ("title CONTAINS[cd] %@", "MÜSSIGGANG 3000"), ("title BEGINSWITH[cd] %@", "ein mußiggang 3000"),
        ("title ENDSWITH[cd] %@", "ssiggang 3000"), ("title ==[cd] %@", "EIN MÜSSIGGANG 3000"),
        ("title LIKE[cd] %@", "*müssigg?ng 3000"), ("title CONTAINS[c] %@", "MÜSSIGGANG 3000"),
        ("title CONTAINS[d] %@", "Mussiggang 3000"), ("title CONTAINS %@", "Müßiggang 3000"),
    ])
    func searchesUseTheirIndex(format: String, argument: String) throws {
        try with(rows: 20_000) { stack in
            try reopened(stack, .search) { stack in
                try stack.inContext { context in
                    let request = request(format, argument)
                    let statement = try #require(try context.explain(request).statements.first)
                    let plan = statement.plan.map(\.detail)
                    let text = Comment(rawValue: ([statement.sql] + plan).joined(separator: "\n"))
                    #expect(plan.contains { $0.contains("on ocd_search_book_title") }, text)
                    #expect(!plan.contains { $0.hasPrefix("Seq Scan") } && !statement.isPredicateEvaluated, text)
                    let expected = format.contains("[d]") ? [] : ["Ein Müßiggang 3000"]
                    let found = try context.fetch(request).map { $0.value(forKey: "title") as? String }
                    let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
                    #expect(
                        found
                            == all.filter { request.predicate?.evaluate(with: $0) == true }
                            .map { $0.value(forKey: "title") as? String })
                    if !format.contains("[d]") { #expect(found == expected) }
                }
            }
        }
    }

    @Test func searchesFindTheSameWithAndWithoutTheIndex() throws {
        try ServerStack.with { stack in
            var random = SeededGenerator(seed: 15)
            let titles = (0..<400).map { _ in
                (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.words.randomElement(using: &random) ?? "" }
                    .joined(separator: Bool.random(using: &random) ? " " : "")
            }
            try stack.inContext { context in
                for title in titles + Self.words {
                    NSEntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue(
                        title, forKey: "title")
                }
                try context.save()
            }
            try reopened(stack, .search) { stack in
                try stack.inContext { context in
                    let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
                    let operators = [
                        "CONTAINS", "BEGINSWITH", "ENDSWITH", "==", "LIKE", "!=", "CONTAINS[c]", "CONTAINS[d]",
                        "CONTAINS[cd]",
                        "BEGINSWITH[c]", "BEGINSWITH[cd]", "ENDSWITH[d]", "ENDSWITH[cd]", "==[c]", "==[d]", "==[cd]",
                        "LIKE[cd]",
                        "LIKE[c]", "!=[cd]",
                    ]
                    for word in Self.words + [
                        "E", "ss", "an", "%", "_", "\\", "*an*", "?lan", "\u{301}", "é", "OCD", "i", "N",
                    ] {
                        for sign in operators {
                            for format in ["title \(sign) %@", "NOT (title \(sign) %@)"] {
                                let request = request(format, word)
                                let found = Set(try context.fetch(request).map(\.objectID))
                                let expected = Set(
                                    all.filter { request.predicate?.evaluate(with: $0) == true }.map(\.objectID))
                                #expect(found == expected, "\(format) \(word)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func textsThatTheServerCannotFoldAreLookedAtBesideThoseThatTheIndexFinds() throws {
        try with(rows: 20_000) { stack in
            try stack.inContext { context in
                for title in ["ส้มตำ Müßiggang 3000", "ส้มตำ"] {
                    NSEntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue(
                        title, forKey: "title")
                }
                try context.save()
            }
            try reopened(stack, .search) { stack in
                try stack.inContext { context in
                    for (format, count) in [
                        ("title CONTAINS[cd] 'MÜSSIGGANG 3000'", 2),
                        ("title CONTAINS[c] 'müssiggang 3000' AND title != 'x'", 2),
                        ("title BEGINSWITH[cd] 'ส้มตำ'", 2),
                        ("title ==[cd] 'ส้มตำ' OR title ==[cd] 'ein mussiggang 4000'", 2),
                    ] {
                        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                        request.predicate = NSPredicate(format: format)
                        _ = stack.statements.take()
                        let found = try context.count(for: request)
                        #expect(found == count, "\(format)")
                        // Two rows that can't be folded, and two that the index finds at most.
                        let searches = stack.statements.take().filter { $0.contains("OCDXQZUNFOLDED") }
                        #expect(searches.count == 3, "\(searches)")
                        #expect(searches.last?.contains(/strpos|_known/) == false, "\(searches)")
                    }
                    let negated = NSFetchRequest<NSManagedObject>(entityName: "Book")
                    negated.predicate = NSPredicate(format: "NOT (title CONTAINS[cd] 't')")
                    let others = try context.count(for: negated)
                    #expect(others == 2 + 20)
                }
            }
        }
    }

    // MARK: Order

    private func sorted(ascending: Bool = true, limit: Int = 20) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [
            NSSortDescriptor(
                key: "title", ascending: ascending, selector: Selector(("localizedStandardCompare:")))
        ]
        request.fetchLimit = limit
        return request
    }

    @Test func localizedOrderUsesItsIndex() throws {
        try with(rows: 20_000) { stack in
            try reopened(stack, .localizedOrder) { stack in
                try stack.inContext { context in
                    for ascending in [true, false] {
                        let request = sorted(ascending: ascending)
                        let statement = try #require(try context.explain(request).statements.first)
                        let plan = statement.plan.map(\.detail)
                        let text = Comment(rawValue: ([statement.sql] + plan).joined(separator: "\n"))
                        #expect(plan.contains { $0.contains("using ocd_localized_book_title") }, text)
                        #expect(statement.sorts == 0 && statement.rowsScanned < 100, text)
                    }
                }
            }
        }
    }

    @Test func localizedOrderIsThatOfTheProgram() throws {
        try ServerStack.with { stack in
            var random = SeededGenerator(seed: 3)
            // Foundation's order isn't ICU's where accented letters of Latin and other scripts meet in one string.
            let latin = [
                "a", "B", "b", "É", "e", "ä", "Z", "10", "9", "2", " ", "-", "_", ".", "ø", "ł", "'", "(", "ñ", "n",
            ]
            let others = ["a", "б", "Б", "я", "ё", "Ё", "日", "本", "α", "Α", "ω", " ", "3", "20"]
            let titles = (0..<800).map { number in
                (0..<Int.random(in: 0...5, using: &random)).map { _ in
                    (number % 2 == 0 ? latin : others).randomElement(using: &random) ?? ""
                }.joined()
            }
            try stack.inContext { context in
                for title in titles {
                    NSEntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue(
                        title, forKey: "title")
                }
                try context.save()
            }
            func order(_ stack: ServerStack, _ ascending: Bool) throws -> [String?] {
                try stack.inContext { context in
                    try context.fetch(sorted(ascending: ascending, limit: 0)).map {
                        $0.value(forKey: "title") as? String
                    }
                }
            }
            for ascending in [true, false] {
                let expected = try order(stack, ascending)
                try reopened(stack, .localizedOrder) { stack in
                    let found = try order(stack, ascending)
                    #expect(found == expected)
                }
            }
        }
    }

    @Test func aValueThatIsTooLongForTheOrderRemovesTheIndex() throws {
        try ServerStack.with { stack in
            try reopened(stack, .localizedOrder) { stack in
                let long = String((0..<3_000).map { Character(Unicode.Scalar(UInt8(33 + $0 * 7919 % 90))) })
                try stack.inContext { context in
                    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                    book.setValue("b", forKey: "title")
                    try context.save()
                    book.setValue(
                        String(long.shuffled()) + String(long.shuffled()) + String(long.shuffled()), forKey: "title")
                    try context.save()
                    let other = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                    other.setValue("\u{7E}z", forKey: "title")
                    try context.save()
                    #expect(try context.fetch(sorted()).count == 2)
                }
                #expect(
                    try stack.rows(
                        "SELECT 1 FROM pg_indexes WHERE schemaname = '\(stack.schema)' AND indexname LIKE 'ocd_localized%'"
                    ).isEmpty)
            }
        }
    }

    // MARK: Making and removing

    @Test func indexesAreMadeOnceAndGoWithTheStore() throws {
        try TestServer.withSchema(created: false) { schema in
            let stack = try ServerStack(schema: schema)
            for _ in 0..<2 {
                try PostgreSQLStore.makeTextIndex(.search, of: "title", in: "Book", at: stack.url)
                try PostgreSQLStore.makeTextIndex(.localizedOrder, of: "title", in: "Book", at: stack.url)
            }
            let count =
                "SELECT count(*)::text FROM pg_indexes WHERE schemaname = '\(schema)' AND indexname IN "
                + "('ocd_search_book_title', 'ocd_localized_book_title')"
            #expect(try stack.rows(count) == [["2"]])
            // One that can't be used, as after an interruption, is made again.
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript(
                "UPDATE pg_index SET indisvalid = false WHERE indexrelid = '\(schema).ocd_search_book_title'::regclass")
            try PostgreSQLStore.makeTextIndex(.search, of: "title", in: "Book", at: stack.url)
            #expect(
                try stack.rows(
                    "SELECT indisvalid::text FROM pg_index WHERE indexrelid = '\(schema).ocd_search_book_title'::regclass"
                ) == [["true"]])
            try PostgreSQLStore.removeTextIndex(.search, of: "title", in: "Book", at: stack.url)
            #expect(try stack.rows(count) == [["1"]])
            for (attribute, entity) in [("other", "Book"), ("title", "Other"), ("pages", "Book")] {
                let error = #expect(throws: CocoaError.self) {
                    try PostgreSQLStore.makeTextIndex(.search, of: attribute, in: entity, at: stack.url)
                }
                #expect(
                    error?.localizedDescription.contains("no string attribute \(attribute) of an entity \(entity)")
                        == true)
            }
            stack.close()
            try PostgreSQLStore.makeTextIndex(.search, of: "title", in: "Book", at: stack.url)
            try NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make()).destroyPersistentStore(
                at: stack.url, ofType: PostgreSQLStore.type)
            #expect(
                try connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = '\(schema)'", isPrepared: false)
                    .count == 0)
        }
    }
}
#endif
