#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata list`
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints objects of an entity as a table, JSON, NDJSON or CSV.",
        discussion: """
            A terminal shows a table's first \(TextTable.rowsOnScreen) rows, or all of them in the pager that the \
            environment variable PAGER names. Numbers are rounded in tables; JSON and CSV have all digits.
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var query: QueryArguments
    @OptionGroup var damage: DamageArguments

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A key path to sort by; can be repeated.", valueName: "key[:desc]"),
        completion: Completions.properties, transform: SortOrder.parse)
    var sort: [SortOrder] = []

    @Option(
        help: ArgumentHelp("Properties and key paths to print, separated by commas.", valueName: "a,b.c"),
        completion: Completions.properties)
    var fields: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of objects to print.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Print all objects, also in a terminal.")
    var all = false

    @Option(parsing: .unconditional, help: ArgumentHelp("How many objects to skip first.", valueName: "n"))
    var offset: Int = 0

    @Option(help: "Output format: table, json, ndjson or csv.")
    var format: ListFormat = .table

    @Flag(help: "Print the SQL statement, its plan and its cost instead of the objects.")
    var explain = false

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
        if offset < 0 { throw ValidationError("--offset must not be negative.") }
        if all, limit != nil { throw ValidationError("--all and --limit can't be used together.") }
        if fields?.listedNames.contains("") == true {
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
        let columns = try fields?.listedNames.map { try Field(path: $0, entity: entity) }
        let output = OutputSink()
        let stops = format == .table && output.isTerminal && !all && limit == nil && !Pager.isChosen
        if stops { request.fetchLimit = TextTable.rowsOnScreen }
        let printer = ObjectPrinter(
            session: session, entity: entity, columns: columns, format: format,
            emptySentence: limit == 0 ? nil : emptySentence(entity))
        try damage.reading(session) {
            try session.perform { context in
                let stream = ObjectStream(request, prefetching: printer.prefetched)
                var printed = 0
                try printer.print(to: output) { body in
                    // A limit of zero objects, which a fetch request reads as no limit.
                    guard limit != 0 else { return }
                    try stream.forEach(in: context) { object in
                        printed += 1
                        try body(object)
                    }
                }
                if stops, printed == TextTable.rowsOnScreen {
                    try writeRest(of: query.request(in: session), context, to: output)
                }
                try output.finish()
                if printed == 0, limit != 0, format != .table, output.isTerminal {
                    StandardError.writeLine(emptySentence(entity))
                }
            }
        }
    }

    private func emptySentence(_ entity: NSEntityDescription) -> String {
        let objects = "objects of \(entity.displayName)"
        if query.predicate != nil { return "No \(objects) match." }
        return offset == 0 ? "There are no \(objects)." : "There are no \(objects) after the first \(offset)."
    }

    /// Says that there are more objects than a terminal shows, and how to see them.
    private func writeRest(
        of request: NSFetchRequest<NSManagedObject>, _ context: NSManagedObjectContext, to output: OutputSink
    ) throws {
        let total = try context.count(for: request)
        let shown = TextTable.rowsOnScreen
        guard total > offset + shown else { return }
        try output.writeWrapped(
            "… \(shown) of \(total) objects. Use --all to see all, --limit N for as many as you like, --offset "
                + "\(offset + shown) for the next, or set PAGER.")
    }

    private static func explain(_ request: NSFetchRequest<NSManagedObject>, in session: StoreSession) throws {
        let output = OutputSink()
        let explanation = try session.perform { try $0.explain(request) }
        for line in explanation.description.split(separator: "\n") { try output.writeLine(String(line)) }
        try output.finish()
    }
}
#endif
