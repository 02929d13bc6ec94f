import Sticky

/// A book, as the library's own examples have it.
final class Book: NSManagedObject {
    static let titleProperty = ManagedProperty<String>("title")
    static let genreProperty = ManagedProperty<String?>("genre")

    var title: String {
        get { self[Book.titleProperty] }
        set { self[Book.titleProperty] = newValue }
    }

    var genre: String? {
        get { self[Book.genreProperty] }
        set { self[Book.genreProperty] = newValue }
    }
}

/// A class that no model has.
final class Orphan: NSManagedObject {}
