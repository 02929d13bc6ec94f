import Foundation
import TestSupport
import Testing

/// Nothing is put over a store, and nothing over another file unasked.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct OutputLocationTests {
    private let models: ModelFolder
    private let store: String

    init() throws {
        models = try ModelFolder()
        store = try SampleStore.make(in: models.folder).path
    }

    /// The commands that write a file, with `OUT` where it shall be.
    private static let commands: [[String]] = [
        ["export", "STORE", "-o", "OUT"],
        ["export", "STORE", "--format", "csv", "--entity", "Team", "-o", "OUT"],
        ["model", "diagram", "STORE", "-o", "OUT"],
    ]

    private func run(_ command: [String], output: String, _ more: String...) throws -> CommandRunner.Result {
        try CommandRunner.run(command.map { $0 == "STORE" ? store : $0 == "OUT" ? output : $0 } + more)
    }

    private func expectRefusal(
        _ result: CommandRunner.Result, _ string: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(result.status == 1, sourceLocation: sourceLocation)
        #expect(result.output.isEmpty, sourceLocation: sourceLocation)
        #expect(result.errors.contains(string), "\(result.errors)", sourceLocation: sourceLocation)
        #expect(result.errors.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
    }

    @Test(arguments: commands) func theStoreThatIsReadIsNeverReplaced(_ command: [String]) throws {
        let (link, second) = (models.folder.file("link.json"), models.folder.file("second.json"))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(fileURLWithPath: store))
        try FileManager.default.linkItem(at: URL(fileURLWithPath: store), to: second)
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        let names = try models.names()
        let detour = "\(models.folder.url.path)/../\(models.folder.url.lastPathComponent)/Sample.sqlite"
        for output in [store, link.path, second.path, detour] {
            for force in [[], ["--force"]] {
                let result = try run(command + force, output: output)
                try expectRefusal(result, "is a store, which is never replaced; name another file for the output.")
            }
        }
        for suffix in ["-wal", "-shm", "-journal"] {
            try expectRefusal(try run(command, output: store + suffix, "--force"), "a part of the store Sample.sqlite")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
        #expect(try models.names() == names)
    }

    @Test func noStoreOfAnyKindIsReplaced() throws {
        let xml = models.folder.file("store.xml")
        try Data("<?xml version=\"1.0\"?>\n<!DOCTYPE database SYSTEM \"file:///x\">\n<database></database>".utf8)
            .write(to: xml)
        let binary = models.folder.file("store.binary")
        try Data("CoreData\0\0\0\0".utf8).write(to: binary)
        let other = try SampleStore.make(in: models.folder, name: "Other.sqlite")
        let value = models.folder.file(".Sample_SUPPORT/_EXTERNAL_DATA/6A1E3B1C-94A5-4F86-9E0E-6B1E2F1A9C77")
        try FileManager.default.createDirectory(
            at: value.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("value".utf8).write(to: value)
        for url in [xml, binary, other, value] {
            let before = try Data(contentsOf: url)
            let kind = url == value ? "is a value of a store" : "is a store"
            try expectRefusal(
                try run(Self.commands[0], output: url.path, "--force"), "\(kind), which is never replaced")
            #expect(try Data(contentsOf: url) == before)
        }
    }

    @Test(arguments: commands) func anotherFileIsReplacedWhenForced(_ command: [String]) throws {
        let file = models.folder.file("out.txt")
        try Data("mine".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        try expectRefusal(
            try run(command, output: file.path), "\(file.path) already exists; use --force to replace it.")
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
        let forced = try run(command, output: file.path, "--force")
        #expect(forced.status == 0, "\(forced.errors)")
        #expect(try Data(contentsOf: file).count > 20)
        #expect(
            try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        #expect(try models.names() == ["Sample.sqlite", "out.txt"])
    }

    @Test func aLinkStaysALink() throws {
        let (file, link) = (models.folder.file("out.txt"), models.folder.file("link.txt"))
        try Data("mine".utf8).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(try run(Self.commands[0], output: link.path).status == 1)
        #expect(try run(Self.commands[0], output: link.path, "--force").status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
        #expect(try Data(contentsOf: file).count > 20)
    }

    @Test func whatIsNoFileIsRefused() throws {
        let pipe = models.folder.file("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for (path, kind) in [(pipe.path, "a pipe that no program reads"), (models.folder.url.path, "a folder")] {
            for command in Self.commands {
                try expectRefusal(try run(command, output: path, "--force"), "\(path) is \(kind)")
            }
        }
        for path in ["/dev/null", pipe.path] {
            let model = try CommandRunner.run("model", "extract", store, "-o", path, "--force")
            #expect(model.status == 1)
            #expect(try CommandRunner.run("backup", store, path, "--force").status == 1)
        }
        let kind = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(kind == .typeCharacterSpecial)
    }

    @Test(arguments: ["M.mom", "M.momd", "M.xcdatamodel", "M.xcdatamodeld"])
    func modelsReplaceModelsWhenForced(_ name: String) throws {
        let target = models.path(name)
        #expect(try CommandRunner.run("model", "extract", store, "-o", target).status == 0)
        try expectRefusal(try CommandRunner.run("model", "extract", store, "-o", target), "already exists; use --force")
        #expect(try CommandRunner.run("model", "extract", store, "-o", target, "--force").status == 0)
    }

    @Test(arguments: ["M.mom", "M.momd"]) func modelsNeverReplaceStores(_ name: String) throws {
        let target = try SampleStore.make(in: models.folder, name: name)
        let before = try Data(contentsOf: target)
        for input in [store, target.path] {
            try expectRefusal(
                try CommandRunner.run("model", "extract", input, "-o", target.path, "--force"), "is a store")
        }
        #expect(try Data(contentsOf: target) == before)
    }

    @Test func aFolderWithAStoreIsNotReplaced() throws {
        let folder = models.folder.file("M.momd")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let inner = folder.appendingPathComponent("Inner.sqlite")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: store), to: inner)
        try expectRefusal(
            try CommandRunner.run("model", "extract", store, "-o", folder.path, "--force"), "Inner.sqlite")
        #expect(FileManager.default.fileExists(atPath: inner.path))
    }

    @Test func compilingReplacesWhenForced() throws {
        let source = try models.model(ModelFolder.first)
        #expect(try CommandRunner.run("model", "compile", source).status == 0)
        let before = try Data(contentsOf: models.folder.file("Shop.mom"))
        _ = try models.model(ModelFolder.second)
        try expectRefusal(try CommandRunner.run("model", "compile", source), "Shop.mom already exists; use --force")
        #expect(try Data(contentsOf: models.folder.file("Shop.mom")) == before)
        #expect(try CommandRunner.run("model", "compile", source, "--force").status == 0)
        #expect(try Data(contentsOf: models.folder.file("Shop.mom")) != before)
    }

    @Test func generatedFilesReplaceOthersWhenForced() throws {
        let source = try models.model(ModelFolder.first)
        let output = models.path("Generated")
        let arguments = ["model", "generate", source, "-o", output, "--mode", "class"]
        #expect(try CommandRunner.run(arguments).status == 0)
        #expect(try CommandRunner.run(arguments).status == 0)
        let names = try models.names("Generated")
        let file = models.folder.file("Generated/\(try #require(names.last))")
        let generated = try Data(contentsOf: file)
        try Data("mine".utf8).write(to: file)
        try FileManager.default.removeItem(at: models.folder.file("Generated/\(names[0])"))
        try expectRefusal(try CommandRunner.run(arguments), "\(names.last ?? "") already exists; use --force")
        // Not even the others are written.
        #expect(try models.names("Generated") == Array(names.dropFirst()))
        #expect(try CommandRunner.run(arguments + ["--force"]).status == 0)
        #expect(try Data(contentsOf: file) == generated)
    }
}
