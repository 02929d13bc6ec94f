#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Full text search as a function of predicates.
@Suite(.needsServer) struct TextSearchTests {
    private static let format = "FUNCTION(title, 'matchesText:', $words) == YES"
    private static let titles = [
        "The quick brown fox jumps over the lazy dog", "Foxes and dogs", "A history of databases",
        "Swift & databases: a quick start", "", "quick",
    ]

    private static func model(configuration: String?) -> NSManagedObjectModel {
        let model = LibraryModel.make()
        if let configuration {
            model.entitiesByName["Book"]?.attributesByName["title"]?.userInfo = ["textSearch": configuration]
        }
        return model
    }

    private func predicate(_ words: Any, _ format: String = TextSearchTests.format) -> NSPredicate {
        NSPredicate(format: format).withSubstitutionVariables(["words": words])
    }

    private func request(_ predicate: NSPredicate) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return request
    }

    private func titles(_ predicate: NSPredicate, _ context: NSManagedObjectContext) throws -> [String] {
        try context.fetch(request(predicate)).compactMap { $0.value(forKey: "title") as? String }
    }

    private func withTitles(
        configuration: String?, _ body: (ServerStack, NSManagedObjectContext) throws -> Void
    ) throws {
        try ServerStack.with(model: Self.model(configuration: configuration)) { stack in
            try stack.inContext { context in
                for title in Self.titles {
                    NSEntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue(
                        title, forKey: "title")
                }
                try context.save()
                try body(stack, context)
            }
        }
    }

    /// What is found is compared with the server's own answer.
    @Test(arguments: [nil, "simple", "english", "pg_catalog.english"]) func wordsAreFoundAsTheServerFindsThem(
        _ configuration: String?
    ) throws {
        try withTitles(configuration: configuration) { stack, context in
            for words in [
                "fox", "FOX dog", "quick -fox", "\"quick brown\"", "\"brown quick\"", "fox or databases", "database",
                "", "the", "'; DROP TABLE book; --", "?", "a:*",
            ] {
                let quoted = words.replacing("'", with: "''")
                let name = configuration ?? "simple"
                let expected = try stack.rows(
                    "SELECT title FROM book WHERE to_tsvector('\(name)', title) @@ websearch_to_tsquery('\(name)', '\(quoted)') "
                        + "ORDER BY title COLLATE \"C\""
                ).map { $0[0] }
                #expect(try titles(predicate(words), context) == expected, "\(words)")
                let others = try titles(NSCompoundPredicate(notPredicateWithSubpredicate: predicate(words)), context)
                #expect(Set(others) == Set(Self.titles).subtracting(expected), "\(words)")
            }
            let isEnglish = configuration?.hasSuffix("english") == true
            #expect(try titles(predicate("fox"), context).count == (isEnglish ? 2 : 1))
            #expect(
                try titles(predicate("fox", "FUNCTION(title, 'matchesText:', $words) == NO"), context).count
                    == (isEnglish ? 4 : 5))
            let localized = request(predicate("quick"))
            localized.sortDescriptors = [
                NSSortDescriptor(
                    key: "title", ascending: true, selector: Selector(("localizedStandardCompare:")))
            ]
            #expect(
                try context.fetch(localized).map { $0.value(forKey: "title") as? String }
                    == ["quick", "Swift & databases: a quick start", "The quick brown fox jumps over the lazy dog"])
            #expect(try titles(predicate("a\0b"), context).isEmpty)
            #expect(try titles(predicate(NSNull()), context).isEmpty)
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue(Set(try context.fetch(request(predicate("quick")))), forKey: "books")
            try context.save()
            let authors = NSFetchRequest<NSManagedObject>(entityName: "Author")
            authors.predicate = NSPredicate(
                format: "SUBQUERY(books, $b, FUNCTION($b.title, 'matchesText:', 'brown fox') == YES).@count > 0")
            #expect(try context.count(for: authors) == 1)
        }
    }

    @Test func wordsUseTheirIndex() throws {
        try ServerStack.with(model: Self.model(configuration: "english")) { stack in
            _ = try stack.rows(
                """
                INSERT INTO book (z_pk, z_ent, z_opt, title)
                    SELECT i + 1000000, (SELECT number FROM ocd_entity WHERE name = 'Book'), 1,
                        CASE WHEN i % 1000 = 0 THEN 'Running foxes ' || i ELSE 'Title ' || md5(i::text) END
                    FROM generate_series(1, 20000) AS i
                """)
            try PostgreSQLStore.makeTextIndex(
                .words(configuration: "pg_catalog.english"), of: "title", in: "Book", at: stack.url)
            // A second time, it is there.
            let oid = try stack.rows("SELECT 'ocd_words_book_title'::regclass::oid::text")
            try PostgreSQLStore.makeTextIndex(
                .words(configuration: "english"), of: "title", in: "Book", at: stack.url)
            #expect(try stack.rows("SELECT 'ocd_words_book_title'::regclass::oid::text") == oid)
            try stack.inContext { context in
                let request = request(predicate("fox run"))
                let statement = try #require(try context.explain(request).statements.first)
                let text = Comment(rawValue: ([statement.sql] + statement.plan.map(\.detail)).joined(separator: "\n"))
                #expect(statement.plan.contains { $0.detail.contains("ocd_words_book_title") }, text)
                #expect(!statement.plan.contains { $0.detail.hasPrefix("Seq Scan") }, text)
                #expect(!statement.isPredicateEvaluated && !statement.sql.contains("fox"), text)
                #expect(try context.count(for: request) == 20)
            }
            // Another configuration takes its place, and removing it leaves none.
            try PostgreSQLStore.makeTextIndex(.words(), of: "title", in: "Book", at: stack.url)
            let definition = try stack.rows("SELECT pg_get_indexdef('ocd_words_book_title'::regclass)")
            #expect(definition.first?.first?.contains("to_tsvector('simple'::regconfig, title)") == true)
            try PostgreSQLStore.removeTextIndex(.words(), of: "title", in: "Book", at: stack.url)
            #expect(try stack.rows("SELECT (to_regclass('ocd_words_book_title') IS NULL)::text") == [["true"]])
            let error = #expect(throws: CocoaError.self) {
                try PostgreSQLStore.makeTextIndex(
                    .words(configuration: "klingon"), of: "title", in: "Book", at: stack.url)
            }
            #expect(error.map { "\($0)".contains("klingon") } == true)
        }
    }

    @Test(arguments: ["C", "C.UTF-8"]) func anIndexOfAnExistingTableIsUsed(_ locale: String) throws {
        let name = "words_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        let server = try TestServer.connect()
        defer { server.close() }
        try server.runScript(
            "CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE '\(locale)' LC_CTYPE '\(locale)'")
        defer { try? server.runScript("DROP DATABASE \(name) WITH (FORCE)") }
        var parts = try #require(URLComponents(string: TestServer.url ?? ""))
        parts.path = "/" + name
        let url = try #require(parts.url)
        let connection = try PostgreSQLConnection(PostgreSQLAddress(url.absoluteString))
        defer { connection.close() }
        try connection.runScript(
            """
            CREATE TABLE page (id bigserial PRIMARY KEY, body text);
            INSERT INTO page (body) SELECT CASE WHEN i % 1000 = 0 THEN 'running foxes' ELSE md5(i::text) END
                FROM generate_series(1, 20000) AS i;
            CREATE INDEX page_words ON page USING gin (to_tsvector('english', body)); ANALYZE page;
            """)
        PostgreSQLStore.register()
        let imported = try ExistingModel(at: url)
        imported.model.entitiesByName["Page"]?.attributesByName["body"]?.userInfo?["textSearch"] = "english"
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: imported.model)
        let store = try coordinator.addPersistentStore(
            ofType: PostgreSQLStore.type, configurationName: nil, at: url)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Page")
            request.predicate = NSPredicate(format: "FUNCTION(body, 'matchesText:', 'fox') == YES")
            let statement = try #require(try context.explain(request).statements.first)
            let text = Comment(rawValue: ([statement.sql] + statement.plan.map(\.detail)).joined(separator: "\n"))
            #expect(statement.plan.contains { $0.detail.contains("page_words") }, text)
            #expect(try context.fetch(request).count == 20)
        }
    }

    @Test func fetchesThatIncludeUnsavedObjectsAreRefused() throws {
        func requireRefusal(_ body: () throws -> Void) {
            let error = #expect(throws: CocoaError.self) { try body() }
            #expect(
                error?.localizedDescription.contains("\"matchesText:\" is full text search") == true,
                "\(String(describing: error))")
        }
        try withTitles(configuration: "english") { _, context in
            let fox = predicate("fox")
            let objects = try context.fetch(request(fox))
            objects.first?.setValue("cat", forKey: "title")
            requireRefusal { _ = try context.fetch(request(fox)) }
            requireRefusal { _ = try context.count(for: request(fox)) }
            requireRefusal { _ = try context.fetch(request(NSCompoundPredicate(notPredicateWithSubpredicate: fox))) }
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            (ids.resultType, ids.predicate) = (.managedObjectIDResultType, fox)
            requireRefusal { _ = try context.fetch(ids) }
            let batches = request(fox)
            batches.fetchBatchSize = 2
            requireRefusal { _ = try context.fetch(batches) }
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            requireRefusal { try child.performAndWait { _ = try child.fetch(request(fox)) } }
            context.rollback()
            // Deleted objects match nothing, so the server's answer is enough.
            objects.first.map(context.delete)
            #expect(try titles(fox, context) == objects.dropFirst().compactMap { $0.value(forKey: "title") as? String })
            #expect(try context.count(for: request(fox)) == 1)
            context.rollback()
            // Objects of another entity have no part in it.
            _ = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            #expect(try titles(fox, context).count == 2)
        }
    }

    @Test func fetchedResultsFollowWhatTheServerFinds() throws {
        try withTitles(configuration: "english") { _, context in
            let controller = NSFetchedResultsController(
                fetchRequest: request(predicate("fox")), managedObjectContext: context, sectionNameKeyPath: nil,
                cacheName: nil)
            let delegate = ChangeCounter()
            controller.delegate = delegate
            try controller.performFetch()
            func shown() -> [String] {
                (controller.fetchedObjects ?? []).compactMap { $0.value(forKey: "title") as? String }
            }
            func requireServersAnswer(_ count: Int) throws {
                #expect(shown() == (try titles(predicate("fox"), context)) && shown().count == count, "\(shown())")
            }
            try requireServersAnswer(2)
            let new = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            new.setValue("A red fox", forKey: "title")
            context.processPendingChanges()
            #expect(shown().count == 2)
            try context.save()
            try requireServersAnswer(3)
            #expect(delegate.types == [.insert])
            new.setValue("Another fox", forKey: "title")
            try context.save()
            try requireServersAnswer(3)
            new.setValue("cat", forKey: "title")
            try context.save()
            try requireServersAnswer(2)
            #expect(delegate.types.last == .delete)
            let others = request(predicate("databases"))
            try context.fetch(others).first?.setValue("Databases for foxes", forKey: "title")
            try context.save()
            try requireServersAnswer(3)
            controller.fetchedObjects?.first.map(context.delete)
            try context.save()
            try requireServersAnswer(2)
        }
    }

    @Test func aPartThatSQLCannotExpressIsNamed() throws {
        try withTitles(configuration: nil) { _, context in
            let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
                predicate("fox"), NSPredicate(format: "FUNCTION(title, 'stringByAppendingString:', 'x') == 'quickx'"),
            ])
            let error = #expect(throws: CocoaError.self) { try context.fetch(request(both)) }
            #expect(
                error?.localizedDescription.contains("\"matchesText:\" is full text search, which the server evaluates")
                    == true, "\(String(describing: error))")
        }
    }

    @Test func aStringWithMoreWordsThanTheIndexTakesIsAValidationError() throws {
        try withTitles(configuration: "simple") { stack, context in
            try PostgreSQLStore.makeTextIndex(.words(configuration: "simple"), of: "title", in: "Book", at: stack.url)
            let long = (0..<150_000).map { "w\($0)" }.joined(separator: " ")
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue(long, forKey: "title")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSValidationStringTooLongError, "\(String(describing: error))")
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "title")
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.predicate = NSPredicate(format: "title == 'quick'")
            update.propertiesToUpdate = ["title": long]
            let refused = #expect(throws: CocoaError.self) { try context.execute(update) }
            #expect(refused?.code.rawValue == NSValidationStringTooLongError, "\(String(describing: refused))")
            #expect(try stack.rows("SELECT count(*)::text FROM book WHERE length(title) > 100") == [["0"]])
            book.setValue("short", forKey: "title")
            try context.save()
            #expect(try titles(predicate("short"), context) == ["short"])
            // Without the index there is nothing that doesn't take it.
            try PostgreSQLStore.removeTextIndex(.words(), of: "title", in: "Book", at: stack.url)
            book.setValue(long, forKey: "title")
            try context.save()
            #expect(try stack.rows("SELECT count(*)::text FROM book WHERE length(title) > 100") == [["1"]])
        }
    }

    /// Elsewhere there is no such search, and each place says so.
    @Test func otherStoresRefuseItByName() throws {
        func requireRefusal(_ body: () throws -> Void) {
            let error = #expect(throws: CocoaError.self) { try body() }
            #expect(
                error?.localizedDescription.contains("\"matchesText:\" is full text search") == true,
                "\(String(describing: error))")
        }
        for type in [NSSQLiteStoreType, NSInMemoryStoreType] {
            let folder = try TemporaryFolder()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: folder.file("Library.sqlite"), options: nil)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                NSEntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue("t", forKey: "title")
                try context.save()
                requireRefusal { _ = try context.fetch(request(predicate("t"))) }
            }
        }
        try withTitles(configuration: nil) { _, context in
            NSEntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue(
                "new fox", forKey: "title")
            requireRefusal { _ = try context.fetch(request(predicate("fox"))) }
            let saved = request(predicate("fox"))
            saved.includesPendingChanges = false
            let found = try context.fetch(saved)
            #expect(found.count == 1)
        }
        try withTitles(configuration: "english'; --") { _, context in
            let error = #expect(throws: CocoaError.self) { try titles(predicate("fox"), context) }
            #expect(error.map { "\($0)".contains("Book.title") } == true, "\(String(describing: error))")
        }
    }
}

/// Records the changes that a fetched results controller reports.
private final class ChangeCounter: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var types: [NSFetchedResultsChangeType] = []

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange object: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        types.append(type)
    }
}
#endif
