#if CommandLineTool
    import ArgumentParser
    import Foundation
    import OpenCoreData

    /// `opencoredata import`
    struct ImportCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Adds the objects of an export to a store.",
            discussion: """
                The store is created where it is missing, and removed again when the import fails. The objects get new \
                identifiers; relationships follow them. Objects are saved in pieces: a failed import into a store \
                that was there before leaves the pieces saved so far.
                """)

        @OptionGroup var store: StoreArguments

        @Argument(help: "What export wrote as JSON, or - for standard input.", completion: .file())
        var input: String

        func run() throws {
            let input = try ImportInput(path: self.input)
            let isNew = !FileManager.default.fileExists(atPath: store.store)
            let target = try ImportTarget(path: store.store, modelPath: store.model)
            do {
                let importer = try StoreImporter(target: target, input: input)
                let count = try importer.run()
                let output = OutputSink()
                try output.writeLine("Imported \(count) objects into \(target.session.url.lastPathComponent).")
                try output.finish()
            } catch {
                if isNew { target.remove() }
                throw error
            }
        }
    }
#endif
