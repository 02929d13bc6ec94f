/// The values of one book, with the numbers of its author and tags.
public struct BookRecord: Sendable {
    public let title: String
    public let isbn: String
    public let summary: String
    public let pages: Int32
    public private(set) var priceInCents: Int
    /// Whole seconds from 2001-01-01 00:00:00 UTC.
    public let published: Int
    public let ratingInTenths: Int?
    public let inPrint: Bool
    public let author: Int
    public private(set) var tags: (Int, Int, Int)

    public var price: Double { Double(priceInCents) / 100.0 }
    public var rating: Double? { ratingInTenths.map { Double($0) / 10.0 } }

    /// The book with the given number among books by `authorCount` authors; each can be made on its own.
    public init(number: Int, authorCount: Int) {
        let first = UInt64(4 * number) + 1
        let x = SplitMix64.number(seed: 2, index: first)
        let y = SplitMix64.number(seed: 2, index: first + 1)
        let z = SplitMix64.number(seed: 2, index: first + 2)
        let w = SplitMix64.number(seed: 2, index: first + 3)

        let words = [0, 6, 12].map { WordLists.title[Int((x >> $0) & 63)] }
        title = "\(words[0]) \(words[1]) \(words[2]) \(number)"
        isbn = Self.isbn(number: number)
        pages = 50 + Int32((x >> 18) & 0xFFFF) % 1000
        ratingInTenths = (x >> 34) & 3 == 0 ? nil : 10 + Int((x >> 36) & 0xFF) % 41
        inPrint = (x >> 44) & 3 != 0
        priceInCents = 100 + Int(y & 0xFFFF) % 6000
        published = Int((y >> 16) % 800_000_000)
        summary = (0..<10).map { WordLists.summary[Int((z >> (6 * UInt64($0))) & 63)] }.joined(separator: " ")
        author = Int(w & 0xFFFF_FFFF) % authorCount
        let tag0 = Int((w >> 32) & 0xFF) % 50
        let tag1 = (tag0 + 1 + Int((w >> 40) & 15)) % 50
        let tag2 = (tag1 + 1 + Int((w >> 44) & 15)) % 50
        tags = (tag0, tag1, tag2)
    }

    /// The same book as an import brings it: another price, and another third tag.
    var revised: BookRecord {
        var copy = self
        copy.priceInCents += 100
        repeat {
            copy.tags.2 = (copy.tags.2 + 1) % Library.tagCount
        } while copy.tags.2 == tags.0 || copy.tags.2 == tags.1
        return copy
    }

    /// The ISBN of the book with the given number.
    public static func isbn(number: Int) -> String {
        let digits = String((number * 2_654_435_761) % 10_000_000_000)
        return "978" + String(repeating: "0", count: 10 - digits.count) + digits
    }
}
