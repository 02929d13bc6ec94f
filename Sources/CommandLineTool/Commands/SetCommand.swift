#if CommandLineTool
    import ArgumentParser
    import OpenCoreData
    import StoreTools

    /// `opencoredata set`
    struct SetCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Changes properties of an object.",
            discussion: """
                A value is text of the property's type: a number, true or false, a date such as \
                2024-05-01T12:30:00.000Z, base64, a UUID; for a relationship object URIs separated by commas; for an \
                enumeration a case, for a struct JSON, and author.name=VALUE for one element of it. \
                null empties an optional property; "null" in quotes is the word.
                """)

        @OptionGroup var store: StoreArguments

        @Argument(help: "The object: its URI, or Entity/p12.", completion: Completions.objects)
        var object: String

        @Argument(help: ArgumentHelp("What to set.", valueName: "key=value"), completion: Completions.assignments)
        var assignments: [Assignment]

        @Flag(help: "Show what would change, and save nothing.")
        var dryRun = false

        func run() throws {
            let session = try store.session(dryRun ? .reading : .writing)
            try EditReport(session, dryRun: dryRun) { context in
                let object = try session.object(named: self.object, in: context)
                for assignment in assignments { try assignment.apply(to: object, in: session, context: context) }
            }.print()
        }
    }
#endif
