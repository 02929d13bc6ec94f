/// Primary keys that a store has reserved in advance and not used yet.
package struct KeyBlock {
    package private(set) var next: Int64
    /// After the last reserved key.
    package let end: Int64
    /// The number of keys to reserve beyond those asked for, next time.
    private let extra: Int64

    /// Keys that were just reserved.
    ///
    /// - Parameters:
    ///   - reserved: The keys.
    ///   - rest: What is left of the keys reserved before. It is used first if the new keys follow it directly: then no
    ///     other program has reserved keys in between.
    ///   - extra: How many keys more than those asked for were to be reserved.
    package init(_ reserved: Range<Int64>, after rest: KeyBlock?, extra: Int64) {
        next = rest?.end == reserved.lowerBound ? rest?.next ?? reserved.lowerBound : reserved.lowerBound
        end = reserved.upperBound
        self.extra = extra
    }

    /// How many keys are left.
    package var count: Int64 { end - next }

    /// Takes keys and returns the first; `nil` if there are not enough.
    package mutating func take(_ count: Int64) -> Int64? { count <= self.count ? takeReserved(count) : nil }

    /// Takes keys of which there are enough, and returns the first.
    package mutating func takeReserved(_ count: Int64) -> Int64 {
        defer { next += count }
        return next
    }

    /// How many keys to reserve beyond those asked for: a program that saves often reserves larger blocks.
    package func nextExtra(upTo limit: Int64) -> Int64 { min(limit, extra * 2 + 8) }
}

extension Dictionary where Value == KeyBlock {
    /// Takes keys from the block of an entity.
    ///
    /// - Parameters:
    ///   - count: How many keys to take.
    ///   - number: The entity whose keys they are.
    ///   - limit: The most keys to reserve beyond those asked for.
    /// - Returns: The first key, or `nil` if the block has too few, and how many keys more than those asked for to reserve
    ///   next; `nil` if there is no block.
    package mutating func take(_ count: Int64, of number: Key, upTo limit: Int64) -> (first: Int64?, extra: Int64)? {
        guard let index = index(forKey: number) else { return nil }
        return (values[index].take(count), values[index].nextExtra(upTo: limit))
    }
}
