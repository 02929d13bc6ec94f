/// In which order the look-up operations ask for books.
public enum LookupOrder: String, CaseIterable, Sendable {
    /// An order that nothing can foretell: that of the workload.
    case shuffled
    /// Every 7,919th book, round and round: that of the workload until 2026-11-23, for tables of before and after.
    case stride
}

extension Library {
    /// The book number of each look-up, in order.
    public static func lookups(bookCount: Int, order: LookupOrder = .shuffled) -> [Int] {
        var positions = Array(0..<lookupCount)
        if order == .shuffled {
            for index in positions.indices.dropFirst().reversed() {
                let other = SplitMix64.number(seed: 3, index: UInt64(index)) % UInt64(index + 1)
                positions.swapAt(index, Int(other))
            }
        }
        return positions.map { $0 * 7919 % bookCount }
    }
}
