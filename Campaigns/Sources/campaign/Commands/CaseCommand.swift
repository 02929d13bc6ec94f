import ArgumentParser
import CampaignCore
import Foundation

/// Runs one case in this process.
struct CaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "case", shouldDisplay: false)

    @Argument var name: String
    @Option var seed: UInt64?
    @Option var index: Int?
    @Option var file: String?
    @Option var folder: String?
    @Flag var planted = false

    func run() throws {
        let scratch = try folder.map { URL(fileURLWithPath: $0) } ?? Scratch.folder()
        defer { if folder == nil { try? FileManager.default.removeItem(at: scratch) } }
        let worker = CaseWorker(try Registry.campaign(name), folder: scratch, isPlanted: planted)
        do {
            if let file {
                let failure = try FailureReport.read(URL(fileURLWithPath: file))
                try worker.runInput(Data((failure.input ?? "").utf8))
            } else {
                try worker.runCase(seed: seed ?? 0, index ?? 0)
            }
        } catch let failure as CampaignFailure {
            FileHandle.standardError.write(Data("\(failure.title)\n\(failure.detail)\n".utf8))
            throw ExitCode(CaseProcess.failed)
        } catch let error as NSError {
            let string =
                "Unexpected error \(error.domain) \(error.code)\n\(error.localizedDescription) \(error.userInfo)\n"
            FileHandle.standardError.write(Data(string.utf8))
            throw ExitCode(CaseProcess.failed)
        }
    }
}
