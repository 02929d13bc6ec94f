#if CommandLineTool
    import ArgumentParser
    import OpenCoreData
    import StoreTools

    /// `opencoredata check`
    struct CheckCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Looks for what is wrong with a store; exit code 1 if anything is.")

        @OptionGroup var store: StoreArguments

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            let url = try InputFile.url(store.store)
            _ = try StoreFacts(url: url)
            let source = try ModelSource(storeURL: url, modelPath: store.model)
            let report = CheckReport(try StoreChecker.findings(inStoreAt: url, model: source.model))
            let output = OutputSink()
            if json {
                try output.writeJSON(report.json)
            } else if report.isEmpty {
                try output.writeLine("\(url.lastPathComponent): nothing wrong.")
            } else {
                for line in report.table.lines { try output.writeLine(line) }
            }
            try output.finish()
            if !report.isEmpty { throw ExitCode.failure }
        }
    }
#endif
