/// The measures of a picture, in its own units.
///
/// Heights are such that lines that end at rows of one column never run along those of the next one: rows of even
/// columns have their middle at multiples of 20, those of odd columns 10 below.
package enum DiagramSize {
    package static let row = 20
    package static let title = 30
    package static let textSize = 12.0
    package static let titleSize = 14.0
    package static let padding = 12
    package static let margin = 24
    /// Between two lines that run side by side.
    package static let track = 10
    /// Beside a box, for the ends of lines and their counts.
    package static let stub = 42
    package static let gap = 26

    package static func height(of box: Diagram.Box) -> Int { title + box.rows.count * row + (box.rows.isEmpty ? 0 : 6) }

    package static func width(of box: Diagram.Box) -> Int {
        let title = DiagramText.width(of: box.title, size: titleSize, isBold: true) + (box.isAbstract ? 70 : 0)
        let rows = box.rows.map { row in
            DiagramText.width(of: row.name, size: textSize) + DiagramText.width(of: row.type, size: textSize)
                + row.marks.count * 12 + 20
        }
        return max(120, max(title, rows.max() ?? 0) + 2 * padding)
    }

    /// Where a line meets a box, from the top of the box. Lines from children come to the middle of the title; the one
    /// to the parent leaves below.
    package static func offset(of port: Diagram.Port, on line: Diagram.Line) -> Int {
        if let index = port.row { return title + row / 2 + index * row }
        guard line.isInheritance else { return row }
        return port == line.to ? title / 2 - 1 : row + 2
    }

    /// The heights of lines that pass a column, as a remainder by ``track``: others than those of all ends of lines.
    package static func passage(column: Int) -> Int { column % 2 == 0 ? 6 : 8 }
}
