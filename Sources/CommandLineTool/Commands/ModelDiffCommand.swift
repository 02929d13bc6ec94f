#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata model diff`
struct ModelDiffCommand: ParsableCommand {
    /// As those of `diff`: 1 says that something is different.
    private static let different = ExitCode(1)
    private static let trouble = ExitCode(2)

    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Shows what changed between two models, and what a migration would do.",
        discussion: """
            Renamed entities and properties are recognized by their renaming identifiers. Exit codes: 0 the \
            models are equal, 1 they are different, 2 one can't be read.
            """)

    private static let kinds = ".xcdatamodeld (or X.xcdatamodeld:VERSION), .xcdatamodel, .momd, .mom, or a store"

    @Argument(help: ArgumentHelp("The old model: \(kinds).", valueName: "old"), completion: .file())
    var old: String

    @Argument(help: ArgumentHelp("The new model, or the same one with --version-b.", valueName: "new"))
    var new: String

    @Option(help: "The version of the old model (default: the current one).")
    var versionA: String?

    @Option(help: "The version of the new model (default: the current one).")
    var versionB: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let difference: ModelDifference
        do {
            let sources = (
                try ModelReference(old, version: versionA).source(),
                try ModelReference(new, version: versionB).source()
            )
            difference = ModelDifference(sources.0.model, sources.1.model)
            let output = OutputSink()
            if json {
                try output.writeJSON(difference.json)
            } else {
                try output.writeLine("old: \(sources.0.description)")
                try output.writeLine("new: \(sources.1.description)")
                for line in difference.lines { try output.writeLine(line) }
            }
            try output.finish()
        } catch let error as ClosedPipe {
            throw error
        } catch {
            StandardError.writeLine("opencoredata: \(ToolFailure.sentence(of: error))")
            throw Self.trouble
        }
        if !difference.isEmpty { throw Self.different }
    }
}
#endif
