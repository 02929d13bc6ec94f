#if Macros
import OpenCoreDataMacros

/// The form of a book, kept as a number.
enum Format: Int16, Codable, Sendable {
    case hardcover = 1
    case paperback
    case audio
}

/// The language of a book, kept as a text.
enum Language: String, Codable, Sendable {
    case english = "en"
    case german = "de"
}

/// The size of a book, kept as data.
struct Size: Codable, Equatable, Sendable {
    var width: Double
    var height: Double
}

@ManagedObject(abstract: true)
class Person: NSManagedObject {
    var id: UUID = UUID()
    @Attribute(min: 1, max: 60) var name: String = ""
    var born: Date?
}

@ManagedObject(originalName: "Writer")
final class Author: Person {
    @Attribute(.derived("books.@count")) var bookCount: Int
    var homepage: URL?
    @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: Set<Book>
}

@ManagedObject(unique: [["title", "published"]])
class Book: NSManagedObject {
    @Attribute(.unique, originalName: "number", pattern: "[0-9X-]*") var isbn: String = ""
    @Attribute(.preservedAfterDeletion) var title: String = "untitled"
    @Attribute(min: 0, max: 20000) var pages: Int32 = 0
    var copies: Int16?
    var views: Int = 0
    var rating: Double = 0.5
    var weight: Float = 0.25
    var inPrint: Bool = true
    @Attribute(min: 0) var price: Decimal? = 9.5
    var published: Date = Date(timeIntervalSinceReferenceDate: 0)
    @Attribute(.externalStorage) var cover: Data?
    var format: Format = .hardcover
    var language: Language?
    var size: Size?
    @Attribute(.transformable(by: "NSSecureUnarchiveFromData")) var keywords: [String]?
    @Attribute(.transient) var note: String?
    @Relationship(optional: false) var author: Author?
    @Relationship(inverse: "books", maxCount: 5) var labels: Set<Tag>
    var shelf: Shelf?

    /// The model has neither of these.
    var shortTitle: String { String(title.prefix(8)) }
    @Transient var isOpen: Bool = false
    static let shop = "Corner"
}

@ManagedObject(hashModifier: "second")
final class Novel: Book {
    var genre: String = "drama"
}

@ManagedObject(entity: "Label")
final class Tag: NSManagedObject {
    var name: String = ""
    var books: Set<Book>
}

@ManagedObject
final class Shelf: NSManagedObject {
    @Attribute(hashModifier: "room") var place: String = ""
    @Relationship(deleteRule: .deny, ordered: true) var books: [Book]
}

/// Every class of the library.
enum Library {
    static func model() throws -> NSManagedObjectModel {
        try NSManagedObjectModel(
            for: Person.self, Author.self, Book.self, Novel.self, Tag.self, Shelf.self)
    }
}
#endif
