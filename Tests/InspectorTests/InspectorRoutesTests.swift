#if Inspector
import Foundation
import HTTPTypes
import Hummingbird
import OpenCoreData
import OpenCoreDataKit
import StoreTools
import TestSupport
import Testing

@testable import OpenCoreDataInspector

/// What the routes answer, and to whom.
struct InspectorRoutesTests {
    private let folder = try! TemporaryFolder()

    private func client(writable: Bool = false, history: Bool = true, books: Int = 40) async throws
        -> InspectorClient
    {
        let coordinator = try InspectedLibrary.open(folder.file("Library.sqlite"), history: history)
        let context = InspectedLibrary.context(coordinator, author: "test")
        try await context.perform { try InspectedLibrary.fill(context, books: books) }
        return InspectorClient(InspectorRoutes(coordinator: coordinator, isWritable: writable))
    }

    // MARK: Access

    @Test func `nothing is told without the token`() async throws {
        let client = try await client()
        for path in [
            "/", "/main.js", "/api/info", "/api/rows?entity=Book", "/api/events", "/api/value?id=Book/p1&key=title",
        ] {
            let answer = try await client.ask(path, headers: ["Authorization": "Bearer wrong"])
            #expect(answer.status == 401, "\(path)")
            #expect(!answer.text.contains("Author 1"))
        }
    }

    @Test func `the token of the address becomes a cookie, and leaves the address`() async throws {
        let client = try await client()
        let token = try #require(client.routes.access.token?.string)
        let answer = try await client.ask("/?token=\(token)", headers: [:])
        #expect(answer.status == 303)
        #expect(answer.headers[.location] == "/")
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        let pair = String(cookie.prefix { $0 != ";" })
        #expect(try await client.ask("/api/info", headers: ["Cookie": pair]).status == 200)
        #expect(try await client.ask("/?token=\(token.dropLast())0x", headers: [:]).status == 401)
    }

    @Test func `other names of the server and other pages are refused`() async throws {
        let client = try await client(writable: true)
        let token = "Bearer \(client.routes.access.token?.string ?? "")"
        #expect(try await client.ask("/api/info", authority: "evil.example").status == 421)
        #expect(try await client.ask("/api/info", authority: nil).status == 421)
        let foreign = ["Authorization": token, "Origin": "http://evil.example", "Content-Type": "application/json"]
        #expect(try await client.ask("/api/info", headers: foreign).status == 403)
        #expect(try await client.ask("/api/undo", method: .post, headers: foreign, body: "{}").status == 403)
        let site = ["Authorization": token, "Sec-Fetch-Site": "cross-site", "Content-Type": "application/json"]
        #expect(try await client.ask("/api/undo", method: .post, headers: site, body: "{}").status == 403)
        let form = ["Authorization": token, "Content-Type": "text/plain"]
        #expect(try await client.ask("/api/undo", method: .post, headers: form, body: "{}").status == 415)
        let own = ["Authorization": token, "Origin": "http://127.0.0.1:8080"]
        #expect(try await client.ask("/api/info", headers: own).status == 200)
    }

    @Test func `every answer forbids what the page does not need`() async throws {
        let client = try await client()
        for path in ["/", "/style.css", "/api/info", "/api/object?id=nonsense"] {
            let answer = try await client.ask(path)
            let policy = answer.headers[HTTPField.Name("Content-Security-Policy")!] ?? ""
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "\(path)")
            #expect(answer.headers[HTTPField.Name("X-Content-Type-Options")!] == "nosniff")
        }
    }

    @Test func `the routes work under a folder`() async throws {
        let coordinator = try InspectedLibrary.open(folder.file("Mounted.sqlite"))
        let client = InspectorClient(InspectorRoutes(coordinator: coordinator), atPath: "tools/inspector")
        let bare = try await client.ask("/tools/inspector")
        #expect(bare.status == 308)
        #expect(bare.headers[.location] == "/tools/inspector/")
        #expect(try await client.ask("/tools/inspector/").text.contains("main.js"))
        #expect(try await client.ask("/tools/inspector/api/info").status == 200)
    }

    // MARK: Reading

    @Test func `a filter is checked without reading rows`() async throws {
        let client = try await client()
        let path = "/api/filter?entity=Book&where="
        #expect(try await client.ask(path + "pages%20%3E%20300%20OR%20title%20%3D%3D%20nil").status == 200)
        for filter in ["pages%20%3E", "nothing%20%3E%203", "pages%20%3D%3D%20%22many%22"] {
            let answer = try await client.ask(path + filter)
            #expect(answer.status == 422, "\(filter)")
            #expect(answer.text.contains("position"), "\(filter)")
        }
    }

    @Test func `rows come sorted and filtered by the store, page by page`() async throws {
        let client = try await client()
        let all = try await client.ask("/api/rows?entity=Book&columns=pages,title&sort=pages:desc&limit=500").json
        let pages = Self.column(0, of: all)
        #expect(pages.count == 40)
        #expect(pages == pages.sorted { Self.number($0) > Self.number($1) })
        let second = try await client.ask("/api/rows?entity=Book&columns=pages&sort=pages:desc&offset=10&limit=5")
            .json
        #expect(Self.column(0, of: second) == Array(pages[10..<15]))
        let filtered = try await client.ask("/api/count?entity=Book&where=author.country%20%3D%3D%20%22Norway%22")
            .json
        #expect(filtered["count"] == 14)
    }

    @Test func `cells have their type, long texts and data are short`() async throws {
        let client = try await client()
        let answer = try await client.ask(
            "/api/rows?entity=Book&columns=cover,summary,big,extra,author,tags,series&where=title%20%3D%3D%20%22Winter%20Harbor%2010%22"
        ).json
        guard case .array(let rows)? = answer["rows"], case .array(let cells)? = rows.first?["cells"] else {
            Issue.record("no rows")
            return
        }
        #expect(cells[0]["type"] == "image/png")
        #expect(cells[1]["length"] != nil)
        #expect(cells[2] == .string(String(Int64.max - 10)))
        #expect(cells[3]["json"] != nil)
        #expect(cells[4]["label"] == "Author 10")
        #expect(cells[5]["count"] == 2)
    }

    /// Sorted by few values and by many, both ways, with and without values missing: found by the row beside it a
    /// page is the one that its offset gives.
    @Test(arguments: [
        "pages", "pages:desc", "inPrint", "rating,title:desc", "title", "published:desc", "price", "objectID",
    ])
    func `a page is the same by the row beside it as by its offset`(sort: String) async throws {
        let client = try await client(books: 60)
        _ = try SQLiteShell.run(
            "UPDATE ZBOOK SET ZPAGES = NULL WHERE Z_PK % 5 = 0", on: folder.file("Library.sqlite"))
        let list = "/api/rows?entity=Book&columns=pages&limit=7&sort=\(sort)"
        let whole = Self.ids(
            try await client.ask("/api/rows?entity=Book&columns=pages&limit=500&sort=\(sort)").json)
        #expect(whole.count == 60)
        var previous: JSONValue?
        var found = 0
        for offset in stride(from: 0, to: 60, by: 7) {
            var path = "\(list)&offset=\(offset)"
            if let last = previous, let id = Self.ids(last).last, case .integer(let ties)? = last["tiesAtEnd"] {
                path += "&after=\(id)&ties=\(ties)"
                found += 1
            }
            let page = try await client.ask(path).json
            #expect(Self.ids(page) == Array(whole[offset..<min(60, offset + 7)]), "\(sort) \(offset)")
            previous = page
        }
        previous = nil
        for offset in stride(from: 49, through: 0, by: -7) {
            var path = "\(list)&offset=\(offset)&total=60"
            if let last = previous, let id = Self.ids(last).first, case .integer(let ties)? = last["tiesAtStart"] {
                path += "&before=\(id)&ties=\(ties)"
                found += 1
            }
            let page = try await client.ask(path).json
            #expect(Self.ids(page) == Array(whole[offset..<offset + 7]), "\(sort) \(offset)")
            previous = page
        }
        #expect(sort == "objectID" ? found == 0 : found > 8)
    }

    @Test func `a row that has moved leads to where it is now, and one that is gone to the offset`() async throws {
        let client = try await client(books: 30)
        let list = "/api/rows?entity=Book&columns=title&limit=5&sort=title"
        let first = try await client.ask(list).json
        let last = try #require(Self.ids(first).last)
        let number = try #require(last.split(separator: "p").last)
        _ = try SQLiteShell.run(
            "UPDATE ZBOOK SET ZTITLE = ' A' WHERE Z_PK = \(number)", on: folder.file("Library.sqlite"))
        let whole = Self.ids(try await client.ask("/api/rows?entity=Book&columns=title&limit=500&sort=title").json)
        #expect(whole.first == last)
        let moved = try await client.ask("\(list)&offset=5&after=\(last)&ties=1").json
        #expect(Self.ids(moved) == Array(whole[1..<6]))
        for neighbor in ["Book/p999", "Author/p1", "nonsense"] {
            let page = try await client.ask("\(list)&offset=5&after=\(neighbor)&ties=1").json
            #expect(Self.ids(page) == Array(whole[5..<10]), "\(neighbor)")
        }
        #expect(try await client.ask("\(list)&ties=0").status == 400)
    }

    @Test func `an ordered relationship keeps its order, filtered too`() async throws {
        let client = try await client(books: 60)
        _ = try SQLiteShell.run(
            "UPDATE ZBOOK SET Z_FOK_SHELF = 100000 - Z_FOK_SHELF WHERE ZSHELF IS NOT NULL",
            on: folder.file("Library.sqlite"))
        let expected = try SQLiteShell.run(
            "SELECT Z_PK FROM ZBOOK WHERE ZSHELF IS NOT NULL ORDER BY Z_FOK_SHELF",
            on: folder.file("Library.sqlite")
        )
        .split(separator: "\n").map(String.init)
        func numbers(_ query: String) async throws -> [String] {
            Self.ids(try await client.ask("/api/rows?of=Shelf/p1&via=books&columns=title&\(query)").json)
                .compactMap { $0.split(separator: "p").last.map(String.init) }
        }
        #expect(expected.count == 6)
        #expect(try await numbers("limit=100") == expected)
        #expect(try await numbers("limit=2&offset=3") == Array(expected[3..<5]))
        let kept = try SQLiteShell.run(
            "SELECT Z_PK FROM ZBOOK WHERE ZSHELF IS NOT NULL AND ZPAGES > 300 ORDER BY Z_FOK_SHELF",
            on: folder.file("Library.sqlite")
        ).split(separator: "\n").map(String.init)
        #expect(try await numbers("where=pages%20%3E%20300") == kept && !kept.isEmpty)
        #expect(try await numbers("sort=objectID") == expected.sorted { Int($0)! < Int($1)! })
    }

    @Test(arguments: [
        (#"published > "2001-02-01""#, "ZPUBLISHED > 2678400"), (#"pages > "300""#, "ZPAGES > 300"),
        (#"price < '10'"#, "ZPRICE < 10"), (#"objectID == "Book/p2""#, "Z_PK = 2"),
        (#"inPrint == "true""#, "ZINPRINT"),
        (#"author == "Author/p1""#, "ZAUTHOR = 1"),
    ])
    func `constants are read by the type of their property`(filter: String, condition: String) async throws {
        let client = try await client()
        let encoded = filter.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let count = try await client.ask("/api/count?entity=Book&where=\(encoded)").json["count"]
        let expected = try SQLiteShell.run(
            "SELECT count(*) FROM ZBOOK WHERE \(condition)", on: folder.file("Library.sqlite"))
        #expect(count == .integer(Int64(expected.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1))
        #expect(count != 0)
    }

    @Test(arguments: [
        (#"title != nil AND published > "soon""#, 29), (#"pages < 'many'"#, 8), (#"author == "nobody""#, 10),
    ])
    func `a constant that the type can't read has its position`(filter: String, position: Int) async throws {
        let client = try await client(books: 5)
        let encoded = filter.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await client.ask("/api/rows?entity=Book&columns=title&where=\(encoded)")
        #expect(answer.status == 422)
        #expect(try answer.json["error"]?["position"] == JSONValue(position))
    }

    @Test(arguments: [
        ("titel == \"x\"", 0), ("pages > 3 AND nothing < 4", 14), ("title == \"nothing\" AND nothing == 1", 23),
    ])
    func `a mistake in a filter has its position`(filter: String, position: Int) async throws {
        let client = try await client(books: 5)
        let encoded = filter.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await client.ask("/api/rows?entity=Book&columns=title&where=\(encoded)")
        #expect(answer.status == 422)
        #expect(try answer.json["error"]?["position"] == JSONValue(position))
    }

    @Test(arguments: ["pages >", "title == \"open", "AND", "pages > 3)", "(((", "%@ == 1"])
    func `what is no predicate is refused, with some position`(filter: String) async throws {
        let client = try await client(books: 5)
        let encoded = filter.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await client.ask("/api/rows?entity=Book&columns=title&where=\(encoded)")
        #expect(answer.status == 422)
        #expect(try answer.json["error"]?["position"] != nil)
    }

    @Test func `what a relationship leads to is a list of its own`() async throws {
        let client = try await client()
        let related = try await client.ask("/api/count?of=Author/p1&via=books").json
        let object = try await client.ask("/api/object?id=Author/p1").json
        guard case .array(let relationships)? = object["relationships"] else { return }
        #expect(related["count"] == 2)
        #expect(relationships.first?["count"] == 2)
        #expect(try await client.ask("/api/rows?of=Author/p1&via=nothing&columns=title").status == 404)
    }

    @Test func `a value whose file is missing does not hide the others`() async throws {
        let scan = LibraryModel.attribute("scan", .binaryDataAttributeType)
        scan.allowsExternalBinaryDataStorage = true
        let page = NSEntityDescription()
        (page.name, page.managedObjectClassName) = ("Page", "NSManagedObject")
        page.properties = [LibraryModel.attribute("text", .stringAttributeType), scan]
        let model = NSManagedObjectModel()
        model.entities = [page]
        func open() throws -> NSPersistentStoreCoordinator {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            _ = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("Pages.sqlite"), options: nil)
            return coordinator
        }
        let context = InspectedLibrary.context(try open(), author: "test")
        try await context.perform {
            InspectedLibrary.insert("Page", ["text": "here", "scan": Data(repeating: 7, count: 300_000)], context)
            try context.save()
        }
        try FileManager.default.removeItem(at: folder.file(".Pages_SUPPORT"))
        let client = InspectorClient(InspectorRoutes(coordinator: try open()))
        for path in ["/api/object?id=Page/p1", "/api/rows?entity=Page&columns=text,scan"] {
            let answer = try await client.ask(path)
            #expect(answer.status == 200)
            #expect(answer.text.contains("here") && answer.text.contains("unreadable"), "\(answer.text)")
        }
    }

    @Test func `pictures are shown, all else is a download`() async throws {
        let client = try await client()
        let row = try await client.ask("/api/rows?entity=Book&columns=cover&where=cover%20!%3D%20nil&limit=1").json
        guard case .array(let rows)? = row["rows"], case .string(let id)? = rows.first?["id"] else { return }
        let picture = try await client.ask("/api/value?id=\(id)&key=cover")
        #expect(picture.headers[.contentType] == "image/png")
        let response = try await client.ask("/api/value?id=\(id)&key=title")
        #expect(response.headers[.contentType] == "text/plain; charset=utf-8")
    }

    @Test func `an edit that is too large is refused with its limit`() async throws {
        let client = try await client(writable: true)
        let body = "{\"operations\":\"" + String(repeating: "x", count: 9_000_000) + "\"}"
        let answer = try await client.ask("/api/preview", method: .post, body: body)
        #expect(answer.status == 413 && answer.text.contains("million bytes"), "\(answer.text.prefix(300))")
    }

    @Test func `charts agree with the store`() async throws {
        let client = try await client()
        let days = try await client.ask("/api/chart?entity=Book&key=published").json
        guard case .array(let list)? = days["days"] else {
            Issue.record("no days")
            return
        }
        #expect(list.count == 40)
        #expect(list.first == ["2001-01-01", 1])
        let numbers = try await client.ask("/api/chart?entity=Book&key=pages").json
        guard case .array(let bars)? = numbers["bars"] else { return }
        #expect(bars.reduce(0) { $0 + Self.number($1.element(1)) } == 40)
        let groups = try await client.ask("/api/chart?entity=Author&key=country").json
        guard case .array(let countries)? = groups["groups"] else { return }
        #expect(countries.first == ["Chile", 7] || countries.first == ["Norway", 7])
        let toOne = try await client.ask("/api/chart?entity=Book&key=author").json
        guard case .array(let authors)? = toOne["groups"] else { return }
        #expect(authors.count == 20)
        #expect(try await client.ask("/api/chart?entity=Book&key=cover").status == 422)
    }

    @Test func `a distribution of the largest integers counts each where it is`() async throws {
        let client = try await client(books: 60)
        let chart = try await client.ask("/api/chart?entity=Book&key=big").json
        guard case .array(let bars)? = chart["bars"], case .string(let start)? = chart["start"],
            let first = Int64(start),
            let least = Int64(
                try SQLiteShell.run(
                    "SELECT min(ZBIG) FROM ZBOOK", on: folder.file("Library.sqlite")))
        else {
            Issue.record("no bars: \(chart)")
            return
        }
        #expect(least > 1 << 53 && first <= least)
        var counted: Int64 = 0
        for bar in bars {
            let (index, count) = (Int64(Self.number(bar.element(0))), Self.number(bar.element(1)))
            let from = first + index * Self.number(chart["width"])
            let bound = from.addingReportingOverflow(Self.number(chart["width"]))
            let condition = "ZBIG >= \(from)" + (bound.overflow ? "" : " AND ZBIG < \(bound.partialValue)")
            let stored = try SQLiteShell.run(
                "SELECT count(*) FROM ZBOOK WHERE \(condition)", on: folder.file("Library.sqlite"))
            #expect(Int64(stored) == count, "\(condition)")
            counted += count
        }
        #expect(counted > 50 && bars.count > 20)
    }

    /// Without an index, and over many rows: identifiers are asked for before rows.
    @Test(arguments: ["price", "price:desc", "inPrint"])
    func `a page after many rows is the part of the whole list that stands there`(sort: String) async throws {
        let client = try await client(books: 2_600)
        let list = "/api/rows?entity=Book&columns=title&sort=\(sort)"
        var whole: [String] = []
        for offset in stride(from: 0, to: 2_600, by: 500) {
            whole += Self.ids(try await client.ask("\(list)&limit=500&offset=\(offset)").json)
        }
        #expect(Set(whole).count == 2_600)
        for (offset, total) in [(1_300, ""), (1_300, "&total=2600"), (1_450, "&total=2600"), (2_590, "")] {
            let page = try await client.ask("\(list)&limit=20&offset=\(offset)\(total)").json
            #expect(Self.ids(page) == Array(whole[offset..<min(offset + 20, 2_600)]), "\(offset)")
        }
        let filtered = try await client.ask("\(list)&limit=20&offset=1100&where=pages%20%3E%3D%200").json
        #expect(Self.ids(filtered) == Array(whole[1_100..<1_120]))
    }

    @Test func `the plan tells whether an index was used`() async throws {
        let client = try await client()
        func verdict(_ query: String) async throws -> JSONValue? {
            guard case .array(let statements)? = try await client.ask("/api/explain?\(query)").json["statements"]
            else {
                return nil
            }
            return statements.first?["verdict"]
        }
        #expect(try await verdict("entity=Book&where=title%20%3D%3D%20%22x%22") == "index")
        #expect(try await verdict("entity=Author&where=country%20%3D%3D%20%22x%22") == "scan")
        #expect(try await verdict("entity=Author&sort=country") == "sort")
    }

    @Test func `the history tells transactions, the newest first, and old values`() async throws {
        let client = try await client(writable: true)
        let title = try #require(try await title(client))
        _ = try await edit(client, #"[{"op":"delete","object":"Book/p2"}]"#)
        let history = try await client.ask("/api/history").json
        #expect(history["recorded"] == true)
        guard case .array(let transactions)? = history["transactions"],
            case .array(let changes)? = transactions.first?["changes"]
        else { return }
        #expect(transactions.first?["author"] == "inspector")
        let deleted = changes.first { $0["type"] == "delete" }
        #expect(deleted?["old"]?["title"] == title)
    }

    @Test func `sizes and findings name tables and objects`() async throws {
        let client = try await client()
        let sizes = try await client.ask("/api/sizes").json
        guard case .array(let parts)? = sizes["parts"] else { return }
        #expect(parts.contains { $0["name"] == "ZBOOK" && $0["entity"] == "Book" })
        _ = try SQLiteShell.run("UPDATE ZBOOK SET ZAUTHOR = 999 WHERE Z_PK = 7", on: folder.file("Library.sqlite"))
        let check = try await client.ask("/api/check").json
        guard case .array(let findings)? = check["findings"] else { return }
        #expect(findings.contains { $0["object"]?["id"] == "Book/p7" || $0["object"]?["id"] == "Novel/p7" })
    }

    // MARK: Editing

    @Test func `nothing can be edited unless that was asked for`() async throws {
        let client = try await client()
        let body = #"{"operations":[{"op":"delete","object":"Book/p1"}]}"#
        #expect(try await client.ask("/api/preview", method: .post, body: body).status == 403)
        #expect(try await client.ask("/api/undo", method: .post, body: "{}").status == 403)
    }

    @Test func `an edit is seen as a difference, saved, undone and redone`() async throws {
        let client = try await client(writable: true)
        let old = try #require(try await title(client))
        let rows = try await client.ask("/api/rows?of=Book/p2&via=author&columns=objectID").text
        let author = rows.contains("Author/p9\"") ? 8 : 9
        let operations = """
            [{"op":"set","object":"Book/p2","values":{"title":"New","pages":"12","author":"Author/p\(author)"}}]
            """
        let preview = try await client.ask("/api/preview", method: .post, body: "{\"operations\":\(operations)}")
            .json
        guard case .array(let changes)? = preview["changes"] else {
            Issue.record("no changes: \(preview)")
            return
        }
        // The authors have the inverse relationship.
        #expect(changes.count == 3)
        #expect(try await title(client) == old)
        let saved = try await edit(client, operations)
        #expect(saved.status == 200)
        #expect(try await title(client) == "New")
        #expect(try await client.ask("/api/undo", method: .post, body: "{}").status == 200)
        #expect(try await title(client) == old)
        #expect(try await client.ask("/api/redo", method: .post, body: "{}").status == 200)
        #expect(try await title(client) == "New")
    }

    @Test func `a deletion can be undone with its relationships`() async throws {
        let client = try await client(writable: true)
        let count = try await client.ask("/api/count?entity=Book").json["count"]
        #expect(try await edit(client, #"[{"op":"delete","object":"Author/p1"}]"#).status == 200)
        #expect(try await client.ask("/api/count?entity=Book&where=author%20%3D%3D%20nil").json["count"] == 2)
        #expect(try await client.ask("/api/undo", method: .post, body: "{}").status == 200)
        #expect(try await client.ask("/api/count?entity=Book&where=author%20%3D%3D%20nil").json["count"] == 0)
        #expect(try await client.ask("/api/count?entity=Author").json["count"] == 20)
        #expect(try await client.ask("/api/count?entity=Book").json["count"] == count)
    }

    @Test func `an edit that breaks a rule is refused with the rule`() async throws {
        let client = try await client(writable: true)
        let answer = try await edit(client, #"[{"op":"set","object":"Book/p2","values":{"pages":"-5"}}]"#)
        #expect(answer.status == 422)
        #expect(answer.text.contains("pages"))
        let wrong = try await client.ask(
            "/api/preview", method: .post,
            body: #"{"operations":[{"op":"set","object":"Book/p2","values":{"pages":"many"}}]}"#)
        #expect(wrong.status == 422)
        let denied = try await edit(client, #"[{"op":"delete","object":"Shelf/p1"}]"#)
        #expect(denied.status == 422)
    }

    @Test func `a value of another kind for a relationship is a bad request`() async throws {
        let client = try await client(writable: true)
        for value in ["7", "true", "[\"Author/p8\", 9]", "{\"name\": \"Author/p8\"}"] {
            let body = "{\"operations\":[{\"op\":\"set\",\"object\":\"Book/p2\",\"values\":{\"author\":\(value)}}]}"
            let answer = try await client.ask("/api/preview", method: .post, body: body)
            #expect(answer.status == 400 && answer.text.contains("author is a relationship"), "\(answer.text)")
        }
        let cleared = #"{"operations":[{"op":"set","object":"Book/p2","values":{"author":null}}]}"#
        #expect(try await client.ask("/api/preview", method: .post, body: cleared).status == 200)
        let list = #"{"operations":[{"op":"set","object":"Book/p2","values":[1]}]}"#
        #expect(try await client.ask("/api/preview", method: .post, body: list).status == 400)
    }

    @Test func `the difference of a new object lists what is written and nothing else`() async throws {
        let client = try await client(writable: true)
        let body = #"{"operations":[{"op":"insert","entity":"Author","name":"new1","values":{"name":"Fresh"}}]}"#
        let answer = try await client.ask("/api/preview", method: .post, body: body)
        guard case .array(let changes)? = try answer.json["changes"],
            case .array(let properties)? = changes[0]["properties"]
        else {
            Issue.record("no changes: \(answer.text)")
            return
        }
        #expect(!properties.contains(.null))
        #expect(properties.contains(["name": "name", "old": .null, "new": "Fresh"]), "\(properties)")
    }

    @Test func `a request with two hosts is a bad request`() async throws {
        let client = try await client()
        let token = client.routes.access.token?.string ?? ""
        let answer = try await client.ask(
            "/api/info", headers: ["Authorization": "Bearer \(token)", "Host": "127.0.0.1:8080"])
        #expect(answer.status == 400)
    }

    @Test func `an edit of what has changed in the meantime is shown once more`() async throws {
        let client = try await client(writable: true)
        let operations = #"[{"op":"set","object":"Book/p2","values":{"title":"Mine"}}]"#
        let seen = try await client.ask("/api/preview", method: .post, body: "{\"operations\":\(operations)}").json
        #expect(
            try await edit(client, #"[{"op":"set","object":"Book/p2","values":{"title":"Theirs"}}]"#).status == 200)
        guard case .string(let digest)? = seen["digest"] else { return }
        let answer = try await client.ask(
            "/api/save", method: .post, body: "{\"operations\":\(operations),\"digest\":\"\(digest)\"}")
        #expect(answer.status == 409)
        #expect(try await title(client) == "Theirs")
    }

    // MARK: Live

    @Test(arguments: [true, false])
    func `listeners are notified of saves`(history: Bool) async throws {
        let client = try await client(history: history)
        let messages = await client.routes.feed.messages()
        let other = try InspectedLibrary.open(folder.file("Library.sqlite"), history: history)
        let context = InspectedLibrary.context(other, author: "other")
        // The test can't know when the feed begins to listen.
        let saves = Task {
            while !Task.isCancelled {
                try await context.perform {
                    InspectedLibrary.insert("Tag", ["word": "new"], context)
                    try context.save()
                }
                try await Task.sleep(for: .milliseconds(300))
            }
        }
        defer { saves.cancel() }
        var received: JSONValue?
        for await document in messages {
            var parser = JSONPullParser(String(decoding: document, as: UTF8.self))
            let message = try parser.readValue()
            received = message
            if !history || message["transactions"] != .null { break }
        }
        guard history else {
            #expect(received?["transactions"] == .null)
            return
        }
        guard case .array(let transactions)? = received?["transactions"] else {
            Issue.record("no transactions")
            return
        }
        #expect(transactions.last?["author"] == "other")
        #expect(transactions.last?["summary"]?["Tag"] == [1, 0, 0])
    }

    // Without the message, it would wait without end.
    @Test(.timeLimit(.minutes(5)))
    func `a running database is shown while it works, and not once it is closed`() async throws {
        let database = try await Database.open(
            .init(
                name: "Service", model: .value(InspectedLibrary.model()),
                stores: [.sqlite(in: .at(folder.url))]))
        let client = InspectorClient(InspectorRoutes(database), atPath: "inspector")
        #expect(try await client.ask("/inspector/api/count?entity=Tag").json["count"] == 0)
        let messages = await client.routes.feed.messages()
        try await Task.sleep(for: .milliseconds(300))
        try await database.write { context in
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue("new", forKey: "word")
        }
        for await _ in messages { break }
        let rows = try await client.ask("/inspector/api/rows?entity=Tag&columns=word").json
        #expect(Self.column(0, of: rows) == ["new"])
        // What the service itself does is left alone.
        #expect(
            try await database.read { try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) } == 1)
        try await database.close()
        #expect(try await client.ask("/inspector/api/count?entity=Tag").status == 503)
    }

    // MARK: Parts

    private static func ids(_ answer: JSONValue) -> [String] {
        guard case .array(let rows)? = answer["rows"] else { return [] }
        return rows.compactMap { if case .string(let id)? = $0["id"] { id } else { nil } }
    }

    private func edit(_ client: InspectorClient, _ operations: String) async throws -> InspectorClient.Answer {
        let preview = try await client.ask("/api/preview", method: .post, body: "{\"operations\":\(operations)}")
        guard case .string(let digest)? = try preview.json["digest"] else { return preview }
        return try await client.ask(
            "/api/save", method: .post, body: "{\"operations\":\(operations),\"digest\":\"\(digest)\"}")
    }

    private func title(_ client: InspectorClient) async throws -> JSONValue? {
        guard case .array(let attributes)? = try await client.ask("/api/object?id=Book/p2").json["attributes"]
        else {
            return nil
        }
        return attributes.first { $0["name"] == "title" }?["value"]
    }

    private static func column(_ index: Int, of answer: JSONValue) -> [JSONValue] {
        guard case .array(let rows)? = answer["rows"] else { return [] }
        return rows.compactMap { $0["cells"]?.element(index) }
    }

    private static func number(_ value: JSONValue?) -> Int64 {
        if case .integer(let number)? = value { return number }
        return 0
    }
}

extension JSONValue {
    fileprivate func element(_ index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}
#endif
