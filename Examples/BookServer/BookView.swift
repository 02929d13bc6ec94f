#if Server
import Foundation
import OpenCoreDataKit

/// What clients see of a book: a value that leaves the context.
struct BookView: Codable, Sendable, Equatable {
    var isbn: String
    var title: String
    var author: String?
    var pages: Int32
    var price: Decimal
    var published: Date
    var rating: Double?

    init(_ book: Book) {
        isbn = book[Book.isbn]
        title = book[Book.title]
        author = book.author?[Author.name]
        pages = book[Book.pages]
        price = book[Book.price]
        published = book[Book.published]
        rating = book[Book.rating]
    }
}

/// What a client sends: what is missing stays as it is.
struct BookEdit: Codable, Sendable {
    var isbn: String?
    var title: String?
    var author: String?
    var pages: Int32?
    var price: Decimal?
    var published: Date?
    var rating: Double?

    func apply(to book: Book, in context: Context) throws {
        if let isbn { book[Book.isbn] = isbn }
        if let title { book[Book.title] = title }
        if let pages { book[Book.pages] = pages }
        if let price { book[Book.price] = price }
        if let published { book[Book.published] = published }
        if let rating { book[Book.rating] = rating }
        if let author {
            let known = try context.findOrCreate(Author.self, matching: ["name": author])
            if known.isInserted { known[Author.country] = "" }
            book[Book.author] = known
        }
    }
}
#endif
