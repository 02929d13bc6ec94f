import Foundation
import TestSupport
import Testing

/// Where `export` writes, and what it says.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct ExportOutputTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try BookStore.make(in: folder)
    }

    private func shell(_ line: String) throws -> CommandRunner.Result {
        try CommandRunner.run(
            program: URL(fileURLWithPath: "/bin/bash"),
            ["-c", "\(line)", CommandRunner.executable.path, store, folder.url.path])
    }

    @Test func standardOutputIsTheDefault() throws {
        let plain = try CommandRunner.run("export", store)
        #expect(plain.status == 0 && plain.errors == "Exported 8 objects of 3 entities.\n", "\(plain.errors)")
        #expect((try plain.json() as? [String: Any])?["entities"] != nil)
        #expect(try CommandRunner.run("export", store, "-o", "-").output == plain.output)
        let tags = try CommandRunner.run("export", store, "--entity", "Tag", "--format", "csv")
        #expect(tags.errors == "Exported 2 objects of Tag.\n" && tags.output.split(separator: "\r\n").count == 3)
    }

    @Test func aFileIsNamed() throws {
        let file = folder.file("all.json").path
        let result = try CommandRunner.run("export", store, "-o", file)
        #expect(result.output.isEmpty && result.errors == "Exported 8 objects of 3 entities to \(file).\n")
        // Both names of the flag mean the same, wherever a file is replaced.
        #expect(try CommandRunner.run("export", store, "-o", file).status == 1)
        for flag in ["--force", "--replace"] {
            #expect(try CommandRunner.run("export", store, "-o", file, flag).status == 0)
            let copy = folder.file("copy.sqlite").path
            #expect(try CommandRunner.run("backup", store, copy, flag).status == 0)
            #expect(try CommandRunner.run("backup", store, copy).status == 1)
            let model = folder.file("M.mom").path
            #expect(try CommandRunner.run("model", "extract", store, "-o", model, flag).status == 0)
            #expect(try CommandRunner.run("export", store, "-o", copy, flag).status == 1)
        }
        #expect(try CommandRunner.run("check", folder.file("copy.sqlite").path).status == 0)
    }

    @Test func devicesAreWrittenTo() throws {
        for device in ["/dev/null", "/dev/stdout"] {
            let result = try CommandRunner.run("export", store, "-o", device)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors == "Exported 8 objects of 3 entities to \(device).\n")
            #expect(result.output.isEmpty == (device == "/dev/null"))
        }
        let kind = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(kind == .typeCharacterSpecial)
        let full = try CommandRunner.run("export", store, "-o", "/dev/full")
        #expect(
            full.status == 1 && full.errors.contains("/dev/full cannot be written: the disk is full"), "\(full.errors)")
        let expected = try CommandRunner.run("export", store).output
        // What is in the file before stays before.
        let appended = try shell("echo first > $2/out; $0 export $1 -o /dev/stdout >> $2/out; cat $2/out")
        #expect(appended.output == "first\n" + expected, "\(appended.errors)")
        let substituted = try shell("$0 export $1 -o >(cat > $2/copy); sleep 0.5; cat $2/copy")
        #expect(substituted.output == expected, "\(substituted.errors)")
        let numbered = try shell("$0 export $1 -o /dev/fd/7 7> $2/seven; cat $2/seven")
        #expect(numbered.output == expected, "\(numbered.errors)")
        let pipe = try shell("mkfifo $2/pipe; cat $2/pipe & sleep 0.3; $0 export $1 -o $2/pipe; wait; test -p $2/pipe")
        #expect(pipe.status == 0 && pipe.output == expected, "\(pipe.errors)")
        #expect(try shell("$0 export $1 -o /dev/fd/99").status == 1)
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        let overStore = try shell("$0 export $1 -o /dev/stdout >> $1")
        #expect(overStore.status == 1 && overStore.errors.contains("is a store"), "\(overStore.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
        let picture = try CommandRunner.run("model", "diagram", store, "-o", "/dev/null")
        #expect(picture.status == 0, "\(picture.errors)")
    }
}
