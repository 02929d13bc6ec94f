import Foundation
import TestSupport
import Testing

/// Constants of `--where` are read by the type of the property that they are compared with.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct TypedConstantTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore.make(in: folder).path
    }

    /// The names of the people that a predicate finds.
    private func names(where format: String) throws -> [String] {
        let list = try CommandRunner.run(
            "list", store, "Person", "--where", format, "--sort", "name", "--fields", "name", "--format", "json")
        #expect(list.status == 0, "\(list.errors)")
        return (try list.json() as? [[String: Any]] ?? []).compactMap { ($0["name"] as? String)?.prefix(3).description }
    }

    @Test(arguments: [
        ("born > \"2020-01-01\"", ["Ada"]), ("born > '2030-01-01'", []), ("born < '2024-01-21 13:00'", ["Ada"]),
        ("born BETWEEN {'2023', '2025-12'}", ["Ada"]), ("age > '30'", ["Ada"]), ("'30' < age", ["Ada"]),
        ("age IN {'36', '-1'}", ["Ada", "Bob"]), ("score == '0.1'", ["Ada"]), ("balance == '1234.5'", ["Ada"]),
        ("isActive == 'yes'", ["Ada"]), ("token == '6a1e3b1c-94a5-4f86-9e0e-6b1e2f1a9c77'", ["Ada"]),
        ("home == 'https://example.org/ä?q=1'", ["Ada"]), ("photo == 'AAEC/w=='", ["Ada"]),
        ("born == nil", ["", "Bob"]),
        ("NOT (age > '30') AND name != ''", ["Bob"]), ("ANY friends.age > '30'", ["Bob"]),
        ("friends.@count > '1'", ["Ada"]),
        ("SUBQUERY(friends, $f, $f.age < '30' AND $f.name != '').@count > '0'", ["Ada"]),
        ("SUBQUERY(friends, $f, $f.born > '2020-01-01').@count == 1", ["Bob"]),
        ("SUBQUERY(friends, $f, SUBQUERY($f.friends, $g, $g.age == '-1').@count > 0).@count > 0", ["Bob"]),
        ("TERNARY(age > '30', born, nil) > '2020-01-01'", ["Ada"]),
        ("born + 86400 > '2024-01-21'", ["Ada"]), ("age * 2 == '72'", ["Ada"]), ("length(name) == '3'", ["Bob"]),
        ("{'36', '40'} CONTAINS age", ["Ada"]), ("name CONTAINS 'da'", ["Ada"]), ("age BEGINSWITH '3'", ["Ada"]),
    ])
    func areRead(_ format: String, _ expected: [String]) throws {
        #expect(try names(where: format) == expected)
    }

    @Test func objectsAreFoundByTheirNames() throws {
        let list = try CommandRunner.run("list", store, "Person", "--where", "name == 'Bob'", "--format", "json")
        let uri = try #require((try list.json() as? [[String: Any]])?.first?["objectID"] as? String)
        let short = uri.split(separator: "/").suffix(2).joined(separator: "/")
        for format in [
            "objectID == \"\(short)\"", "SELF == '\(uri)'", "objectID IN {'\(short)'}", "'\(short)' == objectID",
        ] {
            #expect(try names(where: format) == ["Bob"], "\(format)")
        }
        #expect(try names(where: "objectID != '\(short)'").count == 2)
        #expect(try names(where: "ANY friends == '\(short)'") == ["Ada"])
        #expect(try names(where: "friends CONTAINS '\(short)'") == ["Ada"])
        let teams = try CommandRunner.run("list", store, "Team", "--where", "name == 'Blue'", "--format", "json")
        let team = try #require((try teams.json() as? [[String: Any]])?.first?["objectID"] as? String)
        #expect(try names(where: "team == '\(team)'") == ["Bob"])
    }

    @Test(arguments: [
        ("born > 'yesterday'", "a date"), ("born > 5", "a date"), ("age > 'old'", "a 16-bit integer"),
        ("isActive == 'perhaps'", "true or false"), ("token == '1'", "a UUID"), ("objectID == 'Bob'", "Entity/p12"),
        ("nam == 'Bob'", "did you mean name?"), ("team.nam == 'Red'", "did you mean name?"),
        ("SUBQUERY(friends, $f, $f.born > 'yesterday').@count > 0", "a date"),
        ("SUBQUERY(friends, $f, $f.nam == '').@count > 0", "did you mean name?"),
        ("TERNARY(age > 'old', 1, 2) == 1", "a 16-bit integer"), ("age * 2 > 'x'", "a number"),
        ("born + 60 > 'x'", "a date"), ("born CONTAINS '2024'", "CONTAINS needs a string"),
        ("isActive LIKE 't*'", "LIKE needs a string"), ("badge BEGINSWITH 'A'", "badge is an object"),
        ("objectID == 'Persn/p1'", "did you mean Person?"), ("friends CONTAINS 'Bob'", "Entity/p12"),
        ("objectID == 'x-coredata://0/Person/p1'", "an object of another store"),
        ("friends.@count > 'x'", "a number"), ("objectID > 'Person/p1'", "objects have no order: use ==, != or IN"),
    ])
    func othersAreErrorsThatNameTheType(_ format: String, _ mention: String) throws {
        let result = try CommandRunner.run("count", store, "Person", "--where", format)
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(mention), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test func anObjectIsFoundByItsOwnEntityAndThoseThatItInheritsFrom() throws {
        let list = try CommandRunner.run("list", store, "Employee", "--where", "name == 'Bob'", "--format", "json")
        let uri = try #require((try list.json() as? [[String: Any]])?.first?["objectID"] as? String)
        let number = try #require(uri.split(separator: "/").last)
        let show = try CommandRunner.run("show", store, "Person/\(number)")
        #expect(show.output.hasPrefix("Employee/\(number)\n"), "\(show.output)")
        #expect(show.output.contains("salary"))

        let people = try CommandRunner.run("list", store, "Person", "--where", "age == 36", "--format", "json")
        let person = try #require((try people.json() as? [[String: Any]])?.first?["objectID"] as? String)
        let other = "Employee/\(try #require(person.split(separator: "/").last))"
        for command in [["show", store, other], ["set", store, other, "age=1"], ["delete", store, other]] {
            let result = try CommandRunner.run(command)
            #expect(result.status == 1, "\(command)")
            #expect(result.errors.contains("has no object \(other)"), "\(result.errors)")
        }
        #expect(try names(where: "age == 36") == ["Ada"])
    }
}
