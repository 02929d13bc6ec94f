#if CommandLineTool
import ArgumentParser
import Foundation
import ModelCodeGeneration
import OpenCoreData
import StoreTools

/// `opencoredata model extract`
struct ModelExtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract", abstract: "Extracts the model from a store.",
        discussion: """
            The model is the copy inside the store. If a store has none, a model is reconstructed from its \
            tables, which don't contain everything. The written model is read back and compared with the store. With \
            --swiftdata a Swift file is written, with a class with @Model for each entity.
            """)

    @Argument(
        help: "The store: a SQLite file written by Core Data, or postgresql://user@host/database?schema=name.",
        completion: .file())
    var store: String

    @Option(
        name: .shortAndLong,
        help: "The .xcdatamodeld, .xcdatamodel, .momd or .mom to write; with --swiftdata the .swift file.",
        completion: .file())
    var output: String

    @Flag(name: .customLong("swiftdata"), help: "Write classes with @Model, for SwiftData.")
    var isForSwiftData = false

    @Flag(name: .overwriting, help: "Replace an existing model. Stores are never replaced.")
    var force = false

    func run() throws {
        let address = try StoreAddress(existing: store)
        try address.checkFile()
        guard address.server != nil || address.isSQLite else {
            throw ToolFailure("\(address.displayName) is \(address.kindName), which contains no copy of its model.")
        }
        if isForSwiftData { return try writeModelClasses(address) }
        let target = try ModelOutput(
            path: output, forms: [.versionedSource, .source, .versionedCompiled, .compiled])
        try target.check(force: force, inputs: address.server == nil ? [address.url] : [])
        let source = try ModelReference(store).source()
        do {
            try target.write(source.model)
        } catch let error as CocoaError where error.code == .featureUnsupported {
            throw ToolFailure("\(Sentence.clause(of: error)). A .momd can hold it: name one with --output.")
        }
        let printed = OutputSink()
        let count = source.model.entities.count
        try printed.writeLine(
            "wrote \(output): \(count) \(count == 1 ? "entity" : "entities"), from \(source.description)")
        try report(source, target, printed)
        try printed.finish()
    }

    private func writeModelClasses(_ address: StoreAddress) throws {
        let url = URL(fileURLWithPath: output)
        guard url.pathExtension == "swift" else { throw ToolFailure("The output \(output) must end in .swift.") }
        _ = try OutputLocation(
            url.relativePath, force: force, inputs: address.server == nil ? [address.url] : [])
        let classes = try ModelClasses(of: store, access: nil)
        let file = GeneratedFile(name: url.lastPathComponent, content: classes.source)
        do throws(Diagnostic) {
            try file.write(into: url.deletingLastPathComponent())
        } catch {
            throw ToolFailure("\(error.file): \(error.message)")
        }
        let sink = OutputSink()
        let count = classes.files.count
        try sink.writeLine("wrote \(output): \(count) \(count == 1 ? "class" : "classes")")
        try sink.finish()
    }

    /// Says whether the model, read again, is the one that the store was written with.
    private func report(_ source: ModelSource, _ target: ModelOutput, _ printed: OutputSink) throws {
        let again = try NSManagedObjectModel(contentsOfModelFile: target.url).entityVersionHashesByName
        let stored = source.model.entityVersionHashesByName
        let others = stored.keys.filter { stored[$0] != again[$0] }.sorted()
        guard !others.isEmpty else {
            return try printed.writeLine("The store opens with it: all version hashes are the store's.")
        }
        StandardError.writeLine(
            "opencoredata: The store does not open with this model as it is: \(StoreSession.listed(others)) "
                + "\(others.count == 1 ? "has" : "have") another version hash. "
                + "A .momd keeps the store's hashes.")
    }
}
#endif
