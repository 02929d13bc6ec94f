import Foundation
import TestSupport
import Testing

/// Every subcommand on every store that Apple's framework wrote.
@Suite(
    .enabled(if: CommandRunner.isBuilt, "the command is not built"),
    .enabled(if: Fixtures.available, "the fixtures are not here"))
struct FixtureTests {
    @Test(arguments: FixtureStore.all)
    func readingCommandsWorkAndChangeNothing(_ fixture: FixtureStore) throws {
        let folder = try TemporaryFolder()
        let store = try Fixtures.copy(fixture.path, into: folder).path
        let before = try contents(of: folder)
        let model = try fixture.modelArguments()

        let info = try CommandRunner.run(["info", store, "--json"] + model)
        #expect(info.status == 0, "\(info.errors)")
        let entities = try #require((try info.json() as? [String: Any])?["entities"] as? [[String: Any]])
        #expect(!entities.isEmpty)
        #expect(try CommandRunner.run(["info", store] + model).status == 0)
        #expect(try CommandRunner.run("schema", model.last ?? store).status == 0)

        for entity in entities {
            let name = try #require(entity["name"] as? String)
            let rows = try #require(entity["rowsWithSubentities"] as? Int)
            let count = try CommandRunner.run(["count", store, name] + model)
            #expect(count.output == "\(rows)\n", "\(name): \(count.errors)")
            let list = try CommandRunner.run(["list", store, name, "--format", "json", "--limit", "20"] + model)
            #expect(list.status == 0, "\(name): \(list.errors)")
            #expect((try list.json() as? [[String: Any]])?.count == min(rows, 20))
        }
        if let name = entities.max(by: { ($0["rows"] as? Int ?? 0) < ($1["rows"] as? Int ?? 0) })?["name"] as? String {
            for format in ["table", "csv"] {
                let list = try CommandRunner.run(
                    ["list", store, name, "--format", format, "--limit", "50"] + model)
                #expect(list.status == 0, "\(list.errors)")
            }
        }
        #expect(try contents(of: folder) == before)
    }

    @Test(arguments: FixtureStore.all)
    func everyRowIsCounted(_ fixture: FixtureStore) throws {
        try #require(SQLiteShell.isAvailable)
        let folder = try TemporaryFolder()
        let store = try Fixtures.copy(fixture.path, into: folder)
        let info = try CommandRunner.run(["info", store.path, "--json"] + fixture.modelArguments())
        let entities = try #require((try info.json() as? [String: Any])?["entities"] as? [[String: Any]])
        let total = entities.reduce(0) { $0 + ($1["rows"] as? Int ?? 0) }
        let tables = try SQLiteShell.run(
            "SELECT DISTINCT 'Z' || upper(Z_NAME) FROM Z_PRIMARYKEY WHERE Z_SUPER = 0 AND Z_ENT < 16000", on: store)
        let counted = try tables.split(separator: "\n").reduce(0) { total, table in
            guard try SQLiteShell.run("SELECT count(*) FROM sqlite_master WHERE name = '\(table)'", on: store) == "1"
            else {
                return total
            }
            return total + (Int(try SQLiteShell.run("SELECT count(*) FROM \(table)", on: store)) ?? 0)
        }
        #expect(total == counted)
    }

    @Test(arguments: FixtureStore.everyStore)
    func exportAndImportGiveAnEqualStore(_ fixture: FixtureStore) throws {
        let folder = try TemporaryFolder()
        let store = try Fixtures.copy(fixture.path, into: folder).path
        let model = try fixture.modelArguments()
        let trip = RoundTrip(folder: folder, store: store, modelArguments: model)
        try trip.check()
        try trip.checkRows()
    }

    @Test func archivesOfUnknownClassesKeepTheirBytes() throws {
        try #require(SQLiteShell.isAvailable)
        let folder = try TemporaryFolder()
        let store = try Fixtures.copy("coredataplus/SampleModel2/SampleModel2_V1.sqlite", into: folder)
        let (export, copy) = (folder.file("export.json"), folder.file("copy.sqlite"))
        #expect(try CommandRunner.run("export", store.path, "--output", export.path).status == 0)
        #expect(try CommandRunner.run("import", copy.path, "--model", store.path, export.path).status == 0)
        let covers = "SELECT hex(ZCOVER) FROM ZBOOK ORDER BY ZUNIQUEID"
        #expect(try SQLiteShell.run(covers, on: copy) == SQLiteShell.run(covers, on: store))
    }

    @Test(arguments: FixtureStore.all)
    func checkGivesItsVerdict(_ fixture: FixtureStore) throws {
        let folder = try TemporaryFolder()
        let store = try Fixtures.copy(fixture.path, into: folder).path
        let result = try CommandRunner.run(["check", store, "--json"] + fixture.modelArguments())
        #expect(result.errors.isEmpty)
        let findings = try #require(try result.json() as? [[String: Any]])
        // Values in files that were not published with the store are lost; the rest is as an application left it.
        let damage = findings.filter { $0["level"] as? String == "damage" }
        #expect(damage.allSatisfy { $0["kind"] as? String == "external data" }, "\(result.output)")
        #expect(result.status == (damage.isEmpty ? 0 : 1))
        let strict = try CommandRunner.run(["check", store, "--strict"] + fixture.modelArguments())
        #expect(strict.status == (findings.isEmpty ? 0 : 1))
    }

    @Test(arguments: FixtureStore.unreadable)
    func checkingAStoreWithoutAModelAsksForOne(_ path: String) throws {
        let folder = try TemporaryFolder()
        let store = try Fixtures.copy(path, into: folder).path
        let result = try CommandRunner.run("check", store)
        #expect(result.status == 1)
        #expect(result.errors.contains("--model"))
    }

    /// The files of a folder with their bytes.
    private func contents(of folder: TemporaryFolder) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.file($0))) })
    }
}
