#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataPostgreSQL
import TestSupport
import Testing

/// Batch requests on tables that others have made; `psql` says what became of the rows.
@Suite(.needsServer)
struct ExistingTableBatchTests {
    private let folder: TemporaryFolder
    private let database: ServerDatabase
    private let context: NSManagedObjectContext

    private static let tables = """
        CREATE TYPE mood AS ENUM ('sad', 'happy');
        CREATE TABLE author (id serial PRIMARY KEY, name varchar(40) NOT NULL UNIQUE, born date, mood mood,
            seen timestamp, changes int NOT NULL DEFAULT 1);
        CREATE TABLE book (book_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text NOT NULL,
            pages int NOT NULL DEFAULT 100, price numeric(8, 2),
            author_id int NOT NULL REFERENCES author ON DELETE CASCADE, editor_id int REFERENCES author,
            title_length int GENERATED ALWAYS AS (length(title)) STORED);
        CREATE TABLE genre (id serial PRIMARY KEY, label text NOT NULL, parent_id int REFERENCES genre);
        CREATE TABLE book_genre (book_id bigint NOT NULL REFERENCES book, genre_id int NOT NULL REFERENCES genre,
            PRIMARY KEY (book_id, genre_id));
        INSERT INTO author (name, born) VALUES ('Ada', '1815-12-10'), ('Bob', NULL), ('Cy', NULL);
        INSERT INTO genre (label, parent_id) VALUES ('Prose', NULL), ('Novel', 1);
        INSERT INTO book (title, pages, price, author_id, editor_id) VALUES
            ('One', 10, 1.50, 1, 2), ('Two', 20, NULL, 1, NULL), ('Three', 30, 3, 2, 1);
        INSERT INTO book_genre VALUES (1, 1), (1, 2), (2, 2), (3, 1);
        """

    init() throws {
        folder = try TemporaryFolder()
        database = try ServerDatabase(isMade: true)
        try database.sql(Self.tables)
        let path = folder.file("Books.xcdatamodeld")
        let result = try CommandRunner.run("model", "import", database.url, "-o", path.path)
        try #require(result.status == 0, "\(result.errors)")
        let model = try NSManagedObjectModel(contentsOfModelFile: path)
        // Changes of authors are counted by a column, those of books by the server's own mark.
        let author = try #require(model.entitiesByName["Author"])
        author.userInfo?["version"] = "changes"
        author.properties.removeAll { $0.name == "changes" }
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = try database.coordinator(model)
    }

    private func update(
        _ entity: String, _ format: String?, _ values: [AnyHashable: Any]
    ) throws -> [NSManagedObjectID] {
        try context.performAndWait {
            let request = NSBatchUpdateRequest(entityName: entity)
            request.predicate = format.map { NSPredicate(format: $0) }
            request.propertiesToUpdate = values
            request.resultType = .updatedObjectIDsResultType
            let result = try context.execute(request) as? NSBatchUpdateResult
            return try #require(result?.result as? [NSManagedObjectID])
        }
    }

    private func insert(_ entity: String, _ rows: [[String: Any]]) throws -> [NSManagedObjectID] {
        try context.performAndWait {
            let request = NSBatchInsertRequest(entityName: entity, objects: rows)
            request.resultType = .objectIDs
            let result = try context.execute(request) as? NSBatchInsertResult
            return try #require(result?.result as? [NSManagedObjectID])
        }
    }

    private func delete(_ entity: String, _ format: String) throws -> [NSManagedObjectID] {
        try context.performAndWait {
            let fetch = NSFetchRequest<NSManagedObject>(entityName: entity)
            fetch.predicate = NSPredicate(format: format)
            let request = NSBatchDeleteRequest(fetchRequest: fetch)
            request.resultType = .resultTypeObjectIDs
            let result = try context.execute(request) as? NSBatchDeleteResult
            return try #require(result?.result as? [NSManagedObjectID])
        }
    }

    private func object(_ entity: String, _ format: String) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        return try #require(try context.fetch(request).first)
    }

    // MARK: Updates

    @Test func rowsAreChangedInTheirOwnColumns() throws {
        let ids = try update(
            "Book", "author.name == 'Ada'", ["pages": NSExpression(format: "pages * 2 + 1"), "price": 2.255])
        #expect(ids.count == 2)
        #expect(
            try database.sql("SELECT title, pages, price, title_length FROM book ORDER BY book_id")
                == "One|21|2.26|3\nTwo|41|2.26|3\nThree|30|3.00|5")
        // Dates and moments without a time zone, an enumeration, and a column that counts changes.
        let date = Date(timeIntervalSinceReferenceDate: 86_400 * 3 + 7.5)
        #expect(try update("Author", "name != 'Cy'", ["born": date, "seen": date, "mood": "happy"]).count == 2)
        #expect(
            try database.sql("SELECT name, born, seen, mood, changes FROM author ORDER BY id")
                == "Ada|2001-01-04|2001-01-04 00:00:07.5|happy|2\nBob|2001-01-04|2001-01-04 00:00:07.5|happy|2\nCy||||1"
        )
        #expect(try update("Author", "mood == 'happy'", ["mood": NSNull(), "seen": NSNull()]).count == 2)
        #expect(
            try database.sql("SELECT count(*), max(changes) FROM author WHERE mood IS NULL AND seen IS NULL")
                == "3|3")
    }

    @Test func relationshipsAreChanged() throws {
        let bob = try context.performAndWait { try object("Author", "name == 'Bob'").objectID }
        #expect(try update("Book", "title BEGINSWITH 'T'", ["editor": bob, "author": bob]).count == 2)
        #expect(
            try database.sql("SELECT book_id, author_id, editor_id FROM book ORDER BY book_id")
                == "1|1|2\n2|2|2\n3|2|2")
        #expect(try update("Book", nil, ["editor": NSNull()]).count == 3)
        #expect(try database.sql("SELECT count(*) FROM book WHERE editor_id IS NULL") == "3")
    }

    @Test func whatSQLCannotComputeIsComputedInTheProgram() throws {
        let ids = try update(
            "Book", "title ==[c] 'ONE'", ["pages": NSExpression(format: "count:({1, 2} UNION {pages})")])
        #expect(ids.count == 1)
        #expect(try database.sql("SELECT pages FROM book ORDER BY book_id") == "3\n20\n30")
    }

    @Test(arguments: ["Author", "Book"]) func aRowThatABatchChangedIsAConflictForWhoReadItBefore(entity: String)
        throws
    {
        try context.performAndWait {
            let key = entity == "Author" ? "name" : "title"
            let object = try object(entity, entity == "Author" ? "name == 'Ada'" : "title == 'One'")
            _ = object.value(forKey: key)
            let changed = try update(entity, nil, entity == "Author" ? ["mood": "sad"] : ["pages": 7])
            #expect(changed.count == 3)
            object.setValue("mine", forKey: key)
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectMergeError)
        }
    }

    // MARK: Insertions

    @Test func rowsAreInsertedWithTheKeysOfTheirSequence() throws {
        let ids = try insert("Author", [["name": "Dee", "mood": "sad"], ["name": "Eve"]])
        #expect(ids.map { $0.uriRepresentation().lastPathComponent } == ["p4", "p5"])
        let names = try database.sql("SELECT id, name, mood, changes FROM author WHERE id > 3 ORDER BY id")
        #expect(names == "4|Dee|sad|1\n5|Eve||1")
        #expect(try database.sql("INSERT INTO author (name) VALUES ('Foe') RETURNING id") == "6")
        let books = try insert(
            "Book", (0..<2_500).map { ["title": "B\($0)", "price": 1.999, "author": ids[$0 % 2]] })
        #expect(books.count == 2_500)
        // What wasn't given has the default value of the model, which is that of the table.
        #expect(
            try database.sql(
                "SELECT author_id, count(*), min(pages), max(price), max(title_length) FROM book WHERE author_id > 3 "
                    + "GROUP BY 1 ORDER BY 1") == "4|1250|100|2.00|5\n5|1250|100|2.00|5")
    }

    @Test(arguments: [
        NSMergePolicyType.errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
        .rollbackMergePolicyType,
    ])
    func aTakenValueIsSettledByTheMergePolicy(policy: NSMergePolicyType) throws {
        context.performAndWait { context.mergePolicy = NSMergePolicy(merge: policy) }
        let rows: [[String: Any]] = [["name": "Gil"], ["name": "Ada", "mood": "happy"]]
        let ada = "SELECT id, mood, born FROM author WHERE name = 'Ada'"
        guard policy != .errorMergePolicyType else {
            #expect(throws: CocoaError.self) { try insert("Author", rows) }
            #expect(try database.sql("SELECT count(*) FROM author") == "3")
            return
        }
        #expect(try insert("Author", rows).count == (policy == .rollbackMergePolicyType ? 1 : 2))
        #expect(try database.sql("SELECT count(*) FROM author") == "4")
        #expect(
            try database.sql(ada) == (policy == .rollbackMergePolicyType ? "1||1815-12-10" : "1|happy|1815-12-10"))
    }

    // MARK: Deletions

    @Test func rulesAreFollowedInTheOrderOfTheForeignKeys() throws {
        // Ada's books go with her, and their pairs; who she edited for has no editor any more.
        let ids = try delete("Author", "name == 'Ada'")
        #expect(Set(ids.map { $0.uriRepresentation().path }).count == 3)
        #expect(try database.sql("SELECT id FROM author ORDER BY 1") == "2\n3")
        #expect(try database.sql("SELECT title, editor_id FROM book") == "Three|")
        #expect(try database.sql("SELECT * FROM book_genre") == "3|1")
        // A row that others of its table refer to.
        #expect(try delete("Genre", "label == 'Prose'").count == 1)
        #expect(try database.sql("SELECT label, parent_id FROM genre") == "Novel|")
        #expect(try database.sql("SELECT count(*) FROM book_genre") == "0")
    }

    @Test func nothingIsLeftBehindInTheSchema() throws {
        func relations() throws -> String {
            try database.sql(
                "SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class "
                    + "WHERE relnamespace = '\(database.schema)'::regnamespace")
        }
        let before = try relations()
        _ = try update("Book", nil, ["pages": 1])
        _ = try insert("Author", [["name": "Hal"]])
        #expect(try delete("Book", "title == 'Two'").count == 1)
        #expect(try relations() == before)
    }

    // MARK: Values

    @Test func anObjectShowsWhatItsColumnKept() throws {
        try context.performAndWait {
            let book = try object("Book", "title == 'One'")
            for (given, kept) in [
                ("2.255", "2.26"), ("2.254", "2.25"), ("-0.005", "-0.01"), ("7", "7"), ("99.999", "100"),
            ] {
                book.setValue(NSDecimalNumber(string: given), forKey: "price")
                try context.save()
                #expect(
                    book.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: kept), "\(given)")
                #expect(!book.hasChanges)
                let stored = try database.sql("SELECT price FROM book WHERE book_id = 1")
                #expect(NSDecimalNumber(string: stored) == NSDecimalNumber(string: kept))
                // And a predicate finds it by what it shows.
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.predicate = NSPredicate(format: "price == %@", NSDecimalNumber(string: kept))
                #expect(try context.fetch(request) == [book])
            }
            book.setValue(NSDecimalNumber(string: "1234567"), forKey: "price")
            #expect(throws: CocoaError.self) { try context.save() }
            #expect(book.value(forKey: "price") as? NSDecimalNumber == 1_234_567)
            context.rollback()
            #expect(book.value(forKey: "price") as? NSDecimalNumber == 100)
        }
    }
}
#endif
