import Foundation
import OpenCoreData
import TestSupport
import Testing

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

    static func model() -> NSManagedObjectModel {
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

    /// The rows of the store that is replaced are in its log alone, and the process dies.
    @Test(arguments: MigrationStep.allCases.indices) func aCrashLeavesTheOldStoreOrTheNewOneWhole(_ step: Int)
        async throws
    {
        let source = try makeStore("New.sqlite", title: "new", checkpoints: true)
        let target = try makeStore("Old.sqlite", title: "old", checkpoints: false)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [source = source as URL, target = target as URL, step = step as Int] in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
            try SuddenDeath.at(MigrationStep.allCases[step]) {
                try coordinator.replacePersistentStore(at: target, withPersistentStoreFrom: source, type: .sqlite)
            }
        }
        let isReplaced = [.exchanged, .swept, .created].contains(MigrationStep.allCases[step])
        #expect(try content(of: target) == (isReplaced ? "new" : "old"))
        #expect(try content(of: source) == "new")
    }

    @Test func aStoreIsReplacedWithItsOwnCopyAndKeepsItsValues() throws {
        let store = try makeStore("Store.sqlite", title: "one", checkpoints: true)
        let backup = folder.file("Backup.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.replacePersistentStore(at: backup, withPersistentStoreFrom: store, type: .sqlite)
        for _ in 0..<2 {
            try coordinator.replacePersistentStore(at: store, withPersistentStoreFrom: backup, type: .sqlite)
            #expect(try content(of: store) == "one")
            #expect(try content(of: backup) == "one")
        }
    }

    @Test func aStoreThatIsOpenElsewhereIsNotReplaced() throws {
        let source = try makeStore("New.sqlite", title: "new", checkpoints: true)
        let target = try makeStore("Old.sqlite", title: "old", checkpoints: true)
        let other = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let open = try other.addPersistentStore(type: .sqlite, at: target)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let error = #expect(throws: CocoaError.self) {
            try coordinator.replacePersistentStore(
                at: target, destinationOptions: [NSPersistentStoreTimeoutOption: 0.05],
                withPersistentStoreFrom: source, type: .sqlite)
        }
        #expect(error?.code == .persistentStoreTimeout)
        try other.remove(open)
        #expect(try content(of: target) == "old")
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
        #expect(!names.contains { $0.hasPrefix(".Old.sqlite") })
    }
}
