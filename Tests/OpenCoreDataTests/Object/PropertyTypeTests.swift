import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Classes that list their properties are compared with the model: what doesn't fit is an error, never a trap.
@Suite(.serialized) struct PropertyTypeTests {
    /// What opening a store with a model throws.
    private func refusal(_ model: TomeModel) -> CocoaError? {
        #expect(throws: CocoaError.self) { _ = try TestStack(model: model.make(), type: NSInMemoryStoreType) }
    }

    private func text(_ error: (any Error)?) -> String {
        (error as? CocoaError)?.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
    }

    // MARK: Opening

    @Test(arguments: [
        ("title", NSAttributeType.integer64AttributeType, "String?", "an Integer 64"),
        ("title", .booleanAttributeType, "String?", "a Boolean"),
        ("title", .doubleAttributeType, "String?", "a Double"),
        ("title", .URIAttributeType, "String?", "a URI"), ("pages", .stringAttributeType, "Int64", "a String"),
        ("pages", .doubleAttributeType, "Int64", "a Double"), ("pages", .dateAttributeType, "Int64", "a Date"),
        ("pages", .booleanAttributeType, "Int64", "a Boolean"), ("pages", .decimalAttributeType, "Int64", "a Decimal"),
        ("rating", .integer16AttributeType, "Double", "an Integer 16"),
        ("rating", .stringAttributeType, "Double", "a String"),
        ("published", .doubleAttributeType, "Date?", "a Double"),
        ("published", .binaryDataAttributeType, "Date?", "Binary Data"),
        ("token", .stringAttributeType, "UUID", "a String"),
        ("link", .stringAttributeType, "URL", "a String"), ("data", .UUIDAttributeType, "Data", "a UUID"),
        ("height", .dateAttributeType, "Float", "a Date"),
    ])
    func anAttributeOfAnotherTypeIsRefused(_ name: String, _ type: NSAttributeType, _ swift: String, _ model: String) {
        let error = refusal(TomeModel(types: [name: type]))
        let entity = name == "height" ? "Folio" : "Tome"
        #expect(text(error).contains("The property '\(name)' of the class"))
        #expect(text(error).contains("has the type \(swift), but the attribute '\(name)' of the entity"))
        #expect(text(error).contains("is \(model)."))
        #expect(error?.code.rawValue == NSCoreDataError && error?.validationKey == name)
        #expect((error?.userInfo[NSDetailedErrorsKey] as? [CocoaError])?.isEmpty != true)
        #expect(text(error).contains(entity))
    }

    @Test func relationshipsOfAnotherKindAreRefused() {
        #expect(text(refusal(TomeModel(ownerIsToMany: true))).contains("is a to-many relationship to Reader (Reader)"))
        let one = text(refusal(TomeModel(readersIsToMany: false)))
        #expect(one.contains("is a to-one relationship to Reader (Reader)"))
        let other = text(refusal(TomeModel(readerClass: Stranger.self)))
        #expect(other.contains("has the type Reader?") && other.contains("to Reader (Stranger)"))
    }

    @Test func aMissingPropertyIsRefused() {
        let error = refusal(TomeModel(missing: ["title"]))
        #expect(text(error).contains("has the type String?, but the entity Tome has no property named 'title'"))
        #expect(text(refusal(TomeModel(missing: ["owner"]))).contains("no property named 'owner'"))
        let folio = text(refusal(TomeModel(missing: ["height"])))
        #expect(folio.contains("the entity Folio has no property named 'height'"))
    }

    @Test func severalMismatchesAreAllNamed() {
        let error = refusal(
            TomeModel(types: ["title": .dateAttributeType, "pages": .stringAttributeType], missing: ["link"]))
        let details = error?.userInfo[NSDetailedErrorsKey] as? [CocoaError] ?? []
        #expect(Set(details.compactMap(\.validationKey)) == ["title", "pages", "link"])
        #expect(text(error).contains("more of the model's properties don't fit"))
    }

    @Test(arguments: [NSSQLiteStoreType, NSBinaryStoreType]) func aFileWithAnotherTypeIsRefusedAndStaysAsItIs(
        type: String
    ) throws {
        let folder = try TemporaryFolder()
        let plain = TomeModel(types: ["title": .integer64AttributeType], tomeClass: nil)
        let writer = try TestStack(model: plain.make(), type: type, folder: folder)
        try writer.inContext { context in
            let tome = NSEntityDescription.insertNewObject(forEntityName: "Tome", into: context)
            tome.setValue(100, forKey: "title")
            try context.save()
        }
        for store in writer.coordinator.persistentStores { try writer.coordinator.remove(store) }
        let before = try Data(contentsOf: writer.url)
        let model = TomeModel(types: ["title": .integer64AttributeType]).make()
        let error = #expect(throws: CocoaError.self) {
            _ = try TestStack(model: model, type: type, folder: folder)
        }
        #expect(text(error).contains("'title'"))
        #expect(try Data(contentsOf: writer.url) == before)
        // A container says the same.
        let container = NSPersistentContainer(
            name: "Library", managedObjectModel: TomeModel(types: ["title": .integer64AttributeType]).make())
        let description = NSPersistentStoreDescription(url: writer.url)
        description.type = type
        container.persistentStoreDescriptions = [description]
        let errors = Noted<any Error>()
        container.loadPersistentStores { _, error in error.map { errors.note($0) } }
        #expect(errors.count == 1 && text(errors.all.first).contains("'title'"))
        #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
    }

    @Test func aStoreThatMigratesIsComparedWithTheNewModelOnly() throws {
        let folder = try TemporaryFolder()
        // The old version lacks attributes that the class has.
        let writer = try TestStack(model: TomeModel(missing: ["pages", "link"], tomeClass: nil).make(), folder: folder)
        try writer.inContext { context in
            NSEntityDescription.insertNewObject(forEntityName: "Tome", into: context).setValue("Emma", forKey: "title")
            try context.save()
        }
        for store in writer.coordinator.persistentStores { try writer.coordinator.remove(store) }
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let stack = try TestStack(model: TomeModel().make(), folder: folder, options: options)
        try stack.inContext { context in
            let tome = try #require(try context.fetch(NSFetchRequest<Tome>(entityName: "Tome")).first)
            #expect(tome.title == "Emma" && tome.pages == 0)
        }
    }

    // MARK: What fits

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType]) func whatFitsIsReadAsItWasWritten(type: String) throws {
        let model = TomeModel(types: ["pages": .integer16AttributeType, "rating": .floatAttributeType])
        let stack = try TestStack(model: model.make(), type: type)
        let token = UUID()
        try stack.inContext { context in
            let folio = Folio(context: context)
            folio.title = "Emma"
            folio.pages = 7
            folio.rating = 0.5
            folio.stamp = 77
            folio.token = token
            folio.owner = Reader(context: context)
            folio.owner.name = "Ann"
            try context.save()
        }
        try stack.inContext { context in
            let folio = try #require(try context.fetch(NSFetchRequest<Folio>(entityName: "Folio")).first)
            #expect(folio.title == "Emma" && folio.pages == 7 && folio.rating == 0.5 && folio.stamp == 77)
            #expect(folio.token == token && folio.owner.name == "Ann" && folio.height == 0)
            #expect(folio.value(forKey: "stamp") as? Date == Date(timeIntervalSinceReferenceDate: 77))
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType]) func transformablesAreReachedByTheirName(
        type: String
    ) throws {
        let model = TomeModel(types: [
            "title": .transformableAttributeType, "pages": .transformableAttributeType,
            "published": .transformableAttributeType, "data": .transformableAttributeType,
        ])
        let stack = try TestStack(model: model.make(), type: type)
        let date = Date(timeIntervalSinceReferenceDate: 5)
        try stack.inContext { context in
            let tome = Tome(context: context)
            tome.title = "Emma"
            tome.pages = 12
            tome.published = date
            tome.data = Data([1, 2])
            #expect(tome.title == "Emma" && tome.pages == 12 && tome.published == date && tome.data == Data([1, 2]))
            try context.save()
        }
        try stack.inContext { context in
            let tome = try #require(try context.fetch(NSFetchRequest<Tome>(entityName: "Tome")).first)
            #expect(tome.title == "Emma" && tome.pages == 12 && tome.published == date && tome.data == Data([1, 2]))
            tome.title = nil
            try context.save()
            context.refresh(tome, mergeChanges: false)
            #expect(tome.title == nil)
        }
    }

    // MARK: Where opening can't tell

    @Test func aClassOfTwoEntitiesMayLackAPropertyInOne() throws {
        let stack = try TestStack(model: TomeModel(hasPamphlet: true).make(), type: NSInMemoryStoreType)
        try stack.inContext { context in
            let objects = ["Tome", "Pamphlet"].map {
                NSEntityDescription.insertNewObject(forEntityName: $0, into: context) as? Tome
            }
            let (tome, pamphlet) = (try #require(objects[0]), try #require(objects[1]))
            (tome.title, tome.pages, pamphlet.pages) = ("Emma", 1, 2)
            #expect(tome.title == "Emma" && tome.pages == 1 && pamphlet.pages == 2)
            try context.save()
            // The entity has no title: that is no trap, but it is said.
            #expect(pamphlet.title == nil)
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(text(error).contains("the entity Pamphlet has no property named 'title'"))
            try context.save()
            #expect(tome.title == "Emma")
        }
    }

    /// A class whose module is known only once the program uses it.
    @Test func aClassThatIsFoundLateIsRefusedByTheFirstFetch() async {
        await #expect(processExitsWith: .success) {
            let model = TomeModel(types: ["title": .integer64AttributeType], tomeClass: "Tome").make()
            model.entitiesByName["Reader"]?.managedObjectClassName = "NSManagedObject"
            model.entitiesByName["Folio"]?.managedObjectClassName = "NSManagedObject"
            let stack = try TestStack(model: model, type: NSInMemoryStoreType)
            stack.inContext { context in
                let tome = Tome(context: context)
                #expect(type(of: tome) == Tome.self && tome.title == nil)
                tome.title = "Emma"
                #expect(tome.title == nil)
                #expect(throws: CocoaError.self) { try context.save() }
                #expect(throws: CocoaError.self) { try context.save() }
                #expect(throws: CocoaError.self) { _ = try context.fetch(NSFetchRequest<Tome>(entityName: "Tome")) }
            }
        }
    }

    @Test func keyPathsOfWhatDoesNotFitAreNamesAllTheSame() {
        #expect(NSSortDescriptor(keyPath: \Tome.title, ascending: true).key == "title")
        #expect(NSSortDescriptor(keyPath: \Tome.owner.name, ascending: true).key == "owner.name")
    }
}
