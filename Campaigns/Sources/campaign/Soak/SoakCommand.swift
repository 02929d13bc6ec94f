import ArgumentParser
import CampaignCore
import Foundation
import OpenCoreDataKit

/// Runs a mixed load on one store and looks whether memory, log and file handles stay level.
struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "A mixed load on one SQLite store; ends with status 1 when memory, log or file handles grow.")

    static let aim = "an hour, level"

    @Flag(help: "Adds the run to the record that 'campaign figures' prints.") var record = false
    @Option(help: "The record's file.") var recordFile = RunRecord.file
    @Option(help: "How the program was built, for the record.") var build = "unknown"
    @Option(help: "The commit, for the record.") var commit = "unknown"
    @Option(help: "How long.") var seconds: Double = 3_600
    @Option(help: "The seed; a fresh one when left out.") var seed: UInt64?
    @Option(help: "Seconds between samples (default: so many that there are 120, at least a tenth).") var interval:
        Double?
    @Option(help: "The folder of the store; a temporary one when left out.") var folder: String?
    @Option(help: "The file that the samples are written to.") var samples: String?
    @Option(help: "What is done, of write, read, draft, import, list, backup, purge, generation (default: all).")
    var only: [String] = []
    @Flag(help: "Plants a leak that must be found.") var planted = false

    func run() async throws {
        Interruption.catchSignals()
        let seed = seed ?? Registry.freshSeed()
        print("soak: seed \(seed), \(Int(seconds)) s" + (planted ? ", with a planted leak" : ""))
        fflush(nil)
        let location = try Scratch.folder(
            in: folder.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory)
        defer { try? FileManager.default.removeItem(at: location) }
        let load = try await SoakLoad(location, seed: seed, only: Set(only))
        let work = Task { await load.work() }
        let all = await watch(load, location)
        load.end()
        await work.value
        let problems = report(load, all)
        try await load.database.close()
        if record, !planted { try keep(seed, load.operations, all.last?.seconds ?? 0, problems.count) }
        if !problems.isEmpty { throw ExitCode(1) }
    }

    private func watch(_ load: SoakLoad, _ location: URL) async -> [SoakSample] {
        let start = Date.now
        var all: [SoakSample] = []
        var leak: [[UInt8]] = []
        let pause = interval ?? max(0.1, seconds / 120)
        if let samples { Self.append(SoakSample.header, to: samples) }
        while Date.now.timeIntervalSince(start) < seconds, load.problem == nil, !Interruption.hasCome {
            try? await Task.sleep(nanoseconds: UInt64(pause * 1e9))
            if planted { leak.append([UInt8](repeating: UInt8(leak.count & 0x7F) | 1, count: 8 << 20)) }
            let sample = SoakSample.take(SoakLoad.file(in: location), since: start, operations: load.operations)
            all.append(sample)
            if let samples { Self.append(sample.line, to: samples) }
        }
        withExtendedLifetime(leak) {}
        return all
    }

    private static func append(_ line: String, to path: String) {
        guard let file = fopen(path, "a") else { return }
        fputs(line + "\n", file)
        fclose(file)
    }

    private func keep(_ seed: UInt64, _ operations: Int, _ seconds: Double, _ failures: Int) throws {
        var cases = CaseRanges()
        cases.insert(0..<operations)
        try RunRecord(
            campaign: "soak", commit: commit, date: RunRecord.today(), seed: seed, build: build, cases: cases,
            failures: failures, seconds: seconds
        ).add(to: URL(fileURLWithPath: recordFile))
    }

    private func report(_ load: SoakLoad, _ all: [SoakSample]) -> [String] {
        for (name, count) in load.tally.sorted(by: { $0.key < $1.key }) { print("soak:     \(count) × \(name)") }
        let trend = SoakTrend(samples: all)
        for line in trend.lines { print(line) }
        let problems = [load.problem].compactMap { $0 } + trend.problems
        for problem in problems { print("soak:     failed: \(problem)") }
        print("soak: \(load.operations) operations in \(Int(all.last?.seconds ?? 0)) s, \(problems.count) failures")
        return problems
    }
}
