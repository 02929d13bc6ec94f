#if CommandLineTool
    import ArgumentParser
    import Foundation
    import OpenCoreData
    import StoreTools

    /// `opencoredata export`
    struct ExportCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Writes the objects of a store as JSON, NDJSON or CSV.",
            discussion: """
                JSON holds the model and the objects of every entity. NDJSON holds an object on each line, after a line \
                with the model unless --entity chooses. import reads both. CSV holds one entity: name it with --entity.
                """)

        @OptionGroup var store: StoreArguments

        @Option(
            help: ArgumentHelp("An entity to export, without its subentities; may be repeated. All if left out."),
            completion: Completions.entities)
        var entity: [String] = []

        @Option(
            name: .customLong("where"),
            help: ArgumentHelp("A predicate in Core Data's language; with one --entity.", valueName: "format"))
        var predicate: String?

        @Option(help: "What to write: json, ndjson or csv.")
        var format: ExportFormat = .json

        @Option(
            name: .shortAndLong, help: ArgumentHelp("The file to write, or - for standard output.", valueName: "path"))
        var output: String

        @Flag(help: "Replace a file that is there. Stores are never replaced.")
        var force = false

        func validate() throws {
            if format == .csv, entity.count != 1 {
                throw ValidationError("CSV holds one entity: name it with --entity.")
            }
            if predicate != nil, entity.count != 1 {
                throw ValidationError("--where is about one entity: name it with --entity.")
            }
        }

        func run() throws {
            let session = try store.session(.reading)
            let entities =
                try entity.isEmpty
                ? session.model.sortedEntities.filter { !$0.isAbstract } : entity.map { try session.entity(named: $0) }
            let sink = try OutputSink(path: output, force: force, inputs: store.files)
            // On a screen the objects themselves show how far it is.
            let bar = ProgressBar("Exporting", isTerminal: output != "-" && isatty(STDERR_FILENO) == 1)
            defer { bar.finish() }
            let exporter = try StoreExporter(
                session: session, entities: entities,
                where: predicate.map { try session.predicate($0, for: entities[0]) }, output: sink
            ) { done, total in
                bar.show(done: done, of: total)
            }
            do {
                switch format {
                case .json: try exporter.writeJSON()
                case .ndjson: try exporter.writeLines(withModel: entity.isEmpty)
                case .csv: try exporter.writeCSV()
                }
                bar.finish()
                try sink.finish()
            } catch {
                throw ToolFailure.adding(sink.outcome, to: error)
            }
            for sentence in try exporter.missingValues() {
                StandardError.writeLine("opencoredata: warning: \(sentence)")
            }
        }
    }
#endif
