import Foundation
import TestSupport
import Testing

/// An import that is killed leaves a sound store with what was saved until then.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"), .serialized)
struct KilledImportTests {
    @Test(arguments: [0.0, 0.1, 0.4, 1.0])
    func leavesASoundStore(_ seconds: Double) throws {
        let folder = try TemporaryFolder()
        let model = try SampleStore.make(in: folder, name: "Model.sqlite")
        let input = folder.file("large.json")
        try largeExport().write(to: input)
        let target = folder.file("Target.sqlite").path

        let running = try CommandRunner.start(["import", target, "--model", model.path, input.path])
        while running.process.isRunning, !FileManager.default.fileExists(atPath: target + "-wal") {
            Thread.sleep(forTimeInterval: 0.005)
        }
        Thread.sleep(forTimeInterval: seconds)
        kill(running.process.processIdentifier, SIGKILL)
        let result = try CommandRunner.finish(running)

        // Killed before the store was there, or after the end: nothing to check, or an import like any other.
        guard FileManager.default.fileExists(atPath: target), result.wasKilled else { return }
        let check = try CommandRunner.run("check", target, "--model", model.path)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        #expect(try CommandRunner.run("count", target, "Team", "--model", model.path).status == 0)
    }

    private func largeExport() -> Data {
        var text = "{\"entities\": {\"Team\": ["
        for number in 0..<200 {
            text += (number == 0 ? "" : ",") + "{\"objectID\": \"Team/p\(number)\", \"name\": \"Team \(number)\"}"
        }
        text += "], \"Person\": ["
        for number in 0..<20_000 {
            text += number == 0 ? "" : ","
            text += "{\"objectID\": \"Person/p\(number)\", \"name\": \"Person \(number)\", \"age\": \(number % 90), "
            text += "\"team\": \"Team/p\(number % 200)\", \"friends\": [\"Person/p\((number + 7) % 20_000)\"]}"
        }
        return Data((text + "]}}").utf8)
    }
}
