/// A class with stored properties, as a model's class in a module of its own: what a read of an attribute is compared with.
open class StoredBook {
    /// The same value as the attribute of the same name.
    public var pages: Int32
    /// The same value as the attribute of the same name.
    public var isbn: String

    /// Stores two values.
    public init(pages: Int32, isbn: String) {
        self.pages = pages
        self.isbn = isbn
    }
}
