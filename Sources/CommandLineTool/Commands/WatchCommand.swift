#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// `opencoredata watch`
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Prints what other processes save, as it happens, until Ctrl-C.",
        discussion: """
            If the store has a history, each transaction is printed with its changes; otherwise, the entities \
            whose numbers of objects have changed.
            """)

    @OptionGroup var store: StoreArguments

    @Option(parsing: .unconditional, help: ArgumentHelp("How often to check, in seconds.", valueName: "seconds"))
    var interval: Double = 0.5

    @Option(parsing: .unconditional, help: ArgumentHelp("Stop after this many changes.", valueName: "n"))
    var count: Int?

    @Option(help: "Output format: table, json or ndjson; json is the same as ndjson.")
    var format: ReportFormat = .table

    func validate() throws {
        guard interval >= 0.01, interval <= 3_600 else {
            throw ValidationError("--interval must be between 0.01 and 3600.")
        }
        if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
    }

    func run() throws {
        Interruption.watch()
        var watch = try StoreWatch(path: store.store, modelPath: store.model)
        let output = OutputSink()
        if format == .table {
            StandardError.writeLine("Watching \(try Self.name(store.store)); press Ctrl-C to stop.")
        }
        var printed = 0
        while count.map({ printed < $0 }) ?? true {
            for change in try watch.changes() {
                switch format {
                case .table: for line in change.lines { try output.writeWrapped(line) }
                case .json, .ndjson: try output.write(JSONText.string(of: change.json) + "\n")
                }
                printed += 1
            }
            try output.finish()
            try pause()
        }
    }

    /// As the user has it, without a password.
    private static func name(_ string: String) throws -> String {
        StoreAddress.isServer(string) ? try StoreAddress(string).displayName : string
    }

    /// Waits in small steps, so that a signal ends the wait.
    private func pause() throws {
        let end = Date(timeIntervalSinceNow: interval)
        while Date() < end {
            try Interruption.check()
            Thread.sleep(forTimeInterval: min(0.05, max(0, end.timeIntervalSinceNow)))
        }
    }
}
#endif
