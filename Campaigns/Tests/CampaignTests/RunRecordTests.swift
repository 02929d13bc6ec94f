import CampaignCore
import Foundation
import Testing

@Suite struct RunRecordTests {
    private func run(_ commit: String, _ seed: UInt64, _ cases: Range<Int>..., failures: Int = 0) -> RunRecord {
        var ranges = CaseRanges()
        for range in cases { ranges.insert(range) }
        return RunRecord(
            campaign: "sample", commit: commit, date: "2026-01-0\(seed)", seed: seed, build: "debug", cases: ranges,
            failures: failures, seconds: 30)
    }

    @Test func aLineIsReadAsItWasWritten() {
        let record = run("abc", 7, 0..<10, 20..<25, failures: 2)
        #expect(RunRecord(line: record.line) == record)
        #expect(RunRecord(line: "sample\tabc\t2026-01-01\t7\tdebug\t9-3\t0\t1") == nil)
        #expect(RunRecord(line: "sample") == nil)
        var counted = record
        counted.operations = 1_000
        #expect(RunRecord(line: counted.line) == counted)
        #expect(record.line.split(separator: "\t").count == 8)
    }

    @Test func runsAreAddedToAFileAndMayBeMergedInAnyOrder() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("totals.tsv")
        #expect(try RunRecord.read(file).isEmpty)
        let records = [run("abc", 1, 0..<10), run("abd", 2, 0..<5)]
        for record in records { try record.add(to: file) }
        #expect(try RunRecord.read(file) == records)
        // A merge that keeps the lines of both sides may have the header twice.
        let string = try String(contentsOf: file, encoding: .utf8)
        try (string + string).write(to: file, atomically: true, encoding: .utf8)
        #expect(try RunRecord.read(file) == records + records)
        #expect(RunSum(records).cases == 15)
        try (string + "half a li").write(to: file, atomically: true, encoding: .utf8)
        #expect(throws: CampaignFailure.self) { try RunRecord.read(file) }
    }

    @Test func aCaseThatWasRunTwiceCountsOnce() {
        let sum = RunSum([run("abc", 1, 0..<10), run("abc", 1, 5..<20, failures: 1), run("abd", 1, 0..<3)])
        #expect(sum.cases == 23)
        #expect(sum.failures == 1)
        #expect(sum.seconds == 90)
        #expect(sum.operations == 0)
        #expect(sum.commits == ["abc", "abd"])
        #expect(sum.seeds == 1)
        #expect(sum.last == "2026-01-01")
    }

    @Test func aRunIsRecordedAndCountedInTheTable() throws {
        let tool = try ToolRunner()
        defer { tool.remove() }
        let file = tool.folder.appendingPathComponent("totals.tsv").path
        let arguments = ["--seed", "3", "--iterations", "20", "--record", "--record-file", file, "--build", "debug"]
        #expect(try tool.run("sample", arguments).status == 0)
        let runs = try RunRecord.read(URL(fileURLWithPath: file))
        #expect(runs.map(\.campaign) == ["sample"])
        #expect(runs.first?.cases.count == 20)
        let table = try tool(["figures", "--record", file])
        #expect(table.status == 0)
        #expect(table.output.contains("| `predicates` | 0 |"))
    }
}
