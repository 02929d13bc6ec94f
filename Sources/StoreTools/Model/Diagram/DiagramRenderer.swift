/// Writes a picture as SVG.
package struct DiagramRenderer {
    package let layout: DiagramLayout
    package let title: String

    package init(layout: DiagramLayout, title: String) {
        self.layout = layout
        self.title = title
    }

    private var diagram: Diagram { layout.diagram }

    package var svg: String {
        let legend = self.legend
        let height = layout.height + (legend.isEmpty ? 0 : 28)
        let width = max(layout.width, DiagramText.width(of: legend, size: 11) + 2 * DiagramSize.margin)
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
            role="img">
            <title>\(DiagramText.escaped(title))</title>
            <style>\(DiagramStyle.css)</style>
            <rect class="paper" width="\(width)" height="\(height)"/>
            """
        ]
        for index in diagram.lines.indices { parts.append(line(index)) }
        for index in diagram.boxes.indices { parts.append(box(index)) }
        if !legend.isEmpty {
            parts.append(
                "<text class=\"legend\" x=\"\(DiagramSize.margin)\" y=\"\(height - 16)\">"
                    + "\(DiagramText.escaped(legend))</text>")
        }
        return parts.joined(separator: "\n") + "\n</svg>\n"
    }

    /// What the signs mean that the picture has.
    private var legend: String {
        let rows = diagram.boxes.flatMap(\.rows)
        let used = Set(rows.flatMap(\.marks))
        var words = Diagram.Mark.allCases.filter(used.contains).map { "\($0.rawValue) \($0)" }
        if rows.contains(where: { $0.type.hasSuffix("?") && !$0.isRelationship }) { words.append("? optional") }
        return words.joined(separator: "  ·  ")
    }

    // MARK: Boxes

    private func box(_ index: Int) -> String {
        let (box, frame) = (diagram.boxes[index], layout.frames[index])
        let (x, y, width) = (frame.x, frame.y, frame.width)
        let name = DiagramText.escaped(box.title)
        var parts = [
            "<g>",
            "<rect class=\"box\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(frame.height)\" rx=\"6\"/>",
            """
            <path class="\(box.isAbstract ? "head abstract" : "head")" d="\(head(frame, isWhole: box.rows.isEmpty))"/>
            """,
            "<text class=\"\(box.isAbstract ? "title slanted" : "title")\" x=\"\(x + DiagramSize.padding)\" "
                + "y=\"\(y + 20)\">\(name)</text>",
        ]
        if box.isAbstract {
            parts.append(
                "<text class=\"note\" x=\"\(x + width - DiagramSize.padding)\" y=\"\(y + 20)\">abstract</text>")
        }
        for (number, row) in box.rows.enumerated() {
            let middle = y + DiagramSize.title + DiagramSize.row / 2 + number * DiagramSize.row
            if row.isRelationship, number > 0, !box.rows[number - 1].isRelationship {
                parts.append("<path class=\"rule\" d=\"M\(x) \(middle - 10)h\(width)\"/>")
            }
            parts.append(text(row, x: x, y: middle + 4, width: width))
        }
        return (parts + ["</g>"]).joined(separator: "\n")
    }

    private func head(_ frame: DiagramLayout.Frame, isWhole: Bool) -> String {
        let (x, y, right) = (frame.x, frame.y, frame.x + frame.width)
        let bottom = y + DiagramSize.title
        let lower =
            isWhole
            ? "V\(bottom - 6)Q\(right) \(bottom) \(right - 6) \(bottom)H\(x + 6)Q\(x) \(bottom) \(x) \(bottom - 6)"
            : "V\(bottom)H\(x)"
        return "M\(x) \(y + 6)Q\(x) \(y) \(x + 6) \(y)H\(right - 6)Q\(right) \(y) \(right) \(y + 6)\(lower)Z"
    }

    private func text(_ row: Diagram.Row, x: Int, y: Int, width: Int) -> String {
        let marks =
            row.marks.isEmpty
            ? "" : "<tspan class=\"mark\" dx=\"5\">\(row.marks.map(\.rawValue).joined(separator: " "))</tspan>"
        let type = (row.isRelationship ? "→ " : "") + row.type
        return """
            <text class="name" x="\(x + DiagramSize.padding)" y="\(y)">\(DiagramText.escaped(row.name))\(marks)</text>
            <text class="type" x="\(x + width - DiagramSize.padding)" y="\(y)">\(DiagramText.escaped(type))</text>
            """
    }

    // MARK: Lines

    private func line(_ index: Int) -> String {
        let (line, points) = (diagram.lines[index], layout.paths[index])
        guard let first = points.first, let last = points.last, points.count > 2 else { return "" }
        let style = line.isInheritance ? "inherits" : "c\(index % DiagramStyle.colors.count)"
        var parts = ["<g class=\"\(style)\">", "<path class=\"line\" d=\"\(path(points))\"/>"]
        parts += end(line.fromEnd, at: first, direction: points[1].x > first.x ? 1 : -1)
        parts += end(line.toEnd, at: last, direction: points[points.count - 2].x > last.x ? 1 : -1)
        return (parts + ["</g>"]).joined(separator: "\n")
    }

    /// The corners joined by lines, with the corners rounded.
    private func path(_ points: [DiagramLayout.Point]) -> String {
        var corners: [DiagramLayout.Point] = []
        for point in points where corners.last != point { corners.append(point) }
        var path = "M\(corners[0].x) \(corners[0].y)"
        for index in corners.indices.dropFirst().dropLast() {
            let (before, corner, after) = (corners[index - 1], corners[index], corners[index + 1])
            let (start, end) = (Self.near(corner, towards: before), Self.near(corner, towards: after))
            path += "L\(start.x) \(start.y)Q\(corner.x) \(corner.y) \(end.x) \(end.y)"
        }
        if let last = corners.last { path += "L\(last.x) \(last.y)" }
        return path
    }

    /// The point where the rounding of a corner begins.
    private static func near(_ corner: DiagramLayout.Point, towards other: DiagramLayout.Point) -> DiagramLayout.Point {
        func step(_ from: Int, _ to: Int) -> Int { from + max(-5, min(5, (to - from) / 2)) }
        return DiagramLayout.Point(x: step(corner.x, other.x), y: step(corner.y, other.y))
    }

    /// What is drawn where a line meets a box; `direction` leads away from the box.
    private func end(_ end: Diagram.End, at point: DiagramLayout.Point, direction: Int) -> [String] {
        let (x, y) = (point.x, point.y)
        switch end {
        case .nothing: return []
        case .parent:
            return ["<path class=\"hollow\" d=\"M\(x) \(y)L\(x + 12 * direction) \(y - 6)v12Z\"/>"]
        case .arrow:
            return ["<path class=\"solid\" d=\"M\(x) \(y)L\(x + 9 * direction) \(y - 4)v8Z\"/>"]
        case .count(let count):
            var path = ""
            if count.most != 1 {
                path += "M\(x) \(y - 5)L\(x + 10 * direction) \(y)L\(x) \(y + 5)"
            } else {
                path += "M\(x + 7 * direction) \(y - 5)v10"
            }
            if count.least > 0 { path += "M\(x + 12 * direction) \(y - 5)v10" }
            var parts = ["<path class=\"line\" d=\"\(path)\"/>"]
            if count.least == 0 {
                parts.append("<circle class=\"ring\" cx=\"\(x + 14 * direction)\" cy=\"\(y)\" r=\"3\"/>")
            }
            return parts + [label(count, x, y, direction)]
        }
    }

    private func label(_ count: Diagram.Count, _ x: Int, _ y: Int, _ direction: Int) -> String {
        "<text class=\"count\" x=\"\(x + 18 * direction)\" y=\"\(y - 4)\" "
            + "text-anchor=\"\(direction > 0 ? "start" : "end")\">\(count.text)</text>"
    }
}
