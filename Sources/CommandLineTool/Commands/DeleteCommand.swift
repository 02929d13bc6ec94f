#if CommandLineTool
    import ArgumentParser
    import OpenCoreData
    import StoreTools

    /// `opencoredata delete`
    struct DeleteCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Deletes objects, applying their delete rules.")

        @OptionGroup var store: StoreArguments
        @OptionGroup var damage: DamageArguments

        @Argument(
            help: ArgumentHelp("The objects: URIs, or Entity/p12.", valueName: "object"),
            completion: Completions.objects)
        var objects: [String]

        @Flag(help: "Show what would change, but save nothing.")
        var dryRun = false

        func run() throws {
            let session = try store.session(dryRun ? .reading : .writing)
            try damage.reading(session) {
                try EditReport(session, dryRun: dryRun) { context in
                    let found = try objects.map { try session.object(named: $0, in: context) }
                    for object in found { context.delete(object) }
                }.print()
            }
        }
    }
#endif
