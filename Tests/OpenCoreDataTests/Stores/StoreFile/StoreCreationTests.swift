import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// Stores that several openers make at the same moment.
@Suite(.serialized) struct StoreCreationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Outcome {
        var saved: [String] = []
        var refusedOpenings: [String] = []
    }

    /// Opens a store and saves an item with a large value, in so many threads at once.
    private func race(_ count: Int, at url: URL, type: String, options: [AnyHashable: Any]? = nil) -> Outcome {
        let outcome = Mutex(Outcome())
        let options = SendableBox(options)
        let ended = DispatchGroup()
        let start = ProcessInfo.processInfo.systemUptime + 0.01
        for number in 0..<count {
            ended.enter()
            Thread {
                defer { ended.leave() }
                let title = "\(number)"
                do {
                    while ProcessInfo.processInfo.systemUptime < start {}
                    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreReplacementTests.model())
                    try coordinator.addPersistentStore(
                        ofType: type, configurationName: nil, at: url, options: options.value)
                    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                    context.persistentStoreCoordinator = coordinator
                    let isSaved = context.performAndWait {
                        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                        item.setValue(title, forKey: "title")
                        item.setValue(ItemStore.value(UInt8(number)), forKey: "bytes")
                        return (try? context.save()) != nil
                    }
                    if isSaved { outcome.withLock { $0.saved.append(title) } }
                } catch {
                    outcome.withLock { $0.refusedOpenings.append("\(error)") }
                }
            }.start()
        }
        ended.wait()
        return outcome.withLock { $0 }
    }

    private func titles(_ url: URL, type: String) throws -> [String] {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreReplacementTests.model())
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            try ItemStore.items(context).map { item in
                let title = item.value(forKey: "title") as? String ?? ""
                #expect(item.value(forKey: "bytes") as? Data == ItemStore.value(UInt8(title) ?? 255))
                return title
            }
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType], [2, 4, 8])
    func allOpenersGetTheOneStoreAndNothingThatWasSavedIsLost(type: String, count: Int) throws {
        for round in 0..<6 {
            let url = folder.file("Round \(round).store")
            let outcome = race(count, at: url, type: type)
            #expect(outcome.refusedOpenings == [])
            #expect(try titles(url, type: type) == outcome.saved.sorted())
            // A file that is written whole refuses to undo what others have saved.
            #expect(type == NSSQLiteStoreType ? outcome.saved.count == count : outcome.saved.count >= 1)
            if type == NSSQLiteStoreType {
                #expect(ExternalData(storeURL: url).orphans(besides: []).count == count)
                let model = StoreReplacementTests.model()
                #expect(try StoreChecker.findings(inStoreAt: url, model: model).map(\.message) == [])
            }
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(left.filter { $0.hasSuffix(".lock") || $0.hasSuffix(".new") } == [])
    }

    @Test func openersOfAnEmptiedStoreGetTheOneStore() throws {
        for round in 0..<6 {
            let url = folder.file("Round \(round).sqlite")
            let store = try ItemStore(url)
            try store.add(200)
            try store.coordinator.destroyPersistentStore(at: url, type: .sqlite)
            let outcome = race(4, at: url, type: NSSQLiteStoreType, options: [NSPersistentHistoryTrackingKey: true])
            #expect(outcome.refusedOpenings == [])
            #expect(outcome.saved.count == 4)
            #expect(try SQLiteShell.run("SELECT count(*) FROM ZITEM", on: url) == "4")
        }
    }

    @Test func aStoreThatCannotBeMadeLeavesNothingOfItsOwnAndNothingElseGoes() throws {
        let wrong = [NSSQLitePragmasOption: ["auto_vacuum": "1; DROP"]]
        let url = folder.file("Items.sqlite")
        #expect(throws: CocoaError.self) { try ItemStore(url, options: wrong) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        // A file that was there before isn't its own.
        try Data().write(to: url)
        #expect(throws: CocoaError.self) { try ItemStore(url, options: wrong) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Items.sqlite"])
        try ItemStore(url).add(1)
        #expect(try titles(url, type: NSSQLiteStoreType) == ["1"])
    }

    @Test func makingAStoreWaitsForWhoHasTheLockOfItsName() throws {
        let url = folder.file("Items.sqlite")
        let lock = SendableBox(try FileLock(folder.file(".Items.sqlite.lock"), timeout: 0))
        let error = #expect(throws: CocoaError.self) {
            try ItemStore(url, options: [NSPersistentStoreTimeoutOption: 0.05])
        }
        #expect(error?.code == .persistentStoreTimeout)
        #expect(!FileManager.default.fileExists(atPath: url.path))
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { lock.value.release(removingFile: true) }
        try ItemStore(url).add(1)
        #expect(try titles(url, type: NSSQLiteStoreType) == ["1"])
    }

    // Apple's SQLite keeps the files, which programs then remove one by one.
    @Test func theLogAndItsIndexStayWhenTheStoreIsClosed() throws {
        let url = folder.file("Items.sqlite")
        let store = try ItemStore(url)
        try store.add(1)
        let log = URL(fileURLWithPath: url.path + "-wal")
        let index = URL(fileURLWithPath: url.path + "-shm")
        try store.close()
        #expect(LogState.byteCount(at: log.path) == 0)
        for file in [url, log, index] { try FileManager.default.removeItem(at: file) }
        try ItemStore(url).add(2)
        #expect(try titles(url, type: NSSQLiteStoreType) == ["2"])
    }
}
