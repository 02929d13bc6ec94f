#if CommandLineTool
    import ArgumentParser

    /// `opencoredata model`
    struct ModelCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "model", abstract: "Works on the sources of models and their classes.",
            subcommands: [ModelGenerateCommand.self, ModelPortCommand.self])
    }
#endif
