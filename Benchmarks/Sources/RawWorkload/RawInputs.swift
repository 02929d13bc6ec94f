package import Bookshelf
package import RawSQLite

/// Generated values as the C functions take them. Everything lives until this object goes.
package final class RawInputs {
    private(set) var authors: [RawAuthorInput] = []
    private(set) var books: [RawBookInput] = []
    package private(set) var extraBooks: [RawBookInput] = []
    private(set) lazy var importedBooks = makeImportedBooks().map(book)
    private let makeImportedBooks: () -> [BookRecord]
    private(set) var tagNames: [UnsafePointer<CChar>] = []
    private var texts: [UnsafeMutablePointer<CChar>] = []

    package init(_ library: Library) {
        makeImportedBooks = library.makeImportedBooks
        authors = library.authors.map(author)
        books = library.books.map(book)
        extraBooks = library.extraBooks.map(book)
        tagNames = library.tagNames.map(text)
    }

    deinit {
        for text in texts { text.deallocate() }
    }

    /// Calls `body` with all inputs.
    package func withInput<Result>(_ body: (RawInput) throws -> Result) rethrows -> Result {
        try authors.withUnsafeBufferPointer { authors in
            try books.withUnsafeBufferPointer { books in
                try tagNames.withUnsafeBufferPointer { names in
                    try body(
                        RawInput(
                            authors: authors.baseAddress, authorCount: Int64(authors.count),
                            books: books.baseAddress, bookCount: Int64(books.count),
                            tagNames: names.baseAddress, tagCount: Int64(names.count)))
                }
            }
        }
    }

    private func author(_ record: AuthorRecord) -> RawAuthorInput {
        RawAuthorInput(name: text(record.name), country: text(record.country), born: Double(record.born))
    }

    private func book(_ record: BookRecord) -> RawBookInput {
        RawBookInput(
            title: text(record.title), isbn: text(record.isbn), summary: text(record.summary),
            titleLength: Int32(record.title.utf8.count), isbnLength: Int32(record.isbn.utf8.count),
            summaryLength: Int32(record.summary.utf8.count),
            pages: record.pages, price: record.price, published: Double(record.published),
            rating: record.rating ?? 0, hasRating: record.rating != nil, inPrint: record.inPrint,
            author: Int32(record.author),
            tags: (Int32(record.tags.0), Int32(record.tags.1), Int32(record.tags.2)))
    }

    private func text(_ string: String) -> UnsafePointer<CChar> {
        let copy = string.withCString { source in
            let target = UnsafeMutablePointer<CChar>.allocate(capacity: string.utf8.count + 1)
            target.initialize(from: source, count: string.utf8.count + 1)
            return target
        }
        texts.append(copy)
        return UnsafePointer(copy)
    }
}
