#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// `opencoredata model compile`
struct ModelCompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile", abstract: "Compiles the source of a model, as Xcode does.",
        discussion: """
            An .xcdatamodeld becomes a .momd with all versions, their hashes and checksums; an .xcdatamodel \
            or a single version becomes a .mom. Warnings about the current version and errors in all versions go to standard error; \
            if there is an error, nothing is written. With --force, existing output is replaced atomically.
            """)

    @Argument(
        help: "An .xcdatamodeld (or X.xcdatamodeld:VERSION) or .xcdatamodel.", completion: .directory)
    var model: String

    @Option(
        name: .shortAndLong, help: "The .momd or .mom to write (default: next to the source).", completion: .file())
    var output: String?

    @Option(help: "The module of classes whose module is 'Current Product Module' (default: none is written).")
    var module: String?

    @Flag(name: .overwriting, help: "Replace an existing model. Stores are never replaced.")
    var force = false

    @Flag(help: "Don't print warnings.")
    var quiet = false

    func validate() throws {
        guard let module else { return }
        let isName =
            module.first?.isNumber == false && module.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
        guard isName else { throw ValidationError("'\(module)' is not the name of a module.") }
    }

    func run() throws {
        let reference = ModelReference(model)
        let sourcePath = try reference.sourcePath()
        let source = try InputFile.url(sourcePath, orFolder: true)
        let isVersioned = source.pathExtension == "xcdatamodeld"
        guard isVersioned || source.pathExtension == "xcdatamodel" else {
            throw ToolFailure("\(model) is neither an .xcdatamodeld nor an .xcdatamodel.")
        }
        let form: ModelOutput.Form = isVersioned ? .versionedCompiled : .compiled
        // One version of a folder of versions is written beside the folder.
        let beside = reference.version.map {
            ((reference.path as NSString).deletingLastPathComponent as NSString).appendingPathComponent($0)
        }
        let path = output ?? "\(beside ?? (model as NSString).deletingPathExtension).\(form.rawValue)"
        let target = try ModelOutput(path: path, forms: [form])
        try check(sourcePath)
        try target.check(force: force, inputs: [source])
        let printed = OutputSink()
        if isVersioned {
            let bundle = try CompiledModelBundle(compiling: source, module: module)
            try target.writing { try bundle.write(to: $0) }
            let current = bundle.versions.count == 1 ? bundle.versions.first?.name : bundle.currentVersionName
            for version in bundle.versions {
                let mark = version.name == current ? " (current)" : ""
                try printed.writeLine(Self.line("\(version.name).mom\(mark)", version.model))
            }
        } else {
            let compiled = try ModelSourceDocument(contentsOf: source).inModule(module).model()
            try target.write(compiled)
            try printed.writeLine(Self.line(target.url.lastPathComponent, compiled))
        }
        try printed.writeLine("wrote \(path)")
        try printed.finish()
    }

    private static func line(_ name: String, _ model: NSManagedObjectModel) -> String {
        let count = model.entities.count
        return "\(name): \(count) \(count == 1 ? "entity" : "entities"), checksum \(model.versionChecksum)"
    }

    /// Prints what the rules find, and stops when something is an error.
    private func check(_ path: String) throws {
        let all = try ModelInspection.inspections(of: ModelReference(path), allVersions: true)
        var errors = 0
        for inspection in all {
            for finding in inspection.findings {
                guard
                    finding.severity == .error
                        || finding.severity == .warning && !quiet
                            && (inspection.isCurrent || finding.rule == "binary")
                else { continue }
                if finding.severity == .error { errors += 1 }
                StandardError.writeLine(inspection.line(of: finding))
            }
        }
        if errors > 0 { throw ExitCode.failure }
    }
}
#endif
