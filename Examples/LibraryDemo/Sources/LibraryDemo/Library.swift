import OpenCoreData

// The classes of the library's objects. Each property says its name once; reading and writing go through it.

final class Author: NSManagedObject {
    static let name = ManagedProperty<String>("name")
    static let born = ManagedProperty<Date?>("born")
    static let country = ManagedProperty<String>("country")
    static let books = ManagedProperty<Set<Book>>("books")

    var books: Set<Book> { self[Author.books] }
}

class Book: NSManagedObject {
    static let title = ManagedProperty<String>("title")
    static let isbn = ManagedProperty<String>("isbn")
    static let pages = ManagedProperty<Int32>("pages")
    static let price = ManagedProperty<Decimal>("price")
    static let published = ManagedProperty<Date>("published")
    static let rating = ManagedProperty<Double?>("rating")
    static let isInPrint = ManagedProperty<Bool>("isInPrint")
    static let identifier = ManagedProperty<UUID>("identifier")
    static let website = ManagedProperty<URL?>("website")
    static let cover = ManagedProperty<Data?>("cover")
    static let author = ManagedProperty<Author?>("author")
    static let tags = ManagedProperty<Set<Tag>>("tags")

    var title: String { self[Book.title] }
    var author: Author? { self[Book.author] }
}

final class AudioBook: Book {
    static let minutes = ManagedProperty<Int32>("minutes")
    static let narrator = ManagedProperty<String>("narrator")
}

final class Tag: NSManagedObject {
    static let name = ManagedProperty<String>("name")
}

final class Member: NSManagedObject {
    static let name = ManagedProperty<String>("name")
    static let joined = ManagedProperty<Date>("joined")
}

final class Loan: NSManagedObject {
    static let from = ManagedProperty<Date>("from")
    static let returned = ManagedProperty<Date?>("returned")
    static let member = ManagedProperty<Member?>("member")
    static let book = ManagedProperty<Book?>("book")
}

final class ReadingList: NSManagedObject {
    static let name = ManagedProperty<String>("name")
    static let member = ManagedProperty<Member?>("member")
}
