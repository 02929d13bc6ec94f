import Foundation
import TestSupport
import Testing

/// What other tools write in other ways is answered with how it is written here.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct HintTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try BookStore.make(in: folder)
    }

    @Test(arguments: [
        ("title desc", "--sort title:desc"), ("-title", "--sort title:desc"), ("title DESC", "--sort title:desc"),
        ("title asc", "--sort title?"), ("+title", "--sort title?"), ("title:descending", "--sort title:desc"),
        ("title,pages desc", "--sort title --sort pages:desc"), ("title:up", "--sort title?"),
    ])
    func ordersAreSuggested(_ written: String, _ meant: String) throws {
        let result = try CommandRunner.run("list", store, "Book", "--sort", written)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.contains(meant), "\(result.errors)")
        let query = try CommandRunner.run("query", store, "Book", "--group-by", "pages", "--sort", "-count")
        #expect(query.status == 64 && query.errors.contains("--sort count:desc"), "\(query.errors)")
    }

    @Test func columnsWithAColonCanBeSortedBy() throws {
        let result = try CommandRunner.run(
            "query", store, "Book", "--group-by", "title", "--compute", "max:pages", "--sort", "max:pages:DESC",
            "--format", "csv")
        #expect(
            result.output.split(separator: "\r\n").map(String.init)
                == ["title,max:pages", "Book 4,104", "Book 3,103", "Book 2,102", "Book 1,101"], "\(result.errors)")
        #expect(
            try CommandRunner.run("list", store, "Book", "--sort", "pages:DESC", "--limit", "1", "--fields", "pages")
                .output.hasSuffix("104\n"))
    }

    @Test func spacesInListsAreTrimmed() throws {
        let fields = try CommandRunner.run("list", store, "Book", "--fields", " title , pages", "--format", "csv")
        #expect(fields.output.hasPrefix("title,pages\r\n"), "\(fields.errors)")
        let query = try CommandRunner.run(
            "query", store, "Book", "--group-by", "author.name, inPrint", "--compute", "count, avg:pages", "--format",
            "csv")
        #expect(query.output.hasPrefix("author.name,inPrint,count,avg:pages\r\n"), "\(query.errors)")
        #expect(try CommandRunner.run("list", store, "Book", "--fields", "title, ,pages").status == 64)
    }

    @Test(arguments: [
        ("title LIKE '%ook%'", "LIKE \"*ook*\""), ("title LIKE[cd] 'B%'", "LIKE \"B*\""),
        ("pages > 0 AND NOT (title LIKE '%x')", "LIKE \"*x\""), ("title CONTAINS '%ook%'", "CONTAINS \"ook\""),
        ("title BEGINSWITH 'B*'", "BEGINSWITH \"B\""),
    ])
    func wildcardsOfSQLAreExplained(_ format: String, _ meant: String) throws {
        for command in ["list", "count", "query"] {
            let result = try CommandRunner.run(command, store, "Book", "--where", format)
            #expect(result.status == 0)
            #expect(result.errors.contains("hint:") && result.errors.contains(meant), "\(result.errors)")
        }
        #expect(try CommandRunner.run("count", store, "Book", "--where", "title LIKE '*5%*'").errors.isEmpty)
        #expect(try CommandRunner.run("count", store, "Book", "--where", "title LIKE 'B*'").output == "4\n")
    }

    @Test(arguments: [("author IS NULL", "== nil"), ("author is not null", "!= nil"), ("title NOT LIKE 'a'", "NOT (")])
    func wordsOfSQLAreExplained(_ format: String, _ meant: String) throws {
        let result = try CommandRunner.run("count", store, "Book", "--where", format)
        #expect(result.status == 1 && result.errors.contains(meant), "\(result.errors)")
    }

    @Test func dateHasNoParts() throws {
        for arguments in [
            ["list", store, "Book", "--where", "published.year == 2010"],
            ["list", store, "Book", "--sort", "published.year"],
            ["list", store, "Book", "--fields", "title,published.year"],
            ["list", store, "Author", "--where", "ANY books.published.year > 1"],
            ["query", store, "Book", "--group-by", "published.year"],
        ] {
            let result = try CommandRunner.run(arguments)
            #expect(result.status == 1 && result.output.isEmpty)
            #expect(result.errors.contains("published is a date and has no part year"), "\(result.errors)")
            #expect(result.errors.contains("published >= \"2010\" AND published < \"2011\""), "\(result.errors)")
        }
        let string = try CommandRunner.run("list", store, "Book", "--fields", "title.length")
        #expect(string.status == 1 && string.errors.contains("title is a string and has no part length"))
        #expect(
            try CommandRunner.run("count", store, "Book", "--where", "published >= '2003' AND published < '2005'")
                .output
                == "2\n")
    }
}
