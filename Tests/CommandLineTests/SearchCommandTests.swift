import Foundation
import TestSupport
import Testing

/// `search` and `sql`.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct SearchCommandTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try BookStore.make(in: folder, books: 12)
        try SQLiteShell.run(
            "UPDATE ZBOOK SET ZNOTES = 'A story of the LÖUD harbor, told at length by one who was there' WHERE Z_PK = 3",
            on: URL(fileURLWithPath: store))
    }

    @Test func wordsAreFoundInAllStrings() throws {
        let result = try CommandRunner.run("search", store, "loud")
        #expect(
            result.status == 0 && result.output.contains("Book/p3") && result.output.contains("notes"),
            "\(result.output)")
        #expect(result.output.contains("LÖUD harbor"))
        #expect(try CommandRunner.run("search", store, "ada love").output.contains("Author/p"))
        // Each word, in whichever string.
        let both = try CommandRunner.run("search", store, "harbor", "978", "--format", "ndjson")
        #expect(both.output.split(separator: "\n").count == 1, "\(both.output)")
        let match = try #require(try both.json() as? [String: Any])
        #expect(match["entity"] as? String == "Book" && (match["objectID"] as? String)?.hasSuffix("/Book/p3") == true)
        #expect((match["strings"] as? [String: String])?.keys.sorted() == ["isbn", "notes"])
        let books = try CommandRunner.run("search", store, "o", "--entity", "Author", "--format", "json")
        #expect((try books.json() as? [Any])?.count == 2, "\(books.output)")
        let count = try SQLiteShell.run(
            "SELECT count(*) FROM ZBOOK WHERE ZTITLE LIKE '%1%' OR ZISBN LIKE '%1%' OR ZNOTES LIKE '%1%'",
            on: URL(fileURLWithPath: store))
        let lines = try CommandRunner.run("search", store, "1", "--format", "ndjson").output.split(separator: "\n")
        #expect(String(lines.count) == count)
    }

    @Test func nothingFoundSaysSo() throws {
        let result = try CommandRunner.run("search", store, "loud", "zebra%")
        #expect(result.status == 0 && result.output == "No object has \"loud\" and \"zebra%\".\n", "\(result.output)")
        #expect(try CommandRunner.run("search", store, "zebra", "--format", "json").output == "[]\n")
        #expect(try CommandRunner.run("search", store).status == 64)
        #expect(try CommandRunner.run("search", store, "").status == 64)
        #expect(try CommandRunner.run("search", store, "x", "--entity", "Bok").errors.contains("did you mean Book?"))
    }

    @Test func limitsCount() throws {
        let limited = try CommandRunner.run("search", store, "book", "--limit", "5", "--format", "ndjson")
        #expect(limited.output.split(separator: "\n").count == 5)
        #expect(
            try CommandRunner.run("search", store, "book", "--format", "ndjson").output.split(separator: "\n").count
                == 12)
    }

    // MARK: SQL

    private func sql(_ statement: String, _ more: String...) throws -> CommandRunner.Result {
        try CommandRunner.run(["sql", store, statement, "--format", "csv"] + more)
    }

    private func lines(_ statement: String) throws -> [String] {
        let result = try sql(statement)
        #expect(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\r\n").map(String.init)
    }

    @Test func entitiesAreTables() throws {
        #expect(
            try lines(
                "SELECT a.name, count(*) AS books, sum(b.pages) AS pages FROM Book b JOIN Author a ON a.objectID = b.author "
                    + "GROUP BY a.name ORDER BY 1 DESC")
                == [
                    "name,books,pages",
                    try SQLiteShell.run(
                        "SELECT a.ZNAME || ',' || count(*) || ',' || sum(ZPAGES) FROM ZBOOK b JOIN ZAUTHOR a "
                            + "ON a.Z_PK = b.ZAUTHOR WHERE ZNAME = 'Bo'", on: URL(fileURLWithPath: store)),
                    try SQLiteShell.run(
                        "SELECT a.ZNAME || ',' || count(*) || ',' || sum(ZPAGES) FROM ZBOOK b JOIN ZAUTHOR a "
                            + "ON a.Z_PK = b.ZAUTHOR WHERE ZNAME LIKE 'Ada%'", on: URL(fileURLWithPath: store)),
                ])
        let listed = try CommandRunner.run("list", store, "Book", "--fields", "published,token", "--format", "csv")
            .output
        #expect(try sql("SELECT published, token FROM Book ORDER BY objectID").output == listed)
        #expect(
            try lines("SELECT strftime('%Y', published) AS year FROM Book WHERE published < '2003' ORDER BY 1")
                == ["year", "2002"])
        #expect(
            try lines(
                "SELECT t.name, count(*) FROM Book_tags bt JOIN Tag t ON t.objectID = bt.tags GROUP BY 1 ORDER BY 1")
                == ["name,count(*)", "sea,6", "war,6"])
        #expect(try lines("WITH x AS (SELECT max(pages) m FROM Book) SELECT m FROM x;") == ["m", "112"])
    }

    @Test func subentitiesAreTablesToo() throws {
        let sample = try SampleStore.make(in: folder).path
        let result = try CommandRunner.run(
            "sql", sample, "SELECT entity, name, age FROM Person ORDER BY name DESC", "--format", "ndjson")
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.output.contains("{\"entity\": \"Employee\", \"name\": \"Bob\", \"age\": -1}"), "\(result.output)")
        let employees = try CommandRunner.run("sql", sample, "SELECT count(*) AS n FROM Employee", "--format", "csv")
        #expect(employees.output == "n\r\n2\r\n")
        let friends = try CommandRunner.run(
            "sql", sample, "SELECT count(*) AS n FROM Person_friends", "--format", "csv")
        #expect(friends.output == "n\r\n3\r\n", "\(friends.output)\(friends.errors)")
    }

    @Test(arguments: [
        "DELETE FROM Book", "UPDATE ZBOOK SET ZPAGES = 0", "INSERT INTO ZTAG (Z_PK) VALUES (9)", "DROP TABLE ZBOOK",
        "WITH x AS (SELECT 1) DELETE FROM ZBOOK", "PRAGMA journal_mode = DELETE", "VACUUM INTO 'x.sqlite'", "VACUUM",
        "ATTACH 'other.sqlite' AS o", "SELECT 1; DELETE FROM ZBOOK", "/* SELECT */ DELETE FROM ZBOOK", "BEGIN", "",
        "--",
        "SELECT ?",
    ])
    func onlyReadingIsAllowed(_ statement: String) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        let names = try CommandRunner.files(in: folder.url)
        let result = try CommandRunner.run(["sql", store, "--", statement])
        #expect(result.status == 1 && result.output.isEmpty, "\(result.output)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
        #expect(try CommandRunner.files(in: folder.url) == names)
    }

    @Test func mistakesAreExplained() throws {
        #expect(try sql("SELECT * FROM Boook").errors.contains("Did you mean Book?"))
        #expect(try sql("SELECT b.titel FROM Book b").errors.contains("Did you mean title?"))
        #expect(try sql("SELECT FROM").errors.contains("syntax error"))
        #expect(
            try sql("SELECT * FROM Book WHERE pages < 0", "--format", "table").output == "The result has no rows.\n")
        #expect(try sql("SELECT objectID FROM Book ORDER BY 1", "--limit", "2").output == "objectID\r\n1\r\n2\r\n")
        let input = try CommandRunner.run(["sql", store], input: Data("SELECT 'a;b' AS c -- ;\n".utf8))
        #expect(input.output.contains("a;b"), "\(input.errors)")
    }
}
