import ArgumentParser
import CampaignCore
import Foundation

/// Plays a part in a case: a writer that is killed, one of several processes, one whose disk fails.
struct ActorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "actor", shouldDisplay: false)

    @Argument var name: String
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

    func run() throws { try Registry.act(name, arguments) }
}
