#if CommandLineTool
    import ArgumentParser
    import Foundation
    import OpenCoreData
    import StoreTools

    /// `opencoredata check`
    struct CheckCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Checks a store for damage; the exit code is 1 if there is any.")

        @OptionGroup var store: StoreArguments

        @Flag(help: "Print JSON.")
        var json = false

        @Flag(help: "Repair what can be repaired without losing data; the store must not be in use.")
        var repair = false

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
                for line in report.table.lines { try output.writeLine(line) }
            }
            try output.finish()
            if !report.isEmpty { throw ExitCode.failure }
        }

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
                for line in report.table.lines { try output.writeLine(line) }
            }
            try output.finish()
            if !report.isEmpty || dryRun && !steps.isEmpty { throw ExitCode.failure }
        }
    }
#endif
