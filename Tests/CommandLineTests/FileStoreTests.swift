import Foundation
import OpenCoreData
import TestSupport
import Testing

/// XML stores and stores in binary form, which contain no model.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct FileStoreTests {
    private let folder: TemporaryFolder
    private let sqlite: String

    init() throws {
        folder = try TemporaryFolder()
        sqlite = try BookStore.make(in: folder)
    }

    enum Kind: String, CaseIterable {
        case xml, binary
        var type: String { self == .xml ? NSXMLStoreType : NSBinaryStoreType }
        var start: String { self == .xml ? "<?xml" : "CoreData" }
    }

    private func make(_ kind: Kind) throws -> String {
        try BookStore.make(in: folder, name: "Books.\(kind.rawValue)", type: kind.type)
    }

    private func run(_ arguments: [String]) throws -> String {
        let result = try CommandRunner.run(arguments + ["--model", sqlite])
        #expect(result.status == 0, "\(arguments): \(result.errors)")
        return result.output
    }

    @Test(arguments: Kind.allCases) func canBeReadLikeSQLite(_ kind: Kind) throws {
        let store = try make(kind)
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        for arguments in [
            ["count", "Book", "--where", "pages > 102"],
            ["query", "Book", "--group-by", "author.name", "--compute", "count,avg:pages"],
            [
                "list", "Book", "--sort", "pages", "--fields", "title,pages,price,published,author.name", "--format",
                "csv",
            ],
            ["search", "book 3", "--format", "json"],
        ] {
            let own = try run([arguments[0], store] + arguments.dropFirst())
            let other = try run([arguments[0], sqlite] + arguments.dropFirst())
            if arguments[0] != "search" { #expect(own == other, "\(arguments)") }
            #expect(!own.isEmpty)
        }
        #expect(try run(["info", store]).contains(kind == .xml ? "an XML store" : "a binary store"))
        #expect(try run(["check", store]).contains("no problems found"))
        let id = try #require(
            run(["list", store, "Author", "--where", "name == 'Bo'", "--fields", "objectID"])
                .split(separator: "\n").last.map(String.init))
        #expect(try run(["show", store, id]).contains("Bo"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
        let missing = try CommandRunner.run("list", store, "Book")
        #expect(missing.status == 1 && missing.errors.contains("--model"), "\(missing.errors)")
    }

    @Test func checkFindsMissingValuesAndDamage() throws {
        let store = URL(fileURLWithPath: try make(.xml))
        let text = try String(contentsOf: store, encoding: .utf8)
        let title = "<attribute name=\"title\" type=\"string\">Book 3</attribute>"
        #expect(text.contains(title))
        try Data(text.replacing(title, with: "").utf8).write(to: store)
        #expect(try run(["check", store.path]).contains("title has no value, but is required"))
        try Data(text.prefix(text.count / 2).utf8).write(to: store)
        let damaged = try CommandRunner.run("check", store.path, "--model", sqlite)
        #expect(damaged.status == 1 && damaged.errors.contains("damaged"), "\(damaged.errors)")
    }

    @Test(arguments: Kind.allCases) func canBeChanged(_ kind: Kind) throws {
        let store = try make(kind)
        _ = try run(["insert", store, "Book", "title=New", "pages=7"])
        _ = try run(["set", store, "Book", "notes=x", "--where", "pages > 103", "--yes"])
        _ = try run(["delete", store, "Book", "--where", "pages == 101", "--yes"])
        let file = folder.file("more.csv")
        try Data("isbn,title\n978-2,Changed\n978-9,Ninth\n".utf8).write(to: file)
        _ = try run(["upsert", store, "Book", file.path])
        let list = try run(["list", store, "Book", "--sort", "title", "--fields", "title,notes", "--format", "csv"])
        #expect(
            list.split(separator: "\r\n").map(String.init)
                == ["title,notes", "Book 3,", "Book 4,x", "Changed,", "New,", "Ninth,"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)).starts(with: Data(kind.start.utf8)))
        // All or nothing.
        try Data("isbn,title\n978-3,Third\n978-10,\n".utf8).write(to: file)
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        #expect(try CommandRunner.run("upsert", store, "Book", file.path, "--model", sqlite).status == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    }

    @Test(arguments: Kind.allCases) func canBeMadeExportedImportedAndCopied(_ kind: Kind) throws {
        let made = folder.file("Made.\(kind.rawValue)").path
        _ = try run(["create", made])
        #expect(try Data(contentsOf: URL(fileURLWithPath: made)).starts(with: Data(kind.start.utf8)))
        let export = folder.file("all.json").path
        #expect(try CommandRunner.run("export", sqlite, "-o", export).status == 0)
        #expect(try run(["import", made, export]).contains("8 objects"))
        let imported = folder.file("Imported.\(kind.rawValue)").path
        #expect(try run(["import", imported, export]).contains("8 objects"))
        let fields = ["Book", "--sort", "pages", "--fields", "title,isbn,author.name,tags.name", "--format", "csv"]
        let expected = try run(["list", sqlite] + fields)
        let copy = folder.file("Copy.\(kind.rawValue)").path
        #expect(try CommandRunner.run("copy", sqlite, copy).status == 0)
        for store in [made, imported, copy] { #expect(try run(["list", store] + fields) == expected, "\(store)") }
        // And back.
        let back = folder.file("Back.sqlite").path
        #expect(try CommandRunner.run("copy", copy, back, "--model", sqlite).status == 0)
        #expect(try run(["list", back] + fields) == expected)
        #expect(try CommandRunner.run("check", back).status == 0)
        // A failed import leaves what was there.
        try Data("{\"entities\": {\"Book\": [{\"title\": \"a\"}, {\"pages\": 1}]}}".utf8)
            .write(to: URL(fileURLWithPath: export))
        let before = try Data(contentsOf: URL(fileURLWithPath: made))
        #expect(try CommandRunner.run("import", made, export, "--model", sqlite).status == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: made)) == before)
        let none = folder.file("None.\(kind.rawValue)").path
        #expect(try CommandRunner.run("import", none, export, "--model", sqlite).status == 1)
        #expect(!FileManager.default.fileExists(atPath: none))
    }

    @Test(arguments: Kind.allCases) func whatNeedsSQLiteSaysSo(_ kind: Kind) throws {
        let store = try make(kind)
        let name = kind == .xml ? "an XML store" : "a binary store"
        for arguments in [
            ["sql", store, "SELECT 1"], ["backup", store, folder.file("b").path], ["check", store, "--repair"],
            ["history", store],
        ] {
            let result = try CommandRunner.run(arguments + ["--model", sqlite])
            #expect(result.status == 1 && result.errors.contains(name), "\(result.errors)")
        }
    }
}
