import Foundation
import TestSupport
import Testing

/// `check` finds each kind of damage, and names table and row.
@Suite(
    .enabled(if: CommandRunner.isBuilt, "the command is not built"),
    .enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct CheckCommandTests {
    private let folder: TemporaryFolder
    private let store: URL

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore.make(in: folder)
    }

    private func findings() throws -> [[String: Any]] {
        let result = try CommandRunner.run("check", store.path, "--json")
        let findings = try #require(try result.json() as? [[String: Any]])
        #expect(result.status == (findings.contains { $0["level"] as? String == "damage" } ? 1 : 0))
        #expect(try CommandRunner.run("check", store.path, "--strict").status == (findings.isEmpty ? 0 : 1))
        return findings
    }

    @Test func aSoundStoreHasNoFindings() throws {
        #expect(try findings().isEmpty)
        #expect(try CommandRunner.run("check", store.path).output == "Sample.sqlite: no problems found.\n")
    }

    @Test(arguments: [
        ("UPDATE ZPERSON SET ZTEAM = 77 WHERE ZNAME = 'Bob'", "dangling reference", "ZPERSON"),
        ("DELETE FROM ZTEAM WHERE ZNAME = 'Blue'", "dangling reference", "ZPERSON"),
        ("UPDATE ZPERSON SET ZBADGE = NULL", "inverse", "ZBADGE"),
        ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Person'", "primary key", "Z_PRIMARYKEY"),
        ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Badge'", "primary key", "Z_PRIMARYKEY"),
        ("UPDATE ZPERSON SET Z_ENT = 99 WHERE ZNAME = 'Bob'", "entity number", "ZPERSON"),
        ("DROP INDEX ZPERSON_ZTEAM_INDEX", "index", "ZPERSON"),
        ("DROP INDEX Z_Team_UNIQUE_name", "index", "ZTEAM"),
        ("UPDATE ZPERSON SET Z_FOK_TEAM = NULL WHERE ZNAME = 'Bob'", "order", "ZPERSON"),
        ("DELETE FROM ZPERSON WHERE ZNAME = 'Bob'", "dangling reference", nil),
        ("UPDATE Z_METADATA SET Z_UUID = 'x'", "metadata", "Z_METADATA"),
        ("UPDATE Z_METADATA SET Z_PLIST = x'00'", "metadata", "Z_METADATA"),
    ])
    func damageIsFound(_ sql: String, _ kind: String, _ table: String?) throws {
        try SQLiteShell.run(sql, on: store)
        let findings = try findings()
        #expect(
            findings.contains { finding in
                finding["kind"] as? String == kind && (table == nil || finding["table"] as? String == table)
            }, "\(findings)")
    }

    @Test func aDamagedPageIsFound() throws {
        var data = try Data(contentsOf: store)
        let page = 4_096 * 3
        data.replaceSubrange(page..<page + 2_000, with: Data(repeating: 0xAB, count: 2_000))
        try data.write(to: store)
        let result = try CommandRunner.run("check", store.path)
        #expect(result.status == 1)
        #expect(!result.wasKilled)
    }
}
