#if CommandLineTool
    import ArgumentParser
    import OpenCoreData
    import StoreTools

    /// `opencoredata set`
    struct SetCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Changes properties of an object.",
            discussion: """
                Write a value according to the property's type: a number, true or false, a date such as \
                2024-05-01T12:30:00.000Z, base64, a UUID; object URIs separated by commas for a relationship; a case \
                for an enumeration; JSON for a struct, or author.name=VALUE for one of its elements. null sets an \
                optional property to nil; "null" in quotes is the string.
                """)

        @OptionGroup var store: StoreArguments
        @OptionGroup var damage: DamageArguments

        @Argument(help: "The object: its URI, or Entity/p12.", completion: Completions.objects)
        var object: String

        @Argument(help: ArgumentHelp("What to set.", valueName: "key=value"), completion: Completions.assignments)
        var assignments: [Assignment]

        @Flag(help: "Show what would change, but save nothing.")
        var dryRun = false

        func run() throws {
            let session = try store.session(dryRun ? .reading : .writing)
            try damage.reading(session) {
                try EditReport(session, dryRun: dryRun) { context in
                    let object = try session.object(named: self.object, in: context)
                    for assignment in assignments { try assignment.apply(to: object, in: session, context: context) }
                }.print()
            }
        }
    }
#endif
