import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A property of a class that the model has in another way, or not at all, keeps nothing from opening. It reads as nothing, and
/// using it is an error, never a trap.
@Suite(.serialized) struct PropertyTypeTests {
    /// What a save throws after a property was read in a store that opens all the same. It is thrown once.
    private func refusal(
        _ model: TomeModel, entity: String = "Folio", _ read: (Folio) -> Void
    ) throws -> CocoaError? {
        let stack = try TestStack(model: model.make(), type: NSInMemoryStoreType)
        return try stack.inContext { context in
            let tome = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            try context.save()
            read(try #require(tome as? Folio))
            let error = #expect(throws: CocoaError.self) { try context.save() }
            try context.save()
            return error
        }
    }

    private func text(_ error: (any Error)?) -> String {
        (error as? CocoaError)?.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
    }

    // MARK: Use

    private static let reads: [String: @Sendable (Folio) -> Bool] = [
        "title": { $0.title == nil }, "pages": { $0.pages == 0 }, "rating": { $0.rating == 0 },
        "published": { $0.published == nil }, "token": { $0.token.uuid.0 == 0 }, "link": { !$0.link.isFileURL },
        "data": { $0.data.isEmpty }, "height": { $0.height == 0 },
    ]

    @Test(arguments: [
        ("title", NSAttributeType.integer64AttributeType, "String?", "an Integer 64"),
        ("title", .booleanAttributeType, "String?", "a Boolean"),
        ("title", .doubleAttributeType, "String?", "a Double"),
        ("title", .URIAttributeType, "String?", "a URI"), ("pages", .stringAttributeType, "Int64", "a String"),
        ("pages", .doubleAttributeType, "Int64", "a Double"), ("pages", .dateAttributeType, "Int64", "a Date"),
        ("pages", .decimalAttributeType, "Int64", "a Decimal"),
        ("rating", .integer16AttributeType, "Double", "an Integer 16"),
        ("rating", .stringAttributeType, "Double", "a String"),
        ("published", .doubleAttributeType, "Date?", "a Double"),
        ("published", .binaryDataAttributeType, "Date?", "Binary Data"),
        ("token", .stringAttributeType, "UUID", "a String"),
        ("link", .stringAttributeType, "URL", "a String"), ("data", .UUIDAttributeType, "Data", "a UUID"),
        ("height", .dateAttributeType, "Float", "a Date"),
    ])
    func anAttributeOfAnotherTypeIsAnErrorWhereItIsUsed(
        _ name: String, _ type: NSAttributeType, _ swift: String, _ model: String
    ) throws {
        let read = try #require(Self.reads[name])
        let error = try refusal(TomeModel(types: [name: type])) { #expect(read($0)) }
        #expect(text(error).contains("The property '\(name)' of the class Folio"))
        #expect(text(error).contains("has the type \(swift), but the attribute '\(name)' of the entity Folio"))
        #expect(text(error).contains("is \(model)."))
        #expect(error?.code.rawValue == NSCoreDataError && error?.validationKey == name)
    }

    @Test func relationshipsOfAnotherKindAreErrorsWhereTheyAreUsed() throws {
        let many = try refusal(TomeModel(ownerIsToMany: true)) { #expect($0.owner.managedObjectContext == nil) }
        #expect(text(many).contains("is a to-many relationship to Reader (Reader)"))
        let one = try refusal(TomeModel(readersIsToMany: false)) { #expect($0.readers.isEmpty) }
        #expect(text(one).contains("is a to-one relationship to Reader (Reader)"))
    }

    @Test func aMissingPropertyIsAnErrorWhereItIsUsed() throws {
        let error = try refusal(TomeModel(missing: ["title"])) { #expect($0.title == nil) }
        #expect(text(error).contains("has the type String?, but the entity Folio has no property named 'title'"))
        let owner = try refusal(TomeModel(missing: ["owner"])) { #expect($0.owner.managedObjectContext == nil) }
        #expect(text(owner).contains("no property named 'owner'"))
        let folio = try refusal(TomeModel(missing: ["height"])) { #expect($0.height == 0) }
        #expect(text(folio).contains("the entity Folio has no property named 'height'"))
    }

    @Test func settingAMissingPropertyIsAnErrorOfTheNextSave() throws {
        let stack = try TestStack(model: TomeModel(missing: ["title"]).make(), type: NSInMemoryStoreType)
        stack.inContext { context in
            let tome = Tome(context: context)
            tome.title = "Emma"
            tome.pages = 3
            #expect(text(#expect(throws: CocoaError.self) { try context.save() }).contains("title"))
            // Nothing of the sort is in the object.
            #expect(tome.pages == 3)
        }
    }

    @Test func aPropertyThatItsClassDoesNotListIsNoTrapEither() throws {
        let stack = try TestStack(
            model: TomeModel(types: ["name": .integer64AttributeType]).make(), type: NSInMemoryStoreType)
        try stack.inContext { context in
            let reader = Reader(context: context)
            #expect(reader.name.isEmpty)
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(
                text(error).contains(
                    "has the type String, but the attribute 'name' of the entity Reader is an Integer 64."))
            try context.save()
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]) func anOlderModelIsOpenedWithANewerClass(
        type: String
    ) throws {
        // The class has attributes that come with the next version.
        let older = TomeModel(missing: ["pages", "link", "readers"])
        let bundle = try ProgramBundle([older.make()])
        let stack = try TestStack(model: older.make(), type: type)
        try stack.inContext { context in
            let tome = Tome(context: context)
            tome.title = "Emma"
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let newer = try TestStack(model: TomeModel().make(), type: type, folder: stack.folder, options: options)
        try newer.inContext { context in
            let tome = try #require(try context.fetch(NSFetchRequest<Tome>(entityName: "Tome")).first)
            #expect(tome.title == "Emma" && tome.pages == 0)
            try context.save()
        }
        withExtendedLifetime(bundle) {}
    }

    @Test func aStoreThatMigratesHasTheNewProperties() throws {
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

    @Test func keyPathsOfWhatDoesNotFitAreNamesAllTheSame() {
        #expect(NSSortDescriptor(keyPath: \Tome.title, ascending: true).key == "title")
        #expect(NSSortDescriptor(keyPath: \Tome.owner.name, ascending: true).key == "owner.name")
    }
}
