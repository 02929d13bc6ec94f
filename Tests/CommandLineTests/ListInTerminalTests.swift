import Foundation
import TestSupport
import Testing

@testable import StoreTools

/// What a table looks like to a person: not too long, not too wide, with names and few digits.
@Suite(.enabled(if: Terminal.isThere, "the command or script is missing"))
struct ListInTerminalTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try BookStore.make(in: folder, books: 120)
    }

    @Test func aTerminalShowsFiftyRowsAndSaysHowToSeeMore() throws {
        let screen = try Terminal.run(["list", store, "Book", "--sort", "pages", "--fields", "title,pages"])
        #expect(screen.status == 0)
        #expect(screen.lines.count { $0.hasPrefix("Book ") } == 50)
        let rest = screen.lines.suffix(2).joined(separator: " ")
        #expect(rest.contains("50 of 120 objects") && rest.contains("--all") && rest.contains("--limit"), "\(rest)")
        let next = try Terminal.run(
            ["list", store, "Book", "--sort", "pages", "--fields", "title", "--offset", "100", "--where", "pages > 0"])
        #expect(next.lines.count { $0.hasPrefix("Book ") } == 20 && next.lines.last == "Book 120")
        for more in [["--all"], ["--limit", "120"]] {
            let all = try Terminal.run(["list", store, "Book", "--fields", "title"] + more)
            #expect(all.lines.count { $0.hasPrefix("Book ") } == 120 && !all.lines.joined().contains("--all"))
        }
    }

    @Test func pipesAndOtherFormatsGetEverything() throws {
        #expect(try CommandRunner.run("list", store, "Book").output.split(separator: "\n").count == 122)
        let lines = try Terminal.run(["list", store, "Book", "--format", "ndjson", "--fields", "title"]).lines
        #expect(lines.count == 120)
    }

    @Test func thePagerGetsEverything() throws {
        let log = folder.file("paged.txt").path
        let screen = try Terminal.run(
            ["list", store, "Book", "--fields", "title"], setting: ["PAGER=tee \(log) | tail -1"])
        #expect(screen.status == 0)
        #expect(screen.lines == ["Book 120"] || screen.lines.count == 1, "\(screen.lines)")
        #expect(try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count == 122)
        // One who has seen enough quits.
        #expect(try Terminal.run(["list", store, "Book"], setting: ["PAGER=true"]).lines.isEmpty)
        let short = try Terminal.run(["list", store, "Author", "--fields", "name"], setting: ["PAGER=false"])
        #expect(short.lines.contains("Bo"))
    }

    @Test func anEmptyResultSaysSo() throws {
        #expect(
            try CommandRunner.run("list", store, "Book", "--where", "pages < 0").output == "No objects of Book match.\n"
        )
        #expect(
            try CommandRunner.run("list", store, "Book", "--offset", "500").output
                == "There are no objects of Book after the first 500.\n")
        #expect(
            try CommandRunner.run("list", store, "Book", "--where", "pages < 0", "--format", "json").output == "[]\n")
        #expect(
            try CommandRunner.run("query", store, "Book", "--where", "pages < 0", "--group-by", "pages").output
                == "No objects match.\n")
        let screen = try Terminal.run(["list", store, "Book", "--where", "pages < 0", "--format", "ndjson"])
        #expect(screen.lines == ["No objects of Book match."])
    }

    @Test func narrowTerminalsKeepIdentifierAndName() throws {
        for columns in [80, 40, 24] {
            let lines = try Terminal.run(["list", store, "Book"], columns: columns).lines
            let titles = try #require(lines.first)
            #expect(titles.contains("objectID") && titles.contains("title"), "\(columns): \(titles)")
            #expect(lines.prefix(52).allSatisfy { DisplayWidth.columns(of: $0) <= columns }, "\(lines)")
            #expect(lines.contains { $0.contains("Book/p") })
        }
        let long = String(repeating: "long ", count: 30)
        #expect(try CommandRunner.run("set", store, "Book/p1", "title=\(long)").status == 0)
        let lines = try Terminal.run(["list", store, "Book", "--where", "SELF == 'Book/p1'"], columns: 40).lines
        #expect(lines.contains { $0.contains("Book/p1") && $0.contains("long") && $0.contains("…") }, "\(lines)")
    }

    @Test func aToOneShowsTheNameOfItsDestination() throws {
        let list = try CommandRunner.run("list", store, "Book", "--fields", "title,author", "--limit", "4").output
        #expect(list.contains("Ada Löve") && list.contains("Author/p"), "\(list)")
        let line = try #require(
            try CommandRunner.run("show", store, "Book/p1").output.split(separator: "\n")
                .first { $0.contains(" author ") })
        #expect(line.contains("Author/p") && (line.hasSuffix(" Bo") || line.hasSuffix(" Ada Löve")), "\(line)")
        // Programs get the identifier alone.
        let json = try CommandRunner.run(
            "list", store, "Book", "--fields", "author", "--limit", "1", "--format", "json")
        let author = (try json.json() as? [[String: Any]])?.first?["author"] as? String
        #expect(author?.hasPrefix("x-coredata://") == true && author?.contains(" ") == false)
        // One whose destination is gone.
        try SQLiteShell.run("DELETE FROM ZAUTHOR WHERE ZNAME = 'Bo'", on: URL(fileURLWithPath: store))
        let broken = try CommandRunner.run("list", store, "Book", "--fields", "title,author")
        #expect(broken.status == 0 && broken.output.contains("Author/p"), "\(broken.errors)")
    }

    @Test func numbersHaveAFewDigits() throws {
        let list = try CommandRunner.run("list", store, "Book", "--fields", "rating,price", "--where", "pages == 101")
        #expect(list.output.contains("0.333333   1.25\n"), "\(list.output)")
        let query = try CommandRunner.run("query", store, "Book", "--compute", "count,avg:rating,avg:price,sum:price")
        #expect(
            query.output.split(separator: "\n").last?.split(separator: " ") == ["120", "20.17", "60.75", "7290"]
                || query.output.split(separator: "\n").last?.split(separator: " ") == [
                    "120", "20.17", "60.75", "7290.0",
                ],
            "\(query.output)")
        // Programs get all digits.
        let json = try CommandRunner.run(
            "list", store, "Book", "--fields", "rating", "--where", "pages == 101", "--format", "csv")
        #expect(json.output.contains("0.3333333333333333"))
    }
}
