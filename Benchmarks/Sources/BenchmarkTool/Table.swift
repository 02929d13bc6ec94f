/// A table of text that prints itself aligned, or as Markdown.
struct Table {
    let header: [String]
    private(set) var rows: [[String]] = []

    init(_ header: [String]) {
        self.header = header
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    /// The first column is text and stands left, the others are figures and stand right.
    func text(markdown: Bool) -> String {
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        func line(_ row: [String]) -> String {
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + space : space + row[column]
            }
            return markdown ? "| " + cells.joined(separator: " | ") + " |" : cells.joined(separator: "  ")
        }
        let rule = widths.indices.map { column in
            let dashes = String(repeating: "-", count: max(1, widths[column] - (markdown && column > 0 ? 1 : 0)))
            return markdown && column > 0 ? dashes + ":" : dashes
        }
        return ([header, rule] + rows).map(line).joined(separator: "\n")
    }
}
