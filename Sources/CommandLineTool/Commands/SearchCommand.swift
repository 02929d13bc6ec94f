#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata search`
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Looks for words in all strings of a store.",
        discussion: """
            Finds the objects that have each of the words in one of their strings, ignoring case and accents. \
            Words in quotes are searched together.

            Example: search Library.sqlite harbor 'ada love'
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var damage: DamageArguments

    @Argument(help: "What to look for.")
    var words: [String]

    @Option(
        help: ArgumentHelp("An entity to search, with its subentities; can be repeated. By default, all."),
        completion: Completions.entities)
    var entity: [String] = []

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of objects to print.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Print all objects, also in a terminal.")
    var all = false

    @Option(help: "Output format: table, json or ndjson.")
    var format: ReportFormat = .table

    func validate() throws {
        if words.contains("") { throw ValidationError("A word is empty.") }
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
        if all, limit != nil { throw ValidationError("--all and --limit can't be used together.") }
    }

    func run() throws {
        let session = try store.session(.reading)
        let search = StoreSearch(words, in: try entities(session))
        let output = OutputSink()
        let stops = format == .table && output.isTerminal && !all && limit == nil && !Pager.isChosen
        let most = stops ? TextTable.rowsOnScreen : limit ?? .max
        try damage.reading(session) {
            try session.perform { context in
                let count = try print(most, search, context, to: output)
                if stops, count == most {
                    let total = try search.count(in: context)
                    if total > count {
                        try output.writeWrapped(
                            "… \(count) of \(total) objects. Use --all to see all, --limit N for as many as you like, "
                                + "or set PAGER.")
                    }
                }
                try output.finish()
            }
        }
    }

    private func entities(_ session: StoreSession) throws -> [NSEntityDescription] {
        let named = try entity.map { try session.entity(named: $0) }
        return session.model.sortedEntities.filter { entity in
            !entity.isAbstract && (named.isEmpty || named.contains { entity.isKindOf(entity: $0) })
        }
    }

    /// - Returns: How many objects were printed.
    private func print(
        _ most: Int, _ search: StoreSearch, _ context: NSManagedObjectContext, to output: OutputSink
    ) throws -> Int {
        var count = 0
        func forEach(_ body: (StoreSearch.Match) throws -> Void) throws {
            guard most > 0 else { return }
            try search.forEach(in: context) { match in
                try body(match)
                count += 1
                return count < most
            }
        }
        switch format {
        case .table:
            var table = TextTable(columns: [
                .init("OBJECT", isWhole: true, rank: 2), .init("ATTRIBUTE", rank: 0), .init("TEXT", rank: 1),
            ])
            try forEach { match in
                var name = ObjectName.short(match.object.objectID)
                for (keyPath, string) in match.strings {
                    table.append([name, keyPath, search.excerpt(of: string)])
                    name = ""
                }
            }
            if count == 0, most > 0 {
                try output.writeWrapped("No object has \(words.map { "\"\($0)\"" }.joined(separator: " and ")).")
                break
            }
            if table.rows.count > TextTable.rowsOnScreen { output.startPager() }
            for line in table.lines(fitting: output.columns) { try output.writeLine(line) }
        case .json:
            var list = JSONListWriter(output)
            try forEach { match in try list.append(Self.document(match)) }
            try list.finish()
            try output.write("\n")
        case .ndjson:
            try forEach { match in try output.write(JSONText.string(of: Self.document(match)) + "\n") }
        }
        return count
    }

    private static func document(_ match: StoreSearch.Match) -> JSONValue {
        [
            "entity": .string(match.object.entity.displayName),
            "objectID": .string(ObjectName.uri(of: match.object.objectID)),
            "strings": .object(match.strings.map { JSONMember(key: $0.keyPath, value: .string($0.string)) }),
        ]
    }
}
#endif
