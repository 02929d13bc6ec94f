import Foundation
import OpenCoreData

/// An author, as generated model code would declare it.
final class Author: NSManagedObject {
    static let nameProperty = ManagedProperty<String>("name")
    static let bornProperty = ManagedProperty<Date>("born")
    static let countryProperty = ManagedProperty<String>("country")
    static let booksProperty = ManagedProperty<Set<Book>>("books")

    var name: String {
        get { self[Author.nameProperty] }
        set { self[Author.nameProperty] = newValue }
    }
    var born: Date {
        get { self[Author.bornProperty] }
        set { self[Author.bornProperty] = newValue }
    }
    var country: String {
        get { self[Author.countryProperty] }
        set { self[Author.countryProperty] = newValue }
    }
    var books: Set<Book> {
        get { self[Author.booksProperty] }
        set { self[Author.booksProperty] = newValue }
    }
}
