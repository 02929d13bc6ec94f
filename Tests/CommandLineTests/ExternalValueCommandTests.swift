import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Commands on stores whose large values are in files of their own.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct ExternalValueCommandTests {
    private let folder: TemporaryFolder
    private let store: URL

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("Pages.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let added = try coordinator.addPersistentStore(type: .sqlite, at: store)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let page = NSEntityDescription.insertNewObject(forEntityName: "Page", into: context)
            page.setValue(Self.scan, forKey: "scan")
            try context.save()
        }
        try coordinator.remove(added)
    }

    private static let scan = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })

    private static func model(hasNote: Bool = false) -> NSManagedObjectModel {
        let page = NSEntityDescription()
        page.name = "Page"
        let scan = NSAttributeDescription()
        (scan.name, scan.attributeType, scan.isOptional) = ("scan", .binaryDataAttributeType, true)
        scan.allowsExternalBinaryDataStorage = true
        let note = NSAttributeDescription()
        (note.name, note.attributeType, note.isOptional) = ("note", .stringAttributeType, true)
        page.properties = hasNote ? [scan, note] : [scan]
        let model = NSManagedObjectModel()
        model.entities = [page]
        return model
    }

    private func valueFile() throws -> URL {
        let values = folder.file(".Pages_SUPPORT/_EXTERNAL_DATA")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: values.path).first)
        return values.appendingPathComponent(name)
    }

    @Test func migrateTakesExternalValuesAlong() throws {
        let next = folder.file("Next.mom")
        try Self.model(hasNote: true).encodedCompiledModel().write(to: next)
        let file = try valueFile()
        let result = try CommandRunner.run("migrate", store.path, "--to", next.path)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try Data(contentsOf: file) == Self.scan)
        #expect(try CommandRunner.run("check", store.path).status == 0)
        let export = try CommandRunner.run("export", store.path, "--format", "ndjson", "-o", "-")
        let isWhole = export.output.contains(Self.scan.base64EncodedString())
        #expect(isWhole)
    }

    @Test func migrateSaysThatAValueIsMissing() throws {
        let next = folder.file("Next.mom")
        try Self.model(hasNote: true).encodedCompiledModel().write(to: next)
        try FileManager.default.removeItem(at: valueFile())
        let before = try CommandRunner.run("check", store.path)
        #expect(before.status == 1)
        // It was missing before: the migration makes nothing worse.
        #expect(try CommandRunner.run("migrate", store.path, "--to", next.path).status == 0)
        #expect(try CommandRunner.run("check", store.path).output == before.output)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["link", "pipe"])
    func whatIsNoFileIsFoundAndNeverPrinted(_ substitute: String) throws {
        let file = try valueFile()
        let secret = folder.file("private.txt")
        try Data("not for you".utf8).write(to: secret)
        try FileManager.default.removeItem(at: file)
        if substitute == "link" {
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: secret)
        } else {
            #expect(mkfifo(file.path, 0o600) == 0)
        }
        let kind = substitute == "link" ? "a symbolic link" : "a pipe"
        let check = try CommandRunner.run("check", store.path)
        #expect(check.status == 1 && check.output.contains("\(kind) is in its place"), "\(check.output)")
        for command in [
            ["export", store.path, "--format", "ndjson", "-o", "-"], ["show", store.path, "Page/p1"],
            ["backup", store.path, folder.file("Copy.sqlite").path],
        ] {
            let result = try CommandRunner.run(command)
            #expect(result.status == 1, "\(command[0]): \(result.output)")
            #expect(result.errors.contains(file.lastPathComponent), "\(command[0]): \(result.errors)")
            #expect(!result.output.contains(Data("not for you".utf8).base64EncodedString()))
        }
    }
}
