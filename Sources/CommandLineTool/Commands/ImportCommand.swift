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
            If the store doesn't exist, it is created with the model from the input or from --model. The objects \
            get new identifiers, and relationships are adjusted. Either all objects are imported or none: if \
            there is a problem with one of them, or if the command is interrupted, nothing is changed. Other \
            programs can't write to the store during the import.
            """)

    @OptionGroup var store: StoreArguments

    @Argument(help: "A file written by export as JSON or NDJSON, or - for standard input.", completion: .file())
    var input: String

    @Flag(
        help: ArgumentHelp(
            "Also import objects that the model doesn't allow, and leave out references to objects that aren't in the "
                + "input, for stores that were never valid."))
    var skipValidation = false

    func run() throws {
        Interruption.watch()
        let isNew = try ImportTarget.isFree(store.store)
        let url = try isNew ? StoreAddress(store.store).url : StoreAddress(existing: store.store).url
        let input: ImportInput
        do {
            input = try ImportInput(path: self.input, checkpoint: Interruption.check)
        } catch {
            throw ToolFailure.adding(ImportTarget.outcome(at: url, isNew: isNew), to: error)
        }
        let target = try ImportTarget(
            path: store.store, modelPath: store.model, input: input, skipsValidation: skipValidation)
        do {
            let bar = ProgressBar("Importing")
            defer { bar.finish() }
            let (count, leftOut) = try target.fill { session in
                let importer = StoreImporter(
                    session: session, input: input, leavingOutReferences: skipValidation
                ) { done, total in
                    try Interruption.check()
                    bar.show(done: done, of: total)
                }
                return (try importer.run(), importer.leftOut)
            }
            bar.finish()
            Self.warn(leftOut)
            let output = OutputSink()
            try output.writeLine("Imported \(count) objects into \(target.name).")
            try output.finish()
        } catch {
            throw ToolFailure.adding(target.outcome, to: error)
        }
    }

    private static func warn(_ leftOut: LeftOutReferences) {
        for sentence in leftOut.sentences {
            StandardError.writeLine("opencoredata: warning: \(sentence) The reference was left out.")
        }
        let further = leftOut.count - leftOut.sentences.count
        if further > 0 {
            StandardError.writeLine("opencoredata: warning: \(further) more such references were left out.")
        }
    }
}
#endif
