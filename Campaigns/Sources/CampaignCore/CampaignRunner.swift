package import Foundation

/// Runs a campaign: starts child processes, watches them, and keeps what fails.
package final class CampaignRunner {
    /// What to run.
    package struct Settings: Sendable {
        package var seed: UInt64
        /// The most cases; nil for no limit.
        package var iterations: Int?
        /// After so many seconds no case is begun; nil for no limit.
        package var seconds: Double?
        /// How many processes run cases at a time.
        package var jobs = 1
        /// Where failing inputs are kept.
        package var failures: URL
        /// The file that counts are added to; nil for none.
        package var totals: URL?
        /// Whether cases that the totals have for this seed are skipped.
        package var isResuming = false
        package var isPlanted = false
        package var commit = ""
        /// After so many failures no case is begun.
        package var maximumFailures = 1_000
        /// Whether the run shall end early, with what it has.
        package var isStopped: @Sendable () -> Bool = { false }

        package init(seed: UInt64, failures: URL) {
            self.seed = seed
            self.failures = failures
        }
    }

    /// What came of it.
    package struct Summary: Sendable {
        /// Cases that were run.
        package var cases = 0
        package var seconds = 0.0
        /// The first case that was run.
        package var first = 0
        /// How many cases failed, by what is wrong.
        package var failures: [String: Int] = [:]
        package var files: [URL] = []
        package var outcomes: [String: Int] = [:]
        package var done = CaseRanges()
        package var seed: UInt64 = 0
        package var failureCount: Int { failures.values.reduce(0, +) }
    }

    private static let filesPerTitle = 3
    private let campaign: AnyCampaign
    private let settings: Settings
    private let program: URL
    private let report: (String) -> Void
    private var summary = Summary()
    private var done = CaseRanges()
    private var taken = CaseRanges()
    private var cycle: Int?
    private var lastReport = Date.now
    private var hasBrokenDown = false
    /// How many deaths were looked into, by what the process said itself.
    private var deaths: [String: Int] = [:]

    /// - Parameters:
    ///   - program: The command, which runs the child processes too.
    ///   - report: Takes lines for the user.
    package init(_ campaign: AnyCampaign, _ settings: Settings, program: URL, report: @escaping (String) -> Void) {
        self.campaign = campaign
        self.settings = settings
        self.program = program
        self.report = report
    }

    /// Runs the cases.
    ///
    /// - Throws: When processes cannot be started or files cannot be written; failing cases are in the result.
    package func run() throws -> Summary {
        let start = Date.now
        let deadline = settings.seconds.map { start.addingTimeInterval($0) }
        if settings.isResuming, let totals = settings.totals {
            taken = try Totals.read(totals).done(campaign.name, seed: settings.seed)
        }
        summary.first = taken.firstGap()
        var budget = settings.iterations ?? .max
        var workers: [WorkerProcess] = []
        defer {
            for worker in workers {
                worker.kill()
                worker.remove()
            }
        }
        let jobs = max(1, min(settings.jobs, campaign.processLimit ?? .max))
        while true {
            let isOver = settings.isStopped() || deadline.map { Date.now >= $0 } ?? false
            let mayStart = !isOver && summary.failureCount < settings.maximumFailures && !hasBrokenDown
            while mayStart, workers.count < jobs, let range = nextRange(budget, jobs) {
                budget -= range.count
                taken.insert(range)
                workers.append(
                    try WorkerProcess(
                        campaign, seed: settings.seed, range, isPlanted: settings.isPlanted, program: program))
            }
            if workers.isEmpty { break }
            // Where one failure is all that is wanted, the cases behind it are not.
            let isEnough = settings.maximumFailures == 1 && workers.contains { $0.hasFindings }
            if !mayStart || isEnough { for worker in workers { worker.progress.stop() } }
            usleep(10_000)
            for worker in workers {
                guard let rest = try watch(worker) else { continue }
                workers.removeAll { $0 === worker }
                worker.remove()
                guard !rest.isEmpty else { continue }
                taken.remove(rest)
                budget += rest.count
            }
            tell(workers, start)
        }
        summary.seconds = Date.now.timeIntervalSince(start)
        summary.cases = done.count
        summary.done = done
        summary.seed = settings.seed
        try addToTotals()
        return summary
    }

    private func nextRange(_ budget: Int, _ jobs: Int) -> Range<Int>? {
        guard budget > 0 else { return nil }
        let share = settings.iterations.map { max(1, ($0 + jobs - 1) / jobs) } ?? .max
        let size = min(campaign.casesPerProcess, budget, share)
        let lower = taken.firstGap()
        return taken.gap(from: lower, to: lower + size)
    }

    /// Looks after a process.
    ///
    /// - Returns: nil while it runs, then the cases that it has not run.
    private func watch(_ worker: WorkerProcess) throws -> Range<Int>? {
        let end = worker.poll()
        let isHanging = end == nil && worker.runningSeconds() > Double(campaign.secondsPerCase)
        guard end != nil || isHanging else { return nil }
        if isHanging { worker.kill() }
        for finding in worker.findings {
            try keep(finding.index, finding.title, finding.detail) { finding.input }
        }
        if let closing = worker.closing {
            cycle = closing.cycle
            summary.outcomes.merge(closing.outcomes, uniquingKeysWith: +)
        }
        var upper = worker.indexes.lowerBound + worker.progress.finished
        if worker.progress.isRunningCase, end != .exited(0) {
            try keepDeath(worker, upper, end)
            upper += 1
        } else if end != .exited(0) {
            try keepBreakdown(worker, upper, end)
        }
        done.insert(worker.indexes.lowerBound..<upper)
        return upper..<worker.indexes.upperBound
    }

    // MARK: Failures

    private func keepDeath(_ worker: WorkerProcess, _ index: Int, _ end: ChildProcess.End?) throws {
        let words = worker.lastWords
        let process = CaseProcess(campaign, program: program, isPlanted: settings.isPlanted)
        var title: String
        switch end {
        case .killed(let signal): title = Crash.title(signal, words)
        case .exited(let status): title = "Exit status \(status)" + (Crash.fatalError(words).map { ": \($0)" } ?? "")
        case nil: title = "Hangs"
        }
        var detail = words
        if end != nil, deaths[title, default: 0] < 20 {
            deaths[title, default: 0] += 1
            switch try process.run(seed: settings.seed, index) {
            case .passed: detail += "\nThe case passes when it is run alone."
            case .failed(let other, let words):
                if Crash.mayDebug(detail) { title = other }
                detail = words
            }
        }
        try keep(index, title, detail) { process.input(seed: settings.seed, index) }
    }

    /// A process that died outside of a case would do so again and again.
    private func keepBreakdown(_ worker: WorkerProcess, _ index: Int, _ end: ChildProcess.End?) throws {
        hasBrokenDown = true
        try keep(index, "The campaign cannot be run", "\(end.map { "\($0)" } ?? ""): \(worker.lastWords)") { nil }
    }

    private func keep(_ index: Int, _ title: String, _ detail: String, input: () -> String?) throws {
        let count = summary.failures[title, default: 0] + 1
        summary.failures[title] = count
        guard count <= Self.filesPerTitle else { return }
        let failure = FailureReport(
            campaign: campaign.name, seed: settings.seed, index: index, commit: settings.commit, title: title,
            detail: String(detail.prefix(40_000)), input: input())
        let file = try failure.write(into: settings.failures)
        summary.files.append(file)
        report("\(campaign.name): case \(index) fails: \(title)")
        report("    \(file.path)")
    }

    // MARK: Progress

    private func tell(_ workers: [WorkerProcess], _ start: Date) {
        guard Date.now.timeIntervalSince(lastReport) >= 30 else { return }
        lastReport = Date.now
        let running = workers.reduce(0) { $0 + $1.progress.finished }
        let of = cycle.map { " of \($0)" } ?? ""
        report(
            "\(campaign.name): \(done.count + running)\(of) cases in \(Int(Date.now.timeIntervalSince(start))) s, "
                + "\(summary.failureCount) failures")
    }

    private func addToTotals() throws {
        guard let totals = settings.totals, !settings.isPlanted else { return }
        var entry = Totals.Entry(campaign: campaign.name, seed: settings.seed, commit: settings.commit)
        entry.done = done
        entry.failures = summary.failureCount
        entry.seconds = summary.seconds
        entry.outcomes = summary.outcomes
        try Totals.add(entry, to: totals)
    }
}
