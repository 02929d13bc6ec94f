import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Exporting a store whose large values another process replaces all the time.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct ExportBesideWriterTests {
    private let folder: TemporaryFolder
    private let coordinator: NSPersistentStoreCoordinator
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Photos.sqlite")
        let photo = NSEntityDescription()
        photo.name = "Photo"
        let bytes = LibraryModel.attribute("bytes", .binaryDataAttributeType)
        bytes.allowsExternalBinaryDataStorage = true
        photo.properties = [LibraryModel.attribute("title", .stringAttributeType), bytes]
        let model = NSManagedObjectModel()
        model.entities = [photo]
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .sqlite, at: url)
    }

    private func inContext(_ block: (NSManagedObjectContext) throws -> Void) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            try block(context)
            try context.save()
        }
    }

    private func write(_ byte: UInt8) throws {
        try inContext { context in
            for photo in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Photo")) {
                photo.setValue(Data(repeating: byte, count: 140_000), forKey: "bytes")
            }
        }
        // As often as it can be done at all.
        for case let store as SQLiteStore in coordinator.persistentStores { try store.removeUnusedFiles() }
    }

    @Test func noValueIsMissing() throws {
        try inContext { context in
            for number in 0..<40 {
                let photo = NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
                photo.setValue("\(number)", forKey: "title")
                photo.setValue(Data(repeating: 1, count: 140_000), forKey: "bytes")
            }
        }
        for round in 0..<4 {
            let output = folder.file("\(round).json")
            let export = try CommandRunner.start(["export", url.path, "--output", output.path])
            var byte: UInt8 = 2
            while export.process.isRunning {
                try write(byte)
                byte = byte == 250 ? 2 : byte + 1
            }
            let result = try CommandRunner.finish(export)
            #expect(result.status == 0 && result.errors.hasPrefix("Exported 40 objects"), "\(result.errors)")
            let data = try Data(contentsOf: output)
            let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            let photos = (document["entities"] as? [String: Any])?["Photo"] as? [[String: Any]] ?? []
            #expect(photos.count == 40)
            #expect(photos.allSatisfy { $0["bytes"] != nil && !($0["bytes"] is NSNull) })
        }
    }
}
