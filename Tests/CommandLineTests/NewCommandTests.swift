import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `show`, `schema` of an entity, `query`, `export --where`, NDJSON, `upsert`, and what is said of mistakes.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct NewCommandTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore.make(in: folder).path
    }

    private func run(_ arguments: String..., status: Int32 = 0) throws -> String {
        let result = try CommandRunner.run(arguments)
        #expect(result.status == status, "\(result.errors)")
        return status == 0 ? result.output : result.errors
    }

    private func short(_ entity: String, where format: String) throws -> String {
        let list = try CommandRunner.run("list", store, entity, "--where", format, "--format", "json")
        let uri = try #require((try list.json() as? [[String: Any]])?.first?["objectID"] as? String)
        return uri.split(separator: "/").suffix(2).joined(separator: "/")
    }

    private func lines(_ string: String) throws -> [[String: Any]] {
        try string.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test func showPrintsAnObjectWithItsRelationships() throws {
        let ada = try short("Person", where: "age == 36")
        let bob = try short("Person", where: "name == 'Bob'")
        let string = try run("show", store, ada)
        #expect(string.hasPrefix("\(ada)\n"))
        let shown = string.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        let friends = try #require(shown.first { $0[0] == "friends" })
        #expect(friends[1].contains(bob))
        #expect(shown.first { $0[0] == "age" }?[1].trimmingCharacters(in: .whitespaces) == "36")
        let result = try CommandRunner.run("show", store, ada, "--json")
        #expect((try result.json() as? [String: Any])?["balance"] as? String == "1234.5")
        #expect(try run("show", store, "Person/p999", status: 1).contains("Person/p999"))
        #expect(try run("show", store, "Persn/p1", status: 1).contains("did you mean Person?"))
    }

    @Test func schemaShowsOneEntity() throws {
        let string = try run("schema", store, "Team")
        #expect(string.hasPrefix("Team\n") && string.contains("members") && !string.contains("salary"))
        #expect(
            (try CommandRunner.run("schema", store, "Team", "--json").json() as? [String: Any])?["name"] as? String
                == "Team")
        #expect(try run("schema", store, "Tema", status: 1).contains("did you mean Team?"))
    }

    @Test func queriesGroup() throws {
        let result = try CommandRunner.run(
            "query", store, "Person", "--group-by", "isActive", "--compute", "count,sum:age,max:name", "--sort",
            "isActive", "--format", "json")
        #expect(result.status == 0, "\(result.errors)")
        let rows = try #require(try result.json() as? [[String: Any]])
        #expect(rows.count == 3)
        #expect(rows.map { $0["isActive"] as? Bool } == [nil, false, true])
        #expect(rows.map { $0["count"] as? Int } == [1, 1, 1])
        #expect(rows[1]["sum:age"] as? Int == -1 && rows[2]["sum:age"] as? Int == 36)
        #expect(rows[1]["max:name"] as? String == "Bob")
        let total = try CommandRunner.run("query", store, "Person", "--compute", "count,min:age", "--format", "ndjson")
        #expect(try lines(total.output).first?["count"] as? Int == 3)
        #expect(try lines(total.output).first?["min:age"] as? Int == -1)
        let teams = try run("query", store, "Person", "--group-by", "team.name", "--sort", "count:desc")
        #expect(teams.contains("Red") && teams.hasPrefix("team.name  count\n"))
        #expect(try run("query", store, "Person", "--compute", "sum:name", status: 1).contains("needs numbers"))
        #expect(try run("query", store, "Person", "--compute", "summ:age", status: 1).contains("did you mean sum?"))
        #expect(try run("query", store, "Person", "--group-by", "agee", status: 1).contains("did you mean age?"))
    }

    @Test func explanationsShowStatementAndPlan() throws {
        for arguments in [["list"], ["query"]] {
            let result = try CommandRunner.run(arguments + [store, "Person", "--where", "age > 3", "--explain"])
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("SELECT") && result.output.contains("plan:"))
            #expect(result.output.contains("ZPERSON"))
        }
    }

    @Test func linesOfJSONGoOutAndIn() throws {
        let list = try lines(try run("list", store, "Person", "--format", "ndjson"))
        #expect(list.count == 3 && list.allSatisfy { ["Person", "Employee"].contains($0["entity"] as? String) })
        let file = folder.file("all.ndjson").path
        _ = try run("export", store, "--format", "ndjson", "-o", file)
        #expect(try lines(try String(contentsOfFile: file, encoding: .utf8)).count == 7)
        let copy = folder.file("copy.sqlite").path
        _ = try run("import", copy, file)
        #expect(try run("schema", copy, "--json") == run("schema", store, "--json"))
        #expect(try run("count", copy, "Person") == "3\n")
        #expect(
            try CommandRunner.run("list", copy, "Team", "--sort", "name", "--fields", "name,members.name").output
                == CommandRunner.run("list", store, "Team", "--sort", "name", "--fields", "name,members.name").output)
    }

    @Test func linesOfOneEntityHaveNoModel() throws {
        let people = try run("export", store, "--entity", "Person", "--format", "ndjson", "-o", "-")
        #expect(try lines(people).allSatisfy { $0["entity"] as? String == "Person" })
        let file = folder.file("people.ndjson")
        try Data(people.utf8).write(to: file)
        let copy = folder.file("copy.sqlite").path
        #expect(try run("import", copy, file.path, status: 1).contains("--model"))
        // A model with no objects makes an empty store.
        let all = try run("export", store, "--format", "ndjson", "-o", "-")
        try Data(all.prefix { $0 != "\n" }.utf8).write(to: file)
        #expect(try run("import", copy, file.path).contains("Imported 0 objects"))
        #expect(try run("count", copy, "Person") == "0\n")
        try Data("\(all.prefix { $0 != "\n" })\n{\"name\": \"Eve\"}\n".utf8).write(to: file)
        #expect(try run("import", store, file.path, status: 1).contains("begin with the name of its \"entity\""))
    }

    @Test func exportsTakeAPredicate() throws {
        let string = try run(
            "export", store, "--entity", "Person", "--where", "age > '30'", "--format", "ndjson", "-o", "-")
        #expect(try lines(string).map { $0["age"] as? Int } == [36])
        #expect(try CommandRunner.run("export", store, "--where", "age > 30", "-o", "-").status == 64)
    }

    @Test func anImportTakesTheModelOfItsExport() throws {
        let file = folder.file("all.json").path
        _ = try run("export", store, "-o", file)
        let copy = folder.file("copy.sqlite").path
        _ = try run("import", copy, file)
        // Hashes and classes are the application's.
        #expect(try run("schema", copy, "--json") == run("schema", store, "--json"))
        #expect(try run("check", copy).hasSuffix("no problems found.\n"))
    }

    @Test func errorsOfAnImportNameTheObject() throws {
        let file = folder.file("bad.json")
        try Data(#"{"entities": {"Person": [{"objectID": "Person/p7", "age": 3}]}}"#.utf8).write(to: file)
        #expect(try run("import", store, file.path, status: 1).contains("Person/p7: "))
        try Data(#"{"entities": {"Badge": [{"objectID": "Badge/p8", "code": "x"}]}}"#.utf8).write(to: file)
        #expect(try run("import", store, file.path, status: 1).contains("Badge/p8: "))
        _ = try run("import", store, file.path, "--skip-validation")
        #expect(try run("count", store, "Badge", "--where", "holder == nil") == "1\n")
        let bob = try short("Person", where: "name == 'Bob'")
        #expect(try run("set", store, bob, "name=null", status: 1).contains(bob.split(separator: "/")[1]))
    }

    @Test func changesOfToManysAreCounted() throws {
        let red = try short("Team", where: "name == 'Red'")
        let bob = try short("Person", where: "name == 'Bob'")
        let string = try run("set", store, red, "members=\(bob)", "--dry-run")
        #expect(string.contains("members: +1 −2 (+\(bob), −"), "\(string)")
    }

    @Test(arguments: ["csv", "json", "ndjson"])
    func upsertChangesAndAdds(_ format: String) throws {
        let texts = [
            "csv": "name,age,isActive\r\nBob,52,true\r\n\"Eve, x\",7,\r\n",
            "json": #"[{"name": "Bob", "age": 52, "isActive": true}, {"name": "Eve, x", "age": 7}]"#,
            "ndjson": "{\"name\": \"Bob\", \"age\": 52, \"isActive\": true}\n{\"name\": \"Eve, x\", \"age\": 7}\n",
        ]
        let file = folder.file("people.\(format)")
        try Data((texts[format] ?? "").utf8).write(to: file)
        let dry = try run("upsert", store, "Person", file.path, "--key", "name", "--dry-run")
        #expect(dry.hasPrefix("1 inserted, 1 updated, 0 unchanged.\n"))
        #expect(try run("count", store, "Person") == "3\n")
        #expect(
            try run("upsert", store, "Person", file.path, "--key", "name") == "1 inserted, 1 updated, 0 unchanged.\n")
        #expect(
            try run("upsert", store, "Person", file.path, "--key", "name") == "0 inserted, 0 updated, 2 unchanged.\n")
        #expect(
            try run("count", store, "Employee", "--where", "age == 52 AND isActive == YES AND salary == 100") == "1\n")
        #expect(try run("count", store, "Person", "--where", "name == 'Eve, x' AND age == 7") == "1\n")
        #expect(try run("check", store).hasSuffix("no problems found.\n"))
    }

    /// As spreadsheets save them.
    @Test func upsertReadsAByteOrderMarkCarriageReturnsAndQuotes() throws {
        let csv = folder.file("bom.csv")
        try Data("\u{FEFF}name\r\n\"a \"\"b\"\", c\"\r\n\"two\r\nlines\"\r\n".utf8).write(to: csv)
        let output = try run("upsert", store, "Team", csv.path, "--key", "name")
        #expect(output == "2 inserted, 0 updated, 0 unchanged.\n")
        #expect(try run("count", store, "Team", "--where", "name IN {'a \"b\", c', 'two\\r\\nlines'}") == "2\n")
    }

    @Test func aPortThatIsTakenIsNamed() throws {
        let running = try CommandRunner.start(["serve", store])
        defer {
            running.process.terminate()
            _ = try? CommandRunner.finish(running)
        }
        var address = ""
        let deadline = Date(timeIntervalSinceNow: 60)
        while !address.hasSuffix("\n"), running.process.isRunning, Date() < deadline {
            Thread.sleep(forTimeInterval: 0.02)
            address = try String(contentsOf: running.output, encoding: .utf8)
        }
        let port = try #require(address.firstMatch(of: /:(\d+)\//)?.1)
        let errors = try run("serve", store, "--port", String(port), status: 1)
        #expect(errors.hasPrefix("opencoredata: The port \(port) is already in use"), "\(errors)")
    }

    @Test func aLongFormatIsNotQuotedWhole() throws {
        let errors = try run(
            "count", store, "Team", "--where", "name == '" + String(repeating: "x", count: 50_000), status: 1)
        #expect(errors.contains("no closing quotation mark"))
        #expect(errors.count < 500)
    }

    @Test(arguments: [
        ("name,age\nBob,1\nBob,2\n", "same key"), ("name,age\nX,old\n", "Record 2: "),
        ("name,agee\nX,1\n", "did you mean age?"),
        ("age\n3\n", "no value for the key name"), ("name,age\nX\n", "1 fields"), ("name,age\n\"X,1\n", "quoted"),
        ("", "empty"),
    ])
    func aBadUpsertChangesNothing(_ string: String, _ mention: String) throws {
        let file = folder.file("people.csv")
        try Data(string.utf8).write(to: file)
        let before = try run("export", store, "-o", "-")
        let errors = try run("upsert", store, "Person", file.path, "--key", "name", status: 1)
        #expect(errors.contains(mention), "\(errors)")
        #expect(errors.hasSuffix("Nothing was changed.\n"))
        #expect(try run("export", store, "-o", "-") == before)
    }

    @Test func theVersionIsPrinted() throws {
        #expect(try run("--version").contains(/^\d+\.\d+\.\d+/))
    }

    @Test func completionsKnowEntitiesAndProperties() throws {
        let script = try run("--generate-completion-script", "bash")
        #expect(script.contains("opencoredata"))
        for (arguments, expected) in [
            (
                ["---completion", "count", "--", "positional@1", "3", "0", "opencoredata", "count", store, ""],
                "Employee"
            ),
            (
                [
                    "---completion", "list", "--", "--fields", "5", "0", "opencoredata", "list", store, "Team",
                    "--fields", "",
                ], "members"
            ),
            (
                [
                    "---completion", "list", "--", "--fields", "5", "13", "opencoredata", "list", "'\(store)'", "Team",
                    "--fields", "name,members.",
                ], "name,members.name"
            ),
            (
                [
                    "---completion", "list", "--", "--sort", "5", "0", "opencoredata", "list", store, "Team", "--sort",
                    "",
                ],
                "name"
            ),
            (
                ["---completion", "set", "--", "positional@2", "4", "0", "opencoredata", "set", store, "Team/p1", ""],
                "name="
            ),
            (
                [
                    "---completion", "query", "--", "--compute", "5", "11", "opencoredata", "query", store, "Person",
                    "--compute", "count,avg:a",
                ], "count,avg:age"
            ),
            (
                [
                    "---completion", "query", "--", "--compute", "5", "7", "opencoredata", "query", store, "Person",
                    "--compute", "count,",
                ], "count,sum:"
            ),
            (
                [
                    "---completion", "list", "--", "--where", "5", "20", "opencoredata", "list", store, "Person",
                    "--where", "age > 3 AND team.na",
                ], "age > 3 AND team.name"
            ),
        ] {
            let result = try CommandRunner.run(arguments)
            #expect(
                result.output.split(separator: "\n").map(String.init).contains(expected),
                "\(result.output)\(result.errors)")
        }
    }

    @Test func theWrongFileIsExplained() throws {
        let picture = folder.file("picture.sqlite")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]).write(to: picture)
        #expect(try run("info", picture.path, status: 1).contains("It is a PNG picture."))
        #expect(
            try run("info", folder.url.path, status: 1).contains("a folder, not a file; it contains Sample.sqlite."))
        #expect(try run("info", folder.file("Sampel.sqlite").path, status: 1).contains("did you mean \(store)?"))
        #expect(try run("info", folder.file("nowhere/x.sqlite").path, status: 1).contains("its folder does not exist"))
        #expect(
            try run("count", store, "Team", "--model", picture.path, status: 1).contains(
                "is not a model but a PNG picture"))
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(fileURLWithPath: store))
        #expect(try run("count", link.path, "Team") == "2\n")
        try FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("gone"))
        #expect(try run("info", link.path, status: 1).contains("is a link to a file that does not exist"))
    }

    @Test func theWrongModelIsExplained() throws {
        let other = NSManagedObjectModel()
        let team = NSEntityDescription()
        team.name = "Team"
        other.entities = [team]
        let file = folder.file("Other.mom")
        try other.encodedCompiledModel().write(to: file)
        let errors = try run("count", store, "Team", "--model", file.path, status: 1)
        #expect(errors.contains("it lacks Badge, Employee, Person, and Team is of another version"), "\(errors)")
    }

    @Test func versionsOfAModelAreNamedBehindAColon() throws {
        let source = folder.file("Sample.xcdatamodeld")
        let document = try ModelSourceDocument(model: SampleStore.model())
        let empty = NSManagedObjectModel()
        try ModelSourceBundle(
            versions: [.init(name: "Old", document: document), .init(name: "New", document: .init(model: empty))],
            currentVersionName: "New"
        ).write(to: source)
        #expect(try run("count", store, "Team", "--model", source.path + ":Old") == "2\n")
        #expect(try run("schema", source.path + ":Old", "Team").hasPrefix("Team\n"))
        #expect(
            try run("count", store, "Team", "--model", source.path + ":Odl", status: 1).contains("did you mean Old?"))
    }
}
