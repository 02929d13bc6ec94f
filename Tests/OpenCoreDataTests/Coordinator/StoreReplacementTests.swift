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

    private func items(_ coordinator: NSPersistentStoreCoordinator) throws -> [String?] {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            try ItemStore.items(context).map { $0.value(forKey: "title") as? String }
        }
    }

    @Test func aStoreThatAnotherCoordinatorOfTheProgramHasOpenIsReplaced() throws {
        let source = try makeStore("New.sqlite", title: "new", checkpoints: true)
        let target = try makeStore("Old.sqlite", title: "old", checkpoints: true)
        let other = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let open = try other.addPersistentStore(type: .sqlite, at: target)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        let item = try context.performAndWait { try #require(try ItemStore.items(context).first) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.replacePersistentStore(at: target, withPersistentStoreFrom: source, type: .sqlite)
        // The one that had it open reads the new store. What it knows of the old one it can't save over it.
        #expect(try items(other) == ["new"])
        let error = context.performAndWait {
            item.setValue("mine", forKey: "title")
            return #expect(throws: CocoaError.self) { try context.save() }
        }
        #expect(error?.code == .fileWriteNoPermission)
        #expect(error?.localizedDescription.contains("replaced while it was open") == true)
        try other.remove(open)
        #expect(try content(of: target) == "new")
        try other.addPersistentStore(type: .sqlite, at: target)
        #expect(try items(other) == ["new"])
    }

    @Test func aStoreThatCannotBeReplacedIsOpenAgainWhereItWas() throws {
        let target = try makeStore("Old.sqlite", title: "old", checkpoints: true)
        let other = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try other.addPersistentStore(type: .sqlite, at: target)
        let shell = try OpenShell(target)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let source = try makeStore("New.sqlite", title: "new", checkpoints: true)
        let error = #expect(throws: CocoaError.self) {
            try coordinator.replacePersistentStore(
                at: target, destinationOptions: [NSPersistentStoreTimeoutOption: 0.05],
                withPersistentStoreFrom: source, type: .sqlite)
        }
        #expect(error?.code == .persistentStoreTimeout)
        shell.close()
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        try context.performAndWait {
            try ItemStore.items(context).first?.setValue("old and changed", forKey: "title")
            try context.save()
        }
        #expect(try items(other) == ["old and changed"])
    }

    /// Another process that reads a store.
    private final class OpenShell {
        private let process = Process()
        private let input = Pipe()

        init(_ url: URL) throws {
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["sqlite3", "-batch", url.path]
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            let statements = "BEGIN; SELECT count(*) FROM ZITEM;\n"
            try input.fileHandleForWriting.write(contentsOf: Data(statements.utf8))
            _ = output.fileHandleForReading.availableData
        }

        func close() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    @Test func aStoreThatAnotherProcessHasOpenIsNotReplaced() throws {
        let source = try makeStore("New.sqlite", title: "new", checkpoints: true)
        let target = try makeStore("Old.sqlite", title: "old", checkpoints: true)
        let shell = try OpenShell(target)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let error = #expect(throws: CocoaError.self) {
            try coordinator.replacePersistentStore(
                at: target, destinationOptions: [NSPersistentStoreTimeoutOption: 0.05],
                withPersistentStoreFrom: source, type: .sqlite)
        }
        #expect(error?.code == .persistentStoreTimeout)
        shell.close()
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
