extension Library {
    /// FNV-1a 64 over a text form of the first authors and books, to prove that the data is the agreed data.
    public var checksum: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ line: String) {
            for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 10) &* 0x100_0000_01B3
        }
        for author in authors.prefix(1000) {
            add("\(author.name)|\(author.born)|\(author.country)")
        }
        for book in books.prefix(10_000) {
            let tags = "\(book.tags.0),\(book.tags.1),\(book.tags.2)"
            add(
                "\(book.title)|\(book.isbn)|\(book.pages)|\(book.priceInCents)|\(book.published)|"
                    + "\(book.ratingInTenths ?? -1)|\(book.inPrint ? 1 : 0)|\(book.summary)|\(book.author)|\(tags)")
        }
        return hash
    }

    /// The agreed checksums by number of books.
    public static let expectedChecksums: [Int: UInt64] = [
        10_000: 0x8e26_1c99_4d28_fcfa,
        100_000: 0x9334_c65b_2f93_5965,
        1_000_000: 0xf83a_906b_5d33_a6bf,
    ]
}
