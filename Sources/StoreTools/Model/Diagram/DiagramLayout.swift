/// A picture with positions for everything: boxes in columns, and lines in the space between them.
///
/// A line leaves its box at the side, runs up or down between two columns, and passes a column between two boxes. Each
/// such space is as wide as its lines need, so that no line runs through a box or along another line.
package struct DiagramLayout {
    package struct Point: Equatable {
        package var x: Int
        package var y: Int
    }

    package struct Frame: Equatable {
        package var x: Int
        package var y: Int
        package var width: Int
        package var height: Int
    }

    package let diagram: Diagram
    private(set) var frames: [Frame]
    /// For each line of the diagram its corners, from one end to the other.
    private(set) var paths: [[Point]] = []
    private(set) var width = 0
    private(set) var height = 0

    private let columns: [[Int]]
    private var columnOfBox: [Int]
    private var routes: [DiagramRoute] = []

    package init(_ diagram: Diagram) {
        self.diagram = diagram
        columns = DiagramPlacement(diagram).columns
        columnOfBox = Array(repeating: 0, count: diagram.boxes.count)
        frames = diagram.boxes.map { Frame(x: 0, y: 0, width: 0, height: DiagramSize.height(of: $0)) }
        for (number, boxes) in columns.enumerated() {
            for box in boxes { columnOfBox[box] = number }
        }
        // Where lines pass depends on where boxes are, and where boxes are on how many lines pass between them.
        stack(passing: columns.map { Array(repeating: 1, count: $0.count + 1) })
        findRoutes()
        stack(passing: passing())
        let gaps = orderGaps()
        let channels = orderChannels(gaps)
        place(channels)
        draw(gaps, channels)
    }

    // MARK: Boxes

    /// Stacks the boxes of each column, with space for the lines that pass between them.
    private mutating func stack(passing: [[Int]]) {
        height = 0
        for (number, boxes) in columns.enumerated() {
            var y = DiagramSize.margin
            for (position, box) in boxes.enumerated() {
                let lines = passing[number][position]
                if position > 0 { y += DiagramSize.gap }
                y += lines * DiagramSize.track
                // See DiagramSize for the rows of odd columns.
                let remainder = (y - number % 2 * 10) % 20
                frames[box].y = y + (20 - remainder) % 20
                y = frames[box].y + frames[box].height
            }
            height = max(height, y + passing[number][boxes.count] * DiagramSize.track + DiagramSize.margin)
        }
    }

    private func y(of port: Diagram.Port, _ line: Diagram.Line) -> Int {
        frames[port.box].y + DiagramSize.offset(of: port, on: line)
    }

    /// The middle of the space above a box of a column, or below the last one.
    private func middle(column: Int, gap: Int) -> Int {
        let boxes = columns[column]
        let above = gap > 0 ? frames[boxes[gap - 1]].y + frames[boxes[gap - 1]].height : DiagramSize.margin - 10
        let below = gap < boxes.count ? frames[boxes[gap]].y : above + 2 * DiagramSize.track
        return (above + below) / 2
    }

    // MARK: Ways

    private mutating func findRoutes() {
        var loads = Array(repeating: 0, count: columns.count + 1)
        routes = diagram.lines.map { line in
            let (from, to) = (columnOfBox[line.from.box], columnOfBox[line.to.box])
            let isReversed = from > to
            let ends = isReversed ? (line.to, line.from) : (line.from, line.to)
            let (first, last) = (min(from, to), max(from, to))
            var route = DiagramRoute(isReversed: isReversed, start: ends.0, end: ends.1)
            if first == last {
                let channel = loads[first] < loads[first + 1] ? first : first + 1
                loads[channel] += 1
                route.channels = [channel]
            } else {
                route.channels = Array(first + 1...last)
                for channel in route.channels { loads[channel] += 1 }
                route.gaps = cheapestGaps(
                    columns: Array(first + 1..<last), from: y(of: ends.0, line), to: y(of: ends.1, line))
            }
            return route
        }
    }

    /// The spaces by which a line passes columns with the least way up and down.
    private func cheapestGaps(columns passed: [Int], from start: Int, to end: Int) -> [(column: Int, gap: Int)] {
        var states: [(cost: Int, y: Int, gaps: [(column: Int, gap: Int)])] = [(0, start, [])]
        for column in passed {
            states = (0...columns[column].count).map { gap in
                let y = middle(column: column, gap: gap)
                let best = states.min { $0.cost + abs($0.y - y) < $1.cost + abs($1.y - y) }
                return (
                    (best?.cost ?? 0) + abs((best?.y ?? y) - y), y, (best?.gaps ?? []) + [(column, gap)]
                )
            }
        }
        return states.min { $0.cost + abs($0.y - end) < $1.cost + abs($1.y - end) }?.gaps ?? []
    }

    private func passing() -> [[Int]] {
        var counts = columns.map { Array(repeating: 0, count: $0.count + 1) }
        for route in routes {
            for gap in route.gaps { counts[gap.column][gap.gap] += 1 }
        }
        return counts
    }

    // MARK: Tracks

    /// For each line the heights at which it passes columns.
    private func orderGaps() -> [[Int]] {
        var result = routes.map { $0.gaps.map { middle(column: $0.column, gap: $0.gap) } }
        var members: [[Int]: [(route: Int, index: Int, wish: Int)]] = [:]
        for (number, route) in routes.enumerated() {
            let line = diagram.lines[number]
            let stops = [y(of: route.start, line)] + result[number] + [y(of: route.end, line)]
            for (index, gap) in route.gaps.enumerated() {
                members[[gap.column, gap.gap], default: []].append((number, index, stops[index] + stops[index + 2]))
            }
        }
        for (key, lines) in members {
            let (column, gap) = (key[0], key[1])
            let above = gap > 0 ? frames[columns[column][gap - 1]].y + frames[columns[column][gap - 1]].height : 4
            var y = above + DiagramSize.gap / 2
            while y % DiagramSize.track != DiagramSize.passage(column: column) { y += 1 }
            for line in lines.sorted(by: { ($0.wish, $0.route) < ($1.wish, $1.route) }) {
                result[line.route][line.index] = y
                y += DiagramSize.track
            }
        }
        return result
    }

    private func orderChannels(_ gaps: [[Int]]) -> [DiagramChannel] {
        var channels = Array(repeating: DiagramChannel(), count: columns.count + 1)
        for (number, route) in routes.enumerated() {
            let line = diagram.lines[number]
            let stops = [y(of: route.start, line)] + gaps[number] + [y(of: route.end, line)]
            for (index, channel) in route.channels.enumerated() {
                let isLoop = route.gaps.isEmpty && columnOfBox[route.start.box] == columnOfBox[route.end.box]
                let leavesRight = isLoop && channel == columnOfBox[route.start.box]
                channels[channel].add(
                    route: number, index: index, start: stops[index], end: stops[index + 1],
                    startIsRight: leavesRight, endIsRight: isLoop ? leavesRight : true)
            }
        }
        for index in channels.indices { channels[index].arrange() }
        return channels
    }

    /// Gives columns their positions from left to right.
    private mutating func place(_ channels: [DiagramChannel]) {
        // Nothing is left of the first channel and right of the last one.
        var x = DiagramSize.margin + (channels[0].width.map { $0 - DiagramSize.stub } ?? 0)
        for (number, boxes) in columns.enumerated() {
            let width = boxes.map { DiagramSize.width(of: diagram.boxes[$0]) }.max() ?? 0
            for box in boxes {
                frames[box].x = x
                frames[box].width = width
            }
            x += width
            let isLast = number == columns.count - 1
            let space = channels[number + 1].width ?? (isLast ? DiagramSize.stub : 2 * DiagramSize.stub)
            x += isLast ? space - DiagramSize.stub : space
        }
        width = x + DiagramSize.margin
    }

    // MARK: Lines

    private mutating func draw(_ gaps: [[Int]], _ channels: [DiagramChannel]) {
        paths = routes.enumerated().map { number, route in
            let line = diagram.lines[number]
            let stops = [y(of: route.start, line)] + gaps[number] + [y(of: route.end, line)]
            var points: [Point] = []
            for (index, channel) in route.channels.enumerated() {
                let x = left(ofChannel: channel, channels) + channels[channel].offset(route: number, index: index)
                if index == 0 {
                    let frame = frames[route.start.box]
                    points.append(Point(x: frame.x > x ? frame.x : frame.x + frame.width, y: stops[0]))
                }
                points.append(Point(x: x, y: stops[index]))
                points.append(Point(x: x, y: stops[index + 1]))
            }
            let frame = frames[route.end.box]
            let last = points.last?.x ?? 0
            points.append(Point(x: frame.x > last ? frame.x : frame.x + frame.width, y: stops[stops.count - 1]))
            return route.isReversed ? points.reversed() : points
        }
    }

    private func left(ofChannel channel: Int, _ channels: [DiagramChannel]) -> Int {
        guard channel > 0, let box = columns[channel - 1].first else { return DiagramSize.margin - DiagramSize.stub }
        return frames[box].x + frames[box].width
    }
}

/// The way of a line, from left to right.
package struct DiagramRoute {
    /// Whether the line goes from right to left.
    package var isReversed: Bool
    package var start: Diagram.Port
    package var end: Diagram.Port
    /// The spaces between columns in which it runs up or down; number 0 is left of all columns.
    package var channels: [Int] = []
    /// Where it passes the columns between them.
    package var gaps: [(column: Int, gap: Int)] = []
}
