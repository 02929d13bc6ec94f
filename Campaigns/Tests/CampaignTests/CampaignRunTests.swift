import CampaignCore
import Foundation
import Testing

/// The command as a whole, with the campaign that fails in each way that a case can fail.
@Suite(.serialized) struct CampaignRunTests {
    private func reports(_ tool: ToolRunner) throws -> [FailureReport] {
        try FileManager.default.contentsOfDirectory(at: tool.failures, includingPropertiesForKeys: nil)
            .map { try FailureReport.read($0) }.sorted { ($0.title, $0.index) < ($1.title, $1.index) }
    }

    @Test func eachKindOfFailureIsFoundAndKept() throws {
        let tool = try ToolRunner()
        defer { tool.remove() }
        let outcome = try tool.run("sample", ["--seed", "1", "--iterations", "300", "--planted"])
        #expect(outcome.status == 1, "\(outcome.output)")
        let titles = Set(try reports(tool).map(\.title))
        #expect(titles.contains("A number is small"))
        #expect(titles.contains("Hangs"))
        #expect(titles.contains { $0.hasPrefix("Exit status 7") })
        #expect(titles.contains { $0.contains("A number is three.") })
        #expect(outcome.output.contains("300 cases"))
    }

    @Test func withoutADefectNothingFails() throws {
        let tool = try ToolRunner()
        defer { tool.remove() }
        let outcome = try tool.run("sample", ["--seed", "1", "--iterations", "100"])
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(!FileManager.default.fileExists(atPath: tool.failures.path))
    }

    @Test func aSeedMakesTheSameCases() throws {
        let (first, second) = (try ToolRunner(), try ToolRunner())
        defer { for tool in [first, second] { tool.remove() } }
        let arguments = ["--seed", "9", "--iterations", "120", "--planted"]
        _ = try first.run("sample", arguments + ["--jobs", "1"])
        _ = try second.run("sample", arguments + ["--jobs", "1"])
        #expect(try reports(first).map(\.input) == reports(second).map(\.input))
        #expect(try reports(first).map(\.index) == reports(second).map(\.index))
        let input = try first(["input", "sample", "--seed", "9", "--index", "5"])
        #expect(try second(["input", "sample", "--seed", "9", "--index", "5"]).output == input.output)
        #expect(try second(["input", "sample", "--seed", "10", "--index", "5"]).output != input.output)
    }

    @Test func aKeptInputFailsAgainUntilItIsMended() throws {
        let tool = try ToolRunner()
        defer { tool.remove() }
        _ = try tool.run("sample", ["--seed", "1", "--iterations", "60", "--planted", "--maximum-failures", "1"])
        let file = try #require(
            try FileManager.default.contentsOfDirectory(at: tool.failures, includingPropertiesForKeys: nil).first)
        #expect(try tool(["replay", file.path, "--planted"]).status == 1)
        #expect(try tool(["replay", file.path]).status == 0)
        #expect(try tool.run("sample", ["--replay", file.path, "--planted"]).status == 1)
    }

    @Test func resumingAddsUp() throws {
        let tool = try ToolRunner()
        defer { tool.remove() }
        for _ in 0..<3 {
            let outcome = try tool.run("sample", ["--seed", "4", "--iterations", "70", "--resume"])
            #expect(outcome.status == 0, "\(outcome.output)")
        }
        let totals = try Totals.read(tool.totals)
        #expect(totals.done("sample", seed: 4).ranges == [0..<210])
        let outcomes = try #require(totals.entries.first).outcomes
        #expect(outcomes.values.reduce(0, +) == 210)
        // Without a seed the last one goes on.
        _ = try tool.run("sample", ["--iterations", "10", "--resume"])
        #expect(try Totals.read(tool.totals).done("sample", seed: 4).ranges == [0..<220])
    }

    /// Inputs that failed once pass now.
    @Test func keptInputsPass() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Kept")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
        let tool = try ToolRunner()
        defer { tool.remove() }
        for file in files {
            let outcome = try tool(["replay", file.path])
            #expect(outcome.status == 0, "\(file.lastPathComponent): \(outcome.output)")
        }
    }
}
