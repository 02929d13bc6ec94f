/// Finds for each box a column and a position in it, so that lines are short.
///
/// From an order in which neighbors follow each other, boxes are moved and exchanged as long as that helps. There is
/// no chance in it: equal models have equal pictures.
package struct DiagramPlacement {
    private let heights: [Int]
    private let lines: [(from: Int, fromOffset: Int, to: Int, toOffset: Int)]
    private let pitch: Int
    private let wantedHeight: Int

    /// The boxes of each column, from the top.
    private(set) var columns: [[Int]]

    package init(_ diagram: Diagram) {
        heights = diagram.boxes.map { DiagramSize.height(of: $0) + DiagramSize.gap + 2 * DiagramSize.track }
        lines = diagram.lines.filter { $0.from.box != $0.to.box }.map { line in
            (
                line.from.box, DiagramSize.offset(of: line.from, on: line),
                line.to.box, DiagramSize.offset(of: line.to, on: line)
            )
        }
        let widths = diagram.boxes.map { DiagramSize.width(of: $0) }
        pitch = widths.reduce(0, +) / max(1, widths.count) + 130
        let total = heights.reduce(0, +)
        let count = min(
            max(1, diagram.boxes.count),
            max(1, Int((1.5 * Double(total) / Double(pitch)).squareRoot().rounded())))
        wantedHeight = max(heights.max() ?? 0, total / count * 11 / 10)
        columns = []
        fill(Self.order(count: diagram.boxes.count, lines: lines.map { ($0.from, $0.to) }), columns: count)
        improve()
    }

    // MARK: Beginning

    /// Boxes with the most lines first, each followed by its neighbors.
    private static func order(count: Int, lines: [(Int, Int)]) -> [Int] {
        var neighbors: [[Int]] = Array(repeating: [], count: count)
        for (from, to) in lines {
            neighbors[from].append(to)
            neighbors[to].append(from)
        }
        let byDegree = neighbors.indices.sorted {
            (-neighbors[$0].count, $0) < (-neighbors[$1].count, $1)
        }
        var seen = Set<Int>()
        var order: [Int] = []
        for start in byDegree where seen.insert(start).inserted {
            var next = order.count
            order.append(start)
            while next < order.count {
                for box in byDegree where neighbors[order[next]].contains(box) && seen.insert(box).inserted {
                    order.append(box)
                }
                next += 1
            }
        }
        return order
    }

    private mutating func fill(_ order: [Int], columns count: Int) {
        columns = [[]]
        var height = 0
        for box in order {
            if height > 0, height + heights[box] > wantedHeight, columns.count < count {
                columns.append([])
                height = 0
            }
            columns[columns.count - 1].append(box)
            height += heights[box]
        }
        while columns.count < count { columns.append([]) }
    }

    // MARK: Moving

    private mutating func improve() {
        let passes = heights.count > 150 ? 3 : 12
        var best = cost()
        for _ in 0..<passes {
            let before = best
            for box in heights.indices { best = move(box, cost: best) }
            for first in heights.indices {
                for second in heights.indices where second > first { best = exchange(first, second, cost: best) }
            }
            if best == before { break }
        }
        columns.removeAll(where: \.isEmpty)
    }

    /// Puts a box where it does best.
    private mutating func move(_ box: Int, cost old: Int) -> Int {
        guard let column = columns.firstIndex(where: { $0.contains(box) }),
            let position = columns[column].firstIndex(of: box)
        else { return old }
        columns[column].remove(at: position)
        var best = (cost: old, column: column, position: position)
        for candidate in columns.indices {
            for index in 0...columns[candidate].count {
                columns[candidate].insert(box, at: index)
                let new = cost()
                if new < best.cost { best = (new, candidate, index) }
                columns[candidate].remove(at: index)
            }
        }
        columns[best.column].insert(box, at: best.position)
        return best.cost
    }

    private mutating func exchange(_ first: Int, _ second: Int, cost old: Int) -> Int {
        swap(first, second)
        let new = cost()
        if new < old { return new }
        swap(first, second)
        return old
    }

    private mutating func swap(_ first: Int, _ second: Int) {
        for column in columns.indices {
            for position in columns[column].indices {
                if columns[column][position] == first {
                    columns[column][position] = second
                } else if columns[column][position] == second {
                    columns[column][position] = first
                }
            }
        }
    }

    /// The lengths of all lines, more for those that must pass other boxes, and for columns that are too high.
    private func cost() -> Int {
        var column = Array(repeating: 0, count: heights.count)
        var top = column
        var total = 0
        for (number, boxes) in columns.enumerated() {
            var y = 0
            for box in boxes {
                column[box] = number
                top[box] = y
                y += heights[box]
            }
            total += max(0, y - wantedHeight) * 3
            // Long lines are worse at the bottom of high columns; level columns look best.
            total += y / 8 * (y / 8) / 150
        }
        for line in lines {
            let across = abs(column[line.from] - column[line.to])
            let down = abs(top[line.from] + line.fromOffset - top[line.to] - line.toOffset)
            total += across * pitch + down * 3 / 4
            if across == 0 { total += 100 }
            if across > 1 { total += (across - 1) * 250 }
        }
        return total
    }
}
