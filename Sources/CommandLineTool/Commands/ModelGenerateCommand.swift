#if CommandLineTool
import ArgumentParser
import Foundation
import ModelCodeGeneration
import StoreTools

/// `opencoredata model generate`
struct ModelGenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Generates the Swift classes of a model, as Xcode does.",
        discussion: """
            The model determines what is generated for each entity (Codegen in Xcode's inspector), unless --mode \
            sets it for all. Files that wouldn't change aren't touched; others are replaced only with --force.
            With --swiftdata the classes are written with @Model, of a store's own model too.
            """)

    @Argument(
        help: "An .xcdatamodeld (or X.xcdatamodeld:VERSION) or .xcdatamodel; with --swiftdata also a store.",
        completion: .directory)
    var model: String

    @Option(name: .shortAndLong, help: "The folder to write the files to.", completion: .directory)
    var output: String

    @Option(help: "The module that the classes are in.")
    var module: String?

    @Option(name: .customLong("import"), help: "The Core Data module to import (default: OpenCoreData).")
    var imported: String?

    @Option(help: "What to generate: model, class, category or manual.")
    var mode: String?

    @Option(help: "Access level of the classes: public, package or internal.")
    var access: String?

    @Option(help: "To-many relationships: foundation (NSSet?) or swift (Set<Book>).")
    var collections: String?

    @Option(help: "Optional attributes: honest, or xcode (all objects are optionals).")
    var optionality: String?

    @Option(help: "Classes on Apple's platforms, with --import CoreData: xcode (Xcode generates them) or managed.")
    var apple: String?

    @Flag(name: .overwriting, help: "Replace existing files with different contents. Stores are never replaced.")
    var force = false

    @Flag(help: "Generate functions for the model's fetch request templates.")
    var templates = false

    @Flag(name: .customLong("swiftdata"), help: "Generate classes with @Model, for SwiftData.")
    var isForSwiftData = false

    /// The settings that the options name.
    private func settings() throws -> GenerationSettings {
        var options = GenerationOptions()
        options.module = module
        options.imported = imported
        options.mode = mode
        options.access = access
        options.collections = collections
        options.optionality = optionality
        options.apple = apple
        options.templates = templates
        var settings = GenerationSettings()
        do throws(Diagnostic) {
            try options.apply(to: &settings, file: "")
        } catch {
            throw ValidationError(error.message)
        }
        return settings
    }

    func validate() throws {
        _ = try settings()
        let others = [module, imported, mode, collections, optionality, apple].contains { $0 != nil } || templates
        if isForSwiftData, others {
            throw ValidationError("With --swiftdata, --access is the only option for the generated code.")
        }
    }

    func run() throws {
        if isForSwiftData { return try writeModelClasses() }
        let reference = ModelReference(model)
        let source = try reference.sourcePath()
        var location = try diagnosing { () throws(Diagnostic) in try ModelLocation(path: source) }
        // The classes of each version belong to the same model.
        location.path = reference.path
        _ = try InputFile.url(location.contents.path)
        let result = ModelCodeGenerator.renderer(
            contents: try diagnosing { () throws(Diagnostic) in try location.read() }, file: location.contents.path,
            name: location.name, settings: try settings())
        for diagnostic in result.diagnostics { StandardError.writeLine("\(diagnostic)") }
        guard result.isUsable else { throw ExitCode.failure }
        let files = result.value.files()
        let sink = OutputSink()
        try write(files, sink)
        if files.isEmpty {
            try sink.writeLine("\(location.name) doesn't ask for code; --mode class generates all classes.")
        }
        try sink.finish()
    }

    private func writeModelClasses() throws {
        let classes = try ModelClasses(of: model, access: access)
        let sink = OutputSink()
        try write(classes.files, sink)
        try sink.finish()
    }

    private func write(_ files: [GeneratedFile], _ sink: OutputSink) throws {
        let folder = URL(fileURLWithPath: output, isDirectory: true)
        for file in files { try check(file, in: folder) }
        let written = try diagnosing { () throws(Diagnostic) in try GeneratedFile.write(files, into: folder) }
        for (file, isNew) in zip(files, written) {
            try sink.writeLine("\(isNew ? "wrote" : "same ")  \(file.name)")
        }
    }

    /// Makes sure that a file may be written, before any is.
    private func check(_ file: GeneratedFile, in folder: URL) throws {
        let url = folder.appendingPathComponent(file.name)
        if let kind = try? FileFacts(path: url.path)?.kind, kind == .file,
            FileManager.default.contents(atPath: url.path) == Data(file.content.utf8)
        {
            return
        }
        _ = try OutputLocation(url.relativePath, force: force, inputs: [ModelReference(model).url])
    }

    private func diagnosing<Result>(_ body: () throws(Diagnostic) -> Result) throws -> Result {
        do throws(Diagnostic) {
            return try body()
        } catch {
            throw ToolFailure("\(error.file): \(error.message)")
        }
    }
}
#endif
