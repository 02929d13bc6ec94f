#if CommandLineTool
    import ArgumentParser
    import OpenCoreData
    import StoreTools

    /// `opencoredata list`
    struct ListCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Prints objects of an entity as a table, JSON, NDJSON or CSV.")

        @OptionGroup var store: StoreArguments
        @OptionGroup var query: QueryArguments
        @OptionGroup var damage: DamageArguments

        @Option(
            help: ArgumentHelp("A key path to sort by; can be repeated.", valueName: "key[:desc]"),
            completion: Completions.properties)
        var sort: [SortOrder] = []

        @Option(
            help: ArgumentHelp("Properties and key paths to print, separated by commas.", valueName: "a,b.c"),
            completion: Completions.properties)
        var fields: String?

        @Option(help: ArgumentHelp("The maximum number of objects to print.", valueName: "n"))
        var limit: Int?

        @Option(help: ArgumentHelp("How many objects to skip first.", valueName: "n"))
        var offset: Int = 0

        @Option(help: "Output format: table, json, ndjson or csv.")
        var format: ListFormat = .table

        @Flag(help: "Print the SQL statement, its plan and its cost instead of the objects.")
        var explain = false

        func validate() throws {
            if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
            if offset < 0 { throw ValidationError("--offset must not be negative.") }
            if fields?.split(separator: ",", omittingEmptySubsequences: false).contains("") == true {
                throw ValidationError("--fields contains an empty name.")
            }
        }

        func run() throws {
            let session = try store.session(.reading)
            let entity = try session.entity(named: query.entity)
            let request = try query.request(in: session)
            request.sortDescriptors = try sort.map { try $0.descriptor(for: entity) }
            request.fetchOffset = offset
            request.fetchLimit = limit ?? 0
            if explain { return try Self.explain(request, in: session) }
            let columns = try fields?.split(separator: ",").map { try Field(path: String($0), entity: entity) }
            let printer = ObjectPrinter(session: session, entity: entity, columns: columns, format: format)
            try damage.reading(session) {
                try session.perform { context in
                    let output = OutputSink()
                    let stream = ObjectStream(request, prefetching: printer.prefetched)
                    try printer.print(to: output) { body in
                        // A limit of zero objects, which a fetch request reads as no limit.
                        guard limit != 0 else { return }
                        try stream.forEach(in: context, body)
                    }
                    try output.finish()
                }
            }
        }

        private static func explain(_ request: NSFetchRequest<NSManagedObject>, in session: StoreSession) throws {
            let output = OutputSink()
            let explanation = try session.perform { try $0.explain(request) }
            for line in explanation.description.split(separator: "\n") { try output.writeLine(String(line)) }
            try output.finish()
        }
    }
#endif
