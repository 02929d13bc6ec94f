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
        /// Columns with the least rank are left out first if there is no room for all.
        package var rank: Int
        /// Whether the column says what a row is of, and is rather cut than left out.
        package var isIdentifying: Bool

        package init(
            _ title: String, _ alignment: Alignment = .left, isWhole: Bool = false, rank: Int = 0,
            isIdentifying: Bool = false
        ) {
            self.isIdentifying = isIdentifying
            self.title = TerminalText.line(title)
            self.alignment = alignment
            self.isWhole = isWhole
            self.rank = rank
        }
    }

    /// The most rows that a terminal shows unasked.
    package static let rowsOnScreen = 50
    /// The widest a cell may be; longer ones end in an ellipsis.
    package static let maximumCellWidth = 60
    /// The narrowest that a column becomes where the terminal is small.
    private static let narrowest = 8
    /// The columns of the terminal that a cut cell should have left, or else its column is better left out.
    private static let readable = 12

    package private(set) var columns: [Column]
    package private(set) var rows: [[String]] = []

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
    package var lines: [String] { lines(fitting: nil) }

    /// The lines of the table within `limit` columns of the terminal, as far as possible.
    ///
    /// The widest cells are shortened first. Numbers, and columns that are shown whole, are never shortened. Lines
    /// don't end with spaces.
    ///
    /// - Parameter limit: The number of columns; `nil` for no limit.
    package func lines(fitting limit: Int?) -> [String] {
        var widths = self.widths
        if let limit { fit(&widths, limit) }
        let titles = line(columns.map(\.title), widths: widths)
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        return [titles, rule] + rows.map { line($0, widths: widths) }
    }

    /// Leaves out columns until the others are readable within `limit` columns of the terminal: those of the least rank
    /// first, and of equal rank the last first. At least one column stays.
    ///
    /// - Returns: The titles of the columns that were left out.
    package mutating func leaveOutColumns(fitting limit: Int) -> [String] {
        let needed = zip(columns, widths).map { column, width in
            guard column.alignment == .left, !column.isWhole else { return width }
            return min(width, column.isIdentifying ? Self.narrowest : Self.readable)
        }
        var kept = Array(columns.indices)
        while kept.count > 1, kept.reduce(2 * (kept.count - 1), { $0 + needed[$1] }) > limit {
            guard let least = kept.map({ columns[$0].rank }).min(),
                let last = kept.lastIndex(where: { columns[$0].rank == least })
            else { break }
            kept.remove(at: last)
        }
        guard kept.count < columns.count else { return [] }
        let left = columns.indices.filter { !kept.contains($0) }.map { columns[$0].title }
        columns = kept.map { columns[$0] }
        for index in rows.indices { rows[index] = kept.map { rows[index][$0] } }
        return left
    }

    /// How wide each column is when nothing is cut.
    private var widths: [Int] {
        columns.indices.map { index in
            rows.reduce(DisplayWidth.columns(of: columns[index].title)) {
                max($0, DisplayWidth.columns(of: $1[index]))
            }
        }
    }

    /// Takes columns from the widest until all fit.
    private func fit(_ widths: inout [Int], _ limit: Int) {
        let shrinkable = columns.indices.filter { columns[$0].alignment == .left && !columns[$0].isWhole }
        func excess() -> Int { widths.reduce(2 * (widths.count - 1), +) - limit }
        while excess() > 0 {
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.narrowest else {
                return
            }
            let next = shrinkable.filter { widths[$0] < widths[widest] }.map { widths[$0] }.max() ?? Self.narrowest
            let equal = shrinkable.filter { widths[$0] == widths[widest] }
            let step = min(widths[widest] - max(next, Self.narrowest), max(1, excess() / equal.count))
            for index in equal where excess() > 0 { widths[index] -= max(1, step) }
        }
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        var result = ""
        for (index, whole) in cells.enumerated() {
            let cell = DisplayWidth.truncate(whole, to: widths[index])
            let padding = String(repeating: " ", count: widths[index] - DisplayWidth.columns(of: cell))
            result += columns[index].alignment == .right ? padding + cell : cell + padding
            if index + 1 < cells.count { result += "  " }
        }
        while result.utf8.last == UInt8(ascii: " ") { result.removeLast() }
        return result
    }
}
