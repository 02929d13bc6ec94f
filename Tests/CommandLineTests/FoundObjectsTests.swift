import Foundation
import TestSupport
import Testing

/// `set` and `delete` for all objects that a predicate finds.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct FoundObjectsTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try BookStore.make(in: folder, books: 10)
    }

    @Test func deletingShowsFirstAndNeedsYes() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        for arguments in [[], ["--dry-run"]] {
            let shown = try CommandRunner.run(["delete", store, "Book", "--where", "pages > 107"] + arguments)
            #expect(shown.status == 0, "\(shown.errors)")
            #expect(shown.output.contains("delete Book/p"), "\(shown.output)")
            #expect(shown.output.contains("3 deleted") && shown.output.contains("Nothing was saved"), "\(shown.output)")
            #expect(shown.output.contains("--yes") == arguments.isEmpty)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
        let result = try CommandRunner.run("delete", store, "Book", "--where", "pages > 107", "--yes")
        #expect(result.status == 0 && result.output.contains("3 deleted"), "\(result.errors)")
        #expect(
            try SQLiteShell.run("SELECT count(*), max(ZPAGES) FROM ZBOOK", on: URL(fileURLWithPath: store)) == "7|107")
        #expect(try SQLiteShell.run("SELECT count(*) FROM Z_2TAGS", on: URL(fileURLWithPath: store)) == "7")
        #expect(try CommandRunner.run("check", store).status == 0)
    }

    @Test func settingShowsFirstAndNeedsYes() throws {
        let arguments = ["set", store, "Book", "inPrint=false", "notes=old", "--where", "author.name == 'Bo'"]
        let shown = try CommandRunner.run(arguments)
        #expect(shown.output.contains("5 updated") && shown.output.contains("--yes"), "\(shown.output)")
        #expect(
            try SQLiteShell.run("SELECT count(*) FROM ZBOOK WHERE ZNOTES = 'old'", on: URL(fileURLWithPath: store))
                == "0")
        #expect(try CommandRunner.run(arguments + ["--yes"]).status == 0)
        #expect(
            try SQLiteShell.run(
                "SELECT count(*) FROM ZBOOK b JOIN ZAUTHOR a ON a.Z_PK = b.ZAUTHOR "
                    + "WHERE ZNOTES = 'old' AND ZINPRINT = 0 AND a.ZNAME = 'Bo'", on: URL(fileURLWithPath: store))
                == "5")
        #expect(
            try SQLiteShell.run("SELECT count(*) FROM ZBOOK WHERE ZNOTES = 'old'", on: URL(fileURLWithPath: store))
                == "5")
    }

    @Test func nothingFoundSaysSo() throws {
        for arguments in [["delete", store, "Book"], ["set", store, "Book", "pages=1"]] {
            let result = try CommandRunner.run(arguments + ["--where", "pages < 0", "--yes"])
            #expect(result.status == 0 && result.output == "No objects of Book match.\n", "\(result.errors)")
        }
    }

    @Test func anEntityWithoutAPredicateIsExplained() throws {
        for arguments in [["delete", store, "Book"], ["set", store, "Book", "pages=1"]] {
            let result = try CommandRunner.run(arguments)
            #expect(result.status == 1 && result.output.isEmpty)
            #expect(
                result.errors
                    == "opencoredata: Book is an entity; name its objects, such as Book/p12, or choose them with --where.\n"
            )
        }
    }

    @Test func oneThatIsRefusedStopsAll() throws {
        for value in ["title=null", "pages=x", "isbn=same", "size=1"] {
            let result = try CommandRunner.run("set", store, "Book", value, "--where", "pages > 0", "--yes")
            #expect(result.status == 1 && result.output.isEmpty, "\(value)")
            #expect(result.errors.contains(value.prefix { $0 != "=" }), "\(result.errors)")
        }
        #expect(
            try SQLiteShell.run(
                "SELECT count(DISTINCT ZISBN), count(ZTITLE), min(ZPAGES) FROM ZBOOK", on: URL(fileURLWithPath: store))
                == "10|10|101")
    }

    @Test func wrongUsageIsRefused() throws {
        #expect(try CommandRunner.run("delete", store, "Book/p1", "--yes").status == 64)
        #expect(
            try CommandRunner.run("delete", store, "Book", "--where", "pages > 0", "--yes", "--dry-run").status == 64)
        #expect(try CommandRunner.run("delete", store, "Book", "Tag", "--where", "name == 'x'", "--yes").status == 1)
        #expect(
            try CommandRunner.run("delete", store, "Bok", "--where", "x == 1").errors.contains("did you mean Book?"))
        #expect(
            try CommandRunner.run("delete", store, "Book", "--where", "page > 1").errors.contains("did you mean pages?")
        )
        #expect(try SQLiteShell.run("SELECT count(*) FROM ZBOOK", on: URL(fileURLWithPath: store)) == "10")
    }

    @Test(.enabled(if: Terminal.isThere)) func aPersonIsAsked() throws {
        for (answer, left) in [("n\n", "10"), ("\n", "10"), ("y\n", "9")] {
            let screen = try Terminal.run(["delete", store, "Book", "--where", "pages == 110"], input: answer)
            #expect(screen.lines.joined().contains("[y/N]"), "\(screen.lines)")
            #expect(
                try SQLiteShell.run("SELECT count(*) FROM ZBOOK", on: URL(fileURLWithPath: store)) == left, "\(answer)")
        }
        // Objects that are named are deleted unasked.
        #expect(try Terminal.run(["delete", store, "Book/p1"]).status == 0)
        #expect(try SQLiteShell.run("SELECT count(*) FROM ZBOOK", on: URL(fileURLWithPath: store)) == "8")
    }

    @Test func upsertTakesTheUniqueConstraint() throws {
        let file = folder.file("books.csv")
        try Data("isbn,title,pages\n978-3,Changed,3\n978-99,New,9\n".utf8).write(to: file)
        let result = try CommandRunner.run("upsert", store, "Book", file.path)
        #expect(result.output == "1 inserted, 1 updated, 0 unchanged.\n", "\(result.errors)")
        #expect(
            try SQLiteShell.run(
                "SELECT ZTITLE, ZPAGES FROM ZBOOK WHERE ZISBN = '978-3'", on: URL(fileURLWithPath: store))
                == "Changed|3")
        #expect(try SQLiteShell.run("SELECT count(*) FROM ZBOOK", on: URL(fileURLWithPath: store)) == "11")
        try Data("name,code\nsea,s\n".utf8).write(to: file)
        let several = try CommandRunner.run("upsert", store, "Tag", file.path)
        #expect(several.status == 1 && several.errors.contains("--key name or --key code"), "\(several.errors)")
        #expect(try CommandRunner.run("upsert", store, "Tag", file.path, "--key", " name ").status == 0)
        let none = try CommandRunner.run("upsert", store, "Author", file.path)
        #expect(none.status == 1 && none.errors.contains("no unique constraint"), "\(none.errors)")
        try Data("title,pages\nX,3\n".utf8).write(to: file)
        let missing = try CommandRunner.run("upsert", store, "Book", file.path)
        #expect(missing.status == 1 && missing.errors.contains("isbn"), "\(missing.errors)")
    }
}
