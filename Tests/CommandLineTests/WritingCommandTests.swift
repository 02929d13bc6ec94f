import Foundation
import TestSupport
import Testing

/// `set`, `delete`, `import` and `check` on a small store.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct WritingCommandTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore.make(in: folder).path
    }

    private func value(_ key: String, of entity: String, where predicate: String) throws -> Any? {
        let result = try CommandRunner.run("list", store, entity, "--where", predicate, "--format", "json")
        return (try result.json() as? [[String: Any]])?.first?[key]
    }

    private func name(of entity: String, where predicate: String) throws -> String {
        try #require(try value("objectID", of: entity, where: predicate) as? String)
    }

    @Test func setChangesValuesOfEachType() throws {
        let bob = try name(of: "Person", where: "name == 'Bob'")
        let result = try CommandRunner.run(
            "set", store, bob, "age=41", "score=1.5", "isActive=yes", "balance=12.25", "born=2001-01-01T00:00:00Z",
            "photo=AQI=", "token=00000000-0000-0000-0000-000000000001", "home=https://example.org/b", "small=null",
            "settings={\"a\": [1, true]}", "name=Bob = Bob")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("age: -1 → 41"))
        let list = try CommandRunner.run("list", store, "Person", "--where", "age == 41", "--format", "json")
        let after = try #require((try list.json() as? [[String: Any]])?.first)
        #expect(after["name"] as? String == "Bob = Bob")
        #expect(after["balance"] as? String == "12.25")
        #expect(after["born"] as? String == "2001-01-01T00:00:00.000Z")
        #expect(after["photo"] as? String == "AQI=")
        #expect(list.output.contains("\"isActive\": true"))
        #expect((after["settings"] as? [String: Any])?["a"] as? [Int] == [1, 1])
        #expect(try CommandRunner.run("check", store).status == 0)
    }

    @Test func setChangesRelationshipsAndTheirInverses() throws {
        let bob = try name(of: "Person", where: "name == 'Bob'")
        let red = try name(of: "Team", where: "name == 'Red'")
        #expect(try CommandRunner.run("set", store, bob, "team=\(red)").status == 0)
        #expect((try value("members", of: "Team", where: "name == 'Red'") as? [String])?.last == bob)
        #expect((try value("members", of: "Team", where: "name == 'Blue'") as? [String])?.isEmpty == true)
        #expect(try CommandRunner.run("set", store, bob, "team=null", "friends=").status == 0)
        #expect((try value("friends", of: "Person", where: "name == 'Bob'") as? [String])?.isEmpty == true)
        #expect(try CommandRunner.run("check", store).status == 0)
    }

    @Test func dryRunsShowAndSaveNothing() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        let red = try name(of: "Team", where: "name == 'Red'")
        let deletion = try CommandRunner.run("delete", store, red, "--dry-run")
        #expect(deletion.status == 0, "\(deletion.errors)")
        #expect(deletion.output.contains("delete Team/"))
        #expect(deletion.output.contains("delete Person/"))
        #expect(deletion.output.contains("delete Badge/"))
        let change = try CommandRunner.run("set", store, red, "name=Green", "--dry-run")
        #expect(change.output.contains("name: \"Red\" → \"Green\""))
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    }

    @Test func deleteFollowsTheRules() throws {
        let red = try name(of: "Team", where: "name == 'Red'")
        let result = try CommandRunner.run("delete", store, red)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try CommandRunner.run("count", store, "Person").output == "1\n")
        #expect(try CommandRunner.run("count", store, "Badge").output == "0\n")
        #expect(try CommandRunner.run("check", store).status == 0)
    }

    @Test(arguments: [
        (["name=null"], "name"), (["age=70000"], "age"), (["age=x"], "age"), (["born=yesterday"], "born"),
        (["token=1"], "token"), (["color=red"], "color"), (["isActive=maybe"], "isActive"),
        (["team=Person/p1"], "Team"), (["team=Team/p99"], "Team/p99"),
    ])
    func whatDoesNotFitIsRefused(_ assignments: [String], _ name: String) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        let result = try CommandRunner.run(
            ["set", store, try self.name(of: "Person", where: "name == 'Bob'")] + assignments)
        #expect(result.status == 1)
        #expect(result.errors.contains(name), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    }

    @Test func uniquenessIsKept() throws {
        let red = try name(of: "Team", where: "name == 'Red'")
        let result = try CommandRunner.run("set", store, red, "name=Blue")
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(try CommandRunner.run("count", store, "Team", "--where", "name == 'Red'").output == "1\n")
    }

    @Test func exportAndImportGiveAnEqualStore() throws {
        try RoundTrip(folder: folder, store: store, modelArguments: []).check()
    }

    @Test func importsAddToAStoreThatIsThere() throws {
        let export = folder.file("people.json").path
        #expect(
            try CommandRunner.run(
                "export", store, "--entity", "Badge", "--entity", "Person", "--entity", "Employee",
                "--output", export
            ).status == 0)
        let result = try CommandRunner.run("import", store, export)
        // The exported people name teams that are not in the input.
        #expect(result.status == 1)
        #expect(result.errors.contains("Team/p"))
    }

    @Test(arguments: [
        "", "[]", "{}", "{\"entities\": []}", "{\"entities\": {\"Nothing\": [{}]}}", "{\"entities\": {\"Team\": [1]}}",
        "{\"entities\": {\"Team\": [{\"name\": 7}]}}", "{\"entities\": {\"Team\": [{\"color\": \"x\"}]}}",
        "{\"entities\": {\"Team\": [{}]}}", "{\"entities\": {\"Team\": [{\"name\": \"a\"}",
        "{\"entities\": {\"Badge\": [{\"code\": \"a\"}]}}",
        "{\"entities\": {\"Team\": [{\"objectID\": \"x\", \"name\": \"a\"}, {\"objectID\": \"x\", \"name\": \"b\"}]}}",
        "{\"entities\": {\"Person\": [{\"name\": \"a\", \"team\": \"Team/p1\"}]}}",
    ])
    func aBadInputLeavesNoStore(_ string: String) throws {
        let input = folder.file("bad.json")
        try Data(string.utf8).write(to: input)
        let target = folder.file("New.sqlite").path
        let result = try CommandRunner.run("import", target, "--model", store, input.path)
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(!result.errors.isEmpty && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0.hasPrefix("New.sqlite") })
    }

    @Test func importReadsStandardInput() throws {
        let input = Data("{\"entities\": {\"Team\": [{\"name\": \"Green\"}]}}".utf8)
        let result = try CommandRunner.run(["import", store, "-"], input: input)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try CommandRunner.run("count", store, "Team").output == "3\n")
    }

    @Test func importNeedsAModelForANewStore() throws {
        let input = folder.file("empty.json")
        try Data("{\"entities\": {}}".utf8).write(to: input)
        let result = try CommandRunner.run("import", folder.file("New.sqlite").path, input.path)
        #expect(result.status == 1)
        #expect(result.errors.contains("--model"))
    }
}
