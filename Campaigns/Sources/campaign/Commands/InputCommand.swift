import ArgumentParser
import CampaignCore
import Foundation

/// Prints the input of one case as JSON.
struct InputCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "input", abstract: "Prints the input of a case.")

    @Argument var name: String
    @Option var seed: UInt64
    @Option var index: Int
    @Flag var planted = false

    func run() throws {
        let scratch = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: scratch) }
        let worker = CaseWorker(try Registry.campaign(name), folder: scratch, isPlanted: planted)
        print(String(decoding: try worker.input(seed: seed, index), as: UTF8.self))
    }
}
