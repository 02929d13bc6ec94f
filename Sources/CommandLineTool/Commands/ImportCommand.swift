#if CommandLineTool
    import ArgumentParser
    import Foundation
    import OpenCoreData
    import StoreTools

    /// `opencoredata import`
    struct ImportCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Adds the objects of an export to a store.",
            discussion: """
                The store is created where it is missing, with the model that the input contains or --model names. The \
                objects get new identifiers; relationships follow them. \
                Either all objects are imported or none: when something is wrong with one, or the command is \
                interrupted, nothing has changed. Others cannot write to the store meanwhile.
                """)

        @OptionGroup var store: StoreArguments

        @Argument(help: "What export wrote as JSON or NDJSON, or - for standard input.", completion: .file())
        var input: String

        @Flag(help: "Import objects that the model does not allow too, as in stores that were never valid.")
        var skipValidation = false

        func run() throws {
            Interruption.watch()
            let isNew = try ImportTarget.isFree(store.store)
            let place = try isNew ? StoreAddress(store.store).url : StoreAddress(existing: store.store).url
            let input: ImportInput
            do {
                input = try ImportInput(path: self.input, checkpoint: Interruption.check)
            } catch {
                throw ToolFailure.adding(ImportTarget.outcome(at: place, isNew: isNew), to: error)
            }
            let target = try ImportTarget(
                path: store.store, modelPath: store.model, input: input, skipsValidation: skipValidation)
            do {
                let bar = ProgressBar("Importing")
                defer { bar.finish() }
                let count = try target.fill { session in
                    try StoreImporter(session: session, input: input) { done, total in
                        try Interruption.check()
                        bar.show(done: done, of: total)
                    }.run()
                }
                bar.finish()
                let output = OutputSink()
                try output.writeLine("Imported \(count) objects into \(target.name).")
                try output.finish()
            } catch {
                throw ToolFailure.adding(target.outcome, to: error)
            }
        }
    }
#endif
