import ArgumentParser
import CampaignCore
import Foundation

/// Prints what was run so far as a table.
struct FiguresCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "figures", abstract: "Prints the recorded runs of all campaigns as a table.")

    @Option(help: "The file that runs were recorded in.") var record = RunRecord.file

    func run() throws {
        let runs = try RunRecord.read(URL(fileURLWithPath: record))
        print("| campaign | cases | operations compared | failures | hours | seeds | commits | until | aim |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | --- | --- | --- |")
        for (name, aim) in Registry.campaigns.map({ ($0.name, $0.aim) }) + [("soak", SoakCommand.aim)] {
            let own = runs.filter { $0.campaign == name }
            let sum = RunSum(own)
            let operations = sum.operations.formatted(.number.locale(Locale(identifier: "en")))
            let hours = (sum.seconds / 3_600).formatted(
                .number.precision(.fractionLength(1)).locale(Locale(identifier: "en")))
            let commits = sum.commits.isEmpty ? "" : sum.commits.joined(separator: ", ")
            print(
                "| `\(name)` | \(sum.cases.formatted(.number.locale(Locale(identifier: "en")))) "
                    + "| \(sum.operations > 0 ? operations : "") | \(sum.failures) "
                    + "| \(hours) | \(sum.seeds) | \(commits) | \(sum.last) | \(aim) |")
        }
    }
}
