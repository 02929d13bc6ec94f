import Bookshelf
import Foundation
import OpenCoreData

extension Author {
    /// A new author with the values of a record.
    convenience init(_ record: AuthorRecord, in context: NSManagedObjectContext) {
        self.init(context: context)
        name = record.name
        born = Date(timeIntervalSinceReferenceDate: Double(record.born))
        country = record.country
    }
}

extension Book {
    /// A new book with the values of a record.
    convenience init(_ record: BookRecord, author: Author?, in context: NSManagedObjectContext) {
        self.init(context: context)
        title = record.title
        isbn = record.isbn
        pages = record.pages
        price = record.price
        published = Date(timeIntervalSinceReferenceDate: Double(record.published))
        rating = record.rating
        inPrint = record.inPrint
        summary = record.summary
        self.author = author
    }
}

extension Tag {
    /// A new tag.
    convenience init(_ name: String, in context: NSManagedObjectContext) {
        self.init(context: context)
        self.name = name
    }
}
