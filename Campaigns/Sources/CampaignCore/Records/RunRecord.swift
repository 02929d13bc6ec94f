package import Foundation
import Glibc

/// A run that is kept for good: one line of a file that is committed, so that runs on any day and machine add up.
///
/// Lines are only ever added. Two branches that add some are merged by keeping the lines of both.
package struct RunRecord: Equatable, Sendable {
    /// The file, from the project's folder.
    package static let file = "Campaigns/totals.tsv"

    package var campaign: String
    package var commit: String
    /// The day of the run's end, as 2026-01-31.
    package var date: String
    package var seed: UInt64
    /// How it was built: release, debug, thread, address.
    package var build: String
    /// The cases that were run.
    package var cases: CaseRanges
    package var failures: Int
    package var seconds: Double
    /// The operations in the cases whose results were compared; 0 where a campaign counts none.
    package var operations: Int

    package init(
        campaign: String, commit: String, date: String, seed: UInt64, build: String, cases: CaseRanges, failures: Int,
        seconds: Double, operations: Int = 0
    ) {
        self.campaign = campaign
        self.commit = commit
        self.date = date
        self.seed = seed
        self.build = build
        self.cases = cases
        self.failures = failures
        self.seconds = seconds
        self.operations = operations
    }

    /// The day that it is, in UTC.
    package static func today() -> String { String(Date.now.ISO8601Format().prefix(10)) }

    /// How the first line begins; runs from before operations were counted have one column less.
    private static let heading = "campaign\tcommit\tdate\tseed\tbuild\tcases\tfailures\tseconds"
    private static let header = heading + "\toperations"

    /// The line, without its end.
    package var line: String {
        let ranges = cases.ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
        return "\(campaign)\t\(commit)\t\(date)\t\(seed)\t\(build)\t\(ranges)\t\(failures)\t\(Int(seconds))"
            + (operations > 0 ? "\t\(operations)" : "")
    }

    /// - Parameter line: A line of the file; the first, and one that is no run, gives nil.
    package init?(line: String) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 8 || parts.count == 9, let seed = UInt64(parts[3]), let failures = Int(parts[6]),
            let seconds = Double(parts[7]), let operations = parts.count == 9 ? Int(parts[8]) : 0
        else { return nil }
        var cases = CaseRanges()
        for range in parts[5].split(separator: ",") {
            let bounds = range.split(separator: "-").compactMap { Int($0) }
            guard bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
            cases.insert(bounds[0]..<bounds[1])
        }
        self.init(
            campaign: parts[0], commit: parts[1], date: parts[2], seed: seed, build: parts[4], cases: cases,
            failures: failures, seconds: seconds, operations: operations)
    }

    /// Reads a file; one that is not there has no runs.
    ///
    /// - Throws: When a line is no run.
    package static func read(_ url: URL) throws -> [RunRecord] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
        return try lines.filter { !$0.hasPrefix(heading) }.map { line in
            guard let run = RunRecord(line: line) else { throw CampaignFailure("A line is no run", line) }
            return run
        }
    }

    /// Adds a run to a file while others may do the same.
    package func add(to url: URL) throws {
        let file = open(url.path, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw CampaignFailure("The record cannot be opened", url.path) }
        defer { close(file) }
        flock(file, LOCK_EX)
        let isNew = lseek(file, 0, SEEK_END) == 0
        let bytes = Array(((isNew ? Self.header + "\n" : "") + line + "\n").utf8)
        guard write(file, bytes, bytes.count) == bytes.count else {
            throw CampaignFailure("The record cannot be written", url.path)
        }
    }
}

/// Runs added up. A case that was run twice with one seed at one commit counts once.
package struct RunSum {
    package private(set) var cases = 0
    package private(set) var failures = 0
    package private(set) var seconds = 0.0
    package private(set) var operations = 0
    package private(set) var seeds = 0
    package private(set) var commits: [String] = []
    /// The last day.
    package private(set) var last = ""

    package init(_ runs: [RunRecord]) {
        var ranges: [String: CaseRanges] = [:]
        for run in runs {
            ranges["\(run.commit) \(run.seed) \(run.build)", default: CaseRanges()].formUnion(run.cases)
            failures += run.failures
            seconds += run.seconds
            operations += run.operations
            last = max(last, run.date)
            if !commits.contains(run.commit) { commits.append(run.commit) }
        }
        cases = ranges.values.reduce(0) { $0 + $1.count }
        seeds = Set(runs.map(\.seed)).count
    }
}
