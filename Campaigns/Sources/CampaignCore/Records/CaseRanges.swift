/// Which cases of a seed have been run, as sorted ranges that don't touch.
package struct CaseRanges: Codable, Equatable, Sendable {
    package private(set) var ranges: [Range<Int>] = []

    package init() {}

    /// The number of cases.
    package var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// The first case from `start` on that is not in it.
    package func firstGap(from start: Int = 0) -> Int {
        var index = start
        for range in ranges where range.contains(index) { index = range.upperBound }
        return index
    }

    /// The first range at or after `start` that has cases which are not in it, at most up to `end`.
    package func gap(from start: Int, to end: Int) -> Range<Int>? {
        let lower = firstGap(from: start)
        guard lower < end else { return nil }
        let next = ranges.first { $0.lowerBound > lower }?.lowerBound ?? end
        return lower..<min(next, end)
    }

    package mutating func insert(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        var merged = range
        var kept: [Range<Int>] = []
        for other in ranges {
            if other.upperBound < merged.lowerBound || other.lowerBound > merged.upperBound {
                kept.append(other)
            } else {
                merged =
                    min(other.lowerBound, merged.lowerBound)..<max(other.upperBound, merged.upperBound)
            }
        }
        ranges = (kept + [merged]).sorted { $0.lowerBound < $1.lowerBound }
    }

    package mutating func remove(_ range: Range<Int>) {
        ranges = ranges.flatMap { other in
            [
                other.lowerBound..<min(max(other.lowerBound, range.lowerBound), other.upperBound),
                max(min(other.upperBound, range.upperBound), other.lowerBound)..<other.upperBound,
            ]
        }.filter { !$0.isEmpty }
    }

    package mutating func formUnion(_ other: CaseRanges) {
        for range in other.ranges { insert(range) }
    }
}
