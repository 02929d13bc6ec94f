import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A `migrate` that is killed leaves the old store or the new one, whole.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"), .serialized)
struct KilledMigrateTests {
    private static let people = 5_000

    private func makeStore(in folder: TemporaryFolder, people: Int = KilledMigrateTests.people) throws -> URL {
        let url = try SampleStore.make(in: folder)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let rows: [[String: Any]] = (0..<people).map { ["name": "Person \($0)", "age": $0 % 90] }
            try context.execute(NSBatchInsertRequest(entityName: "Person", objects: rows))
        }
        try coordinator.remove(store)
        return url
    }

    private func nextModel(in folder: TemporaryFolder) throws -> URL {
        let model = SampleStore.model()
        model.entitiesByName["Person"]?.properties.removeAll { $0.name == "height" }
        let url = folder.file("Next.mom")
        try model.encodedCompiledModel().write(to: url)
        return url
    }

    private func count(_ store: URL) throws -> String {
        let result = try CommandRunner.run("count", store.path, "Person")
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    /// Whether two files have the same bytes, but for the two counters of SQLite's header that count how often it was locked.
    private func isSame(_ one: Data, _ other: Data) -> Bool {
        func content(_ data: Data) -> Data { data.prefix(24) + data.dropFirst(28).prefix(64) + data.dropFirst(96) }
        return content(one) == content(other)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func aSignalEndsItSoonAndLeavesTheStoreAsItWas(_ signal: Int32, _ status: Int32) throws {
        let folder = try TemporaryFolder()
        let store = try makeStore(in: folder, people: 60_000)
        let next = try nextModel(in: folder)
        let bytes = try Data(contentsOf: store)
        let names = try CommandRunner.files(in: folder.url)
        func hasBegun() throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).contains { $0.contains("-migration") }
        }
        // While it copies rows, looks at the copy, and counts what is in it.
        for seconds in [0, 0.1, 0.2, 0.3, 0.5] {
            let running = try CommandRunner.start(["migrate", store.path, "--to", next.path])
            while running.process.isRunning, try !hasBegun() { Thread.sleep(forTimeInterval: 0.002) }
            Thread.sleep(forTimeInterval: seconds)
            let start = Date.now
            kill(running.process.processIdentifier, signal)
            let result = try CommandRunner.finish(running)
            // Other tests have the processors too.
            #expect(Date.now.timeIntervalSince(start) < 10)
            if result.status == 0 {
                // It was through already: the whole new store is there.
                #expect(try count(store) == "60003\n")
                try bytes.write(to: store)
                continue
            }
            #expect(result.status == status && !result.wasKilled)
            #expect(result.errors == "opencoredata: Interrupted. Nothing was changed.\n")
            #expect(isSame(try Data(contentsOf: store), bytes))
            #expect(try CommandRunner.files(in: folder.url) == names)
        }
        #expect(try CommandRunner.run("migrate", store.path, "--to", next.path).status == 0)
    }

    @Test func leavesTheOldStoreOrTheNewOne() throws {
        let folder = try TemporaryFolder()
        let store = try makeStore(in: folder)
        let next = try nextModel(in: folder)
        let before = try count(store)
        for seconds in [0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6] {
            let running = try CommandRunner.start(["migrate", store.path, "--to", next.path])
            Thread.sleep(forTimeInterval: seconds)
            kill(running.process.processIdentifier, SIGKILL)
            _ = try CommandRunner.finish(running)
            // Killed while the new store took the old one's place: a command that only reads leaves it to a repair.
            if try CommandRunner.run("count", store.path, "Person").errors.contains("check --repair") {
                #expect(try CommandRunner.run("check", store.path, "--repair").status == 0)
            }
            #expect(try count(store) == before)
            let check = try CommandRunner.run("check", store.path)
            #expect(check.status == 0, "\(seconds): \(check.output)\(check.errors)")
        }
        // Whatever was left, it is no obstacle.
        let last = try CommandRunner.run("migrate", store.path, "--to", next.path)
        #expect(last.status == 0, "\(last.errors)")
        #expect(try count(store) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.filter { $0.contains("-migration") } == [])
    }
}
