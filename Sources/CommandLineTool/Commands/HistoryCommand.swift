#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// `opencoredata history`
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Prints who changed what and when, from the store's history.")

    /// The most changes of a transaction that a terminal shows.
    private static let shownChanges = 20

    @OptionGroup var store: StoreArguments

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only transactions after the one with this number.", valueName: "number"))
    var after: Int64?

    @Option(parsing: .unconditional, help: ArgumentHelp("Only the last n transactions.", valueName: "n"))
    var last: Int?

    @Option(help: "Only transactions by this author.")
    var author: String?

    @Option(help: "Only changes to this entity.", completion: Completions.entities)
    var entity: String?

    @Option(help: "Output format: table, json or ndjson.")
    var format: ReportFormat = .table

    func validate() throws {
        if let last, last < 0 { throw ValidationError("--last must not be negative.") }
    }

    func run() throws {
        let session = try store.session(.reading)
        if let entity { _ = try session.entity(named: entity) }
        var entries = try StoreHistory(session).entries(after: after).filter { entry in
            (author == nil || entry.author == author)
                && (entity == nil || entry.changes.contains { $0.entity == entity })
        }
        if let last { entries = entries.suffix(last) }
        let output = OutputSink()
        switch format {
        case .table:
            // A terminal shows where a large transaction ends; a pipe gets all of it.
            let limit = output.columns == nil ? nil : Self.shownChanges
            for entry in entries { for line in entry.lines(showing: limit) { try output.writeWrapped(line) } }
            if entries.isEmpty { try output.writeLine("No transactions.") }
        case .json: try output.writeJSON(.array(entries.map(\.json)))
        case .ndjson:
            for entry in entries { try output.write(JSONText.string(of: entry.json) + "\n") }
        }
        try output.finish()
    }
}
#endif
