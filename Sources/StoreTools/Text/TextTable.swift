/// A table of text with aligned columns.
package struct TextTable {
    package enum Alignment {
        case left
        case right
    }

    package struct Column {
        package var title: String
        package var alignment: Alignment
        /// Whether long cells are shown as they are.
        package var isWhole: Bool

        package init(_ title: String, _ alignment: Alignment = .left, isWhole: Bool = false) {
            self.title = TerminalText.line(title)
            self.alignment = alignment
            self.isWhole = isWhole
        }
    }

    /// The widest a cell may be; longer ones end in an ellipsis.
    package static let maximumCellWidth = 60

    package let columns: [Column]
    private(set) var rows: [[String]] = []

    package init(columns: [Column]) {
        self.columns = columns
    }

    /// Adds a row; missing cells at its end are empty.
    package mutating func append(_ cells: [String]) {
        rows.append(
            columns.indices.map { index in
                guard index < cells.count else { return "" }
                let line = TerminalText.line(cells[index])
                return columns[index].isWhole ? line : DisplayWidth.truncate(line, to: Self.maximumCellWidth)
            })
    }

    /// The lines of the table: titles, a rule, rows.
    ///
    /// No spaces at the ends of lines.
    package var lines: [String] {
        let widths = columns.indices.map { index in
            rows.reduce(DisplayWidth.columns(of: columns[index].title)) {
                max($0, DisplayWidth.columns(of: $1[index]))
            }
        }
        let titles = line(columns.map(\.title), widths: widths)
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        return [titles, rule] + rows.map { line($0, widths: widths) }
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        var result = ""
        for (index, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[index] - DisplayWidth.columns(of: cell))
            result += columns[index].alignment == .right ? padding + cell : cell + padding
            if index + 1 < cells.count { result += "  " }
        }
        while result.last == " " { result.removeLast() }
        return result
    }
}
