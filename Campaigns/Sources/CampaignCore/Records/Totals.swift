package import Foundation
import Glibc

/// What has been run so far, by campaign, seed and commit: long runs can be stopped and go on later.
package struct Totals: Codable, Sendable {
    /// The runs of a campaign with one seed at one commit.
    package struct Entry: Codable, Sendable {
        package var campaign: String
        package var seed: UInt64
        package var commit: String
        package var done = CaseRanges()
        package var failures = 0
        package var seconds = 0.0
        package var outcomes: [String: Int] = [:]
    }

    package var entries: [Entry] = []

    package init() {}

    /// Reads a file; one that is not there is empty.
    package static func read(_ url: URL) throws -> Totals {
        guard FileManager.default.fileExists(atPath: url.path) else { return Totals() }
        return try JSONDecoder().decode(Totals.self, from: Data(contentsOf: url))
    }

    /// The cases of a seed that were run at any commit.
    package func done(_ campaign: String, seed: UInt64) -> CaseRanges {
        entries.filter { $0.campaign == campaign && $0.seed == seed }
            .reduce(into: CaseRanges()) { $0.formUnion($1.done) }
    }

    /// The seed that a campaign was last run with.
    package func lastSeed(_ campaign: String) -> UInt64? { entries.last { $0.campaign == campaign }?.seed }

    /// Adds a run.
    package mutating func add(_ entry: Entry) {
        guard
            let index = entries.firstIndex(where: {
                $0.campaign == entry.campaign && $0.seed == entry.seed && $0.commit == entry.commit
            })
        else { return entries.append(entry) }
        var sum = entries.remove(at: index)
        sum.done.formUnion(entry.done)
        sum.failures += entry.failures
        sum.seconds += entry.seconds
        sum.outcomes.merge(entry.outcomes, uniquingKeysWith: +)
        entries.append(sum)
    }

    /// Adds a run to a file while other runs may do the same.
    package static func add(_ entry: Entry, to url: URL) throws {
        let lock = open(url.path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
        guard lock >= 0 else { throw CampaignFailure("The totals cannot be locked", url.path) }
        defer { close(lock) }
        flock(lock, LOCK_EX)
        var totals = try read(url)
        totals.add(entry)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(totals).write(to: url, options: .atomic)
    }
}
