import Foundation
import TestSupport
import Testing

/// Values that the type of their attribute can't have: the commands say where they are, or leave them out if told to.
@Suite(
    .enabled(if: CommandRunner.isBuilt, "the command is not built"),
    .enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct DamagedValueCommandTests {
    private let folder: TemporaryFolder
    private let store: URL

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore.make(in: folder)
    }

    static let damages = [
        ("age", "'old'"), ("height", "'tall'"), ("balance", "'cheap'"), ("score", "x'07'"), ("isActive", "'perhaps'"),
        ("born", "'long ago'"), ("photo", "'text'"), ("token", "x'07'"), ("big", "1.5"), ("name", "x'FF'"),
        ("home", "'http://[::'"), ("team", "'Red'"), ("age", "70000"), ("small", "-3000000000"), ("salary", "1e99"),
    ]

    @Test(arguments: damages) func commandsFailAndLenientOnesShowTheRest(_ property: String, _ value: String) throws {
        let column = "Z\(property.uppercased())"
        let key = try SQLiteShell.run("SELECT Z_PK FROM ZPERSON WHERE ZNAME = 'Bob'", on: store)
        try SQLiteShell.run("UPDATE ZPERSON SET \(column) = \(value) WHERE Z_PK = \(key)", on: store)
        let entity = try SQLiteShell.run(
            "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT = (SELECT Z_ENT FROM ZPERSON WHERE Z_PK = \(key))", on: store)
        let object = "\(entity)/p\(key)"
        for command in [
            ["list", store.path, entity], ["list", store.path, entity, "--format", "json"],
            ["show", store.path, object], ["show", store.path, object, "--json"],
            ["export", store.path, "-o", "-"], ["export", store.path, "-o", "-", "--format", "ndjson"],
            ["export", store.path, "-o", "-", "--format", "csv", "--entity", entity],
        ] {
            let strict = try CommandRunner.run(command)
            #expect(strict.status == 1, "\(command)")
            #expect(strict.errors.contains("\(property) of \(object)"), "\(command): \(strict.errors)")
            let lenient = try CommandRunner.run(command + ["--lenient"])
            #expect(lenient.status == 0, "\(command): \(lenient.errors)")
            #expect(lenient.errors.contains("warning: The value of \(property) of \(object)"), "\(lenient.errors)")
            if property != "name", !command.contains("csv") { #expect(lenient.output.contains("Bob"), "\(command)") }
        }
        let check = try CommandRunner.run("check", store.path, "--json")
        #expect(check.status == 1)
        let findings = try #require(try check.json() as? [[String: Any]])
        #expect(
            findings.contains {
                $0["kind"] as? String == "value type" && $0["object"] as? String == object
                    && $0["property"] as? String == property && $0["level"] as? String == "damage"
            }, "\(check.output)")
    }

    @Test func aDamagedValueCanBeReplacedAndItsObjectDeleted() throws {
        let key = try SQLiteShell.run("SELECT Z_PK FROM ZPERSON WHERE ZNAME = 'Bob'", on: store)
        let entity = try SQLiteShell.run(
            "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT = (SELECT Z_ENT FROM ZPERSON WHERE Z_PK = \(key))", on: store)
        let object = "\(entity)/p\(key)"
        try SQLiteShell.run("UPDATE ZPERSON SET ZAGE = 'old', ZBORN = 'long ago' WHERE Z_PK = \(key)", on: store)
        #expect(try CommandRunner.run("set", store.path, object, "age=7").status == 1)
        let set = try CommandRunner.run("set", store.path, object, "age=7", "--lenient")
        #expect(set.status == 0, "\(set.errors)")
        #expect(try SQLiteShell.run("SELECT ZAGE, ZBORN FROM ZPERSON WHERE Z_PK = \(key)", on: store) == "7|long ago")
        let delete = try CommandRunner.run("delete", store.path, object, "--lenient")
        #expect(delete.status == 0, "\(delete.errors)")
        #expect(try SQLiteShell.run("SELECT count(*) FROM ZPERSON WHERE Z_PK = \(key)", on: store) == "0")
    }
}
