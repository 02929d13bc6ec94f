import ArgumentParser
import CampaignCore
import Dispatch
import Foundation

/// Where the program begins. What serves by splitting itself must not have begun anything else.
@main
enum EntryPoint {
    static func main() {
        if CommandLine.arguments.dropFirst().first == ForkServer.argument { ForkServer.serve(Registry.act) }
        Task {
            await CampaignTool.main()
            exit(0)
        }
        dispatchMain()
    }
}

/// Searches for failures with random inputs, damaged files, failing disks, killed processes and many threads.
struct CampaignTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaign",
        abstract: "Searches for failures: random inputs, damaged files, failing disks, killed processes, many threads.",
        subcommands: [
            RunCommand.self, ListCommand.self, ReplayCommand.self, WorkerCommand.self, CaseCommand.self,
            InputCommand.self, CycleCommand.self, ActorCommand.self, SoakCommand.self, FiguresCommand.self,
            IsolationCommand.self,
        ],
        defaultSubcommand: RunCommand.self)
}
