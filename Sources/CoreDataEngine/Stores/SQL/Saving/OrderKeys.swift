/// The numbers that keep an ordered to-many in order, as Apple's framework gives them out.
///
/// The first element gets 2048 and each further one 1024 more. An element between two others takes the middle, one in
/// front 1024 less than the first. Elements that are in order already keep their numbers, so that few rows are written;
/// where no number is left between two neighbors, the whole list is numbered afresh.
package enum OrderKeys {
    package static let first: Int64 = 2048
    package static let step: Int64 = 1024

    /// Numbers for a list in its new order.
    ///
    /// - Parameter existing: The number each element has at present, nil for one that is new.
    /// - Returns: A number for each element, strictly increasing.
    package static func assign(existing: [Int64?]) -> [Int64] {
        let kept = inOrder(existing)
        return fill(existing, kept: kept) ?? existing.indices.map { first + Int64($0) * step }
    }

    /// Assigns numbers to the elements between those that keep theirs; `nil` if the numbers in between aren't enough.
    private static func fill(_ existing: [Int64?], kept: [Int]) -> [Int64]? {
        var keys = [Int64](repeating: 0, count: existing.count)
        var start = 0
        var lower: Int64?
        for position in kept + [existing.count] {
            let upper = position < existing.count ? existing[position] : nil
            guard fillGap(&keys, start..<position, above: lower, below: upper) else { return nil }
            if let upper { keys[position] = upper }
            lower = upper
            start = position + 1
        }
        return keys
    }

    private static func fillGap(_ keys: inout [Int64], _ gap: Range<Int>, above: Int64?, below: Int64?) -> Bool {
        guard !gap.isEmpty else { return true }
        let count = Int64(gap.count)
        switch (above, below) {
        case (nil, nil):
            for (offset, position) in gap.enumerated() { keys[position] = first + Int64(offset) * step }
        case (let above?, nil):
            guard above < Int64.max - (count + 1) * step else { return false }
            for (offset, position) in gap.enumerated() { keys[position] = above + Int64(offset + 1) * step }
        case (nil, let below?):
            // In front of the first: steps of 1024 while they stay positive, then closer together.
            let width = below > count * step ? step : below / (count + 1)
            guard width > 0 else { return false }
            for (offset, position) in gap.enumerated() { keys[position] = below - (count - Int64(offset)) * width }
        case (let above?, let below?):
            let (span, isTooWide) = below.subtractingReportingOverflow(above)
            let width = span / (count + 1)
            guard !isTooWide, width > 0 else { return false }
            for (offset, position) in gap.enumerated() { keys[position] = above + Int64(offset + 1) * width }
        }
        return true
    }

    /// Positions of a longest run of elements whose numbers increase already.
    private static func inOrder(_ keys: [Int64?]) -> [Int] {
        let numbered = keys.indices.filter { keys[$0] != nil }
        return OrderKeeping.longestIncreasing(numbered.map { Int(clamping: keys[$0] ?? 0) }).map { numbered[$0] }
    }
}
