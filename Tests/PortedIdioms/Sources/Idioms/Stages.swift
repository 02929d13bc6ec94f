import CoreData
import Foundation

/// A policy that makes one author of all books that name the same one, and says in which steps it was asked.
#if canImport(ObjectiveC)
@objc(AuthorsPolicy)
#endif
final class AuthorsPolicy: NSEntityMigrationPolicy {
    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        manager.userInfo = ["authors": NSMutableDictionary(), "steps": NSMutableArray(object: "begin")]
    }

    private func note(_ step: String, _ manager: NSMigrationManager) {
        (manager.userInfo?["steps"] as? NSMutableArray)?.add(step)
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard let authors = manager.userInfo?["authors"] as? NSMutableDictionary,
            let name = sInstance.value(forKey: "author") as? String,
            let book = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
                .first
        else { return }
        let author: NSManagedObject
        if let known = authors[name] as? NSManagedObject {
            author = known
        } else {
            author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: manager.destinationContext)
            author.setValue(name, forKey: "name")
            authors[name] = author
        }
        book.setValue(author, forKey: "writer")
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("created", manager)
        try super.endInstanceCreation(forMapping: mapping, manager: manager)
    }

    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("related", manager)
        try super.endRelationshipCreation(forMapping: mapping, manager: manager)
    }

    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("validated", manager)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        if try manager.destinationContext.fetch(request).contains(where: {
            ($0.value(forKey: "name") as? String)?.isEmpty == true
        }) {
            throw NSError(
                domain: "Migration", code: 3,
                userInfo: [NSLocalizedDescriptionKey: "A book has an author without a name."])
        }
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("end", manager)
        try super.end(mapping, manager: manager)
        Self.steps.add(
            (manager.userInfo?["steps"] as? NSArray)?.componentsJoined(by: " ") == "begin created related validated end"
                ? 1 : 1_000)
    }

    static let steps = Counter()
}

/// Three versions of a model in code: authors as strings, as objects, and with a number of books.
private enum Version: Int {
    case names = 1
    case objects, counted

    var model: NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType = .stringAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            return attribute
        }
        let (book, author) = (NSEntityDescription(), NSEntityDescription())
        (book.name, author.name) = ("Book", "Author")
        book.properties = [attribute("title")]
        let model = NSManagedObjectModel()
        model.versionIdentifiers = ["\(rawValue)"]
        if self == .names {
            book.properties.append(attribute("author"))
            model.entities = [book]
            return model
        }
        let (writer, books) = (NSRelationshipDescription(), NSRelationshipDescription())
        (writer.name, writer.destinationEntity, writer.maxCount) = ("writer", author, 1)
        (books.name, books.destinationEntity) = ("books", book)
        (writer.inverseRelationship, books.inverseRelationship) = (books, writer)
        book.properties.append(writer)
        author.properties = [attribute("name"), books]
        if self == .counted {
            let number = attribute("number", .integer32AttributeType)
            number.defaultValue = 0
            author.properties.append(number)
        }
        model.entities = [book, author]
        return model
    }

    var reference: NSManagedObjectModelReference { .init(model: model, versionChecksum: model.versionChecksum) }
}

private func container(_ version: Version, _ url: URL, _ prepare: (NSPersistentStoreDescription) -> Void = { _ in })
    throws
    -> NSPersistentContainer
{
    let container = NSPersistentContainer(name: "Versions", managedObjectModel: version.model)
    let description = NSPersistentStoreDescription(url: url)
    prepare(description)
    container.persistentStoreDescriptions = [description]
    var failure: Error?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
}

/// A store of the first version, and no coordinator that has it open.
private func firstStore(_ authors: [String]) throws -> URL {
    let url = try Library.folder().appendingPathComponent("Versions.sqlite")
    let container = try container(.names, url)
    let context = container.newBackgroundContext()
    try context.performAndWait {
        for (index, author) in authors.enumerated() {
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue("\(index)", forKey: "title")
            book.setValue(author, forKey: "author")
        }
        try context.save()
    }
    try container.persistentStoreCoordinator.remove(container.persistentStoreCoordinator.persistentStores[0])
    return url
}

private func mapping() throws -> NSMappingModel {
    #if !canImport(ObjectiveC)
    AuthorsPolicy.register()
    #endif
    let (old, new) = (Version.names.model, Version.objects.model)
    let books = NSEntityMapping()
    books.name = "BookToBook"
    books.mappingType = .customEntityMappingType
    books.entityMigrationPolicyClassName = NSStringFromClass(AuthorsPolicy.self)
    (books.sourceEntityName, books.destinationEntityName) = ("Book", "Book")
    books.sourceEntityVersionHash = old.entityVersionHashesByName["Book"]
    books.destinationEntityVersionHash = new.entityVersionHashesByName["Book"]
    books.sourceExpression = NSExpression(
        format:
            "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Book\", \"TRUEPREDICATE\"), $manager.sourceContext, NO)"
    )
    let title = NSPropertyMapping()
    title.name = "title"
    title.valueExpression = NSExpression(format: "$source.title")
    books.attributeMappings = [title]
    let model = NSMappingModel()
    model.entityMappings = [books]
    return model
}

let stages: [Idiom] = [
    Idiom("a mapping model in code, with a policy that makes objects of strings") {
        let url = try firstStore(["Ann", "Bob", "Ann"])
        let destination = url.deletingLastPathComponent().appendingPathComponent("New.sqlite")
        let manager = NSMigrationManager(sourceModel: Version.names.model, destinationModel: Version.objects.model)
        let before = AuthorsPolicy.steps.value
        try manager.migrateStore(
            from: url, type: .sqlite, options: nil, mapping: mapping(), to: destination, type: .sqlite, options: nil)
        try check(AuthorsPolicy.steps.value == before + 1, "\(AuthorsPolicy.steps.value)")
        let context = try container(.objects, destination).viewContext
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let authors = try context.fetch(request)
        try check(authors.map { ($0.value(forKey: "books") as? NSSet)?.count } == [2, 1])
    },
    Idiom("a policy that refuses leaves the old store") {
        let url = try firstStore(["Ann", ""])
        let destination = url.deletingLastPathComponent().appendingPathComponent("New.sqlite")
        let manager = NSMigrationManager(sourceModel: Version.names.model, destinationModel: Version.objects.model)
        do {
            try manager.migrateStore(
                from: url, type: .sqlite, options: nil, mapping: mapping(), to: destination, type: .sqlite, options: nil
            )
            throw IdiomFailure(description: "migrated")
        } catch let error as NSError where error.domain == "Migration" {
            try check(error.localizedDescription == "A book has an author without a name.")
        }
        try check(
            container(.names, url).viewContext.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 2)
    },
    Idiom("staged: a lightweight step, and a custom one that fills what is new") {
        let url = try firstStore(["Ann", "Bob"])
        let one = NSLightweightMigrationStage([Version.names.model.versionChecksum])
        one.label = "names"
        let two = NSCustomMigrationStage(migratingFrom: Version.objects.reference, to: Version.counted.reference)
        let told = Counter()
        two.willMigrateHandler = { manager, stage in
            guard let container = manager.container else { throw IdiomFailure(description: "no container") }
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                author.setValue("Cid", forKey: "name")
                for book in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) {
                    book.setValue(author, forKey: "writer")
                }
                try context.save()
            }
            told.add()
        }
        two.didMigrateHandler = { manager, stage in
            guard let context = manager.container?.newBackgroundContext() else { return }
            try context.performAndWait {
                for author in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")) {
                    author.setValue((author.value(forKey: "books") as? NSSet)?.count, forKey: "number")
                }
                try context.save()
            }
            told.add(10)
        }
        let toObjects = NSCustomMigrationStage(migratingFrom: Version.names.reference, to: Version.objects.reference)
        let manager = NSStagedMigrationManager([toObjects, two])
        try check(manager.stages.count == 2 && one.versionChecksums.count == 1 && one.label == "names")
        let context = try container(.counted, url) {
            $0.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
        }.viewContext
        let author = try unwrap(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).first)
        try check(
            told.value == 11 && author.value(forKey: "number") as? Int == 2
                && author.value(forKey: "name") as? String == "Cid")
    },
    Idiom("whether a migration is needed, and what an unknown model is told") {
        let url = try firstStore(["Ann"])
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        try check(Version.names.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        try check(!Version.counted.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        try check((metadata[NSStoreModelVersionIdentifiersKey] as? [String]) == ["1"])
        do {
            _ = try container(.objects, url) {
                $0.shouldMigrateStoreAutomatically = false
                $0.shouldInferMappingModelAutomatically = false
            }
            throw IdiomFailure(description: "opened")
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            try check(error.code == NSPersistentStoreIncompatibleVersionHashError)
        }
    },
]
