/// The generated data of one size, held in memory before any timer starts.
public struct Library: Sendable {
    /// The number of tags at every size.
    public static let tagCount = 50
    /// How many books `save-small` adds, one after the other.
    public static let extraBookCount = 1000
    /// How many objects the look-up operations ask for.
    public static let lookupCount = 10_000

    public let bookCount: Int
    public let authors: [AuthorRecord]
    public let books: [BookRecord]
    /// The books with numbers `bookCount` and up, for `save-small`.
    public let extraBooks: [BookRecord]
    public let tagNames: [String]

    /// Generates everything for `bookCount` books by a hundredth as many authors.
    public init(bookCount: Int) {
        let authorCount = Self.authorCount(bookCount: bookCount)
        self.bookCount = bookCount
        authors = (0..<authorCount).map(AuthorRecord.init(number:))
        books = (0..<bookCount).map { BookRecord(number: $0, authorCount: authorCount) }
        extraBooks = (bookCount..<bookCount + Self.extraBookCount).map {
            BookRecord(number: $0, authorCount: authorCount)
        }
        tagNames = (0..<Self.tagCount).map { "tag \($0)" }
    }

    /// What `import` brings: as many books as the library has, half of which it has already, revised.
    public func makeImportedBooks() -> [BookRecord] {
        let first = bookCount / 2
        return (first..<first + bookCount).map { number in
            number < bookCount ? books[number].revised : BookRecord(number: number, authorCount: authors.count)
        }
    }

    public static func authorCount(bookCount: Int) -> Int { max(1, bookCount / 100) }
}
