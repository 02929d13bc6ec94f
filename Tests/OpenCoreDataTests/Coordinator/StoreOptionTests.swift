import OpenCoreData
import TestSupport
import Testing

/// What the options of a SQLite store do.
@Suite struct StoreOptionTests {
    private func addAuthor(_ stack: TestStack) throws {
        try stack.inContext { context in
            let author = Author(context: context)
            author.name = "Ada"
            try context.save()
        }
    }

    // Behaviour 4.9
    @Test func aReadOnlyStoreIsReadAndNotWritten() throws {
        let stack = try TestStack()
        try addAuthor(stack)
        let reader = try TestStack(folder: stack.folder, options: [NSReadOnlyPersistentStoreOption: true])
        #expect(reader.coordinator.persistentStores[0].isReadOnly)
        let count = try reader.inContext { try $0.count(for: NSFetchRequest<Author>(entityName: "Author")) }
        #expect(count == 1)
        let error = #expect(throws: CocoaError.self) { try addAuthor(reader) }
        #expect(error?.code.rawValue == 513)
        #expect(try stack.sqlite("SELECT count(*) FROM ZAUTHOR") == "1")
    }

    @Test func pragmasAreFollowed() throws {
        let stack = try TestStack(options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
        try addAuthor(stack)
        #expect(!FileManager.default.fileExists(atPath: stack.url.path + "-wal"))
        #expect(try stack.sqlite("PRAGMA journal_mode") == "delete")
    }

    @Test(arguments: [0.01, 1e300, Double.infinity, -1, Double.nan])
    func anyTimeoutIsTakenByAMigrationAndAReplacement(_ timeout: Double) throws {
        let folder = try TemporaryFolder()
        let url = try VehicleStore.make(at: folder.file("Vehicles.sqlite"), people: 3)
        let options: [AnyHashable: Any] = [
            NSPersistentStoreTimeoutOption: NSNumber(value: timeout), NSInferMappingModelAutomaticallyOption: true,
            NSMigratePersistentStoresAutomaticallyOption: true,
        ]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: VehicleStore.newModel())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        try coordinator.remove(store)
        let other = try VehicleStore.make(at: folder.file("Other.sqlite"), people: 2)
        try coordinator.replacePersistentStore(
            at: url, destinationOptions: options, withPersistentStoreFrom: other, sourceOptions: nil,
            ofType: NSSQLiteStoreType)
        #expect(FileManager.default.fileExists(atPath: url.path))
    }

    @Test(arguments: [0.01, 1e300, Double.infinity, -1, Double.nan]) func anyTimeoutIsTaken(_ timeout: Double) throws {
        let stack = try TestStack(options: [NSPersistentStoreTimeoutOption: NSNumber(value: timeout)])
        try addAuthor(stack)
        #expect(try stack.sqlite("SELECT count(*) FROM ZAUTHOR") == "1")
    }

    @Test func fileProtectionHasNoEffectAndIsNoError() throws {
        let stack = try TestStack(options: ["NSPersistentStoreFileProtectionKey": "NSFileProtectionComplete"])
        try addAuthor(stack)
        #expect(try stack.sqlite("SELECT count(*) FROM ZAUTHOR") == "1")
    }

    @Test func vacuumGivesFreeSpaceBack() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            for index in 0..<3_000 {
                let author = Author(context: context)
                author.name = String(repeating: "long name \(index) ", count: 20)
            }
            try context.save()
            for author in try context.fetch(NSFetchRequest<Author>(entityName: "Author")) { context.delete(author) }
            try context.save()
        }
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        let before = try stack.sqlite("PRAGMA page_count")
        let again = try TestStack(folder: stack.folder, options: [NSSQLiteManualVacuumOption: true])
        try again.coordinator.remove(again.coordinator.persistentStores[0])
        let after = try stack.sqlite("PRAGMA page_count")
        #expect((Int(after) ?? 0) < (Int(before) ?? 0))
    }
}
