/// A position in the history of stores.
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
    /// The type of `tokenValue`.
    associatedtype TokenType
    /// What the token is made of.
    var tokenValue: TokenType? { get }
}

/// A position in the history of this module's stores: the number of the last transaction of each.
public struct DefaultHistoryToken: HistoryToken {
    /// The type of `tokenValue`: numbers of transactions by the identifiers of stores.
    public typealias TokenType = [String: Int64]

    /// The numbers of the last transactions, by the identifiers of their stores.
    public let tokenValue: [String: Int64]?

    init(_ numbers: [String: Int64]) { tokenValue = numbers }

    /// What identifies the token: itself.
    public var id: DefaultHistoryToken { self }

    /// Whether the first position is before the second in a store that both have, and in no store after it.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        let (first, second) = (lhs.tokenValue ?? [:], rhs.tokenValue ?? [:])
        let common = first.keys.filter { second[$0] != nil }
        // A token of no store is the beginning.
        if common.isEmpty { return first.isEmpty && !second.isEmpty }
        return common.allSatisfy { (first[$0] ?? 0) <= (second[$0] ?? 0) }
            && common.contains { first[$0] != second[$0] }
    }
}
