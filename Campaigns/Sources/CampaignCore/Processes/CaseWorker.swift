package import Foundation
import Glibc

/// What the child process does: runs cases one after the other and writes down which it begins and what fails.
package struct CaseWorker {
    /// A case that failed without ending the process.
    struct Finding: Codable {
        var index: Int
        var title: String
        var detail: String
        var input: String?
    }

    /// What the process has to say at its end.
    struct Closing: Codable {
        var outcomes: [String: Int]
        var cycle: Int?
    }

    let campaign: AnyCampaign
    let folder: URL
    let isPlanted: Bool

    /// - Parameter folder: Where the process and the one that watches it meet; the cases' folders are in it.
    package init(_ campaign: AnyCampaign, folder: URL, isPlanted: Bool) {
        self.campaign = campaign
        self.folder = folder
        self.isPlanted = isPlanted
    }

    static func progressFile(in folder: URL) -> URL { folder.appendingPathComponent("progress") }
    static func findingsFile(in folder: URL) -> URL { folder.appendingPathComponent("findings") }
    static func closingFile(in folder: URL) -> URL { folder.appendingPathComponent("closing") }

    private func opened() throws -> any CaseRunning {
        let scratch = folder.appendingPathComponent("campaign")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return try campaign.open(Workspace(folder: scratch, isPlanted: isPlanted, program: program))
    }

    private func limitMemory() {
        guard let bytes = campaign.memoryLimit, getenv("CAMPAIGN_WITHOUT_LIMITS") == nil else { return }
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    }

    /// Runs cases until all are done or the watching process says stop.
    package func run(seed: UInt64, _ indexes: Range<Int>) throws {
        limitMemory()
        let progress = try ProgressFile(Self.progressFile(in: folder))
        let runner = try opened()
        let trial = Trial(root: folder.appendingPathComponent("cases"))
        let findings = fopen(Self.findingsFile(in: folder).path, "a")
        defer { if let findings { fclose(findings) } }
        // One case at least, however long it took to come here.
        for index in indexes where index == indexes.lowerBound || !progress.isStopping {
            progress.begin(index)
            do {
                try runner.run(index, seed: seed, trial)
            } catch {
                let input = try? runner.input(index, seed: seed)
                let finding = Self.finding(error, index, input)
                if let findings, let line = try? JSONEncoder().encode(finding) {
                    let bytes = Array(line) + [0x0A]
                    fwrite(bytes, 1, bytes.count, findings)
                    fflush(findings)
                }
            }
            progress.end()
        }
        let closing = Closing(outcomes: trial.outcomes, cycle: runner.cycle)
        try JSONEncoder().encode(closing).write(to: Self.closingFile(in: folder))
    }

    private static func finding(_ error: any Error, _ index: Int, _ input: Data?) -> Finding {
        let string = input.map { String(decoding: $0, as: UTF8.self) }
        if let failure = error as? CampaignFailure {
            return Finding(index: index, title: failure.title, detail: failure.detail, input: string)
        }
        let error = error as NSError
        return Finding(
            index: index, title: "Unexpected error \(error.domain) \(error.code)",
            detail: "\(error.localizedDescription) \(error.userInfo)", input: string)
    }

    /// The input of one case as JSON.
    package func input(seed: UInt64, _ index: Int) throws -> Data { try opened().input(index, seed: seed) }

    /// After how many cases each has been run once; nil where cases are random.
    package func cycle() throws -> Int? { try opened().cycle }

    /// Runs one case in this process.
    ///
    /// - Throws: What the case throws.
    package func runCase(seed: UInt64, _ index: Int) throws {
        limitMemory()
        try opened().run(index, seed: seed, Trial(root: folder.appendingPathComponent("cases")))
    }

    /// Runs a kept input in this process.
    ///
    /// - Throws: What the case throws.
    package func runInput(_ input: Data) throws {
        limitMemory()
        try opened().run(input, Trial(root: folder.appendingPathComponent("cases")))
    }
}
