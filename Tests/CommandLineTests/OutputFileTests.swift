import Foundation
import OpenCoreData
import StoreTools
import TestSupport
import Testing

/// What commands do where a device, a pipe, a link or another program's file stands at their output.
@Suite(
    .enabled(if: CommandRunner.isBuilt, "the command is not built"),
    .enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct OutputFileTests {
    private let folder: TemporaryFolder
    private let store: URL
    private let files = FileManager.default

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore.make(in: folder)
    }

    private func permissions(_ url: URL) throws -> Int? {
        try files.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    private func setPermissions(_ mode: Int, _ url: URL) throws {
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    /// Each of the commands that write a file, with the flag that lets it replace one.
    private func commands(_ output: URL) throws -> [[String]] {
        let model = folder.file("M.xcdatamodel").path
        if !files.fileExists(atPath: model) {
            #expect(try CommandRunner.run("model", "extract", store.path, "-o", model).status == 0)
        }
        return [
            ["backup", store.path, output.path, "--replace"], ["export", store.path, "-o", output.path, "--force"],
            ["copy", store.path, output.path, "--append"],
            ["model", "diagram", store.path, "-o", output.path, "--force"],
            ["model", "extract", store.path, "-o", output.path, "--force"],
            ["model", "compile", model, "-o", output.path, "--force"],
        ]
    }

    @Test(.timeLimit(.minutes(5))) func noCommandPutsAFileOverAPipeADeviceOrALinkToNothing() throws {
        let pipe = folder.file("Pipe.mom")
        let link = folder.file("Link.mom")
        let device = folder.file("Device.mom")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        try files.createSymbolicLink(atPath: link.path, withDestinationPath: "nowhere")
        var outputs = [(pipe, "a pipe"), (link, "a link to a file that")]
        if mknod(device.path, S_IFCHR | 0o600, dev_t(1 << 8 | 3)) == 0 { outputs.append((device, "a device")) }
        for (output, kind) in outputs {
            for command in try commands(output) {
                let result = try CommandRunner.run(command)
                // What is text is written to a device as it is.
                if output == device, command[0] == "export" || command.contains("diagram") {
                    #expect(result.status == 0, "\(command[0]): \(result.errors)")
                    continue
                }
                #expect(result.status == 1 && result.errors.contains(kind), "\(command[0]): \(result.errors)")
            }
        }
        #expect(try FileFacts(path: pipe.path)?.kind == .pipe)
        #expect(try files.destinationOfSymbolicLink(atPath: link.path) == "nowhere")
        #expect(!files.fileExists(atPath: folder.file("nowhere").path))
        if outputs.count == 3 { #expect(try FileFacts(path: device.path)?.kind == .device) }
    }

    @Test func aBackupReplacesNoDatabaseOfAnotherProgram() throws {
        let other = folder.file("Other.sqlite")
        try SQLiteShell.run("CREATE TABLE customers (name); INSERT INTO customers VALUES ('Ada')", on: other)
        let result = try CommandRunner.run("backup", store.path, other.path, "--replace")
        #expect(result.status == 1 && result.errors.contains("another program"), "\(result.errors)")
        #expect(try SQLiteShell.run("SELECT name FROM customers", on: other) == "Ada")
        let empty = folder.file("Empty.sqlite")
        try Data().write(to: empty)
        #expect(try CommandRunner.run("backup", store.path, empty.path, "--replace").status == 0)
        #expect(try CommandRunner.run("check", empty.path).status == 0)
    }

    @Test(arguments: [0o600, 0o640, 0o644, 0o444]) func aCopyHasThePermissionsOfItsSource(_ mode: Int) throws {
        try setPermissions(mode, store)
        let backup = folder.file("Backup.sqlite")
        let copy = folder.file("Copy.sqlite")
        #expect(try CommandRunner.run("backup", store.path, backup.path).status == 0)
        #expect(try permissions(backup) == mode)
        #expect(try CommandRunner.run("copy", store.path, copy.path).status == 0)
        // A store is there to be written.
        #expect(try permissions(copy) == mode | 0o200)
        // One that is replaced is not opened to others who could not read it, or may not read the source.
        let present = folder.file("Present.sqlite")
        for former in [0o600, 0o644] {
            try? files.removeItem(at: present)
            #expect(try CommandRunner.run("backup", store.path, present.path).status == 0)
            try setPermissions(former, present)
            #expect(try CommandRunner.run("backup", store.path, present.path, "--replace").status == 0)
            #expect(try permissions(present) == former & 0o700 | former & mode & 0o077)
        }
    }

    @Test func aStoreIsNotCopiedIntoItselfByAnotherName() throws {
        let hard = folder.file("Hard.sqlite")
        let link = folder.file("Link.sqlite")
        try files.linkItem(at: store, to: hard)
        try files.createSymbolicLink(at: link, withDestinationURL: store)
        let before = try CommandRunner.run("count", store.path, "Person").output
        for name in [hard, link, store] {
            let result = try CommandRunner.run("copy", store.path, name.path, "--append")
            #expect(result.status == 1 && result.errors.contains("can't be copied into itself"), "\(result.errors)")
        }
        #expect(try CommandRunner.run("count", store.path, "Person").output == before)
        // A copy of it is another store, although it has the same identifier.
        let backup = folder.file("Backup.sqlite")
        #expect(try CommandRunner.run("backup", store.path, backup.path).status == 0)
        #expect(try CommandRunner.run("copy", store.path, backup.path).errors.contains("use --append"))
    }

    @Test func portedSourcesKeepTheirLinksAndPermissions() throws {
        let real = folder.file("Real.swift")
        let link = folder.file("Link.swift")
        let second = folder.file("Second.swift")
        let text = "import CoreData\n@objc(Item)\nclass Item: NSManagedObject {\n    @NSManaged var name: String?\n}\n"
        try Data(text.utf8).write(to: real)
        try setPermissions(0o640, real)
        try files.createSymbolicLink(atPath: link.path, withDestinationPath: "Real.swift")
        #expect(try CommandRunner.run("model", "port", link.path).status == 0)
        #expect(try files.destinationOfSymbolicLink(atPath: link.path) == "Real.swift")
        #expect(try String(contentsOf: real, encoding: .utf8).contains("#if canImport(ObjectiveC)"))
        #expect(try permissions(real) == 0o640)
        try Data(text.utf8).write(to: real)
        try files.linkItem(at: real, to: second)
        #expect(try CommandRunner.run("model", "port", real.path).status == 0)
        #expect(try Data(contentsOf: second) == Data(contentsOf: real) && Data(contentsOf: second) != Data(text.utf8))
        #expect(try permissions(second) == 0o640)
    }
}
