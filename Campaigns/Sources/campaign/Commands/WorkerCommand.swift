import ArgumentParser
import CampaignCore
import Foundation

/// Runs a range of cases for the process that watches it.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "worker", shouldDisplay: false)

    @Argument var name: String
    @Option var seed: UInt64
    @Option var from: Int
    @Option var count: Int
    @Option var folder: String
    @Flag var planted = false

    func run() throws {
        let worker = CaseWorker(
            try Registry.campaign(name), folder: URL(fileURLWithPath: folder), isPlanted: planted)
        try worker.run(seed: seed, from..<from + count)
    }
}
