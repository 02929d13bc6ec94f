import Foundation
import PackagePlugin

/// `swift package generate-models`: makes the classes of models as files of the package.
@main
struct GenerateModelsCommand: CommandPlugin {
    private static let help = """
        usage: swift package generate-models [--target NAME]… [--output FOLDER] [SETTINGS]

        Writes the classes of the models in the targets (all, if none is named) into FOLDER, which is 'Generated' in the
        folder of each target if it is not said. Settings are those of model-codegen: --mode, --access, --collections,
        --optionality, --apple, --import, --templates.
        """

    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        if extractor.extractFlag(named: "help") > 0 {
            print(Self.help)
            return
        }
        let names = extractor.extractOption(named: "target")
        let output = extractor.extractOption(named: "output").last
        let settings = extractor.remainingArguments
        let targets =
            names.isEmpty ? context.package.targets : try context.package.targets(named: names)
        let tool = try context.tool(named: "model-codegen").url
        var count = 0
        for target in targets.compactMap(\.sourceModule) {
            let search = ModelSearch(target)
            guard !search.models.isEmpty else { continue }
            let folder =
                output.map { URL(fileURLWithPath: $0, relativeTo: context.package.directoryURL) }
                ?? target.directoryURL.appending(path: "Generated")
            try run(
                tool,
                ["model"] + search.models.map(\.path) + ["--output", folder.path] + search.arguments + settings)
            count += search.models.count
            print("\(target.name): \(search.models.map(\.lastPathComponent).joined(separator: ", ")) → \(folder.path)")
        }
        if count == 0 { Diagnostics.warning("There is no .xcdatamodeld or .xcdatamodel in the targets.") }
    }

    private func run(_ tool: URL, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw GenerationFailed() }
    }
}

/// The tool has said what is wrong.
struct GenerationFailed: Error, CustomStringConvertible {
    var description: String { "The classes could not be made." }
}
