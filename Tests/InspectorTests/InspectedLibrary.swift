#if Inspector
import Foundation
import OpenCoreData
import TestSupport

/// A library with a property of each kind, and some that attack the page.
enum InspectedLibrary {
    static let attack = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"

    static func model() -> NSManagedObjectModel {
        func attribute(
            _ name: String, _ type: NSAttributeType, optional: Bool = true, keeps: Bool = false
        ) -> NSAttributeDescription {
            let attribute = LibraryModel.attribute(name, type, optional: optional)
            attribute.preservesValueInHistoryOnDeletion = keeps
            return attribute
        }
        func entity(_ name: String) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = "NSManagedObject"
            return entity
        }
        let (author, book, novel, tag, shelf) =
            (entity("Author"), entity("Book"), entity("Novel"), entity("Tag"), entity("Shelf"))
        let pages = attribute("pages", .integer32AttributeType)
        pages.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["pages must not be negative"])
        author.properties = [
            attribute("name", .stringAttributeType, optional: false), attribute("born", .dateAttributeType),
            attribute("country", .stringAttributeType),
        ]
        book.properties = [
            attribute("title", .stringAttributeType, optional: false, keeps: true), pages,
            attribute("price", .decimalAttributeType), attribute("rating", .doubleAttributeType),
            attribute("published", .dateAttributeType), attribute("isbn", .UUIDAttributeType),
            attribute("inPrint", .booleanAttributeType), attribute("home", .URIAttributeType),
            attribute("cover", .binaryDataAttributeType), attribute("extra", .transformableAttributeType),
            attribute("summary", .stringAttributeType), attribute("big", .integer64AttributeType),
        ]
        novel.properties = [attribute("series", .stringAttributeType)]
        book.subentities = [novel]
        tag.properties = [attribute("word", .stringAttributeType, optional: false)]
        shelf.properties = [attribute("label", .stringAttributeType)]
        relate(author, "books", .nullifyDeleteRule, book, "author")
        relate(shelf, "books", .denyDeleteRule, book, "shelf", ordered: true)
        relate(book, "tags", .nullifyDeleteRule, tag, "books", many: true)
        let index = NSFetchIndexDescription(
            name: "byTitle",
            elements: [
                NSFetchIndexElementDescription(property: book.propertiesByName["title"]!, collationType: .binary)
            ])
        let published = NSFetchIndexDescription(
            name: "byPublished",
            elements: [
                NSFetchIndexElementDescription(
                    property: book.propertiesByName["published"]!, collationType: .binary)
            ])
        let byPages = NSFetchIndexDescription(
            name: "byPages",
            elements: [
                NSFetchIndexElementDescription(property: book.propertiesByName["pages"]!, collationType: .binary)
            ])
        book.indexes = [index, published, byPages]
        let model = NSManagedObjectModel()
        model.entities = [author, book, novel, tag, shelf]
        return model
    }

    private static func relate(
        _ owner: NSEntityDescription, _ name: String, _ rule: NSDeleteRule, _ destination: NSEntityDescription,
        _ inverse: String, many: Bool = false, ordered: Bool = false
    ) {
        let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (there.name, there.destinationEntity, there.deleteRule, there.isOrdered) = (
            name, destination, rule, ordered
        )
        (back.name, back.destinationEntity, back.deleteRule) = (inverse, owner, .nullifyDeleteRule)
        (there.maxCount, back.maxCount) = (0, many ? 0 : 1)
        (there.isOptional, back.isOptional) = (true, true)
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
        owner.properties.append(there)
        destination.properties.append(back)
    }

    /// Opens the store at `url`, which is made where it is missing.
    static func open(_ url: URL, history: Bool = true) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: history])
        return coordinator
    }

    static func context(_ coordinator: NSPersistentStoreCoordinator, author: String) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = author
        return context
    }

    /// A square of one color as PNG.
    static let picture = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGPQiT+CFTEMLQkAYAxfwYJjJFAAAAAASUVORK5CYII=")!

    /// Twenty authors, and books of theirs.
    static func fill(_ context: NSManagedObjectContext, books: Int) throws {
        let authors = (0..<20).map { number in
            insert(
                "Author", ["name": "Author \(number)", "country": ["Norway", "Chile", "Japan"][number % 3]], context
            )
        }
        let tags = ["sea", "crime", "poems", "maps"].map { insert("Tag", ["word": $0], context) }
        let shelf = insert("Shelf", ["label": "By the window"], context)
        var shelved: [NSManagedObject] = []
        for number in 0..<books {
            let book = insert(
                number % 5 == 0 ? "Novel" : "Book",
                [
                    "title": number == 3 ? attack : title(number), "pages": 80 + (number * 37) % 640,
                    "price": NSDecimalNumber(string: "\(5 + number % 40).99"), "rating": Double(number % 50) / 10,
                    "published": Date(timeIntervalSinceReferenceDate: Double(number % 900) * 86_400 + 1_000),
                    "isbn": UUID(uuidString: String(format: "5EED0000-0000-4000-8000-%012d", number))!,
                    "inPrint": number % 3 != 0, "home": URL(string: "https://example.org/books/\(number)")!,
                    "extra": [
                        "format": "paper", "printings": number % 7, "note": attack, "serial": 9_007_199_254_740_993,
                    ] as [String: Any],
                    "summary": String(repeating: "A long tale of \(title(number)). ", count: 2 + number % 30),
                    "big": Int64.max - Int64(number), "author": authors[number % 20],
                    "tags": Set([tags[number % 4], tags[(number + 1) % 4]]),
                ], context)
            if number % 2 == 0 { book.setValue(picture, forKey: "cover") }
            if number % 10 == 0 { shelved.append(book) }
        }
        shelf.setValue(NSOrderedSet(array: shelved), forKey: "books")
        try context.save()
    }

    static func title(_ number: Int) -> String {
        let (firsts, seconds) = (
            ["Quiet", "Broken", "Distant", "Salt", "Winter", "Paper"],
            ["Harbor", "Letters", "Atlas", "Orchard", "Signals"]
        )
        return "\(firsts[number % 6]) \(seconds[number % 5]) \(number)"
    }

    @discardableResult
    static func insert(
        _ entity: String, _ values: [String: Any], _ context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }
}
#endif
