import ArgumentParser
import CampaignCore
import Foundation

/// Prints after how many cases each has been run once.
struct CycleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "cycle", shouldDisplay: false)

    @Argument var name: String

    func run() throws {
        let scratch = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: scratch) }
        print(try CaseWorker(try Registry.campaign(name), folder: scratch, isPlanted: false).cycle() ?? 0)
    }

    /// Asks a child process.
    static func cycle(_ campaign: AnyCampaign, program: URL) throws -> Int {
        let scratch = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: scratch) }
        let output = scratch.appendingPathComponent("output")
        let end = try ChildProcess(program, ["cycle", campaign.name], output: output).wait()
        let string = String(decoding: (try? Data(contentsOf: output)) ?? Data(), as: UTF8.self)
        guard end == .exited(0), let count = Int(string.trimmingCharacters(in: .whitespacesAndNewlines)), count > 0
        else { throw ValidationError("The campaign '\(campaign.name)' has random cases without end.") }
        return count
    }
}
