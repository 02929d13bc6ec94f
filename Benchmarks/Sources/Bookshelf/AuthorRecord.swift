/// The values of one author.
public struct AuthorRecord: Sendable {
    public let name: String
    public let country: String
    /// Whole seconds from 2001-01-01 00:00:00 UTC.
    public let born: Int

    /// The author with the given number; each can be made on its own.
    public init(number: Int) {
        let x = SplitMix64.number(seed: 1, index: UInt64(number) + 1)
        let given = WordLists.given[Int(x & 31)]
        let family = WordLists.family[Int((x >> 5) & 31)]
        name = "\(given) \(family) \(number)"
        country = WordLists.countries[Int((x >> 10) & 0xFF) % 10]
        born = -Int((x >> 18) % 2_000_000_000)
    }
}
