import Foundation
import PackagePlugin

/// Makes the classes of a target's models, and the accessors of its `@NSManaged` properties, with each build; also a
/// `.momd` for code that asks its bundle for one.
@main
struct GenerateModels: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let search = ModelSearch(target)
        let tool = try context.tool(named: "model-codegen").url
        let settings = search.settingsFile.map { [$0] } ?? []
        var commands: [Command] = []
        for (index, model) in search.models.enumerated() {
            let name = model.deletingPathExtension().lastPathComponent
            // Two models of one name in different folders need files of different names.
            let isRepeated = search.models[..<index].contains { $0.deletingPathExtension().lastPathComponent == name }
            let output = context.pluginWorkDirectoryURL
                .appending(path: "\(name)\(isRepeated ? "-\(index)" : "")+CoreDataModel.swift")
            commands.append(
                .buildCommand(
                    displayName: "Making classes of \(model.lastPathComponent)", executable: tool,
                    arguments: ["model", model.path, "--output-file", output.path] + search.arguments,
                    inputFiles: ModelSearch.inputs(of: model) + settings, outputFiles: [output]))
        }
        let sources = target.sourceFiles(withSuffix: ".swift").map(\.url).sorted { $0.path < $1.path }
        for model in search.modelsAsked(for: sources) {
            let name = model.deletingPathExtension().lastPathComponent
            let output = context.pluginWorkDirectoryURL
                .appending(path: "\(name).\(ModelSearch.compiledExtension(of: model))")
            commands.append(
                .buildCommand(
                    displayName: "Making \(output.lastPathComponent)", executable: tool,
                    arguments: ["resource", model.path, "--output-file", output.path],
                    inputFiles: ModelSearch.inputs(of: model), outputFiles: [output]))
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "\(target.moduleName)+NSManaged.swift")
        commands.append(
            .buildCommand(
                displayName: "Supplying @NSManaged in \(target.moduleName)", executable: tool,
                arguments: ["managed", "--output-file", output.path, "--compiled-module", target.moduleName]
                    + search.arguments
                    + search.models.flatMap { ["--model", $0.path] } + sources.map(\.path),
                inputFiles: sources + search.models.flatMap(ModelSearch.inputs) + settings, outputFiles: [output]))
        return commands
    }
}
