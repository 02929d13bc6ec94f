#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata query`
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Computes counts, sums and averages, for all objects or for each group.",
        discussion: """
            Example: query Library.sqlite Book --group-by author.country --compute count,avg:price --sort count:desc
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var query: QueryArguments

    @Option(
        help: ArgumentHelp("Properties and key paths to group by, separated by commas.", valueName: "a,b.c"),
        completion: Completions.properties)
    var groupBy: String?

    @Option(
        help: ArgumentHelp(
            "What to compute: count, sum:KEY, avg:KEY, min:KEY, max:KEY, separated by commas.", valueName: "list"),
        completion: Completions.computations)
    var compute: String = "count"

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A column to sort by; can be repeated.", valueName: "column[:desc]"),
        transform: SortOrder.parseColumn)
    var sort: [SortOrder] = []

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of rows to print.", valueName: "n"))
    var limit: Int?

    @Option(help: "Output format: table, json, ndjson or csv.")
    var format: ListFormat = .table

    @Flag(help: "Print the SQL statement, its plan and its cost instead of the result.")
    var explain = false

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
        if groupBy?.listedNames.contains("") == true { throw ValidationError("--group-by contains an empty name.") }
        if compute.listedNames.contains("") { throw ValidationError("--compute contains an empty name.") }
    }

    func run() throws {
        let session = try store.session(.reading)
        let entity = try session.entity(named: query.entity)
        let grouped = try GroupedQuery(
            entity: entity, where: query.request(in: session).predicate,
            groupBy: groupBy?.listedNames ?? [],
            aggregates: compute.listedNames.map { try .init($0, entity: entity) })
        let output = OutputSink()
        if explain {
            let explanation = try session.perform { try $0.explain(grouped.request) }
            for line in explanation.description.split(separator: "\n") { try output.writeLine(String(line)) }
            return try output.finish()
        }
        var rows = try session.perform { try grouped.rows(in: $0) }
        // As one groups: by the groups, unless told otherwise.
        for title in grouped.titles.prefix(groupBy == nil ? 0 : grouped.titles.count).reversed() where sort.isEmpty {
            rows = try grouped.sorted(rows, by: title, ascending: true)
        }
        for order in sort.reversed() {
            rows = try grouped.sorted(rows, by: order.keyPath, ascending: order.isAscending)
        }
        try print(rows.prefix(limit ?? rows.count).map { $0.map(\.json) }, of: grouped, to: output)
        try output.finish()
    }

    private func print(_ rows: [[JSONValue]], of query: GroupedQuery, to output: OutputSink) throws {
        func document(_ row: [JSONValue]) -> JSONValue {
            .object(zip(query.titles, row).map { JSONMember(key: $0, value: $1) })
        }
        switch format {
        case .table:
            var table = TextTable(
                columns: zip(query.titles, query.isNumeric).map { .init($0, $1 ? .right : .left) })
            if rows.isEmpty, limit != 0 { return try output.writeLine("No objects match.") }
            for row in rows {
                table.append(
                    row.indices.map { index in
                        ValueText.cell(
                            row[index], isNumber: query.isNumeric[index], isAverage: query.isAverage[index])
                    })
            }
            for line in table.lines(fitting: output.columns) { try output.writeLine(line) }
        case .json: try output.writeJSON(.array(rows.map(document)))
        case .ndjson: for row in rows { try output.write(JSONText.string(of: document(row)) + "\n") }
        case .csv:
            try output.write(lines: CSVText.record(query.titles), end: CSVText.end)
            for row in rows { try output.write(lines: CSVText.record(row.map(ValueText.csv)), end: CSVText.end) }
        }
    }
}
#endif
