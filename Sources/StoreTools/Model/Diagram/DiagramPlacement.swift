/// Finds for each box a column and a position in it, so that lines are short.
///
/// From an order in which neighbors follow each other, boxes are moved and exchanged as long as that helps. There is
/// no chance in it: equal models have equal pictures.
///
/// Each try changes few boxes, so only what those change is computed again: a model of hundreds of entities takes
/// hundreds of thousands of tries. For debug builds, this is a class, whose properties are read without a copy of them all, and
/// loops count instead of using iterators.
package final class DiagramPlacement {
    private struct Line {
        let from: Int
        let fromOffset: Int
        let to: Int
        let toOffset: Int
    }

    private let heights: [Int]
    private let lines: [Line]
    private let linesOfBox: [[Int]]
    private let pitch: Int
    private let wantedHeight: Int

    /// The boxes of each column, from the top.
    @exclusivity(unchecked) package private(set) var columns: [[Int]]

    // What follows from the columns. No two accesses overlap: nothing here hands itself to other code.
    @exclusivity(unchecked) private var columnOfBox: [Int]
    @exclusivity(unchecked) private var tops: [Int]
    @exclusivity(unchecked) private var columnHeights: [Int] = []
    @exclusivity(unchecked) private var lineCosts: [Int]
    /// The cost of all lines and columns.
    @exclusivity(unchecked) package private(set) var total = 0

    /// What the current try has changed, to take it back.
    @exclusivity(unchecked) private var changedBoxes: [(box: Int, column: Int, top: Int)] = []
    @exclusivity(unchecked) private var changedLines: [(line: Int, cost: Int)] = []
    /// The number of changed boxes whose lines are computed already.
    @exclusivity(unchecked) private var settled = 0

    package init(_ diagram: Diagram) {
        heights = diagram.boxes.map { DiagramSize.height(of: $0) + DiagramSize.gap + 2 * DiagramSize.track }
        lines = diagram.lines.filter { $0.from.box != $0.to.box }.map { line in
            Line(
                from: line.from.box, fromOffset: DiagramSize.offset(of: line.from, on: line),
                to: line.to.box, toOffset: DiagramSize.offset(of: line.to, on: line))
        }
        var linesOfBox: [[Int]] = Array(repeating: [], count: heights.count)
        for (number, line) in lines.enumerated() {
            linesOfBox[line.from].append(number)
            linesOfBox[line.to].append(number)
        }
        self.linesOfBox = linesOfBox
        let widths = diagram.boxes.map { DiagramSize.width(of: $0) }
        pitch = widths.reduce(0, +) / max(1, widths.count) + 130
        let total = heights.reduce(0, +)
        let count = min(
            max(1, diagram.boxes.count),
            max(1, Int((1.5 * Double(total) / Double(pitch)).squareRoot().rounded())))
        wantedHeight = max(heights.max() ?? 0, total / count * 11 / 10)
        columns = []
        columnOfBox = Array(repeating: 0, count: heights.count)
        tops = columnOfBox
        lineCosts = Array(repeating: 0, count: lines.count)
        fill(Self.order(count: diagram.boxes.count, lines: lines.map { ($0.from, $0.to) }), columns: count)
        begin()
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

    private func fill(_ order: [Int], columns count: Int) {
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

    /// Computes everything that follows from the columns.
    private func begin() {
        columnHeights = Array(repeating: 0, count: columns.count)
        for number in columns.indices {
            total += penalty(ofHeight: 0)
            restack(number, from: 0)
        }
        for line in lines.indices {
            lineCosts[line] = cost(of: line)
            total += lineCosts[line]
        }
        keep()
    }

    // MARK: Moving

    private func improve() {
        let passes = heights.count > 150 ? 3 : 12
        for _ in 0..<passes {
            let before = total
            for box in heights.indices { move(box) }
            for first in heights.indices {
                var second = first + 1
                while second < heights.count {
                    exchange(first, second)
                    second += 1
                }
            }
            if total == before { break }
        }
        guard columns.contains(where: \.isEmpty) else { return }
        columns.removeAll(where: \.isEmpty)
        total = 0
        begin()
    }

    /// Puts a box where it does best.
    private func move(_ box: Int) {
        let column = columnOfBox[box]
        guard let position = columns[column].firstIndex(of: box) else { return }
        var best = (cost: total, column: column, position: position)
        columns[column].remove(at: position)
        restack(column, from: position)
        var candidate = 0
        while candidate < columns.count {
            let count = columns[candidate].count
            columns[candidate].insert(box, at: 0)
            restack(candidate, from: 0)
            settle()
            var index = 0
            while true {
                if total < best.cost { best = (total, candidate, index) }
                guard index < count else { break }
                lower(box, column: candidate, position: index)
                index += 1
            }
            // The box is the last one now: none of the others moves when it leaves.
            columns[candidate].removeLast()
            setHeight(ofColumn: candidate, columnHeights[candidate] - heights[box])
            candidate += 1
        }
        columns[best.column].insert(box, at: best.position)
        restack(best.column, from: best.position)
        settle()
        keep()
    }

    /// Exchanges a box with the one below it.
    private func lower(_ box: Int, column: Int, position: Int) {
        let other = columns[column][position + 1]
        columns[column][position] = other
        columns[column][position + 1] = box
        let top = tops[box]
        set(other, column: column, top: top)
        set(box, column: column, top: top + heights[other])
        settle()
    }

    private func exchange(_ first: Int, _ second: Int) {
        let old = total
        let (firstColumn, secondColumn) = (columnOfBox[first], columnOfBox[second])
        guard let firstPosition = columns[firstColumn].firstIndex(of: first),
            let secondPosition = columns[secondColumn].firstIndex(of: second)
        else { return }
        let oldHeights = (columnHeights[firstColumn], columnHeights[secondColumn])
        columns[firstColumn][firstPosition] = second
        columns[secondColumn][secondPosition] = first
        if heights[first] == heights[second] {
            let (firstTop, secondTop) = (tops[first], tops[second])
            set(first, column: secondColumn, top: secondTop)
            set(second, column: firstColumn, top: firstTop)
        } else if firstColumn == secondColumn {
            restack(firstColumn, from: min(firstPosition, secondPosition))
        } else {
            restack(firstColumn, from: firstPosition)
            restack(secondColumn, from: secondPosition)
        }
        settle()
        guard total >= old else { return keep() }
        columns[firstColumn][firstPosition] = first
        columns[secondColumn][secondPosition] = second
        columnHeights[firstColumn] = oldHeights.0
        columnHeights[secondColumn] = oldHeights.1
        takeBack(to: old)
    }

    // MARK: What a change changes

    /// Puts the boxes of a column below each other, from one of them on.
    private func restack(_ number: Int, from start: Int) {
        let boxes = columns[number]
        var y = start == 0 ? 0 : tops[boxes[start - 1]] + heights[boxes[start - 1]]
        var position = start
        while position < boxes.count {
            let box = boxes[position]
            if tops[box] != y || columnOfBox[box] != number { set(box, column: number, top: y) }
            y += heights[box]
            position += 1
        }
        setHeight(ofColumn: number, y)
    }

    private func set(_ box: Int, column: Int, top: Int) {
        changedBoxes.append((box, columnOfBox[box], tops[box]))
        columnOfBox[box] = column
        tops[box] = top
    }

    private func setHeight(ofColumn number: Int, _ height: Int) {
        guard height != columnHeights[number] else { return }
        total += penalty(ofHeight: height) - penalty(ofHeight: columnHeights[number])
        columnHeights[number] = height
    }

    /// Computes the lines of the boxes that changed.
    private func settle() {
        while settled < changedBoxes.count {
            let ends = linesOfBox[changedBoxes[settled].box]
            var index = 0
            while index < ends.count {
                let line = ends[index]
                let (old, new) = (lineCosts[line], cost(of: line))
                if old != new {
                    changedLines.append((line, old))
                    lineCosts[line] = new
                    total += new - old
                }
                index += 1
            }
            settled += 1
        }
    }

    private func keep() {
        changedBoxes.removeAll(keepingCapacity: true)
        changedLines.removeAll(keepingCapacity: true)
        settled = 0
    }

    private func takeBack(to old: Int) {
        while let (line, cost) = changedLines.popLast() { lineCosts[line] = cost }
        while let (box, column, top) = changedBoxes.popLast() {
            columnOfBox[box] = column
            tops[box] = top
        }
        settled = 0
        total = old
    }

    // MARK: Cost

    /// Too high columns cost most. Long lines are worse at the bottom of high columns; level columns look best.
    private func penalty(ofHeight height: Int) -> Int {
        let excess = height > wantedHeight ? (height - wantedHeight) * 3 : 0
        return excess + height / 8 * (height / 8) / 150
    }

    /// The length of a line, more for one that must pass other boxes.
    private func cost(of number: Int) -> Int {
        let line = lines[number]
        var across = columnOfBox[line.from] - columnOfBox[line.to]
        if across < 0 { across = -across }
        var down = tops[line.from] + line.fromOffset - tops[line.to] - line.toOffset
        if down < 0 { down = -down }
        let length = across * pitch + down * 3 / 4
        if across == 0 { return length + 100 }
        return across > 1 ? length + (across - 1) * 250 : length
    }

    /// The cost computed from the columns alone, for tests.
    package func costFromTheBeginning() -> Int {
        let kept = total
        total = 0
        begin()
        defer { total = kept }
        return total
    }
}
