import Foundation
import TestSupport
import Testing

/// What the reading subcommands print for a small store.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct ReadingCommandTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore.make(in: folder).path
    }

    @Test func infoTellsWhatIsThere() throws {
        let result = try CommandRunner.run("info", store, "--json")
        let info = try #require(try result.json() as? [String: Any])
        let entities = try #require(info["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Badge", "Employee", "Person", "Team"])
        #expect(entities.map { $0["rows"] as? Int } == [1, 2, 1, 2])
        #expect(entities.map { $0["rowsWithSubentities"] as? Int } == [1, 2, 3, 2])
        #expect(entities[1]["parent"] as? String == "Person")
        #expect((info["model"] as? [String: Any])?["kind"] as? String == "store")
        let features = try #require(info["features"] as? [String])
        for feature in ["inheritance", "ordered relationships", "transformable attributes", "uniqueness constraints"] {
            #expect(features.contains(feature))
        }
        let string = try CommandRunner.run("info", store).output
        let uuid = try #require(info["uuid"] as? String)
        #expect(string.contains("Person") && string.contains(uuid))
    }

    @Test func schemaNamesEverything() throws {
        let document = try #require(try CommandRunner.run("schema", store, "--json").json() as? [String: Any])
        let entities = try #require(document["entities"] as? [[String: Any]])
        let person = try #require(entities.first { $0["name"] as? String == "Person" })
        let attributes = try #require(person["attributes"] as? [[String: Any]])
        #expect(attributes.first { $0["name"] as? String == "token" }?["type"] as? String == "UUID")
        let relationships = try #require(person["relationships"] as? [[String: Any]])
        let team = try #require(relationships.first { $0["name"] as? String == "team" })
        #expect(team["inverse"] as? String == "members")
        #expect(team["deleteRule"] as? String == "Nullify")
        let string = try CommandRunner.run("schema", store).output
        #expect(string.contains("Employee : Person"))
        #expect(string.contains("unique (name)"))
    }

    @Test func countFollowsThePredicate() throws {
        #expect(try CommandRunner.run("count", store, "Person").output == "3\n")
        #expect(try CommandRunner.run("count", store, "Employee").output == "2\n")
        #expect(try CommandRunner.run("count", store, "Person", "--where", "team.name == 'Red'").output == "2\n")
        #expect(try CommandRunner.run("count", store, "Person", "--where", "ANY friends.name == 'Bob'").output == "1\n")
        #expect(try CommandRunner.run("count", store, "Team", "--where", "members.@count > 1").output == "1\n")
    }

    @Test func jsonHasTheValueOfEachType() throws {
        let result = try CommandRunner.run("list", store, "Person", "--where", "age == 36", "--format", "json")
        let ada = try #require((try result.json() as? [[String: Any]])?.first)
        #expect((ada["objectID"] as? String)?.hasPrefix("x-coredata://") == true)
        #expect(ada["name"] as? String == "Ada \"the\" Löve,lace\nCountess 👩🏽‍💻")
        #expect(ada["balance"] as? String == "1234.5")
        #expect(ada["token"] as? String == "6A1E3B1C-94A5-4F86-9E0E-6B1E2F1A9C77")
        #expect(ada["photo"] as? String == "AAEC/w==")
        #expect((ada["born"] as? String)?.hasPrefix("2024-01-21T12:00:00.123456") == true)
        #expect(result.output.contains("\"isActive\": true"))
        #expect(result.output.contains("\"big\": 9223372036854775807"))
        #expect(result.output.contains("\"height\": 1.65,"))
        #expect((ada["settings"] as? [String: Any])?["color"] as? String == "red")
        #expect((ada["team"] as? String)?.contains("/Team/p") == true)
        #expect((ada["friends"] as? [String])?.count == 2)
        #expect(
            try CommandRunner.run("list", store, "Badge", "--where", "code == 'x'", "--format", "json").output == "[]\n"
        )
    }

    @Test func fieldsSortLimitAndOffset() throws {
        let csv = try CommandRunner.run(
            "list", store, "Person", "--fields", "name,team.name", "--sort", "name:desc", "--format", "csv", "--limit",
            "2",
            "--offset", "1")
        #expect(csv.output == "name,team.name\r\n\"Ada \"\"the\"\" Löve,lace\nCountess 👩🏽‍💻\",Red\r\n\"\",Red\r\n")
        let table = try CommandRunner.run("list", store, "Team", "--fields", "name,members", "--sort", "name")
        #expect(table.output == "name  members\n────  ─────────\nBlue  1 object\nRed   2 objects\n")
        let none = try CommandRunner.run("list", store, "Team", "--limit", "0", "--format", "json")
        #expect(none.output == "[]\n")
    }

    @Test(arguments: [
        (["count", "STORE", "Persn"], "Persn"), (["count", "STORE", "person"], "did you mean Person"),
        (["list", "STORE", "Person", "--fields", "nme"], "nme"),
        (["list", "STORE", "Person", "--fields", "team.color"], "color"),
        (["list", "STORE", "Person", "--sort", "nme"], "nme"),
        (["count", "STORE", "Person", "--where", "name =="], "name =="),
        (["count", "STORE", "Person", "--where", "nme == 1"], "nme"),
        (["count", "STORE", "Person", "--model", "/nowhere.mom"], "/nowhere.mom"),
        (["export", "STORE", "--output", "/nowhere/x.json"], "/nowhere/x.json"),
        (["export", "STORE", "--entity", "Persn", "--output", "-"], "Persn"),
        (["set", "STORE", "Person/p99", "name=x"], "Person/p99"), (["set", "STORE", "nonsense", "name=x"], "nonsense"),
    ])
    func failuresNameTheThing(_ arguments: [String], _ name: String) throws {
        let result = try CommandRunner.run(arguments.map { $0 == "STORE" ? store : $0 })
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(name), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }

    @Test func exportToStandardOutputIsOneDocument() throws {
        let result = try CommandRunner.run("export", store, "--entity", "Team", "--output", "-")
        let document = try #require(try result.json() as? [String: Any])
        #expect((document["entities"] as? [String: [Any]])?.mapValues(\.count) == ["Team": 2])
        #expect(document["model"] is [String: Any])
    }

    @Test func readingLeavesTheFilesAlone() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        for arguments in [["info"], ["check"], ["schema"]] { try CommandRunner.run(arguments + [store]) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Sample.sqlite"])
    }
}
