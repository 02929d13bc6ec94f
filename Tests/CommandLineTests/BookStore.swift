import Foundation
import OpenCoreData
import TestSupport

/// A store of books, authors and tags, with as many books as a test needs.
enum BookStore {
    static func model() -> NSManagedObjectModel {
        let (book, author, tag) = (entity("Book"), entity("Author"), entity("Tag"))
        let (books, author1) = relate("books", of: author, toMany: true, "author", of: book, toMany: false)
        let (tags, books2) = relate("tags", of: book, toMany: true, "books", of: tag, toMany: true)
        book.properties = [
            attribute("isbn", .string), attribute("title", .string, isOptional: false), attribute("pages", .integer32),
            attribute("price", .decimal), attribute("rating", .double), attribute("published", .date),
            attribute("inPrint", .boolean), attribute("notes", .string), attribute("token", .uuid), author1, tags,
        ]
        book.uniquenessConstraints = [["isbn"]]
        author.properties = [attribute("name", .string, isOptional: false), attribute("country", .string), books]
        tag.properties = [attribute("name", .string), attribute("code", .string), books2]
        tag.uniquenessConstraints = [["name"], ["code"]]
        let model = NSManagedObjectModel()
        model.entities = [book, author, tag]
        return model
    }

    /// Makes a store with two authors, two tags, and some books, of which every second one is of the first author.
    static func make(
        in folder: TemporaryFolder, name: String = "Books.sqlite", type: String = NSSQLiteStoreType, books: Int = 4
    ) throws -> String {
        let url = folder.file(name)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let authors = ["Ada Löve", "Bo"].map { insert("Author", ["name": $0, "country": "Norway"], context) }
            let tags = ["sea", "war"].map { insert("Tag", ["name": $0, "code": "t-\($0)"], context) }
            for number in 1...books {
                let book = insert(
                    "Book",
                    [
                        "isbn": "978-\(number)", "title": "Book \(number)", "pages": 100 + number,
                        "price": NSDecimalNumber(string: "\(number).25"), "rating": Double(number) / 3,
                        "published": Date(timeIntervalSinceReferenceDate: Double(number) * 31_557_600),
                        "inPrint": number % 2 == 0, "token": UUID(),
                    ], context)
                book.setValue(authors[number % 2], forKey: "author")
                book.setValue(Set([tags[number % 2]]), forKey: "tags")
            }
            try context.save()
        }
        try coordinator.remove(store)
        return url.path
    }

    private static func insert(
        _ entity: String, _ values: [String: Any], _ context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeDescription.AttributeType, isOptional: Bool = true
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        attribute.isOptional = isOptional
        return attribute
    }

    private static func relate(
        _ name: String, of entity: NSEntityDescription, toMany: Bool,
        _ inverseName: String, of inverseEntity: NSEntityDescription, toMany isInverseToMany: Bool
    ) -> (NSRelationshipDescription, NSRelationshipDescription) {
        let (first, second) = (NSRelationshipDescription(), NSRelationshipDescription())
        (first.name, first.destinationEntity, first.maxCount) = (name, inverseEntity, toMany ? 0 : 1)
        (second.name, second.destinationEntity, second.maxCount) = (inverseName, entity, isInverseToMany ? 0 : 1)
        for relationship in [first, second] {
            relationship.isOptional = true
            relationship.deleteRule = .nullifyDeleteRule
        }
        (first.inverseRelationship, second.inverseRelationship) = (second, first)
        return (first, second)
    }
}
