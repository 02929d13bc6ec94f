import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `backup` copies a store that others use, and a `backup` that is killed leaves nothing that matters.
@Suite(
    .enabled(if: CommandRunner.isBuilt, "the command is not built"),
    .enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"), .serialized)
struct BackupCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A store with rows enough for a copy that takes a while.
    private func makeLargeStore() throws -> URL {
        let url = try SampleStore.make(in: folder)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let photo = Data(count: 3_000)
            let rows: [[String: Any]] = (0..<10_000).map { ["name": "Person \($0)", "photo": photo, "small": 1] }
            try context.execute(NSBatchInsertRequest(entityName: "Person", objects: rows))
        }
        try coordinator.remove(store)
        return url
    }

    @Test func copiesAStoreAndSaysWhat() throws {
        let store = try SampleStore.make(in: folder)
        let copy = folder.file("Copy.sqlite")
        let result = try CommandRunner.run("backup", store.path, copy.path)
        #expect(result.status == 0, "\(result.errors)")
        let size = try Data(contentsOf: copy).count
        #expect(result.output == "Sample.sqlite: \(size) bytes copied to \(copy.path) and checked.\n")
        #expect(try CommandRunner.run("check", copy.path).status == 0)
        #expect(try CommandRunner.run("export", copy.path).output == CommandRunner.run("export", store.path).output)
    }

    @Test func aFileThatIsThereIsReplacedOnlyWithTheFlag() throws {
        let store = try SampleStore.make(in: folder)
        let copy = folder.file("Copy.sqlite")
        #expect(try CommandRunner.run("backup", store.path, copy.path).status == 0)
        let second = try CommandRunner.run("backup", store.path, copy.path)
        #expect(second.status == 1)
        #expect(second.errors == "opencoredata: \(copy.path) already exists; use --force to replace it.\n")
        #expect(try CommandRunner.run("backup", store.path, copy.path, "--replace").status == 0)
        let itself = try CommandRunner.run("backup", store.path, store.path, "--replace")
        #expect(itself.status == 1)
        #expect(itself.errors.contains("itself"))
        #expect(try CommandRunner.run("check", store.path).status == 0)
    }

    @Test func aStoreThatAnotherProcessWritesIsCopiedInOneState() throws {
        let store = try makeLargeStore()
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        writer.arguments = ["sqlite3", store.path]
        let input = Pipe()
        writer.standardInput = input
        writer.standardOutput = FileHandle.nullDevice
        try writer.run()
        // What one person loses another gets, over and over.
        let transfer =
            "BEGIN IMMEDIATE; UPDATE ZPERSON SET ZSMALL = ZSMALL - 1 WHERE Z_PK = 20;"
            + "UPDATE ZPERSON SET ZSMALL = ZSMALL + 1 WHERE Z_PK = 9000; COMMIT;\n"
        let count = 20_000
        let feeding = Thread {
            let string = "PRAGMA busy_timeout = 30000;\n" + String(repeating: transfer, count: count)
            try? input.fileHandleForWriting.write(contentsOf: Data(string.utf8))
            try? input.fileHandleForWriting.close()
        }
        feeding.start()
        let sum = "SELECT sum(ZSMALL) FROM ZPERSON WHERE ZNAME LIKE 'Person %'"
        var states: Set<String> = []
        for number in 0..<3 {
            let copy = folder.file("Copy \(number).sqlite")
            let result = try CommandRunner.run("backup", store.path, copy.path)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try SQLiteShell.run(sum, on: copy) == "10000")
            #expect(try SQLiteShell.run("PRAGMA integrity_check", on: copy) == "ok")
            states.insert(try SQLiteShell.run("SELECT ZSMALL FROM ZPERSON WHERE Z_PK = 20", on: copy))
        }
        // The process wrote during the backup.
        #expect(states.count > 1)
        writer.waitUntilExit()
        #expect(try SQLiteShell.run("SELECT ZSMALL FROM ZPERSON WHERE Z_PK = 20", on: store) == "\(1 - count)")
    }

    @Test func aKilledBackupLeavesTheOldCopyOrTheNewOne() throws {
        let store = try makeLargeStore()
        let copy = folder.file("Copy.sqlite")
        #expect(try CommandRunner.run("backup", store.path, copy.path).status == 0)
        let before = try CommandRunner.run("count", copy.path, "Person").output
        for seconds in [0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.4] {
            let running = try CommandRunner.start(["backup", store.path, copy.path, "--replace"])
            Thread.sleep(forTimeInterval: seconds)
            kill(running.process.processIdentifier, SIGKILL)
            _ = try CommandRunner.finish(running)
            #expect(try CommandRunner.run("count", copy.path, "Person").output == before)
            let check = try CommandRunner.run("check", copy.path)
            #expect(check.status == 0, "\(seconds): \(check.output)\(check.errors)")
        }
        let last = try CommandRunner.run("backup", store.path, copy.path, "--replace")
        #expect(last.status == 0, "\(last.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.filter { $0.contains("-migration") } == [])
    }
}
