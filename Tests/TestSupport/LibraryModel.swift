public import Foundation
public import OpenCoreData

/// The model that most engine tests use, built in code: authors, books and tags of a library, and a small tree of media.
public enum LibraryModel {
    /// A new, unfrozen copy of the model.
    public static func make() -> NSManagedObjectModel {
        let author = entity("Author", Author.self)
        let book = entity("Book", Book.self)
        let novel = entity("GraphicNovel", GraphicNovel.self)
        let tag = entity("Label", Label.self)
        let shelf = entity("Shelf", NSManagedObject.self)
        let note = entity("Note", NSManagedObject.self)
        author.properties = [
            attribute("name", .stringAttributeType, optional: false, default: ""),
            attribute("born", .dateAttributeType), attribute("country", .stringAttributeType),
            attribute("mood", .stringAttributeType, transient: true),
            relationship("books", to: book, toMany: true, rule: .nullifyDeleteRule),
            relationship("notes", to: note, toMany: true, rule: .cascadeDeleteRule),
        ]
        book.properties = [
            attribute("title", .stringAttributeType, optional: false, default: ""),
            attribute("isbn", .stringAttributeType), attribute("pages", .integer32AttributeType, default: 0),
            attribute("price", .doubleAttributeType, default: 0.0), attribute("cost", .decimalAttributeType),
            attribute("published", .dateAttributeType), attribute("inPrint", .booleanAttributeType, default: true),
            attribute("cover", .binaryDataAttributeType), attribute("identifier", .UUIDAttributeType),
            attribute("home", .URIAttributeType), attribute("extra", .transformableAttributeType),
            relationship("author", to: author, rule: .nullifyDeleteRule),
            relationship("tags", to: tag, toMany: true, rule: .nullifyDeleteRule),
            relationship("shelf", to: shelf, rule: .nullifyDeleteRule),
        ]
        novel.properties = [attribute("isColored", .booleanAttributeType, default: false)]
        book.subentities = [novel]
        tag.properties = [
            attribute("name", .stringAttributeType, optional: false, default: ""),
            relationship("books", to: book, toMany: true, rule: .nullifyDeleteRule),
        ]
        tag.uniquenessConstraints = [["name"]]
        shelf.properties = [
            attribute("label", .stringAttributeType),
            relationship("books", to: book, toMany: true, ordered: true, rule: .denyDeleteRule),
        ]
        note.properties = [
            attribute("text", .stringAttributeType), relationship("author", to: author, rule: .nullifyDeleteRule),
        ]
        pair(author, "books", book, "author")
        pair(author, "notes", note, "author")
        pair(book, "tags", tag, "books")
        pair(book, "shelf", shelf, "books")
        let model = NSManagedObjectModel()
        model.entities = [author, book, novel, tag, shelf, note]
        return model
    }

    /// An attribute description.
    public static func attribute(
        _ name: String, _ type: NSAttributeType, optional: Bool = true, transient: Bool = false,
        default value: Any? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = optional
        attribute.isTransient = transient
        attribute.defaultValue = value
        return attribute
    }

    /// A relationship description without inverse.
    public static func relationship(
        _ name: String, to destination: NSEntityDescription, toMany: Bool = false, ordered: Bool = false,
        rule: NSDeleteRule
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = toMany ? 0 : 1
        relationship.isOrdered = ordered
        relationship.deleteRule = rule
        relationship.isOptional = true
        return relationship
    }

    /// Makes two relationships each other's inverse.
    public static func pair(
        _ one: NSEntityDescription, _ oneName: String, _ two: NSEntityDescription, _ twoName: String
    ) {
        one.relationshipsByName[oneName]?.inverseRelationship = two.relationshipsByName[twoName]
        two.relationshipsByName[twoName]?.inverseRelationship = one.relationshipsByName[oneName]
    }

    private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(type)
        return entity
    }
}

/// An author of the library.
public final class Author: NSManagedObject {
    static let nameProperty = ManagedProperty<String>("name")
    static let bornProperty = ManagedProperty<Date?>("born")
    static let countryProperty = ManagedProperty<String?>("country")
    static let booksProperty = ManagedProperty<Set<Book>>("books")

    public var name: String {
        get { self[Author.nameProperty] }
        set { self[Author.nameProperty] = newValue }
    }

    public var born: Date? {
        get { self[Author.bornProperty] }
        set { self[Author.bornProperty] = newValue }
    }

    public var country: String? {
        get { self[Author.countryProperty] }
        set { self[Author.countryProperty] = newValue }
    }

    public var books: Set<Book> {
        get { self[Author.booksProperty] }
        set { self[Author.booksProperty] = newValue }
    }
}

/// A book of the library.
open class Book: NSManagedObject {
    static let titleProperty = ManagedProperty<String>("title")
    static let pagesProperty = ManagedProperty<Int32>("pages")
    static let priceProperty = ManagedProperty<Double>("price")
    static let authorProperty = ManagedProperty<Author?>("author")
    static let tagsProperty = ManagedProperty<Set<Label>>("tags")

    public var title: String {
        get { self[Book.titleProperty] }
        set { self[Book.titleProperty] = newValue }
    }

    public var pages: Int32 {
        get { self[Book.pagesProperty] }
        set { self[Book.pagesProperty] = newValue }
    }

    public var price: Double {
        get { self[Book.priceProperty] }
        set { self[Book.priceProperty] = newValue }
    }

    public var author: Author? {
        get { self[Book.authorProperty] }
        set { self[Book.authorProperty] = newValue }
    }

    public var tags: Set<Label> {
        get { self[Book.tagsProperty] }
        set { self[Book.tagsProperty] = newValue }
    }
}

/// A book with pictures.
public final class GraphicNovel: Book {
    static let isColoredProperty = ManagedProperty<Bool>("isColored")

    public var isColored: Bool {
        get { self[GraphicNovel.isColoredProperty] }
        set { self[GraphicNovel.isColoredProperty] = newValue }
    }
}

/// A tag of the library.
public final class Label: NSManagedObject {
    static let nameProperty = ManagedProperty<String>("name")
    static let booksProperty = ManagedProperty<Set<Book>>("books")

    public var name: String {
        get { self[Label.nameProperty] }
        set { self[Label.nameProperty] = newValue }
    }

    public var books: Set<Book> {
        get { self[Label.booksProperty] }
        set { self[Label.booksProperty] = newValue }
    }
}
