import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What the command says when the system refuses: a full disk, a folder that is read-only, a closed pipe.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct SystemFailureTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore.make(in: folder).path
    }

    /// An export that takes some megabytes.
    private func writeLargeExport() throws -> String {
        let name = String(repeating: "x", count: 1_000)
        let teams = (0..<4_000).map { "{\"objectID\": \"Team/p\($0)\", \"name\": \"\($0)\(name)\"}" }
        let url = folder.file("large.json")
        try Data("{\"entities\": {\"Team\": [\(teams.joined(separator: ","))]}}".utf8).write(to: url)
        return url.path
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func aFullDiskEndsAnExport() throws {
        #expect(try CommandRunner.run("import", store, try writeLargeExport()).status == 0)
        let disk = try SmallDisk(kilobytes: 1_024)
        let output = disk.file("out.json").path
        for arguments in [["-o", output], ["--entity", "Team", "--format", "csv", "-o", output]] {
            let result = try CommandRunner.run(["export", store] + arguments)
            #expect(result.status == 1)
            #expect(
                result.errors
                    == "opencoredata: The file \(output) cannot be written: the disk is full. "
                    + "Nothing was written to \(output).\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == [])
        }
        try Data("mine".utf8).write(to: URL(fileURLWithPath: output))
        let forced = try CommandRunner.run("export", store, "-o", output, "--force")
        #expect(forced.errors.hasSuffix("the disk is full. The file \(output) is unchanged.\n"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == Data("mine".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == ["out.json"])
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func aFullDiskEndsAnImportWithoutATrace() throws {
        let input = try writeLargeExport()
        let disk = try SmallDisk(kilobytes: 1_024)
        let new = try CommandRunner.run("import", disk.file("New.sqlite").path, "--model", store, input)
        #expect(new.status == 1)
        #expect(new.errors.contains("New.sqlite"), "\(new.errors)")
        #expect(new.errors.contains("disk is full"), "\(new.errors)")
        #expect(new.errors.hasSuffix("Nothing was imported, and no store was created.\n"), "\(new.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == [])

        let old = disk.file("Old.sqlite")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: store), to: old)
        let result = try CommandRunner.run("import", old.path, input)
        #expect(result.status == 1)
        #expect(result.errors.contains("disk is full"), "\(result.errors)")
        #expect(result.errors.hasSuffix("Nothing was imported; the store Old.sqlite is unchanged.\n"))
        #expect(try CommandRunner.run("count", old.path, "Team").output == "2\n")
        #expect(try CommandRunner.run("check", old.path).status == 0)
        #expect(try CommandRunner.files(in: disk.url) == ["Old.sqlite"])
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func aReadOnlyDiskIsNamed() throws {
        let disk = try SmallDisk(kilobytes: 1_024)
        let copy = disk.file("Old.sqlite")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: store), to: copy)
        let input = folder.file("one.json").path
        try Data("{\"entities\": {\"Team\": [{\"name\": \"Green\"}]}}".utf8).write(to: URL(fileURLWithPath: input))
        try disk.setWritable(false)
        defer { try? disk.setWritable(true) }
        let output = disk.file("out.json").path
        let export = try CommandRunner.run("export", store, "-o", output)
        #expect(export.errors == "opencoredata: The file \(output) cannot be written: the disk is read-only.\n")
        for arguments in [
            ["import", copy.path, input], ["import", disk.file("New.sqlite").path, "--model", store, input],
            ["set", copy.path, "Team/p1", "name=x"],
            ["model", "extract", store, "-o", disk.file("M.mom").path],
            ["model", "extract", store, "-o", disk.file("M.momd").path],
        ] {
            let result = try CommandRunner.run(arguments)
            #expect(result.status == 1, "\(arguments)")
            #expect(result.errors.contains("read-only"), "\(arguments): \(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1)
        }
        #expect(try CommandRunner.files(in: disk.url) == ["Old.sqlite"])
    }

    @Test func aClosedPipeIsNoReasonForAMessage() throws {
        #expect(try CommandRunner.run("import", store, try writeLargeExport()).status == 0)
        let command = CommandRunner.executable.path
        for arguments in [
            "list '\(store)' Team", "list '\(store)' Team --format json", "list '\(store)' Team --format csv",
            "export '\(store)' -o -", "export '\(store)' --entity Team --format csv -o -",
        ] {
            for pipe in ["| head -1", "| true"] {
                let result = try CommandRunner.run(
                    program: URL(fileURLWithPath: "/bin/sh"), ["-c", "'\(command)' \(arguments) \(pipe)"])
                #expect(result.status == 0)
                #expect(result.errors.isEmpty, "\(arguments) \(pipe): \(result.errors)")
            }
        }
    }

    /// A model whose stores are made by migrating the sample store.
    private func nextModel() throws -> String {
        let model = SampleStore.model()
        model.entitiesByName["Person"]?.properties.removeAll { $0.name == "height" }
        let url = folder.file("Next.mom")
        try model.encodedCompiledModel().write(to: url)
        return url.path
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func aFullDiskLeavesAStoreAsItWas() throws {
        #expect(try CommandRunner.run("import", store, try writeLargeExport()).status == 0)
        let size = try Data(contentsOf: URL(fileURLWithPath: store)).count
        let disk = try SmallDisk(kilobytes: size / 1_024 + 300)
        let copy = disk.file("Old.sqlite")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: store), to: copy)
        let records = folder.file("records.ndjson")
        let name = String(repeating: "y", count: 1_000)
        try Data((0..<4_000).map { "{\"name\": \"\($0)\(name)\"}\n" }.joined().utf8).write(to: records)
        for arguments in [
            ["migrate", copy.path, "--to", try nextModel()],
            ["upsert", copy.path, "Team", records.path, "--key", "name"],
        ] {
            let result = try CommandRunner.run(arguments)
            #expect(result.status == 1, "\(arguments)")
            #expect(result.errors.contains("isk is full"), "\(result.errors)")
            #expect(result.errors.hasSuffix("Nothing was changed.\n"), "\(result.errors)")
            #expect(try CommandRunner.run("count", copy.path, "Team").output == "4002\n")
            #expect(try CommandRunner.run("check", copy.path).status == 0)
            #expect(try CommandRunner.files(in: disk.url) == ["Old.sqlite"])
        }
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func aFullDiskLeavesNoPartOfAModelOrItsClasses() throws {
        // Room for one of the files, not for all.
        let disk = try SmallDisk(kilobytes: 8)
        let model = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("ClientPackages/GeneratedModel/Sources/Library/Library.xcdatamodeld")
        for arguments in [
            ["model", "compile", model.path, "-o", disk.file("M.momd").path],
            ["model", "generate", model.path, "-o", disk.file("Classes").path, "--mode", "class"],
        ] {
            let result = try CommandRunner.run(arguments)
            #expect(result.status == 1, "\(arguments)")
            #expect(result.errors.contains("cannot be written: the disk is full"), "\(result.errors)")
            #expect(result.output.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == [])
        }
    }

    @Test func aReportThatCannotBeWrittenSaysWhatWasDone() throws {
        let command = CommandRunner.executable.path
        let records = folder.file("records.ndjson")
        try Data("{\"name\": \"Green\"}\n".utf8).write(to: records)
        for (arguments, outcome) in [
            ("upsert '\(store)' Team '\(records.path)' --key name", "1 inserted, 0 updated, 0 unchanged.\n"),
            ("migrate '\(store)' --to '\(try nextModel())'", "are as expected.\n"),
        ] {
            let result = try CommandRunner.run(
                program: URL(fileURLWithPath: "/bin/sh"), ["-c", "'\(command)' \(arguments) > /dev/full"])
            #expect(result.status == 1)
            #expect(result.errors.contains("Standard output cannot be written: the disk is full."), "\(result.errors)")
            #expect(result.errors.hasSuffix(outcome), "\(result.errors)")
        }
        #expect(try CommandRunner.run("check", store).status == 0)
    }

    @Test func aPictureIsNoStore() throws {
        let picture = folder.file("photo.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<5_000).map { UInt8($0 % 251) })
            .write(to: picture)
        for arguments in [["info", picture.path], ["check", picture.path], ["import", picture.path, store]] {
            let result = try CommandRunner.run(arguments)
            #expect(result.status == 1)
            #expect(result.errors.contains("photo.png"), "\(result.errors)")
            #expect(result.errors.contains("a SQLite database") || result.errors.contains("not a model"))
        }
    }
}
