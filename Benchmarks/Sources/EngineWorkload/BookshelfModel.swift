import Foundation
import OpenCoreData

/// The model of the workload, built in code.
enum BookshelfModel {
    /// - Parameter cascades: Whether an author's books are deleted with the author. Stores don't know the difference.
    static func make(cascades: Bool = false) -> NSManagedObjectModel {
        let author = entity("Author", Author.self)
        let book = entity("Book", Book.self)
        let tag = entity("Tag", Tag.self)

        let books = toMany("books", of: book)
        let writer = toOne("author", of: author)
        if cascades { books.deleteRule = .cascadeDeleteRule }
        books.inverseRelationship = writer
        writer.inverseRelationship = books
        let tags = toMany("tags", of: tag)
        let tagged = toMany("books", of: book)
        tags.inverseRelationship = tagged
        tagged.inverseRelationship = tags

        author.properties = [
            attribute("name", .stringAttributeType), attribute("born", .dateAttributeType),
            attribute("country", .stringAttributeType), books,
        ]
        let isbn = attribute("isbn", .stringAttributeType)
        book.properties = [
            attribute("title", .stringAttributeType), isbn, attribute("pages", .integer32AttributeType),
            attribute("price", .doubleAttributeType), attribute("published", .dateAttributeType),
            attribute("rating", .doubleAttributeType, optional: true), attribute("inPrint", .booleanAttributeType),
            attribute("summary", .stringAttributeType), writer, tags,
        ]
        book.indexes = [
            NSFetchIndexDescription(
                name: "byIsbn", elements: [NSFetchIndexElementDescription(property: isbn, collationType: .binary)])
        ]
        tag.properties = [attribute("name", .stringAttributeType), tagged]

        let model = NSManagedObjectModel()
        model.entities = [author, book, tag]
        return model
    }

    private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(type)
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, optional: Bool = false
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = optional
        return attribute
    }

    private static func toOne(_ name: String, of entity: NSEntityDescription) -> NSRelationshipDescription {
        let relationship = toMany(name, of: entity)
        relationship.maxCount = 1
        return relationship
    }

    private static func toMany(_ name: String, of entity: NSEntityDescription) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.deleteRule = .nullifyDeleteRule
        relationship.isOptional = true
        return relationship
    }
}
