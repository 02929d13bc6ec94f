#if CommandLineTool
    import ArgumentParser
    import OpenCoreData
    import StoreTools

    /// `opencoredata schema`
    struct SchemaCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Prints the entities of a store or model, with everything they have.")

        @Argument(help: "A store or a model file.", completion: .file())
        var storeOrModel: String

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            var source = try ModelSource(path: storeOrModel, reconstructs: true)
            if let store = source.origin.store { source = try source.adoptingHashes(ofStoreAt: store) }
            let document = SchemaDocument(model: source.model)
            let output = OutputSink()
            if json {
                try output.writeJSON(document.json)
            } else {
                if case .tables = source.origin { try output.writeLine("Model from \(source.description)") }
                for line in document.lines { try output.writeLine(line) }
            }
            try output.finish()
        }
    }
#endif
