import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A store whose writer was killed in the middle of a write, with its rollback journal beside it: a command that writes
/// undoes the write, and one that reads says how to.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct UnfinishedWriteTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        let whole = try SampleStore.make(in: folder, name: "Whole.sqlite")
        let left = folder.file("Left.sqlite")
        let writer = try SQLiteConnection(path: whole.path, configuration: .init(access: .readWrite))
        defer { writer.close() }
        for pragma in ["journal_mode = DELETE", "cache_size = 2"] { _ = try writer.rows("PRAGMA \(pragma)") }
        try writer.run("BEGIN")
        try writer.run(
            "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 600) "
                + "INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, (SELECT max(Z_ENT) FROM ZTEAM), 1, "
                + "i || hex(zeroblob(1000)) FROM n")
        // What is there now is what a process leaves that is killed here.
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: whole.path + suffix, toPath: left.path + suffix)
        }
        store = left.path
    }

    private func expectIsWhole() throws {
        #expect(!FileManager.default.fileExists(atPath: store + "-journal"))
        #expect(try CommandRunner.run("count", store, "Team").output == "2\n")
        #expect(try CommandRunner.run("check", store).status == 0)
    }

    @Test func readingSaysHowToUndoIt() throws {
        let result = try CommandRunner.run("count", store, "Team")
        #expect(result.status == 1)
        #expect(result.errors.contains("was never finished"), "\(result.errors)")
        #expect(result.errors.contains("check --repair"), "\(result.errors)")
        let repair = try CommandRunner.run("check", store, "--repair")
        #expect(repair.status == 0, "\(repair.output)\(repair.errors)")
        try expectIsWhole()
    }

    @Test func migrateUndoesIt() throws {
        let model = SampleStore.model()
        model.entitiesByName["Person"]?.properties.removeAll { $0.name == "height" }
        let next = folder.file("Next.mom")
        try model.encodedCompiledModel().write(to: next)
        let result = try CommandRunner.run("migrate", store, "--to", next.path)
        #expect(result.status == 0, "\(result.errors)")
        try expectIsWhole()
    }

    @Test func upsertUndoesIt() throws {
        let input = Data("[{\"name\": \"Red\"}]".utf8)
        let result = try CommandRunner.run(
            ["upsert", store, "Team", "-", "--key", "name", "--format", "json"], input: input)
        #expect(result.output == "0 inserted, 0 updated, 1 unchanged.\n", "\(result.errors)")
        try expectIsWhole()
    }
}
