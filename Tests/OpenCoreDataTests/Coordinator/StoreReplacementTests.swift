import OpenCoreData
import TestSupport
import Testing

@testable import CoreDataEngine

/// Replacing a store, stopped after each of its steps as a crash would.
@Suite struct StoreReplacementTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Crash: Error {}

    private func makeStore(_ name: String, title: String, checkpoints: Bool) throws -> URL {
        let url = folder.file(name)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            item.setValue(title, forKey: "title")
            item.setValue(Data(title.utf8) + Data(repeating: 1, count: 300_000), forKey: "bytes")
            try context.save()
        }
        guard !checkpoints else {
            try coordinator.remove(store)
            return url
        }
        // The files as they are while the store is open: the rows are in the log alone.
        let copy = folder.file("Log-" + name)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                at: URL(fileURLWithPath: url.path + suffix), to: URL(fileURLWithPath: copy.path + suffix))
        }
        let support = "." + url.deletingPathExtension().lastPathComponent + "_SUPPORT"
        let other = "." + copy.deletingPathExtension().lastPathComponent + "_SUPPORT"
        try FileManager.default.copyItem(at: folder.file(support), to: folder.file(other))
        try coordinator.remove(store)
        return copy
    }

    private static func model() -> NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        let bytes = LibraryModel.attribute("bytes", .binaryDataAttributeType)
        bytes.allowsExternalBinaryDataStorage = true
        item.properties = [LibraryModel.attribute("title", .stringAttributeType), bytes]
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    /// The title of the one item, once its large value was found to be its own.
    private func content(of url: URL) throws -> String {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
            #expect(items.count == 1)
            let title = items[0].value(forKey: "title") as? String ?? ""
            #expect(items[0].value(forKey: "bytes") as? Data == Data(title.utf8) + Data(repeating: 1, count: 300_000))
            return title
        }
    }

    @Test(arguments: StoreFiles.ReplacementStep.allCases) func aCrashLeavesTheOldStoreOrTheNewOneWhole(
        _ step: StoreFiles.ReplacementStep
    ) throws {
        let source = StoreFiles(
            url: try makeStore("New.sqlite", title: "new", checkpoints: true), type: NSSQLiteStoreType)
        let target = StoreFiles(
            url: try makeStore("Old.sqlite", title: "old", checkpoints: false), type: NSSQLiteStoreType)
        let copy = try source.copyBeside(target)
        #expect(throws: (any Error).self) {
            try target.replace(with: copy) { passed in
                if passed == step { throw Crash() }
            }
        }
        let isReplaced = step == .fileReplaced || step == .leftoversRemoved
        #expect(try content(of: target.url) == (isReplaced ? "new" : "old"))
        #expect(try content(of: source.url) == "new")
    }

    @Test func replacingLeavesNoValuesOfTheOldStore() throws {
        let source = try makeStore("New.sqlite", title: "new", checkpoints: true)
        let target = try makeStore("Old.sqlite", title: "old", checkpoints: true)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.replacePersistentStore(at: target, withPersistentStoreFrom: source, type: .sqlite)
        #expect(try content(of: target) == "new")
        let values = folder.file(".Old_SUPPORT/_EXTERNAL_DATA")
        #expect(try FileManager.default.contentsOfDirectory(atPath: values.path).count == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0.hasPrefix(".Old.sqlite-") })
    }
}
