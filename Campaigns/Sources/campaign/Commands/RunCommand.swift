import ArgumentParser
import CampaignCore
import Foundation

/// Runs a campaign.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs a campaign; ends with status 1 when a case failed.")

    @Argument(help: "The campaign's name; see 'campaign list'.") var name: String
    @Option(help: "After so many seconds no case is begun (default: 60 where there are no iterations).")
    var seconds: Double?
    @Option(help: "The most cases.") var iterations: Int?
    @Flag(help: "Runs each case of a campaign that is no random one.") var wholeCycle = false
    @Option(help: "The seed; a fresh one when left out.") var seed: UInt64?
    @Option(help: "How many processes run cases at a time.") var jobs: Int?
    @Option(help: "The folder that failing inputs are kept in.") var failures = "Campaigns/.failures"
    @Option(help: "The file that counts are added to.") var totals = "Campaigns/.totals.json"
    @Flag(help: "Adds the run to the record that 'campaign figures' prints.") var record = false
    @Option(help: "The record's file.") var recordFile = RunRecord.file
    @Option(help: "How the program was built, for the record.") var build = "unknown"
    @Flag(help: "Goes on behind the cases that the totals have for the seed, or for the last one.") var resume = false
    @Option(help: "Runs one kept input instead.", completion: .file()) var replay: String?
    @Option(help: "The commit that is named in files.") var commit = "unknown"
    @Option(help: "After so many failures no case is begun.") var maximumFailures = 1_000
    @Flag(help: "Plants a defect that the campaign must find.") var planted = false

    func run() throws {
        let campaign = try Registry.campaign(name)
        let program = try Registry.program()
        if let replay {
            try ReplayCommand.replay(URL(fileURLWithPath: replay), program: program, isPlanted: planted)
            return
        }
        Interruption.catchSignals()
        let summary = try run(campaign, program)
        if record, !planted, summary.cases > 0 { try keep(summary) }
        let rate = summary.seconds > 0 ? Int(Double(summary.cases) / summary.seconds) : 0
        for (outcome, count) in summary.outcomes.sorted(by: { $0.key < $1.key }) {
            print("\(name):     \(count) × \(outcome)")
        }
        for (title, count) in summary.failures.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            print("\(name):     failed \(count) ×: \(title)")
        }
        print(
            "\(name): \(summary.cases) cases in \(Int(summary.seconds)) s (\(rate)/s), "
                + "\(summary.failureCount) failures")
        if summary.failureCount > 0 { throw ExitCode(1) }
        if summary.cases == 0 { throw ValidationError("No case was run.") }
    }

    private func keep(_ summary: CampaignRunner.Summary) throws {
        try RunRecord(
            campaign: name, commit: commit, date: RunRecord.today(), seed: summary.seed, build: build,
            cases: summary.done, failures: summary.failureCount, seconds: summary.seconds,
            operations: summary.outcomes[Trial.operations] ?? 0
        ).add(to: URL(fileURLWithPath: recordFile))
    }

    private func run(_ campaign: AnyCampaign, _ program: URL) throws -> CampaignRunner.Summary {
        let totals = URL(fileURLWithPath: totals)
        let last = resume ? try Totals.read(totals).lastSeed(name) : nil
        var settings = CampaignRunner.Settings(
            seed: seed ?? last ?? Registry.freshSeed(), failures: URL(fileURLWithPath: failures))
        settings.iterations = wholeCycle ? try CycleCommand.cycle(campaign, program: program) : iterations
        settings.seconds = seconds ?? (settings.iterations == nil ? 60 : nil)
        settings.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        settings.totals = totals
        settings.isResuming = resume
        settings.isPlanted = planted
        settings.commit = commit
        settings.maximumFailures = maximumFailures
        settings.isStopped = { Interruption.hasCome }
        print(
            "\(name): seed \(settings.seed), \(settings.iterations.map { "\($0) cases" } ?? "no limit of cases"), "
                + "\(settings.seconds.map { "\($0) s" } ?? "no limit of time"), commit \(commit)"
                + (planted ? ", with a planted defect" : ""))
        fflush(nil)
        let runner = CampaignRunner(campaign, settings, program: program) { line in
            print(line)
            fflush(nil)
        }
        return try runner.run()
    }
}
