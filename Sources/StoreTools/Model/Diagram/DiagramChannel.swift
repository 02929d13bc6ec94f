/// The space between two columns, in which lines run up and down side by side.
package struct DiagramChannel {
    /// One piece of a line.
    private struct Piece {
        let route: Int
        let index: Int
        let low: Int
        let high: Int
        /// Heights at which the line continues to the left and to the right.
        let left: [Int]
        let right: [Int]
        var track = 0

        func overlaps(_ other: Piece) -> Bool { low <= other.high + 8 && other.low <= high + 8 }

        func covers(_ y: Int) -> Bool { low < y && y < high }

        /// How often the two lines cross when this one is left of the other.
        func crossings(leftOf other: Piece) -> Int {
            right.filter { other.covers($0) || other.low == $0 || other.high == $0 }.count
                + other.left.filter { covers($0) || low == $0 || high == $0 }.count
        }
    }

    private var pieces: [Piece] = []

    package mutating func add(route: Int, index: Int, start: Int, end: Int, startIsRight: Bool, endIsRight: Bool) {
        pieces.append(
            Piece(
                route: route, index: index, low: min(start, end), high: max(start, end),
                left: (startIsRight ? [] : [start]) + (endIsRight ? [] : [end]),
                right: (startIsRight ? [start] : []) + (endIsRight ? [end] : [])))
    }

    /// Gives each piece a track so that lines cross seldom.
    package mutating func arrange() {
        pieces.sort { ($0.low, $0.high, $0.route, $0.index) < ($1.low, $1.high, $1.route, $1.index) }
        for _ in 0..<8 where !improveOrder() { break }
        for index in pieces.indices {
            let before = pieces[..<index].filter { $0.overlaps(pieces[index]) }.map(\.track)
            pieces[index].track = before.max().map { $0 + 1 } ?? 0
        }
    }

    /// Puts each piece where it crosses the fewest others; false when nothing got better.
    private mutating func improveOrder() -> Bool {
        var isBetter = false
        for index in pieces.indices {
            let piece = pieces[index]
            // The change when the piece moves by one index at a time to either side.
            var best = (gain: 0, index: index)
            for step in [-1, 1] {
                var gain = 0
                var next = index + step
                while pieces.indices.contains(next) {
                    let other = pieces[next]
                    let change = other.crossings(leftOf: piece) - piece.crossings(leftOf: other)
                    gain += step < 0 ? change : -change
                    if gain > best.gain { best = (gain, next) }
                    next += step
                }
            }
            guard best.gain > 0 else { continue }
            pieces.remove(at: index)
            pieces.insert(piece, at: best.index)
            isBetter = true
        }
        return isBetter
    }

    /// How wide the space is; nil when nothing runs in it.
    package var width: Int? {
        pieces.map(\.track).max().map { 2 * DiagramSize.stub + $0 * DiagramSize.track }
    }

    /// Where a piece is, from the left.
    package func offset(route: Int, index: Int) -> Int {
        let track = pieces.first { $0.route == route && $0.index == index }?.track ?? 0
        return DiagramSize.stub + track * DiagramSize.track
    }
}
