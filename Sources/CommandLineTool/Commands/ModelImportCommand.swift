#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

#if PostgreSQL
import OpenCoreDataPostgreSQL
#endif

/// `opencoredata model import`
struct ModelImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Makes a model of existing tables in a PostgreSQL database.",
        discussion: """
            Each table whose primary key is a single integer becomes an entity, its columns become attributes, foreign \
            keys become relationships with an inverse, and tables that only pair rows become many-to-many relationships. \
            The user info of the model contains the names of tables and columns, so everything can be renamed. With this \
            model (--model of the other commands), the rows are read and written as objects; the tables are never \
            changed. Whatever the model can't contain is printed.
            """)

    @Argument(help: "The schema: postgresql://user@host/database?schema=name. By default, public.")
    var url: String

    @Option(
        name: .shortAndLong, help: "The .xcdatamodeld, .xcdatamodel, .momd or .mom to write.", completion: .file())
    var output: String

    @Flag(name: .overwriting, help: "Replace an existing model. Stores are never replaced.")
    var force = false

    @Flag(help: "Don't print what the model can't contain.")
    var quiet = false

    func run() throws {
        guard StoreAddress.isServer(url) else {
            throw ToolFailure(
                "\(url) isn't the URL of a PostgreSQL database; use postgresql://user@host/database.")
        }
        let address = try StoreAddress(url)
        let target = try ModelOutput(
            path: output, forms: [.versionedSource, .source, .versionedCompiled, .compiled])
        try target.check(force: force, inputs: [])
        #if PostgreSQL
        let imported = try ExistingModel(at: address.url)
        let count = imported.model.entities.count
        guard count > 0 else {
            throw ToolFailure(
                "None of the \(imported.tableCount) tables of \(address.name) can become an entity: "
                    + imported.notes.joined(separator: " "))
        }
        try target.write(imported.model)
        let printed = OutputSink()
        let tables = imported.tableCount == 1 ? "1 table" : "\(imported.tableCount) tables"
        try printed.writeLine(
            "wrote \(output): \(count) \(count == 1 ? "entity" : "entities") of \(tables) of \(address.name)")
        if !quiet, !imported.notes.isEmpty {
            try printed.writeLine("")
            try printed.writeLine("Differences from the tables:")
            for note in imported.notes { try printed.writeWrapped("  " + note) }
        }
        try printed.finish()
        #else
        // There is no such address without the trait.
        _ = (address, target)
        #endif
    }
}
#endif
