#if CommandLineTool
import ArgumentParser

/// `opencoredata model`
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Compiles, checks, compares, draws, extracts and imports models, and generates classes.",
        subcommands: [
            ModelCompileCommand.self, ModelValidateCommand.self, ModelDiffCommand.self, ModelDiagramCommand.self,
            ModelExtractCommand.self, ModelImportCommand.self, ModelGenerateCommand.self,
            ModelPortCommand.self,
        ])
}
#endif
