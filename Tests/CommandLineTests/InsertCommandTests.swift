import Foundation
import TestSupport
import Testing

/// `insert`, and `create`.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct InsertCommandTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try BookStore.make(in: folder)
    }

    @Test func anObjectIsAddedWithItsValues() throws {
        let author = try SQLiteShell.run("SELECT Z_PK FROM ZAUTHOR WHERE ZNAME = 'Bo'", on: URL(fileURLWithPath: store))
        let result = try CommandRunner.run(
            "insert", store, "Book", "title=The Loud = Harbor", "pages=77", "price=12.50", "isbn=", "inPrint=yes",
            "published=2010-05-01T00:00:00Z", "author=Author/p\(author)")
        #expect(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "insert Book/p5", "\(lines)")
        #expect(lines.contains("  title: \"The Loud = Harbor\"") && lines.contains("  pages: 77"), "\(lines)")
        #expect(
            try SQLiteShell.run(
                "SELECT ZTITLE, ZPAGES, ZPRICE, ZISBN = '', ZINPRINT, CAST(ZPUBLISHED AS INTEGER), ZAUTHOR FROM ZBOOK WHERE Z_PK = 5",
                on: URL(fileURLWithPath: store))
                == "The Loud = Harbor|77|12.5|1|1|294364800|\(author)")
        #expect(try CommandRunner.run("check", store).status == 0)
    }

    @Test func aDryRunSavesNothing() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        let result = try CommandRunner.run("insert", store, "Book", "title=A", "--dry-run")
        #expect(result.status == 0 && result.output.contains("insert Book\n  title: \"A\"\n"), "\(result.output)")
        #expect(result.output.hasSuffix("Nothing was saved (--dry-run).\n"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    }

    @Test(arguments: [
        ([], "title"), (["title=A", "pages=x"], "pages"), (["title=A", "pages=99999999999"], "pages"),
        (["title=A", "size=red"], "size"), (["title=A", "author=Author/p99"], "Author/p99"),
        (["title=A", "author=Tag/p1"], "Author"), (["title=A", "published=yesterday"], "published"),
        (["title=null"], "title"), (["title=A", "isbn=978-1"], "isbn"),
        (["title=A", "author=Author/p1,Author/p2"], "to-one"),
    ])
    func whatTheModelRefusesIsNotSaved(_ assignments: [String], _ name: String) throws {
        for more in [[], ["--dry-run"]] where more.isEmpty || name != "isbn" {
            let result = try CommandRunner.run(["insert", store, "Book"] + assignments + more)
            #expect(result.status == 1 && result.output.isEmpty)
            #expect(result.errors.contains(name) && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        }
        let twice = try CommandRunner.run("insert", store, "Book", "title=A", "isbn=978-1").errors
        #expect(twice.contains("Book/p") && twice.contains("already has isbn \"978-1\""), "\(twice)")
        #expect(try SQLiteShell.run("SELECT count(*), max(Z_PK) FROM ZBOOK", on: URL(fileURLWithPath: store)) == "4|4")
        #expect(try CommandRunner.run("check", store).status == 0)
    }

    @Test func wrongUsageAndUnknownEntitiesAreNamed() throws {
        #expect(try CommandRunner.run("insert", store, "Book", "title").status == 64)
        #expect(try CommandRunner.run("insert", store, "Book", "title=a", "title=b").status == 64)
        #expect(try CommandRunner.run("insert", store).status == 64)
        #expect(try CommandRunner.run("insert", store, "Bok", "title=a").errors.contains("did you mean Book?"))
    }

    @Test func createMakesAnEmptyStore() throws {
        let new = folder.file("New.sqlite").path
        let result = try CommandRunner.run("create", new, "--model", store)
        #expect(result.status == 0 && result.output == "Made New.sqlite, with 3 entities.\n", "\(result.errors)")
        #expect(
            try SQLiteShell.run("SELECT count(*) FROM ZBOOK", on: URL(fileURLWithPath: new)) == "0"
                && SQLiteShell.run("SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT", on: URL(fileURLWithPath: new))
                    == SQLiteShell.run(
                        "SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT", on: URL(fileURLWithPath: store))
        )
        #expect(try CommandRunner.run("insert", new, "Book", "title=First").status == 0)
        #expect(try CommandRunner.run("check", new).status == 0)
        // What is there is never replaced.
        for path in [new, store] {
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let again = try CommandRunner.run("create", path, "--model", store)
            #expect(again.status == 1 && again.errors.contains("already"), "\(again.errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
        let text = folder.file("text.txt")
        try Data("mine".utf8).write(to: text)
        #expect(try CommandRunner.run("create", text.path, "--model", store).status == 1)
        #expect(try Data(contentsOf: text) == Data("mine".utf8))
        #expect(try CommandRunner.run("create", folder.file("none/x.sqlite").path, "--model", store).status == 1)
        #expect(try CommandRunner.run("create", folder.file("y.sqlite").path).status == 64)
        #expect(try CommandRunner.run("create", folder.file("y.sqlite").path, "--model", text.path).status == 1)
        #expect(!FileManager.default.fileExists(atPath: folder.file("y.sqlite").path))
    }
}
