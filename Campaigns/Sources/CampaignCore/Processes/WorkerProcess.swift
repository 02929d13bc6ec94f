import Foundation

/// A child process that runs a range of a campaign's cases, as the watching process sees it.
final class WorkerProcess {
    let indexes: Range<Int>
    let progress: ProgressFile
    private let process: ChildProcess
    private let folder: URL
    private var running: (index: Int, time: RunningTime)?

    init(_ campaign: AnyCampaign, seed: UInt64, _ indexes: Range<Int>, isPlanted: Bool, program: URL) throws {
        self.indexes = indexes
        folder = try Scratch.folder()
        progress = try ProgressFile(CaseWorker.progressFile(in: folder))
        let arguments = [
            "worker", campaign.name, "--seed", "\(seed)", "--from", "\(indexes.lowerBound)", "--count",
            "\(indexes.count)", "--folder", folder.path,
        ]
        process = try ChildProcess(
            program, arguments + (isPlanted ? ["--planted"] : []), environment: ["SWIFT_BACKTRACE": "enable=no"],
            output: folder.appendingPathComponent("output"), errors: folder.appendingPathComponent("errors"))
    }

    func poll() -> ChildProcess.End? { process.poll() }
    func kill() { process.kill() }
    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// How long the present case has been running, in seconds, without the time in which the machine gave it no processor.
    /// To be called many times a second.
    func runningSeconds() -> Double {
        guard progress.isRunningCase else { return 0 }
        let index = progress.current
        if running?.index != index { running = (index, RunningTime(of: process.identifier)) }
        running?.time.update()
        return running?.time.seconds ?? 0
    }

    /// What the process wrote last to standard error.
    var lastWords: String {
        let data = (try? Data(contentsOf: folder.appendingPathComponent("errors"))) ?? Data()
        return String(decoding: data.suffix(20_000), as: UTF8.self)
    }

    /// Whether a case has failed so far.
    var hasFindings: Bool {
        var facts = stat()
        return stat(CaseWorker.findingsFile(in: folder).path, &facts) == 0 && facts.st_size > 0
    }

    /// The cases that failed without ending the process.
    var findings: [CaseWorker.Finding] {
        let data = (try? Data(contentsOf: CaseWorker.findingsFile(in: folder))) ?? Data()
        return data.split(separator: 0x0A).compactMap { try? JSONDecoder().decode(CaseWorker.Finding.self, from: $0) }
    }

    var closing: CaseWorker.Closing? {
        guard let data = try? Data(contentsOf: CaseWorker.closingFile(in: folder)) else { return nil }
        return try? JSONDecoder().decode(CaseWorker.Closing.self, from: data)
    }
}
