#if CommandLineTool
    import ArgumentParser
    import Foundation
    import OpenCoreData
    import StoreTools

    extension StoreUpsert.Format: ExpressibleByArgument {}

    /// `opencoredata upsert`
    struct UpsertCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "upsert",
            abstract: "Brings records into a store: changes objects that are there, adds others.",
            discussion: """
                A record changes the object that has the same key, and makes one where there is none; properties that it \
                does not name stay as they are. The first line of CSV names the properties; JSON is an array of objects, \
                NDJSON has one on each line. Either all records take effect or none.
                """)

        @OptionGroup var store: StoreArguments

        @Argument(help: "The entity.", completion: Completions.entities)
        var entity: String

        @Argument(help: "The file with the records, or - for standard input.", completion: .file())
        var file: String

        @Option(
            help: ArgumentHelp(
                "The attributes that tell objects apart, separated by commas.", valueName: "a,b"),
            completion: Completions.properties)
        var key: String

        @Option(help: "How the records are written: csv, json or ndjson. By the ending of the file if left out.")
        var format: StoreUpsert.Format?

        @Flag(help: "Show what would change, and save nothing.")
        var dryRun = false

        func run() throws {
            Interruption.watch()
            guard let format = format ?? .init(path: file) else {
                throw ValidationError("The file's name does not tell what is in it; say --format csv, json or ndjson.")
            }
            let keys = key.split(separator: ",").map(String.init)
            guard !keys.isEmpty else { throw ValidationError("--key names no attribute.") }
            let session = try store.session(.writing)
            let bar = ProgressBar("Reading")
            defer { bar.finish() }
            let upsert = try StoreUpsert(
                session: session, entity: session.entity(named: entity), keys: keys,
                input: ImportInput(path: file, checkpoint: Interruption.check), format: format
            ) { done, total in
                try Interruption.check()
                bar.show(done: done, of: total)
            }
            let summary: StoreUpsert.Summary
            do {
                if dryRun {
                    summary = try upsert.run { $0.reset() }
                } else {
                    summary = try session.savingTogether {
                        try upsert.run { context in
                            try context.save()
                            context.reset()
                        }
                    }
                }
            } catch {
                throw ToolFailure.adding("Nothing was changed.", to: error)
            }
            bar.finish()
            let output = OutputSink()
            try output.writeLine(
                "\(summary.inserted) inserted, \(summary.updated) updated, \(summary.unchanged) unchanged.")
            if dryRun { try output.writeLine("Nothing was saved (--dry-run).") }
            try output.finish()
        }
    }
#endif
