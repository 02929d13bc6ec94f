import ArgumentParser

/// Searches for failures with random inputs, damaged files, failing disks, killed processes and many threads.
@main
struct CampaignTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaign",
        abstract: "Searches for failures: random inputs, damaged files, failing disks, killed processes, many threads.",
        subcommands: [
            RunCommand.self, ListCommand.self, ReplayCommand.self, WorkerCommand.self, CaseCommand.self,
            InputCommand.self, CycleCommand.self, ActorCommand.self, SoakCommand.self, FiguresCommand.self,
        ],
        defaultSubcommand: RunCommand.self)
}
