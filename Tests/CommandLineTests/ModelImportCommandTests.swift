#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataPostgreSQL
import TestSupport
import Testing

/// `model import`, and reading and writing tables that others have made with its model.
@Suite(.needsServer)
struct ModelImportCommandTests {
    private let folder: TemporaryFolder
    private let database: ServerDatabase
    private let model: String
    private let report: String

    private static let tables = """
        CREATE TYPE mood AS ENUM ('sad', 'happy');
        CREATE TABLE author (id serial PRIMARY KEY, name varchar(40) NOT NULL UNIQUE, born date, mood mood, meta jsonb,
            tags text[], created timestamp NOT NULL DEFAULT now());
        CREATE TABLE book (book_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text NOT NULL,
            description text, pages int NOT NULL DEFAULT 100, price numeric(8, 2),
            author_id int NOT NULL REFERENCES author ON DELETE CASCADE, editor_id int REFERENCES author, isbn uuid,
            title_length int GENERATED ALWAYS AS (length(title)) STORED);
        CREATE UNIQUE INDEX author_again ON author (name);
        CREATE TABLE genre (id smallint PRIMARY KEY, label char(8) NOT NULL, parent_id smallint REFERENCES genre);
        CREATE TABLE book_genre (book_id bigint NOT NULL REFERENCES book ON DELETE CASCADE,
            genre_id smallint NOT NULL REFERENCES genre, added timestamptz DEFAULT now(), PRIMARY KEY (book_id, genre_id));
        CREATE TABLE country (code char(2) PRIMARY KEY, name text);
        CREATE TABLE visit (author_id int NOT NULL REFERENCES author, country_code char(2) NOT NULL REFERENCES country,
            day date, PRIMARY KEY (author_id, country_code, day));
        CREATE TABLE log (message text);
        INSERT INTO author (name, born, mood, meta, created) VALUES
            ('Ada', '1815-12-10', 'happy', '{"a": 1}', '2024-05-01 12:30:00'), ('Bob', NULL, NULL, NULL, '2024-05-02');
        INSERT INTO genre VALUES (1, 'Prose', NULL), (2, 'Novel', 1);
        INSERT INTO book (title, pages, price, author_id, editor_id) VALUES ('One', 10, 1.50, 1, 2), ('Two', 20, NULL, 1, NULL);
        INSERT INTO book_genre (book_id, genre_id) VALUES (1, 1), (1, 2), (2, 2);
        """

    private var url: String { database.url }

    init() throws {
        folder = try TemporaryFolder()
        database = try ServerDatabase(isMade: true)
        try database.sql(Self.tables)
        model = folder.file("Books.xcdatamodeld").path
        let result = try CommandRunner.run("model", "import", database.url, "-o", model)
        try #require(result.status == 0, "\(result.errors)")
        #expect(!result.output.contains(database.password))
        report = result.output
    }

    private func run(_ command: String, _ arguments: String..., input: Data? = nil) throws -> CommandRunner.Result {
        try CommandRunner.run([command, url] + arguments + ["--model", model], input: input)
    }

    // MARK: The model

    @Test func tablesBecomeEntitiesAndTheRestIsNamed() throws {
        #expect(report.hasPrefix("wrote \(model): 3 entities of 7 tables of postgresql://"), "\(report)")
        for note in [
            "author.tags is of the type text[]: tags is an Array<String>.",
            "author.meta is of the type jsonb: meta is a string",
            "author.mood is of the type",
            "book.title_length is computed by the server: titleLength is read-only.",
            "The primary key id of genre has no sequence",
            "country has the primary key code of the type character(2)",
            "visit has a primary key of several columns",
            "log has no primary key: left out.", "book_genre.added belongs to a pair of rows",
        ] {
            #expect(report.contains(note), "\(note) in \(report)")
        }
        let made = try NSManagedObjectModel(contentsOfModelFile: URL(fileURLWithPath: model))
        #expect(made.entitiesByName.keys.sorted() == ["Author", "Book", "Genre"])
        let (author, book) = (
            try #require(made.entitiesByName["Author"]), try #require(made.entitiesByName["Book"])
        )
        #expect(author.attributesByName.keys.sorted() == ["born", "created", "meta", "mood", "name", "tags"])
        #expect(author.uniquenessConstraints as? [[String]] == [["name"]])
        #expect(author.attributesByName["name"]?.isOptional == false)
        #expect(author.attributesByName["created"]?.isOptional == true)
        #expect(book.attributesByName["descriptionValue"]?.userInfo?["column"] as? String == "description")
        #expect(book.attributesByName["pages"]?.defaultValue as? Int == 100)
        #expect(book.attributesByName["price"]?.attributeType == .decimalAttributeType)
        #expect(book.relationshipsByName["author"]?.inverseRelationship?.name == "booksByAuthor")
        #expect(author.relationshipsByName["booksByAuthor"]?.deleteRule == .cascadeDeleteRule)
        #expect(author.relationshipsByName["booksByEditor"]?.deleteRule == .nullifyDeleteRule)
        #expect(book.relationshipsByName["genres"]?.inverseRelationship?.name == "books")
        #expect(made.entitiesByName["Genre"]?.relationshipsByName["parent"]?.inverseRelationship?.name == "genres")
        #expect(try CommandRunner.run("model", "validate", model).status == 0)
    }

    @Test func othersKindsOfModelsAreWrittenAndNothingIsReplaced() throws {
        let compiled = folder.file("Books.mom").path
        #expect(try CommandRunner.run("model", "import", url, "-o", compiled).status == 0)
        #expect(try CommandRunner.run("model", "diff", model, compiled).status == 0)
        #expect(
            try CommandRunner.run("model", "import", url, "-o", compiled).errors.contains(
                "use --force to replace it"))
        #expect(try CommandRunner.run("list", url, "Book", "--model", compiled).status == 0)
        let own = try ServerDatabase()
        let sample = try SampleStore.make(in: folder).path
        try #require(try CommandRunner.run("copy", sample, own.url).status == 0)
        #expect(
            try CommandRunner.run("model", "import", own.url, "-o", compiled, "--force").errors
                .contains("is a store of OpenCoreData"))
        #expect(try CommandRunner.run("model", "import", sample, "-o", compiled).status == 1)
    }

    @Test func aReferenceIsNamedWithoutTheKeyOfItsTable() throws {
        let shop = try ServerDatabase(isMade: true)
        try shop.sql(
            """
            CREATE TABLE product (sku bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text NOT NULL);
            CREATE TABLE stock (id serial PRIMARY KEY, product_sku bigint REFERENCES product);
            CREATE TABLE sale (number serial PRIMARY KEY, day date);
            CREATE TABLE sale_product (sale_number int REFERENCES sale, product_sku bigint REFERENCES product,
                PRIMARY KEY (sale_number, product_sku));
            """)
        let path = folder.file("Shop.mom")
        let result = try CommandRunner.run("model", "import", shop.url, "-o", path.path)
        try #require(result.status == 0, "\(result.errors)")
        let made = try NSManagedObjectModel.decode(compiledModel: Data(contentsOf: path))
        let sale = try #require(made.entitiesByName["Sale"])
        #expect(Array(sale.relationshipsByName.keys) == ["products"])
        #expect(made.entitiesByName["Stock"].map { Array($0.relationshipsByName.keys) } == ["product"])
        #expect(sale.relationshipsByName["products"]?.inverseRelationship?.name == "sales")
    }

    @Test func tablesOfOthersAreNoStoreAndSaidToBeWhatTheyAre() throws {
        for command in [["info"], ["schema"], ["history", "--model", model], ["check"]] {
            let result = try CommandRunner.run([command[0], url] + command.dropFirst())
            #expect(result.status == 1)
            #expect(result.errors.contains("but 7 tables of other programs"), "\(command): \(result.errors)")
        }
    }

    // MARK: Reading

    @Test func rowsAreReadAsObjects() throws {
        let books = try run(
            "list", "Book", "--sort", "title", "--fields",
            "objectID,title,pages,price,titleLength,author.name,editor.name,genres.@count", "--format", "csv")
        let lines = books.output.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        try #require(lines.count == 3, "\(books.errors)")
        #expect(lines[1].hasSuffix("/Book/p1,One,10,1.5,3,Ada,Bob,2"), "\(lines)")
        #expect(lines[2].hasSuffix("/Book/p2,Two,20,,3,Ada,,1"))
        let ada = try #require(try run("show", "Author/p1", "--json").json() as? [String: Any])
        #expect(ada["born"] as? String == "1815-12-10T00:00:00.000Z")
        #expect(ada["created"] as? String == "2024-05-01T12:30:00.000Z")
        #expect(ada["mood"] as? String == "happy")
        #expect(ada["meta"] as? String == "{\"a\": 1}")
        #expect((ada["booksByAuthor"] as? [String])?.count == 2)
        let genres = try run(
            "list", "Genre", "--where", "ANY books.author.name ==[c] 'ADA' AND label BEGINSWITH 'P'",
            "--fields", "label,parent.label,genres.label", "--format", "json")
        let prose = try #require(try genres.json() as? [[String: Any]], "\(genres.errors)")
        #expect(prose.map { $0["label"] as? String } == ["Prose"])
        #expect(prose.first?["parent.label"] is NSNull && prose.first?["genres.label"] as? [String] == ["Novel"])
        #expect(try run("count", "Author", "--where", "created >= CAST(736258800.0, 'NSDate')").output == "2\n")
        let sums = try run(
            "query", "Book", "--group-by", "author.name", "--compute", "sum:pages", "--format", "csv")
        #expect(sums.output.contains("Ada,30"), "\(sums.output)\(sums.errors)")
        #expect(try run("info").output.contains("Server             PostgreSQL"))
        #expect(try run("check").status == 0)
    }

    // MARK: Writing

    @Test func objectsAreWrittenAsRows() throws {
        let tables = try database.sql(
            "SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class "
                + "WHERE relnamespace = '\(database.schema)'::regnamespace")
        #expect(
            try run("set", "Book/p1", "title=First", "price=2.25", "genres=Genre/p2", "editor=null").status == 0)
        #expect(
            try database.sql("SELECT title, price, editor_id IS NULL, title_length FROM book WHERE book_id = 1")
                == "First|2.25|t|5")
        #expect(try database.sql("SELECT string_agg(genre_id::text, ',') FROM book_genre WHERE book_id = 1") == "2")
        #expect(try run("set", "Author/p2", "mood=sad", "born=2000-02-03T00:00:00Z", "meta=[1]").status == 0)
        #expect(try database.sql("SELECT mood, born, meta->>0 FROM author WHERE id = 2") == "sad|2000-02-03|1")
        // New rows get their keys from the table's own sequences.
        let authors = try run(
            "upsert", "Author", "-", "--key", "name", "--format", "csv", input: Data("name\nCy\nAda\n".utf8))
        #expect(authors.output == "1 inserted, 0 updated, 1 unchanged.\n", "\(authors.errors)")
        #expect(
            try database.sql("SELECT id, created > now() - interval '1 hour' FROM author WHERE name = 'Cy'")
                == "3|t")
        let books = try run(
            "upsert", "Book", "-", "--key", "title", "--format", "json",
            input:
                Data("[{\"title\": \"Three\", \"author\": \"Author/p3\", \"genres\": [\"Genre/p1\"]}]".utf8))
        #expect(books.output == "1 inserted, 0 updated, 0 unchanged.\n", "\(books.errors)")
        #expect(
            try database.sql(
                "SELECT b.book_id, b.pages, g.genre_id FROM book b JOIN book_genre g USING (book_id) "
                    + "WHERE b.title = 'Three'") == "3|100|1")
        #expect(try database.sql("INSERT INTO book (title, author_id) VALUES ('Four', 1) RETURNING book_id") == "4")
        let deleted = try run("delete", "Author/p1")
        #expect(deleted.status == 0, "\(deleted.errors)")
        #expect(try database.sql("SELECT string_agg(title, ',') FROM book") == "Three")
        let genre = try run(
            "upsert", "Genre", "-", "--key", "label", "--format", "csv", input: Data("label\nPoem\n".utf8))
        #expect(genre.errors.contains("No objects can be inserted into the table genre"), "\(genre.errors)")
        let long = try run("set", "Author/p2", "name=\(String(repeating: "x", count: 41))")
        #expect(long.status != 0)
        #expect(long.errors.contains("Author/p2: The value of name of Author does not satisfy length <= 40."))
        #expect(
            try database.sql(
                "SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class "
                    + "WHERE relnamespace = '\(database.schema)'::regnamespace") == tables)
    }

    @Test func rowsGoToAFile() throws {
        let copy = folder.file("copy.sqlite").path
        let result = try CommandRunner.run("copy", url, copy, "--model", model)
        #expect(result.status == 0, "\(result.errors)")
        let fields = "title,pages,price,author.name,genres.label"
        let (one, other) = (
            try run("list", "Book", "--sort", "title", "--fields", fields, "--format", "csv"),
            try CommandRunner.run("list", copy, "Book", "--sort", "title", "--fields", fields, "--format", "csv")
        )
        #expect(one.output == other.output && !one.output.isEmpty)
        // And from there into a store of its own.
        let own = try ServerDatabase()
        let second = try CommandRunner.run("copy", copy, own.url)
        #expect(second.status == 0, "\(second.errors)")
        #expect(try own.sql("SELECT string_agg(title, ',' ORDER BY title) FROM book WHERE z_opt = 1") == "One,Two")
        let found = try CommandRunner.run(
            "list", own.url, "Book", "--sort", "title", "--fields", fields, "--format", "csv")
        #expect(found.output == one.output)
    }

    private func context() throws -> NSManagedObjectContext {
        let made = try NSManagedObjectModel(contentsOfModelFile: URL(fileURLWithPath: model))
        PostgreSQLStore.register()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: made)
        try coordinator.addPersistentStore(
            ofType: PostgreSQLStore.type, configurationName: nil, at: try #require(URLComponents(string: url)?.url),
            options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @Test func objectsSeeWhatTheServerFillsInAndOthersChange() throws {
        let context = try context()
        try context.performAndWait {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("Dee", forKey: "name")
            author.setValue(Date(timeIntervalSinceReferenceDate: 86_400 * 3 + 7), forKey: "born")
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue("Long title", forKey: "title")
            book.setValue(author, forKey: "author")
            try context.save()
            #expect(author.value(forKey: "created") is Date)
            #expect(author.value(forKey: "born") as? Date == Date(timeIntervalSinceReferenceDate: 86_400 * 3))
            #expect(book.value(forKey: "titleLength") as? Int == 10)
            // Saved repeatedly, without changes in between.
            for pages in 1...3 {
                book.setValue(pages, forKey: "pages")
                try context.save()
            }
            try database.sql("UPDATE book SET pages = 50 WHERE title = 'Long title'")
            book.setValue(4, forKey: "pages")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            #expect(try database.sql("SELECT pages FROM book WHERE title = 'Long title'") == "4")
            context.delete(author)
            try context.save()
            #expect(try database.sql("SELECT count(*) FROM book WHERE title = 'Long title'") == "0")
        }
    }
}
#endif
