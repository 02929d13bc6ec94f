import Foundation
import OpenCoreData
import TestSupport

/// The library that each release leaves as stores in `Tests/ReleaseStores`. Its first model never changes: later versions
/// of the project have to open what it made.
enum ReleaseLibrary {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("ReleaseStores")

    static let stores: [(name: String, type: String)] = [
        ("Library.sqlite", NSSQLiteStoreType), ("Library.xml", NSXMLStoreType), ("Library.binary", NSBinaryStoreType),
    ]

    // MARK: Models

    static func firstModel() -> NSManagedObjectModel {
        let (person, item, book, tag, shelf) =
            (entity("Person"), entity("Item"), entity("Book"), entity("Tag"), entity("Shelf"))
        item.isAbstract = true
        item.subentities = [book]
        let data = LibraryModel.attribute("scan", .binaryDataAttributeType)
        data.allowsExternalBinaryDataStorage = true
        let title = LibraryModel.attribute("title", .stringAttributeType, optional: false, default: "untitled")
        title.preservesValueInHistoryOnDeletion = true
        person.properties = [
            key(), LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.relationship("books", to: book, toMany: true, rule: .cascadeDeleteRule),
        ]
        item.properties = [key(), LibraryModel.attribute("added", .dateAttributeType)]
        book.properties = [
            title, LibraryModel.attribute("small", .integer16AttributeType),
            LibraryModel.attribute("pages", .integer32AttributeType),
            LibraryModel.attribute("large", .integer64AttributeType),
            LibraryModel.attribute("price", .decimalAttributeType),
            LibraryModel.attribute("weight", .doubleAttributeType),
            LibraryModel.attribute("height", .floatAttributeType),
            LibraryModel.attribute("inPrint", .booleanAttributeType),
            LibraryModel.attribute("isbn", .UUIDAttributeType), LibraryModel.attribute("home", .URIAttributeType),
            LibraryModel.attribute("extra", .transformableAttributeType), data,
            LibraryModel.relationship("author", to: person, rule: .nullifyDeleteRule),
            LibraryModel.relationship("tags", to: tag, toMany: true, rule: .nullifyDeleteRule),
            LibraryModel.relationship("shelf", to: shelf, rule: .nullifyDeleteRule),
        ]
        tag.properties = [key(), LibraryModel.relationship("books", to: book, toMany: true, rule: .nullifyDeleteRule)]
        tag.uniquenessConstraints = [["key"]]
        shelf.properties = [
            key(), LibraryModel.relationship("books", to: book, toMany: true, ordered: true, rule: .denyDeleteRule),
        ]
        LibraryModel.pair(person, "books", book, "author")
        LibraryModel.pair(book, "tags", tag, "books")
        LibraryModel.pair(book, "shelf", shelf, "books")
        book.indexes = [
            NSFetchIndexDescription(
                name: "byTitle",
                elements: [NSFetchIndexElementDescription(property: title, collationType: .binary)])
        ]
        let model = NSManagedObjectModel()
        model.entities = [person, item, book, tag, shelf]
        return model
    }

    /// The model that the stores are migrated to: an attribute and an entity with other names, and some more.
    static func laterModel() -> NSManagedObjectModel {
        let model = firstModel()
        if let book = model.entitiesByName["Book"], let pages = book.attributesByName["pages"] {
            pages.name = "length"
            pages.renamingIdentifier = "pages"
            book.properties.append(LibraryModel.attribute("rating", .doubleAttributeType, default: 1.5))
        }
        if let tag = model.entitiesByName["Tag"] {
            tag.name = "Label"
            tag.renamingIdentifier = "Tag"
        }
        let loan = entity("Loan")
        loan.properties = [key()]
        model.entities.append(loan)
        return model
    }

    private static func key() -> NSAttributeDescription {
        LibraryModel.attribute("key", .stringAttributeType, optional: false, default: "")
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = "NSManagedObject"
        return entity
    }

    // MARK: Stores

    static func open(
        _ url: URL, type: String, _ model: NSManagedObjectModel = firstModel(), migrates: Bool = false
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: migrates, NSInferMappingModelAutomaticallyOption: migrates,
            NSPersistentHistoryTrackingKey: type == NSSQLiteStoreType,
        ]
        _ = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    static func close(_ context: NSManagedObjectContext) throws {
        context.performAndWait { context.reset() }
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
    }

    /// Fills a store in three transactions: inserts, an update, and deletions that leave tombstones.
    static func fill(_ context: NSManagedObjectContext) throws {
        context.transactionAuthor = "librarian"
        context.mergePolicy = NSMergePolicy.error
        func insert(_ entity: String, _ key: String, _ values: [String: Any] = [:]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValue(key, forKey: "key")
            for (name, value) in values { object.setValue(value, forKey: name) }
            return object
        }
        let (ann, bo) = (insert("Person", "ann", ["name": "Ann Lee"]), insert("Person", "bo", ["name": "Bo Åberg"]))
        let tags = ["sea", "crime"].map { insert("Tag", $0) }
        let shelf = insert("Shelf", "window")
        var books: [NSManagedObject] = []
        for number in 0..<5 {
            let book = insert("Book", "book\(number)", values(number))
            book.setValue(number % 2 == 0 ? ann : bo, forKey: "author")
            book.setValue(Set(tags.prefix(number % 3)), forKey: "tags")
            books.append(book)
        }
        shelf.setValue(NSOrderedSet(array: [books[3], books[0], books[2]]), forKey: "books")
        try context.save()
        context.transactionAuthor = "clerk"
        books[1].setValue("Emma, second printing", forKey: "title")
        books[2].setValue(nil, forKey: "price")
        try context.save()
        context.delete(books[4])
        try context.save()
    }

    private static func values(_ number: Int) -> [String: Any] {
        var values: [String: Any] = [:]
        values["title"] = ["Momo", "Emma", "Ödland", "東京", ""][number]
        values["added"] = Date(timeIntervalSinceReferenceDate: 1_000.5)
        values["small"] = Int16.min + Int16(number)
        values["pages"] = Int32(100 * number)
        values["large"] = Int64.max - Int64(number)
        values["price"] = NSDecimalNumber(string: "\(number).95")
        values["weight"] = Double(number) / 3
        values["height"] = Float(number) / 8
        values["inPrint"] = number % 2 == 0
        values["isbn"] = UUID(uuidString: "5EED0000-0000-4000-8000-00000000000\(number)")
        values["home"] = URL(string: "https://example.org/\(number)")
        values["extra"] = ["printings": number, "paper": "thin"] as [String: Any]
        values["scan"] = Data(repeating: UInt8(number), count: number == 1 ? 200_000 : 20 * number)
        return values
    }

    // MARK: Contents

    /// All values of a store, line by line, in an order of their own.
    static func contents(_ context: NSManagedObjectContext) throws -> [String] {
        var lines: [String] = []
        for entity in (context.persistentStoreCoordinator?.managedObjectModel.entities ?? [])
            .sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) where !entity.isAbstract
        {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.sortDescriptors = [NSSortDescriptor(key: "key", ascending: true)]
            for object in try context.fetch(request) {
                lines += entity.attributesByName.keys.sorted().map { name in
                    "\(entity.name ?? "") \(keyOf(object)) \(name): \(text(object.value(forKey: name)))"
                }
                lines += entity.relationshipsByName.keys.sorted().map { name in
                    let keys: [String] =
                        switch object.value(forKey: name) {
                        case let one as NSManagedObject: [keyOf(one)]
                        case let ordered as NSOrderedSet: ordered.compactMap { ($0 as? NSManagedObject).map(keyOf) }
                        case let set as NSSet: set.compactMap { ($0 as? NSManagedObject).map(keyOf) }.sorted()
                        default: []
                        }
                    return "\(entity.name ?? "") \(keyOf(object)) \(name): \(keys.joined(separator: ", "))"
                }
            }
        }
        return lines
    }

    /// The history of a store, line by line.
    static func history(_ context: NSManagedObjectContext) throws -> [String] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return (result?.result as? [NSPersistentHistoryTransaction] ?? []).flatMap { transaction in
            (transaction.changes ?? []).map { change in
                let names = (change.updatedProperties ?? []).map(\.name).sorted().joined(separator: ", ")
                let kept = (change.tombstone ?? [:]).map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ", ")
                let kind = ["insert", "update", "delete"][change.changeType.rawValue]
                return
                    "\(transaction.author ?? "nobody") \(kind) \(change.changedObjectID.entity.name ?? "") \(names)|\(kept)"
            }.sorted()
        }
    }

    private static func keyOf(_ object: NSManagedObject) -> String { object.value(forKey: "key") as? String ?? "" }

    private static func text(_ value: Any?) -> String {
        switch value {
        case nil: "nothing"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: "\(data.count) bytes of \(data.first ?? 0)"
        case let table as [String: Any]: table.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ", ")
        case let value?: "\(value)"
        }
    }
}
