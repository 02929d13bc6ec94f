import Foundation
import TestSupport
import Testing

/// An import that ends early, by a signal or without any warning, has imported nothing.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"), .serialized)
struct KilledImportTests {
    private let folder: TemporaryFolder
    private let model: URL
    private let input: URL

    init() throws {
        folder = try TemporaryFolder()
        model = try SampleStore.make(in: folder, name: "Model.sqlite")
        input = folder.file("large.json")
        try Self.largeExport().write(to: input)
    }

    private func names() throws -> [String] {
        try CommandRunner.files(in: folder.url)
    }

    private func count(_ entity: String, in store: String) throws -> String {
        let result = try CommandRunner.run("count", store, entity, "--model", model.path)
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    /// Starts an import and sends a signal some time after the import has begun to write.
    private func interruptedImport(
        into store: String, _ signal: Int32, after seconds: TimeInterval
    ) throws -> CommandRunner.Result {
        let running = try CommandRunner.start(["import", store, "--model", model.path, input.path])
        let deadline = Date(timeIntervalSinceNow: 30)
        let name = URL(fileURLWithPath: store).lastPathComponent
        // A transaction that memory can hold writes to its log at its end only; that is there from the beginning.
        func hasBegun() -> Bool {
            [store + "-wal", folder.file(".\(name)-migration/store.sqlite-wal").path]
                .contains(where: FileManager.default.fileExists)
        }
        while running.process.isRunning, !hasBegun(), Date() < deadline { Thread.sleep(forTimeInterval: 0.002) }
        Thread.sleep(forTimeInterval: seconds)
        kill(running.process.processIdentifier, signal)
        return try CommandRunner.finish(running)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func aSignalLeavesAStoreAsItWas(_ signal: Int32, _ status: Int32) throws {
        let store = try SampleStore.make(in: folder, name: "Target.sqlite")
        let before = try names()
        let content = try CommandRunner.run("export", store.path, "-o", "-").output
        let result = try interruptedImport(into: store.path, signal, after: 0.3)
        #expect(result.status == status)
        #expect(!result.wasKilled)
        #expect(result.output.isEmpty)
        #expect(
            result.errors
                == "opencoredata: Interrupted. Nothing was imported; the store Target.sqlite is unchanged.\n")
        #expect(try names() == before)
        #expect(try CommandRunner.run("export", store.path, "-o", "-").output == content)
        #expect(try CommandRunner.run("check", store.path).status == 0)
    }

    @Test func ctrlCLeavesNoNewStore() throws {
        let before = try names()
        let result = try interruptedImport(into: folder.file("New.sqlite").path, SIGINT, after: 0.3)
        #expect(result.status == 130)
        #expect(result.errors == "opencoredata: Interrupted. Nothing was imported, and no store was created.\n")
        #expect(try names() == before)
    }

    @Test(arguments: [0.0, 0.1, 0.4, 1.0])
    func aKilledImportIntoANewStoreLeavesNone(_ seconds: Double) throws {
        let target = folder.file("Target.sqlite").path
        let result = try interruptedImport(into: target, SIGKILL, after: seconds)
        let isThere = FileManager.default.fileExists(atPath: target)
        // Killed after the end, or in its last moment: then it is complete.
        #expect(result.wasKilled || isThere)
        if isThere {
            #expect(try count("Person", in: target) == "20000\n")
        } else {
            // What is left is no obstacle.
            let again = try CommandRunner.run("import", target, "--model", model.path, input.path)
            #expect(again.status == 0, "\(again.errors)")
            #expect(try count("Person", in: target) == "20000\n")
        }
        #expect(try CommandRunner.run("check", target, "--model", model.path).status == 0)
        #expect(try names().filter { $0.contains("-migration") } == [])
    }

    @Test(arguments: [0.0, 0.3, 1.0])
    func aKilledImportIntoAStoreChangesNothing(_ seconds: Double) throws {
        let store = try SampleStore.make(in: folder, name: "Target.sqlite").path
        let result = try interruptedImport(into: store, SIGKILL, after: seconds)
        #expect(try count("Person", in: store) == (result.wasKilled ? "3\n" : "20003\n"))
        let check = try CommandRunner.run("check", store)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    private static func largeExport() -> Data {
        var string = "{\"entities\": {\"Team\": ["
        for number in 0..<200 {
            string += (number == 0 ? "" : ",") + "{\"objectID\": \"Team/p\(number)\", \"name\": \"Team \(number)\"}"
        }
        string += "], \"Person\": ["
        for number in 0..<20_000 {
            string += number == 0 ? "" : ","
            string += "{\"objectID\": \"Person/p\(number)\", \"name\": \"Person \(number)\", \"age\": \(number % 90), "
            string += "\"team\": \"Team/p\(number % 200)\", \"friends\": [\"Person/p\((number + 7) % 20_000)\"]}"
        }
        return Data((string + "]}}").utf8)
    }
}
