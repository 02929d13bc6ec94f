#if CommandLineTool
    import ArgumentParser
    import OpenCoreData

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
            let findings = try StoreChecker.findings(inStoreAt: url, model: source.model)
            let output = OutputSink()
            if json {
                try output.writeJSON(.array(findings.map(Self.document)))
            } else if findings.isEmpty {
                try output.writeLine("\(url.lastPathComponent): nothing wrong.")
            } else {
                for line in Self.table(findings).lines { try output.writeLine(line) }
            }
            try output.finish()
            if !findings.isEmpty { throw ExitCode.failure }
        }

        private static func table(_ findings: [StoreFinding]) -> TextTable {
            var table = TextTable(
                columns: [.init("KIND"), .init("TABLE"), .init("ROW", .right), .init("WHAT IS WRONG", isWhole: true)])
            for finding in findings {
                table.append([
                    finding.kind.rawValue, finding.table ?? "–", finding.row.map(String.init) ?? "–", finding.message,
                ])
            }
            return table
        }

        private static func document(_ finding: StoreFinding) -> JSONValue {
            [
                "kind": .string(finding.kind.rawValue),
                "table": JSONValue(finding.table),
                "row": finding.row.map(JSONValue.integer) ?? .null,
                "message": .string(finding.message),
            ]
        }
    }
#endif
