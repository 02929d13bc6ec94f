import CoreData
import Foundation

extension Book {
    /// What the model doesn't have.
    var displayTitle: String { title ?? "Untitled" }

    var releaseDate: Date {
        get { published ?? Date.distantPast }
        set { published = newValue }
    }
}

/// A copy with all attributes, by the entity's description.
extension NSManagedObject {
    func duplicate() -> NSManagedObject? {
        guard let context = managedObjectContext, let name = entity.name else { return nil }
        let copy = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
        for (key, attribute) in entity.attributesByName where !(attribute is NSDerivedAttributeDescription) {
            copy.setValue(value(forKey: key), forKey: key)
        }
        return copy
    }

    var asDictionary: [String: Any] { dictionaryWithValues(forKeys: Array(entity.attributesByName.keys)) }
}

/// The versions of a model, and how to get from one to the next.
enum ModelVersion: String, CaseIterable {
    case one = "Library"
    case two = "Library 2"

    var next: ModelVersion? { self == .one ? .two : nil }

    static var current: ModelVersion { return allCases.last! }

    var model: NSManagedObjectModel {
        let url = Bundle.module.url(forResource: "Library", withExtension: "xcdatamodeld")!
        return NSManagedObjectModel(contentsOf: url.appendingPathComponent("\(rawValue).xcdatamodel"))!
    }

    static func compatible(with metadata: [String: Any]) -> ModelVersion? {
        allCases.first { $0.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) }
    }
}

/// Migration one version at a time, as many articles describe it.
final class Migrator {
    func requiresMigration(at storeURL: URL, to version: ModelVersion) throws -> Bool {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: storeURL, options: nil)
        return ModelVersion.compatible(with: metadata) != version
    }

    func migrate(at storeURL: URL, to target: ModelVersion) throws {
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: storeURL, options: nil)
        while let source = ModelVersion.compatible(with: metadata), source != target, let next = source.next {
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: source.model, destinationModel: next.model)
            let manager = NSMigrationManager(sourceModel: source.model, destinationModel: next.model)
            let destinationURL = storeURL.deletingLastPathComponent().appendingPathComponent(UUID().uuidString)
            try manager.migrateStore(
                from: storeURL, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
                toDestinationURL: destinationURL, destinationType: NSSQLiteStoreType, destinationOptions: nil)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: next.model)
            try coordinator.replacePersistentStore(
                at: storeURL, destinationOptions: nil, withPersistentStoreFrom: destinationURL, sourceOptions: nil,
                ofType: NSSQLiteStoreType)
            try coordinator.destroyPersistentStore(at: destinationURL, ofType: NSSQLiteStoreType, options: nil)
            metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: storeURL, options: nil)
        }
    }
}

/// A policy for one entity.
#if canImport(ObjectiveC)
@objc(BookPolicy)
#endif
final class BookPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]).first
        made?.setValue((sInstance.value(forKey: "name") as? String)?.uppercased(), forKey: "title")
    }
}

/// A store of the model's first version with one book.
private func oldStore() throws -> URL {
    let url = try Library.folder().appendingPathComponent("Old.sqlite")
    let model = ModelVersion.one.model
    for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("Emma", forKey: "name")
        book.setValue(474, forKey: "pages")
        try context.save()
    }
    try coordinator.remove(store)
    return url
}

@MainActor private func titles(at url: URL) throws -> [String?] {
    let container = NSPersistentContainer(name: "Library", managedObjectModel: Library.model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    container.persistentStoreDescriptions[0].shouldMigrateStoreAutomatically = true
    container.persistentStoreDescriptions[0].shouldInferMappingModelAutomatically = true
    var failure: Error?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return try container.viewContext.fetch(Book.fetchRequest()).map(\.title)
}

let modeling: [Idiom] = [
    Idiom("a class written by hand with @NSManaged, awakeFromInsert") {
        let context = try Library.container().viewContext
        let author = Author(context: context)
        try check(author.created != nil && author.name.isEmpty && author.age == 0 && author.books?.count == 0)
        author.age = 40
        author.name = "Ann"
        try context.save()
        let request: NSFetchRequest<Author> = Author.fetchRequest()
        try check(context.fetch(request).first?.age == 40)
    },
    Idiom("validation in the class and by the model, several errors") {
        let context = try Library.container().viewContext
        let author = Author(context: context)
        author.name = " Ann"
        author.age = 200
        do {
            try context.save()
            throw IdiomFailure(description: "saved")
        } catch let error as NSError {
            try check(error.domain == NSCocoaErrorDomain || error.domain == "Library", "\(error)")
        }
        author.name = "Ann"
        do {
            try author.validateForUpdate()
            throw IdiomFailure(description: "valid")
        } catch let error as NSError where error.code == NSValidationNumberTooLargeError {
            try check(error.userInfo[NSValidationKeyErrorKey] as? String == "age")
        }
    },
    Idiom("validation by key with a pointer, before a value is set and by a save") {
        let context = try Library.container().viewContext
        let author = Author(context: context)
        author.name = "Ann"
        author.age = 99
        do {
            try context.save()
            throw IdiomFailure(description: "saved")
        } catch let error as NSError {
            try check(error.localizedDescription == "Nobody is 99.", "\(error)")
        }
        var proposed: AnyObject? = NSNumber(value: 98)
        try author.validateValue(&proposed, forKey: "age")
        try check(proposed as? NSNumber == 97)
        author.setValue(proposed, forKey: "age")
        try context.save()
    },
    Idiom("a derived attribute") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let author = try unwrap(context.fetch(Author.fetchRequest()).first)
        context.refresh(author, mergeChanges: false)
        try check(author.bookCount == 6)
    },
    Idiom("a transformable value with a secure transformer") {
        ColorTransformer.register()
        let context = try Library.container().viewContext
        let swatch = Swatch(context: context)
        swatch.color = Color(red: 0.5)
        swatch.tags = ["warm", "light"]
        try context.save()
        context.refresh(swatch, mergeChanges: false)
        try check(swatch.color?.red == 0.5 && swatch.tags == ["warm", "light"])
    },
    Idiom("binary data kept in files") {
        let context = try Library.container().viewContext
        let book = Book(context: context)
        book.cover = Data(repeating: 7, count: 300_000)
        try context.save()
        context.reset()
        try check(context.fetch(Book.fetchRequest()).first?.cover?.count == 300_000)
    },
    Idiom("computed properties over the model's") {
        let context = try Library.container().viewContext
        let book = Book(context: context)
        book.releaseDate = Date(timeIntervalSinceReferenceDate: 5)
        try check(book.displayTitle == "Untitled" && book.published?.timeIntervalSinceReferenceDate == 5)
    },
    Idiom("a copy of an object and its dictionary") {
        let context = try Library.container().viewContext
        let book = try Library.fill(context)[4]
        let copy = try unwrap(book.duplicate() as? Book)
        try check(copy.title == book.title && copy.price == book.price && copy.identifier == book.identifier)
        try check(copy.asDictionary["pages"] as? Int == 50 && copy.asDictionary["cover"] is NSNull)
    },
    Idiom("a model made in code") {
        let entity = NSEntityDescription()
        entity.name = "Note"
        entity.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
        let text = NSAttributeDescription()
        text.name = "text"
        text.attributeType = .stringAttributeType
        text.isOptional = false
        entity.properties = [text]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
        container.persistentStoreDescriptions.first?.type = NSInMemoryStoreType
        container.loadPersistentStores { _, error in precondition(error == nil) }
        let note = NSManagedObject(entity: entity, insertInto: container.viewContext)
        note.setValue("n", forKey: "text")
        try container.viewContext.save()
        try check(container.viewContext.registeredObjects == [note])
    },
    Idiom("lightweight migration when the store is loaded") {
        try check(titles(at: oldStore()) == ["Emma"])
    },
    Idiom("migration version by version") {
        let url = try oldStore()
        let migrator = Migrator()
        try check(migrator.requiresMigration(at: url, to: .current))
        try migrator.migrate(at: url, to: .current)
        try check(!migrator.requiresMigration(at: url, to: .current))
        try check(titles(at: url) == ["Emma"])
    },
    Idiom("migration by a mapping model with a policy") {
        let url = try oldStore()
        let (old, new) = (ModelVersion.one.model, ModelVersion.two.model)
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let books = try unwrap(mapping.entityMappings.first { $0.destinationEntityName == "Book" })
        books.entityMigrationPolicyClassName = NSStringFromClass(BookPolicy.self)
        books.mappingType = .customEntityMappingType
        let destination = url.deletingLastPathComponent().appendingPathComponent("New.sqlite")
        #if !canImport(ObjectiveC)
        BookPolicy.register()
        #endif
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: destination,
            destinationType: NSSQLiteStoreType, destinationOptions: nil)
        try check(titles(at: destination) == ["EMMA"])
    },
    Idiom("staged migration with references to the versions") {
        let url = try oldStore()
        let (old, new) = (ModelVersion.one.model, ModelVersion.two.model)
        let stage = NSCustomMigrationStage(
            migratingFrom: NSManagedObjectModelReference(model: old, versionChecksum: old.versionChecksum),
            to: NSManagedObjectModelReference(model: new, versionChecksum: new.versionChecksum))
        let calls = Counter()
        stage.didMigrateHandler = { _, _ in calls.add() }
        let container = NSPersistentContainer(name: "Library", managedObjectModel: Library.model)
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(
            NSStagedMigrationManager([stage]), forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
        container.persistentStoreDescriptions = [description]
        var failure: Error?
        container.loadPersistentStores { failure = $1 }
        try check(failure == nil && calls.value == 1, "\(String(describing: failure))")
    },
    Idiom("a backup of the store by migratePersistentStore") {
        let container = try Library.container()
        try Library.fill(container.viewContext)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Library.model)
        let source = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: container.persistentStoreDescriptions[0].url,
            options: [NSReadOnlyPersistentStoreOption: true])
        let backup = try Library.folder().appendingPathComponent("Backup.sqlite")
        try coordinator.migratePersistentStore(source, to: backup, options: nil, withType: NSSQLiteStoreType)
        try check(titles(at: backup).count == 12)
    },
    Idiom("metadata of a store") {
        let container = try Library.container()
        let coordinator = container.persistentStoreCoordinator
        let store = try unwrap(coordinator.persistentStores.first)
        var metadata = coordinator.metadata(for: store)
        metadata["seeded"] = true
        coordinator.setMetadata(metadata, for: store)
        try container.viewContext.save()
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: store.url!, options: nil)
        try check(read["seeded"] as? Bool == true && read[NSStoreUUIDKey] is String)
    },
]

/// All of them.
@MainActor public let sharedIdioms: [Idiom] =
    templates + repositories + fetching + resultsControllers + saving + following + modeling
    + editing + importing + lists + containers + sections + undoingRelationships + conflicts + families + ordering
    + asking + refreshing + histories + batches + transforming + stages + modelActors
