#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata create`
struct CreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes an empty store of a model.",
        discussion: """
            The ending of the name says the kind: .xml is an XML store, .binary a store in binary form, and everything \
            else a SQLite store. With the URL of a PostgreSQL database, the store is made there. What is there already \
            is never replaced.

            Example: create Library.sqlite --model Library.xcdatamodeld
            """)

    @Argument(
        help: "The store to make: a file in an existing folder, or postgresql://user@host/database?schema=name.",
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
