#if CommandLineTool
import StoreTools

/// Prints rows of values in one of the formats of `list`.
struct RowPrinter {
    let format: ListFormat
    /// What stands in place of a table without rows; `nil` for its titles.
    var emptySentence: String?

    /// Prints rows that a statement gives.
    ///
    /// - Parameter source: Calls its first argument with the titles, and its second one with each row.
    func print(
        to output: OutputSink,
        _ source: (_ titles: ([String]) throws -> Void, _ row: ([JSONValue]) throws -> Void) throws -> Void
    ) throws {
        var titles: [String] = []
        func document(_ row: [JSONValue]) -> JSONValue {
            .object(zip(titles, row).map { JSONMember(key: $0, value: $1) })
        }
        switch format {
        case .table:
            var rows: [[JSONValue]] = []
            try source({ titles = $0 }, { rows.append($0) })
            try printTable(titles, rows, to: output)
        case .json:
            var list = JSONListWriter(output)
            try source({ titles = $0 }, { try list.append(document($0)) })
            try list.finish()
            try output.write("\n")
        case .ndjson:
            try source({ titles = $0 }, { try output.write(JSONText.string(of: document($0)) + "\n") })
        case .csv:
            try source(
                { try output.write(lines: CSVText.record($0), end: CSVText.end) },
                { try output.write(lines: CSVText.record($0.map(ValueText.csv)), end: CSVText.end) })
        }
    }

    private func printTable(_ titles: [String], _ rows: [[JSONValue]], to output: OutputSink) throws {
        if rows.isEmpty, let emptySentence { return try output.writeWrapped(emptySentence) }
        let columns = titles.indices.map { index in
            TextTable.Column(titles[index], rows.allSatisfy { Self.isNumber($0[index]) } ? .right : .left)
        }
        var table = TextTable(columns: columns)
        for row in rows { table.append(row.map { ValueText.cell($0) }) }
        if rows.count > TextTable.rowsOnScreen { output.startPager() }
        for line in table.lines(fitting: output.columns) { try output.writeLine(line) }
    }

    private static func isNumber(_ value: JSONValue) -> Bool {
        switch value {
        case .integer, .number, .null: true
        default: false
        }
    }
}
#endif
