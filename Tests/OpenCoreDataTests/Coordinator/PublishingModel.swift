import OpenCoreData

/// A model with one of each kind of relationship, and a stack on it.
///
/// Person <- Author; Author <->> Book, Book <<->> Tag, Book <->> Chapter in order, Shelf ->> Book without an inverse.
enum PublishingModel {
    static func make(configurations: Bool = false, extraAttribute: Bool = false) -> NSManagedObjectModel {
        let person = entity(
            "Person", attribute("name", .stringAttributeType), attribute("age", .integer32AttributeType))
        let author = entity("Author", attribute("penName", .stringAttributeType))
        let book = entity(
            "Book", attribute("title", .stringAttributeType), attribute("price", .doubleAttributeType),
            attribute("pages", .integer32AttributeType), attribute("published", .dateAttributeType))
        let tag = entity("Tag", attribute("name", .stringAttributeType))
        let chapter = entity("Chapter", attribute("title", .stringAttributeType))
        let shelf = entity("Shelf", attribute("label", .stringAttributeType))
        if extraAttribute { book.properties.append(attribute("isbn", .stringAttributeType)) }
        tag.uniquenessConstraints = [["name"]]
        person.subentities = [author]
        relate(author, "books", toMany: true, book, "author", toMany: false)
        relate(book, "tags", toMany: true, tag, "books", toMany: true)
        relate(book, "chapters", toMany: true, chapter, "book", toMany: false, isOrdered: true)
        let contents = NSRelationshipDescription()
        contents.name = "contents"
        contents.destinationEntity = book
        shelf.properties.append(contents)
        let model = NSManagedObjectModel()
        model.entities = [person, author, book, tag, chapter, shelf]
        if configurations {
            model.setEntities([person, author, book, tag, chapter], forConfigurationName: "Library")
            model.setEntities([shelf], forConfigurationName: "Furniture")
        }
        return model
    }

    static func entity(_ name: String, _ attributes: NSAttributeDescription...) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes
        return entity
    }

    static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    static func relate(
        _ first: NSEntityDescription, _ firstName: String, toMany firstIsToMany: Bool, _ second: NSEntityDescription,
        _ secondName: String, toMany secondIsToMany: Bool, isOrdered: Bool = false
    ) {
        let there = NSRelationshipDescription()
        there.name = firstName
        there.destinationEntity = second
        there.maxCount = firstIsToMany ? 0 : 1
        there.isOrdered = isOrdered
        let back = NSRelationshipDescription()
        back.name = secondName
        back.destinationEntity = first
        back.maxCount = secondIsToMany ? 0 : 1
        there.inverseRelationship = back
        back.inverseRelationship = there
        first.properties.append(there)
        second.properties.append(back)
    }

    /// A coordinator with one store in memory.
    static func memoryCoordinator() throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: make())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        return coordinator
    }
}
