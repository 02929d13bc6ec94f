import Bookshelf
import Testing

@Suite("The generated data")
struct BookshelfTests {
    @Test("has the agreed checksum", arguments: [10_000, 100_000])
    func checksum(bookCount: Int) {
        #expect(Library(bookCount: bookCount).checksum == Library.expectedChecksums[bookCount])
    }

    @Test("is looked up in the agreed order")
    func lookups() {
        let shuffled = Library.lookups(bookCount: 100_000)
        #expect(shuffled.prefix(5) == [52141, 80525, 17043, 69812, 68935])
        #expect(shuffled.sorted() == Library.lookups(bookCount: 100_000, order: .stride).sorted())
    }

    @Test("begins with the agreed book and author")
    func firstRecords() {
        let book = BookRecord(number: 0, authorCount: 1000)
        #expect(book.title == "Summer Yellow DÉCAFE 0")
        #expect(book.isbn == "9780000000000")
        #expect(book.summary.utf8.count == 79)
        let author = AuthorRecord(number: 0)
        #expect(author.name == "Bruno Garcia 0")
        #expect(author.country == "GB")
        #expect(author.born == -226_544_192)
    }
}
