import ArgumentParser
import CampaignCore
import Foundation

/// Runs kept inputs again.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Runs kept inputs again; ends with status 1 when one still fails.")

    @Argument(help: "Files that a campaign wrote.") var files: [String]
    @Flag(help: "Plants the campaign's defect.") var planted = false

    func run() throws {
        var failed = 0
        for file in files {
            do {
                try Self.replay(URL(fileURLWithPath: file), program: Registry.program(), isPlanted: planted)
            } catch is ExitCode {
                failed += 1
            }
        }
        if failed > 0 { throw ExitCode(1) }
    }

    static func replay(_ file: URL, program: URL, isPlanted: Bool) throws {
        let failure = try FailureReport.read(file)
        let campaign = try Registry.campaign(failure.campaign)
        let process = CaseProcess(campaign, program: program, isPlanted: isPlanted)
        let outcome =
            failure.input == nil ? try process.run(seed: failure.seed, failure.index) : try process.run(file)
        switch outcome {
        case .passed: print("\(failure.campaign): \(file.lastPathComponent) passes")
        case .failed(let title, let detail):
            print("\(failure.campaign): \(file.lastPathComponent) fails: \(title)\n\(detail)")
            throw ExitCode(1)
        }
    }
}
