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
        let result = try CommandRunner.run("check", store.path)
        #expect(result.status == 1)
        #expect(result.output.contains("age is stored as text, but should be a 16-bit integer."))
    }

    @Test func integersThatAreTooLargeForTheirTypeAreFound() throws {
        _ = try SQLiteShell.run(
            "UPDATE ZPERSON SET ZAGE = 32768 WHERE Z_PK = 1; UPDATE ZPERSON SET ZAGE = -32768 WHERE Z_PK = 2; "
                + "UPDATE ZPERSON SET ZSMALL = -2147483649 WHERE Z_PK = 3", on: store)
        let messages = try findings().compactMap { $0["message"] as? String }.sorted()
        #expect(messages.count == 2, "\(messages)")
        #expect(messages.contains { $0.hasSuffix("age is 32768, but should be a 16-bit integer.") })
        #expect(messages.contains { $0.hasSuffix("small is -2147483649, but should be a 32-bit integer.") })
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
        #expect(
            dry.output.contains("Person.team refers to an object that doesn't exist: set to nil (1 row)"),
            "\(dry.output)\(dry.errors)")
        #expect(dry.output.hasSuffix("Nothing was changed (--dry-run).\n"))
        #expect(try Data(contentsOf: store) == before)

        let repair = try CommandRunner.run("check", store.path, "--repair")
        #expect(repair.output.contains("set to nil (1 row)"), "\(repair.output)\(repair.errors)")
        // An unknown name can't be made up.
        #expect(repair.status == 0 && repair.output.contains("Remaining problems:"))
        #expect(try CommandRunner.run("check", store.path, "--repair", "--strict").status == 1)
        #expect(Set(try findings().compactMap { $0["kind"] as? String }) == ["missing value"])
        #expect(try SQLiteShell.run("SELECT ZTEAM IS NULL FROM ZPERSON WHERE Z_PK = 1", on: store) == "1")

        _ = try SQLiteShell.run("UPDATE ZPERSON SET ZNAME = 'x' WHERE ZNAME IS NULL", on: store)
        let nothing = try CommandRunner.run("check", store.path, "--repair")
        #expect(nothing.status == 0)
        #expect(nothing.output == "There is nothing that can be repaired without losing data.\n")
    }

    /// Each kind of damage that can be repaired without loss, and the sentence about its repair.
    static let damages: [(sql: String, sentence: String)] = [
        (
            "UPDATE ZPERSON SET ZTEAM = 99 WHERE Z_PK = 1",
            "Person.team refers to an object that doesn't exist: set to nil (1 row)"
        ),
        ("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Team'", "The counter of ZTEAM is too low: raised (1 row)"),
        (
            "UPDATE ZPERSON SET ZAGE = '36' WHERE Z_PK = 1",
            "Person.age is stored as another type: converted to an integer (1 row)"
        ),
        (
            "UPDATE ZPERSON SET ZSMALL = 7.0 WHERE Z_PK = 1",
            "Person.small is stored as another type: converted to an integer (1 row)"
        ),
        ("INSERT INTO Z_3FRIENDS VALUES (1, 99)", "has links to objects that don't exist: removed (1 row)"),
    ]

    /// The many-to-many's table, whose name depends on the numbers of the entities.
    private func damage(_ sql: String) throws {
        let table = try SQLiteShell.run(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z~_%FRIEND%' ESCAPE '~'", on: store)
        let statement = sql.replacingOccurrences(of: "Z_3FRIENDS", with: table)
        // Types that SQLite would convert are written past the column's affinity.
        _ = try SQLiteShell.run(
            sql.contains("'36'") || sql.contains("7.0")
                ? "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(replace(sql, 'ZAGE INTEGER', 'ZAGE'), "
                    + "'ZSMALL INTEGER', 'ZSMALL') WHERE name = 'ZPERSON'" : "SELECT 1", on: store)
        _ = try SQLiteShell.run(statement, on: store)
    }

    @Test(arguments: damages.indices) func eachDamageIsRepairedByItself(_ index: Int) throws {
        let (sql, sentence) = Self.damages[index]
        try damage(sql)
        let before = try Data(contentsOf: store)
        let dry = try CommandRunner.run("check", store.path, "--repair", "--dry-run")
        #expect(dry.status == 1 && dry.output.contains(sentence), "\(dry.output)\(dry.errors)")
        #expect(try Data(contentsOf: store) == before)
        let repair = try CommandRunner.run("check", store.path, "--repair")
        #expect(repair.status == 0 && repair.output.contains(sentence), "\(repair.output)\(repair.errors)")
        #expect(try findings().isEmpty)
        #expect(try CommandRunner.run("count", store.path, "Person").output == "3\n")
    }

    @Test func allDamagesAreRepairedTogether() throws {
        for (sql, _) in Self.damages { try damage(sql) }
        let repair = try CommandRunner.run("check", store.path, "--repair")
        #expect(repair.status == 0, "\(repair.output)\(repair.errors)")
        for (_, sentence) in Self.damages { #expect(repair.output.contains(sentence), "\(repair.output)") }
        #expect(try findings().isEmpty)
    }

    /// What a row is whose number of an entity is damaged can't be told, so what refers to it stays.
    @Test func linksToARowWithADamagedEntityStay() throws {
        let items = URL(
            fileURLWithPath: try ItemStore.make(
                in: folder, [("Rare", ["name": "r"]), ("Item", ["name": "a"]), ("Item", ["name": "b"])]))
        let table = try SQLiteShell.run(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z~_%LIKE%' ESCAPE '~'", on: items)
        let rare = try SQLiteShell.run("SELECT Z_PK FROM ZITEM WHERE ZNAME = 'r'", on: items)
        let other = try SQLiteShell.run("SELECT Z_PK FROM ZITEM WHERE ZNAME = 'a'", on: items)
        _ = try SQLiteShell.run(
            "UPDATE ZITEM SET ZKEEPER = \(rare) WHERE ZNAME <> 'r'", on: items)
        _ = try CommandRunner.run("set", items.path, "Item/p\(other)", "likes=Rare/p\(rare)")
        func links() throws -> String {
            try SQLiteShell.run("SELECT count(*) FROM ZITEM WHERE ZKEEPER IS NOT NULL", on: items)
                + SQLiteShell.run("SELECT count(*) FROM \(table)", on: items)
        }
        for number in ["99", "NULL", "'x'"] {
            _ = try SQLiteShell.run("UPDATE ZITEM SET Z_ENT = \(number) WHERE ZNAME = 'r'", on: items)
            _ = try CommandRunner.run("check", items.path, "--repair")
            #expect(try links() == "21", "\(number)")
        }
        // A row of another entity is known not to be what is meant.
        _ = try SQLiteShell.run(
            "UPDATE ZITEM SET Z_ENT = (SELECT Z_ENT FROM ZITEM WHERE ZNAME = 'a') WHERE ZNAME = 'r'", on: items)
        let repair = try CommandRunner.run("check", items.path, "--repair")
        #expect(repair.output.contains("Item.keeper refers to an object that doesn't exist: set to nil (2 rows)"))
        #expect(try links() == "00", "\(repair.output)")
    }
}
