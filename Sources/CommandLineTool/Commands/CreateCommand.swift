#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata create`
struct CreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Creates an empty store with a model.",
        discussion: """
            The extension determines the type: .xml for an XML store, .binary for a binary store, and anything else \
            for a SQLite store. With the URL of a PostgreSQL database, the store is created there. An existing store \
            is never replaced.

            Example: create Library.sqlite --model Library.xcdatamodeld
            """)

    @Argument(
        help: "The store to create: a file in an existing folder, or postgresql://user@host/database?schema=name.",
        completion: .file())
    var store: String

    @Option(
        help: ArgumentHelp(
            "The model: .xcdatamodeld (or X.xcdatamodeld:VERSION), .xcdatamodel, .momd, .mom, or a store that contains one.",
            valueName: "path"),
        completion: .file())
    var model: String

    func run() throws {
        Interruption.watch()
        let target = try ImportTarget(path: store, modelPath: model)
        guard target.isNew else { throw ToolFailure("\(target.displayName) already exists.") }
        let count = try target.fill { session in
            try Interruption.check()
            return session.model.entities.count
        }
        let output = OutputSink()
        try output.writeLine("Made \(target.name), with \(count == 1 ? "1 entity" : "\(count) entities").")
        try output.finish()
    }
}
#endif
