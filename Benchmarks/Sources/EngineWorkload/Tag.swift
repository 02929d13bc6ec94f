import OpenCoreData

/// A tag, as generated model code would declare it.
final class Tag: NSManagedObject {
    static let nameProperty = ManagedProperty<String>("name")
    static let booksProperty = ManagedProperty<Set<Book>>("books")

    var name: String {
        get { self[Tag.nameProperty] }
        set { self[Tag.nameProperty] = newValue }
    }
    var books: Set<Book> {
        get { self[Tag.booksProperty] }
        set { self[Tag.booksProperty] = newValue }
    }
}
