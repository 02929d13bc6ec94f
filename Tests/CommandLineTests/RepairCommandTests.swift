import Foundation
import TestSupport
import Testing

/// What `check` finds in values, and what `check --repair` does about it.
@Suite(
    .enabled(if: CommandRunner.isBuilt, "the command is not built"),
    .enabled(if: SQLiteShell.isAvailable, "sqlite3 is not here"))
struct RepairCommandTests {
    private let folder: TemporaryFolder
    private let store: URL

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore.make(in: folder)
    }

    private func findings() throws -> [[String: Any]] {
        try CommandRunner.run("check", store.path, "--json").json() as? [[String: Any]] ?? []
    }

    @Test func missingAndMistypedValuesAreFound() throws {
        _ = try SQLiteShell.run(
            "UPDATE ZPERSON SET ZNAME = NULL WHERE Z_PK = 1; UPDATE ZPERSON SET ZAGE = 'old' WHERE Z_PK = 2; "
                + "UPDATE ZBADGE SET ZHOLDER = NULL", on: store)
        let found = try findings()
        #expect(
            found.contains {
                $0["kind"] as? String == "missing value" && $0["property"] as? String == "name"
                    && ($0["object"] as? String)?.hasSuffix("/p1") == true
            })
        #expect(found.contains { $0["kind"] as? String == "value type" && $0["property"] as? String == "age" })
        #expect(found.contains { $0["kind"] as? String == "missing value" && $0["property"] as? String == "holder" })
        let text = try CommandRunner.run("check", store.path)
        #expect(text.status == 1)
        #expect(text.output.contains("age is kept as text, but should be a 16-bit integer."))
    }

    @Test func whatCanBeRepairedIs() throws {
        _ = try SQLiteShell.run(
            "UPDATE ZPERSON SET ZTEAM = 99 WHERE Z_PK = 1; UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Team'; "
                + "UPDATE ZPERSON SET ZNAME = NULL WHERE Z_PK = 2", on: store)
        let kinds = Set(try findings().compactMap { $0["kind"] as? String })
        #expect(kinds.isSuperset(of: ["dangling reference", "primary key", "missing value"]))

        let before = try Data(contentsOf: store)
        let dry = try CommandRunner.run("check", store.path, "--repair", "--dry-run")
        #expect(dry.status == 1)
        #expect(dry.output.contains("Person.team leads to nothing: emptied (1 row)"), "\(dry.output)\(dry.errors)")
        #expect(dry.output.hasSuffix("Nothing was changed (--dry-run).\n"))
        #expect(try Data(contentsOf: store) == before)

        let repair = try CommandRunner.run("check", store.path, "--repair")
        #expect(repair.output.contains("emptied (1 row)"), "\(repair.output)\(repair.errors)")
        // A name that nobody knows can't be made up.
        #expect(repair.status == 1 && repair.output.contains("What is left:"))
        #expect(Set(try findings().compactMap { $0["kind"] as? String }) == ["missing value"])
        #expect(try SQLiteShell.run("SELECT ZTEAM IS NULL FROM ZPERSON WHERE Z_PK = 1", on: store) == "1")

        _ = try SQLiteShell.run("UPDATE ZPERSON SET ZNAME = 'x' WHERE ZNAME IS NULL", on: store)
        let nothing = try CommandRunner.run("check", store.path, "--repair")
        #expect(nothing.status == 0)
        #expect(nothing.output == "There is nothing that can be repaired without loss.\n")
    }
}
