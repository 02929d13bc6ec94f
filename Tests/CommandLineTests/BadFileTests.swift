import Foundation
import TestSupport
import Testing

/// Files that are no stores: one sentence that names the file, exit code 1, and the file as it was.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct BadFileTests {
    private static let subcommands: [[String]] = [
        ["info"], ["schema"], ["list", "FILE", "Book"], ["count", "FILE", "Book"], ["export", "FILE", "--output", "-"],
        ["set", "FILE", "Book/p1", "title=x"], ["delete", "FILE", "Book/p1"], ["check"],
    ]

    enum Garbage: String, CaseIterable {
        case empty, text, random, onlyHeader, database, folder, brokenModel

        func write(to url: URL) throws {
            switch self {
            case .empty: try Data().write(to: url)
            case .text: try Data("This is no store.\n".utf8).write(to: url)
            case .random: try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 ^ $0 >> 3) }).write(to: url)
            case .onlyHeader: try (Data("SQLite format 3\0".utf8) + Data(repeating: 0xFF, count: 3_000)).write(to: url)
            case .database: try SQLiteShell.run("CREATE TABLE t (a); INSERT INTO t VALUES (1)", on: url)
            case .folder: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            case .brokenModel:
                try SQLiteShell.run(
                    """
                    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
                    INSERT INTO Z_METADATA VALUES (1, 'no uuid', x'00');
                    INSERT INTO Z_MODELCACHE VALUES (x'0102030405');
                    """, on: url)
            }
        }
    }

    @Test(arguments: Garbage.allCases)
    func isNamedInOneSentence(_ garbage: Garbage) throws {
        if garbage == .database || garbage == .brokenModel { try #require(SQLiteShell.isAvailable) }
        let folder = try TemporaryFolder()
        let url = folder.file("garbage.sqlite")
        try garbage.write(to: url)
        let before = try? Data(contentsOf: url)
        for subcommand in Self.subcommands {
            let arguments =
                subcommand.count == 1 ? subcommand + [url.path] : subcommand.map { $0 == "FILE" ? url.path : $0 }
            let result = try CommandRunner.run(arguments)
            #expect(result.status == 1, "\(subcommand[0]): \(result.errors)")
            #expect(result.output.isEmpty)
            #expect(result.errors.contains("garbage.sqlite"), "\(subcommand[0]): \(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        }
        let after = try? Data(contentsOf: url)
        #expect(after == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["garbage.sqlite"])
    }

    @Test func aMissingFileIsNamed() throws {
        for subcommand in Self.subcommands {
            let path = "/nowhere/missing.sqlite"
            let arguments = subcommand.count == 1 ? subcommand + [path] : subcommand.map { $0 == "FILE" ? path : $0 }
            let result = try CommandRunner.run(arguments)
            #expect(result.status == 1)
            #expect(result.errors.contains(path))
        }
    }
}
