import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Files of large values whose rows were changed or deleted stay until no reader can see these rows.
@Suite struct UnusedFilesTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Items.sqlite")
    }

    @Test func whoReadBeforeAChangeStillGetsWhatWasThere() throws {
        let (writer, reader) = (try ItemStore(url), try ItemStore(url))
        try writer.add(1)
        try reader.inContext { context in
            let item = try ItemStore.item(context)
            try writer.replace(with: 2)
            #expect((item.value(forKey: "bytes") as? Data) == ItemStore.value(1))
        }
        #expect(writer.files.count == 2)
        #expect(try reader.bytes() == [2])
        try writer.close()
        #expect(reader.files.count == 1)
        #expect(try reader.bytes() == [2])
    }

    @Test func aPinnedGenerationKeepsItsValues() throws {
        let (writer, reader) = (try ItemStore(url), try ItemStore(url))
        try writer.add(1)
        let context = reader.context()
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            #expect(try ItemStore.items(context).count == 1)
        }
        try writer.replace(with: 2)
        #expect(try writer.store?.removeUnusedFiles() == false)
        try writer.close()
        try context.performAndWait {
            context.refreshAllObjects()
            #expect((try ItemStore.item(context).value(forKey: "bytes") as? Data) == ItemStore.value(1))
            try context.setQueryGenerationFrom(nil)
            context.reset()
        }
        #expect(reader.files.count == 2)
        // The list of the one that is closed is the other's now.
        try reader.close()
        #expect(reader.files.count == 1)
        #expect(try names() == ["_EXTERNAL_DATA"])
        #expect(try ItemStore(url).bytes() == [2])
    }

    /// What stands beside the folder of the values.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file(".Items_SUPPORT").path).sorted()
    }

    @Test(arguments: ["WAL", "DELETE"]) func whatAStoreDroppedGoesWhenItIsClosed(mode: String) throws {
        let store = try ItemStore(url, options: [NSSQLitePragmasOption: ["journal_mode": mode]])
        try store.add(1, 2, 3)
        try store.replace(with: 4)
        try store.replace(with: 5)
        #expect(store.files.count == 9)
        try store.close()
        #expect(store.files.count == 3)
        #expect(try names() == ["_EXTERNAL_DATA"])
        let again = try ItemStore(url)
        #expect(try again.bytes() == [5, 5, 5])
        try again.deleteAll()
        try again.close()
        #expect(again.files.isEmpty)
    }

    @Test func manyDroppedFilesGoWhileTheStoreIsOpen() throws {
        let store = try ItemStore(url)
        for byte in UInt8(1)...7 { try store.add(byte, byte + 10, byte + 20, byte + 30, byte + 40) }
        #expect(store.files.count == 35)
        try store.deleteAll()
        #expect(store.files.isEmpty)
    }

    @Test func filesThatAProcessDroppedBeforeItDiedGoWhenTheStoreIsOpened() async throws {
        try ItemStore(url).close()
        await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL] in
            let store = try ItemStore(url)
            try store.add(1, 2)
            try store.replace(with: 3)
            SuddenDeath.now()
        }
        #expect(ExternalData(storeURL: url).orphans(besides: []).count == 4)
        let store = try ItemStore(url)
        #expect(store.files.count == 2)
        #expect(try store.bytes() == [3, 3])
        try store.close()
        #expect(try names() == ["_EXTERNAL_DATA"])
    }

    @Test func filesOfASaveThatWasKilledGoAndThoseOfRowsStay() async throws {
        try ItemStore(url).close()
        await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL] in
            let store = try ItemStore(url)
            for round in 0... {
                try SuddenDeath.afterFiles(20 + round % 7, of: store) { try store.add(1, 2, 3, 4, 5) }
            }
        }
        let before = ExternalData(storeURL: url).orphans(besides: []).count
        let store = try ItemStore(url)
        let rows = try store.bytes()
        #expect(rows.allSatisfy { $0 != 0 } && store.files.count == rows.count && before >= rows.count)
        try store.close()
        #expect(try StoreChecker.findings(inStoreAt: url, model: StoreReplacementTests.model()).isEmpty)
    }

    @Test(.enabled(if: FileLock.isSharedAmongProcesses, "this build has no locks among processes"))
    func aFileThatAnotherProcessIsAboutToNameStays() throws {
        let store = try ItemStore(url)
        try store.add(1)
        let other = UnusedFiles(ExternalData(storeURL: url))
        let name = UUID().uuidString
        try other.willWrite(name)
        try ItemStore.value(9).write(to: store.file(name))
        try store.replace(with: 2)
        #expect(try store.store?.removeUnusedFiles() == true)
        #expect(store.files.count == 2 && store.files.contains(name))
        other.close()
        // No row will refer to it any more.
        #expect(try store.store?.removeUnusedFiles() == true)
        #expect(store.files.count == 1)
        #expect(try store.bytes() == [2])
    }

    @Test func aFileThatARowNamesIsNotTakenForLeftBehind() throws {
        let store = try ItemStore(url)
        try store.add(1)
        let name = try #require(store.files.first)
        let other = UnusedFiles(ExternalData(storeURL: url))
        try other.willWrite(name)
        other.close()
        #expect(try names().count == 3)
        #expect(try store.store?.removeUnusedFiles() == true)
        #expect(store.files == [name])
        #expect(try store.bytes() == [1])
    }

    @Test func filesInNoListAreLeftAlone() throws {
        let store = try ItemStore(url)
        try store.add(1)
        let name = UUID().uuidString
        try ItemStore.value(9).write(to: store.file(name))
        try store.replace(with: 2)
        try store.close()
        #expect(store.files.count == 2 && store.files.contains(name))
    }

    @Test func aSaveThatFailsLeavesNoFile() throws {
        let store = try ItemStore(url)
        try store.add(1)
        try SQLiteShell.run(
            "CREATE TRIGGER refuse BEFORE INSERT ON ZITEM BEGIN SELECT RAISE(ABORT, 'no'); END", on: url)
        #expect(throws: CocoaError.self) { try store.add(2) }
        #expect(store.files.count == 1)
        try store.close()
        #expect(try names() == ["_EXTERNAL_DATA"])
    }
}

extension SuddenDeath {
    /// Runs a block and dies as soon as the store has so many files of large values.
    fileprivate static func afterFiles(_ count: Int, of store: ItemStore, _ body: () throws -> Void) rethrows {
        let url = store.url
        Thread.detachNewThread {
            while ExternalData(storeURL: url).orphans(besides: []).count < count { usleep(50) }
            now()
        }
        try body()
    }
}
