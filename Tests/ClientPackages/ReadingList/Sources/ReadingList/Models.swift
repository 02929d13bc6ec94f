import Foundation
import SwiftData

public nonisolated enum Genre: String, Codable, CaseIterable, Sendable {
    case novel, poetry, science
}

public nonisolated enum Progress: Codable, Sendable {
    case waiting, reading, finished
}

public nonisolated struct Edition: Codable, Hashable, Sendable {
    public var publisher: String
    public var year: Int
    public var isHardcover: Bool = false

    public init(publisher: String, year: Int) {
        self.publisher = publisher
        self.year = year
    }
}

@Model
public final class Book: Titled {
    #Index<Book>([\.title], [\.genre, \.added])

    @Attribute(.unique) public var isbn: String
    public var title: String
    public var genre: Genre = Genre.novel
    public var progress: Progress = Progress.waiting
    public var edition: Edition?
    public var keywords: [String] = []
    public var added: Date = Date.now
    public var pages: Int?
    public private(set) var rating: Double = 0
    @Attribute(.externalStorage) public var cover: Data?
    @Transient public var isSelected = false
    @Relationship(deleteRule: .cascade, inverse: \Note.book) public var notes: [Note] = []
    public var shelf: Shelf?

    public init(isbn: String, title: String, genre: Genre = .novel, pages: Int? = nil) {
        self.isbn = isbn
        self.title = title
        self.genre = genre
        self.pages = pages
    }

    public var lastNote: Note? { notes.max { $0.written < $1.written } }

    public func rate(_ stars: Double) throws {
        guard (0...5).contains(stars) else { throw RatingProblem.outOfRange(stars) }
        rating = stars
    }
}

public enum RatingProblem: Error, Equatable {
    case outOfRange(Double)
}

@Model
public final class Note {
    public var text: String
    public var page: Int?
    public var written: Date
    public var book: Book?

    public init(_ text: String, page: Int? = nil, written: Date = .now) {
        self.text = text
        self.page = page
        self.written = written
    }
}

@Model
public final class Shelf: Titled, Comparable {
    #Unique<Shelf>([\.room, \.title])

    public var title: String
    public var room: String
    @Relationship(deleteRule: .nullify, inverse: \Book.shelf) public var books: [Book]? = []

    public init(title: String, room: String = "hall") {
        self.title = title
        self.room = room
    }

    public static func < (lhs: Shelf, rhs: Shelf) -> Bool { lhs.title < rhs.title }
}

/// A protocol of the app's own, which models conform to: isolated to none, as they are.
public nonisolated protocol Titled: AnyObject {
    var title: String { get set }
}

extension Titled {
    public var initial: String { String(title.prefix(1)).uppercased() }
}
