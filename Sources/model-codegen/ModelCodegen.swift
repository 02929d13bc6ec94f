import Foundation
import ModelCodeGeneration

/// What the build-tool plugin runs: paths in, files out.
@main
struct ModelCodegen {
    private static let usage = """
        usage: model-codegen model MODEL… (--output FOLDER | --output-file FILE) [SETTINGS]
               model-codegen managed SOURCE… --output-file FILE --module NAME [--model MODEL]… [SETTINGS]
                   [--compiled-module NAME]: the module of the sources, if the models' classes are said to be in another
               model-codegen resource MODEL --output-file X.momd
                   what code finds that asks its bundle for the compiled model

        settings: --settings FILE.json, --module NAME, --import MODULE, --access public|package|internal,
                  --collections foundation|swift, --optionality honest|xcode, --apple xcode|managed, --mode model|class|category|manual,
                  --templates

        """

    static func main() {
        do throws(Diagnostic) {
            let arguments = try ToolArguments(Array(CommandLine.arguments.dropFirst()))
            let diagnostics =
                switch arguments.task {
                case .model: try generateModels(arguments)
                case .managed: try supplyManaged(arguments)
                case .resource: try makeResource(arguments)
                }
            for diagnostic in diagnostics { complain(diagnostic) }
            if diagnostics.contains(where: { $0.severity == .error }) { exit(1) }
        } catch {
            complain(error)
            if error.file == ToolArguments.file { FileHandle.standardError.write(Data(usage.utf8)) }
            exit(error.file == ToolArguments.file ? 64 : 1)
        }
    }

    private static func complain(_ diagnostic: Diagnostic) {
        FileHandle.standardError.write(Data("\(diagnostic)\n".utf8))
    }

    private static func generateModels(_ arguments: ToolArguments) throws(Diagnostic) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for path in arguments.inputs {
            let result = try render(path, arguments.settings)
            diagnostics += result.diagnostics
            guard result.isUsable else { continue }
            if let file = arguments.outputFile {
                try result.value.singleFile(named: file.lastPathComponent).write(into: file.deletingLastPathComponent())
            } else if let folder = arguments.outputFolder {
                for file in result.value.files() { try file.write(into: folder) }
            }
        }
        return diagnostics
    }

    private static func makeResource(_ arguments: ToolArguments) throws(Diagnostic) -> [Diagnostic] {
        guard let model = arguments.inputs.first, let output = arguments.outputFile else {
            throw ToolArguments.error("'resource' needs a model and --output-file")
        }
        try ModelResource(path: model).write(to: output)
        return []
    }

    private static func render(_ path: String, _ settings: GenerationSettings) throws(Diagnostic)
        -> Diagnosed<ModelRenderer>
    {
        let location = try ModelLocation(path: path)
        return ModelCodeGenerator.renderer(
            contents: try location.read(), file: location.contents.path, name: location.name, settings: settings)
    }

    private static func supplyManaged(_ arguments: ToolArguments) throws(Diagnostic) -> [Diagnostic] {
        guard let module = arguments.settings.moduleName, let output = arguments.outputFile else {
            throw ToolArguments.error("'managed' needs --module and --output-file")
        }
        var generated: Set<String> = []
        for path in arguments.models {
            // What is wrong with the model is said where its code is made.
            generated.formUnion(try render(path, arguments.settings).value.plan.madeClassNames)
        }
        var sources: [ManagedAccessors.Source] = []
        for path in arguments.inputs {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw Diagnostic(file: path, line: nil, "the file cannot be read")
            }
            sources.append(ManagedAccessors.Source(file: path, text: String(decoding: data, as: UTF8.self)))
        }
        let result = ManagedAccessors.plan(
            sources, moduleName: arguments.compiledModule ?? module, generatedClasses: generated)
        if result.isUsable {
            try ManagedAccessorRenderer.file(
                result.value, named: output.lastPathComponent, settings: arguments.settings
            )
            .write(into: output.deletingLastPathComponent())
        }
        return result.diagnostics
    }
}
