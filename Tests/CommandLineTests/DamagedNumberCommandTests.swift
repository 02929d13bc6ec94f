import Foundation
import TestSupport
import Testing

/// Numbers that no store gives out: the commands agree on what is there, say what is wrong, and none is stopped by them.
@Suite(
    .enabled(if: CommandRunner.isBuilt, "the command is not built"),
    .enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct DamagedNumberCommandTests {
    private let folder: TemporaryFolder
    private let store: URL

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore.make(in: folder)
    }

    private func run(_ arguments: String...) throws -> CommandRunner.Result {
        let result = try CommandRunner.run(arguments)
        #expect(!result.wasKilled, "\(arguments): \(result.errors)")
        return result
    }

    // MARK: Rows of no entity

    @Test(arguments: [
        "Z_ENT = -1", "Z_ENT = 99", "Z_ENT = NULL", "Z_ENT = 9223372036854775807", "Z_PK = -Z_PK",
        "Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Team')",
    ])
    func theCommandsAgreeOnWhatIsThere(_ damage: String) throws {
        try SQLiteShell.run("UPDATE ZPERSON SET \(damage) WHERE ZNAME = 'Bob'", on: store)
        let key = try SQLiteShell.run("SELECT Z_PK FROM ZPERSON WHERE ZNAME = 'Bob'", on: store)
        #expect(try run("count", store.path, "Person").output == "2\n")
        #expect(try run("count", store.path, "Employee").output == "1\n")
        for command in [["Person"], ["Person", "--sort", "name"], ["Person", "--limit", "10"]] {
            let list = try CommandRunner.run(
                ["list", store.path] + command + ["--format", "json", "--fields", "name"])
            let names = try #require(try list.json() as? [[String: Any]]).compactMap { $0["name"] as? String }
            #expect(names.count == 2 && !names.contains("Bob"))
            #expect(list.status == 0)
            #expect(list.errors.contains("row \(key) of table ZPERSON"), "\(list.errors)")
        }
        let export = try run("export", store.path, "--output", "-")
        let entities = try #require((try export.json() as? [String: Any])?["entities"] as? [String: [[String: Any]]])
        let exported = ["Person", "Employee"].flatMap { entities[$0] ?? [] }.compactMap { $0["name"] as? String }
        #expect(exported.count == 2 && !exported.contains("Bob"))
        #expect(entities["Team"]?.count == 2)
        let check = try run("check", store.path, "--json")
        let findings = try #require(try check.json() as? [[String: Any]])
        #expect(
            findings.contains { $0["table"] as? String == "ZPERSON" && $0["row"] as? Int == Int(key) }, "\(findings)")
        #expect(check.status == 1)
    }

    // MARK: Service tables

    static let damages = [
        "UPDATE Z_PRIMARYKEY SET Z_ENT = -1 WHERE Z_NAME = 'Person'",
        "UPDATE Z_PRIMARYKEY SET Z_ENT = 0 WHERE Z_NAME = 'Person'",
        "UPDATE Z_PRIMARYKEY SET Z_ENT = 2000000000 WHERE Z_NAME = 'Person'",
        "UPDATE Z_PRIMARYKEY SET Z_ENT = 9223372036854775807 WHERE Z_NAME = 'Person'",
        "UPDATE Z_PRIMARYKEY SET Z_ENT = -9223372036854775808 WHERE Z_NAME = 'Person'",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'Person'",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = -9223372036854775808 WHERE Z_NAME = 'Person'",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 'x' WHERE Z_NAME = 'Person'",
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = 9223372036854775807 WHERE Z_NAME = 'Employee'",
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT WHERE Z_NAME = 'Employee'",
        "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Nobody' WHERE Z_NAME = 'Person'",
        "UPDATE Z_PRIMARYKEY SET Z_NAME = '' WHERE Z_NAME = 'Person'",
        "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL WHERE Z_NAME = 'Person'",
        "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Team' WHERE Z_NAME = 'Person'",
        "UPDATE Z_PRIMARYKEY SET Z_NAME = 'a\"; DROP TABLE ZPERSON; --' WHERE Z_NAME = 'Person'",
        "UPDATE ZPERSON SET Z_PK = 9223372036854775807 WHERE ZNAME = 'Bob'",
        "UPDATE ZPERSON SET Z_PK = -9223372036854775808 WHERE ZNAME = 'Bob'",
        "UPDATE ZPERSON SET Z_OPT = 9223372036854775807",
    ]

    @Test(arguments: damages, [false, true]) func noCommandIsStoppedAndCheckReportsIt(_ sql: String, hasModel: Bool)
        throws
    {
        try SQLiteShell.run(sql, on: store)
        if !hasModel { try SQLiteShell.run("DELETE FROM Z_MODELCACHE", on: store) }
        for command in [
            ["info"], ["schema"], ["count", "Person"], ["list", "Person"], ["list", "Team"],
            ["export", "--output", "-"],
            ["set", "Team/p1", "name=x"], ["set", "Person/p1", "age=7"], ["delete", "Person/p1"],
        ] {
            let result = try CommandRunner.run([command[0], store.path] + command.dropFirst())
            #expect(!result.wasKilled, "\(command): \(result.errors)")
            #expect(result.status == 0 || !result.errors.isEmpty, "\(command)")
        }
        // A wrong name of an entity is a notice: all can be read.
        let check = try run("check", store.path, "--json", "--strict")
        #expect(check.status == 1)
        if hasModel { #expect(try #require(try check.json() as? [[String: Any]]).isEmpty == false) }
    }
}
