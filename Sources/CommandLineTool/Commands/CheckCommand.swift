#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// `opencoredata check`
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks a store for damage; the exit code is 1 if there is any.",
        discussion: """
            Notices are problems that careless apps leave behind, as in stores of Apple's own apps: required \
            attributes without values, links that only one of two objects has, references that nothing clears, \
            missing indexes. With them alone, the exit code is 0, or 1 with --strict.
            """)

    @OptionGroup var store: StoreArguments

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Repair what can be repaired without losing data; the store must not be in use.")
    var repair = false

    @Flag(help: "Exit with 1 for notices too.")
    var strict = false

    @Flag(help: "With --repair: show what would be repaired, but change nothing.")
    var dryRun = false

    func validate() throws {
        if dryRun, !repair { throw ValidationError("--dry-run needs --repair.") }
        if repair, json { throw ValidationError("--repair can't print JSON.") }
    }

    func run() throws {
        let address = try StoreAddress(existing: store.store)
        let url = address.url
        try address.checkFile()
        guard !repair || address.server == nil else {
            throw ToolFailure(
                "The store \(address.name) is on a server, and --repair only repairs files. Fix problems with set, delete "
                    + "or SQL, or restore a backup.")
        }
        guard !repair || address.isSQLite else {
            throw ToolFailure("--repair repairs SQLite stores; \(address.name) is \(address.kindName).")
        }
        let source = try ModelSource(storeURL: url, modelPath: store.model)
        let output = OutputSink()
        if repair { return try repair(url, source, output) }
        let bar = ProgressBar("Checking")
        defer { bar.finish() }
        let report = try CheckReport(storeAt: url, model: source.model) { done, total in
            bar.show(done: done, of: total)
        }
        bar.finish()
        if json {
            try output.writeJSON(report.json)
        } else if report.isEmpty {
            try output.writeLine("\(address.name): no problems found.")
        } else {
            try write(report, to: output)
        }
        try output.finish()
        if fails(report) { throw ExitCode.failure }
    }

    private func write(_ report: CheckReport, to output: OutputSink) throws {
        for line in report.table.lines { try output.writeLine(line) }
        if !report.hasDamage {
            try output.writeLine(
                "There is no damage: notices are what apps leave, and everything can be read and saved.")
        }
    }

    private func fails(_ report: CheckReport) -> Bool { report.hasDamage || strict && !report.isEmpty }

    /// Repairs, and says what is left.
    private func repair(_ url: URL, _ source: ModelSource, _ output: OutputSink) throws {
        if !dryRun {
            try StoreSession.checkPermissions(url)
            try UnfinishedWrite.undo(in: url)
        }
        let steps = try StoreRepair.run(onStoreAt: url, model: source.model, dryRun: dryRun)
        for step in steps {
            let rows = step.rows == 0 ? "" : step.rows == 1 ? " (1 row)" : " (\(step.rows) rows)"
            try output.writeLine(step.sentence.capitalizedFirst + rows)
        }
        if steps.isEmpty { try output.writeLine("There is nothing that can be repaired without losing data.") }
        if dryRun, !steps.isEmpty { try output.writeLine("Nothing was changed (--dry-run).") }
        let report = dryRun ? CheckReport([]) : try CheckReport(storeAt: url, model: source.model)
        if !report.isEmpty {
            try output.writeLine("")
            try output.writeLine("Remaining problems:")
            try write(report, to: output)
        }
        try output.finish()
        if fails(report) || dryRun && !steps.isEmpty { throw ExitCode.failure }
    }
}
#endif
