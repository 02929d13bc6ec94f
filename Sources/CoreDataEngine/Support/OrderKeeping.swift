/// Decides which elements that were removed from a list and inserted again have kept their position.
///
/// Untouched elements keep their order. A touched element has kept its position if it is between the same untouched
/// elements as before. Of several between the same ones, as many as possible have.
package enum OrderKeeping {
    /// A touched element: where it stood and where it stands.
    struct Position {
        let old: Int
        let new: Int
    }

    /// Which positions were kept.
    ///
    /// - Parameters:
    ///   - positions: The elements that were taken out and put back.
    ///   - removed: The old index of everything that was taken out.
    ///   - inserted: The new index of everything that was put in.
    static func kept(_ positions: [Position], removed: [Int], inserted: [Int]) -> [Bool] {
        guard !positions.isEmpty else { return [] }
        let removed = removed.sorted()
        let inserted = inserted.sorted()
        var groups: [Int: [Int]] = [:]
        for (index, position) in positions.enumerated() {
            let before = position.old - countBelow(position.old, removed)
            if before == position.new - countBelow(position.new, inserted) { groups[before, default: []].append(index) }
        }
        var result = [Bool](repeating: false, count: positions.count)
        for group in groups.values {
            let inOrder = group.sorted { positions[$0].old < positions[$1].old }
            for position in longestIncreasing(inOrder.map { positions[$0].new }) { result[inOrder[position]] = true }
        }
        return result
    }

    /// How many numbers of a sorted list are below a number.
    package static func countBelow(_ number: Int, _ sorted: [Int]) -> Int {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The positions of a longest increasing subsequence of different numbers.
    package static func longestIncreasing(_ numbers: [Int]) -> [Int] {
        // `tails[n]` is the position of the smallest number that ends an increasing sequence of n + 1.
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: numbers.count)
        for position in numbers.indices {
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if numbers[tails[middle]] < numbers[position] { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[position] = tails[low - 1] }
            if low == tails.count { tails.append(position) } else { tails[low] = position }
        }
        var result: [Int] = []
        var position = tails.last ?? -1
        while position >= 0 {
            result.append(position)
            position = previous[position]
        }
        return result.reversed()
    }
}
