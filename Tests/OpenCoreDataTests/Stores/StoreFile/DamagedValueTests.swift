import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Values that the type of their attribute can't have, as another program or a failing disk leaves them: nothing is guessed.
@Suite(.enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct DamagedValueTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Things.sqlite")
        let context = try context()
        try context.performAndWait {
            let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
            for name in ["one", "two"] {
                let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                thing.setValuesForKeys([
                    "name": name, "count": 5, "small": 6, "medium": 7, "isNew": true, "ratio": 1.5,
                    "price": NSDecimalNumber(string: "2.5"),
                    "made": Date(timeIntervalSinceReferenceDate: 1.25), "code": UUID(), "bytes": Data([1, 2]),
                    "link": URL(string: "https://example.com")!, "box": box,
                ])
            }
            try context.save()
        }
        try close(context)
    }

    private static func model() -> NSManagedObjectModel {
        let (thing, box) = (NSEntityDescription(), NSEntityDescription())
        (thing.name, box.name) = ("Thing", "Box")
        thing.properties = [
            LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.attribute("count", .integer64AttributeType),
            LibraryModel.attribute("small", .integer16AttributeType),
            LibraryModel.attribute("medium", .integer32AttributeType),
            LibraryModel.attribute("isNew", .booleanAttributeType),
            LibraryModel.attribute("ratio", .doubleAttributeType),
            LibraryModel.attribute("price", .decimalAttributeType), LibraryModel.attribute("made", .dateAttributeType),
            LibraryModel.attribute("code", .UUIDAttributeType),
            LibraryModel.attribute("bytes", .binaryDataAttributeType),
            LibraryModel.attribute("link", .URIAttributeType),
            LibraryModel.relationship("box", to: box, rule: .nullifyDeleteRule),
        ]
        box.properties = [LibraryModel.relationship("things", to: thing, toMany: true, rule: .nullifyDeleteRule)]
        LibraryModel.pair(box, "things", thing, "box")
        let model = NSManagedObjectModel()
        model.entities = [thing, box]
        return model
    }

    private func context() throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func close(_ context: NSManagedObjectContext) throws {
        let coordinator = try #require(context.persistentStoreCoordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    private func damage(_ assignment: String) throws {
        try SQLiteShell.run("UPDATE ZTHING SET \(assignment) WHERE ZNAME = 'two'", on: url)
    }

    private func expectDamage(of property: String, _ body: () throws -> Void) {
        let error = #expect(throws: CocoaError.self) { try body() }
        #expect(error?.code == .fileReadCorruptFile)
        let sentence = error?.localizedDescription ?? ""
        for part in ["\(property) of Thing", "row 2 of table ZTHING", "column Z\(property.uppercased())"] {
            #expect(sentence.contains(part), "\(sentence)")
        }
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
    }

    private static func things(_ sorted: Bool = false) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        if sorted { request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)] }
        return request
    }

    private static func thing(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Thing")
        request.resultType = .managedObjectIDResultType
        request.predicate = NSPredicate(format: "name == %@", argumentArray: [name])
        return context.object(with: try #require(try context.fetch(request).first))
    }

    static let damages = [
        ("count", "'many'"), ("count", "1.5"), ("count", "x'07'"), ("isNew", "'perhaps'"), ("ratio", "'half'"),
        ("ratio", "x'07'"), ("price", "'cheap'"), ("price", "'2.5 or so'"), ("price", "x'07'"), ("made", "'long ago'"),
        ("code", "x'07'"), ("code", "'no code'"), ("code", "7"), ("bytes", "'text'"), ("bytes", "7"),
        ("name", "x'00FF'"), ("box", "'elsewhere'"), ("box", "1.5"), ("small", "70000"), ("small", "-32769"),
        ("small", "1e300"), ("medium", "3000000000"), ("medium", "'seven'"),
    ]

    @Test(arguments: damages, [false, true]) func aFetchThrows(_ damage: (String, String), sorted: Bool) throws {
        let (property, value) = damage
        try SQLiteShell.run("UPDATE ZTHING SET Z\(property.uppercased()) = \(value) WHERE Z_PK = 2", on: url)
        let context = try context()
        try context.performAndWait {
            expectDamage(of: property) { _ = try context.fetch(Self.things(sorted)) }
            // The other object is as it was.
            let request = Self.things(sorted)
            request.predicate = NSPredicate(format: "SELF != %@", try Self.id(2, context))
            #expect(try context.fetch(request).map { $0.value(forKey: "name") as? String } == ["one"])
            #expect(try context.count(for: Self.things()) == 2)
        }
    }

    private static func id(_ number: Int, _ context: NSManagedObjectContext) throws -> NSManagedObjectID {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Thing")
        request.resultType = .managedObjectIDResultType
        return try #require(
            try context.fetch(request).first { $0.uriRepresentation().lastPathComponent == "p\(number)" })
    }

    @Test(arguments: damages) func aFaultHasNoValueAndSavesThrow(_ property: String, _ value: String) throws {
        try SQLiteShell.run("UPDATE ZTHING SET Z\(property.uppercased()) = \(value) WHERE Z_PK = 2", on: url)
        let before = try SQLiteShell.run("SELECT quote(Z\(property.uppercased())), Z_OPT FROM ZTHING", on: url)
        let context = try context()
        try context.performAndWait {
            let thing = context.object(with: try Self.id(2, context))
            #expect(thing.value(forKey: property) == nil)
            // What is sound can be read.
            if property != "ratio" { #expect(thing.value(forKey: "ratio") as? Double == 1.5) }
            expectDamage(of: property) { _ = try context.fetch(Self.things()) }
            thing.setValue(property == "ratio" ? 1 : 2.5, forKey: property == "ratio" ? "count" : "ratio")
            for _ in 0..<2 { expectDamage(of: property) { try context.save() } }
            #expect(
                try SQLiteShell.run("SELECT quote(Z\(property.uppercased())), Z_OPT FROM ZTHING", on: url) == before)
            expectDamage(of: property) { _ = try context.existingObject(with: thing.objectID) }
            // A value in the place of the damaged one is a way out.
            thing.setValue(nil, forKey: property)
            try context.save()
            #expect(try context.fetch(Self.things()).count == 2)
        }
        let quoted = try SQLiteShell.run("SELECT quote(Z\(property.uppercased())) FROM ZTHING WHERE Z_PK = 2", on: url)
        #expect(quoted == "NULL")
    }

    @Test func whatWasNotAskedForStaysAsItIs() throws {
        try damage("ZCOUNT = 'many'")
        let context = try context()
        try context.performAndWait {
            let thing = try Self.thing("two", context)
            thing.setValue(2.5, forKey: "ratio")
            try context.save()
            #expect(thing.value(forKey: "count") == nil)
            expectDamage(of: "count") { try context.save() }
            context.refresh(thing, mergeChanges: false)
            try context.save()
            context.delete(thing)
            try context.save()
        }
        #expect(try SQLiteShell.run("SELECT ZNAME FROM ZTHING", on: url) == "one")
    }

    @Test func typedAccessorsReportToo() throws {
        try damage("ZCOUNT = 'many', ZMADE = 'long ago', ZNAME = x'FF'")
        let context = try context()
        try context.performAndWait {
            let thing = context.object(with: try Self.id(2, context))
            #expect(thing[ManagedProperty<Int64?>("count")] == nil)
            expectDamage(of: "count") { try context.save() }
            #expect(thing[ManagedProperty<Date?>("made")] == nil)
            #expect(thing[ManagedProperty<String?>("name")] == nil)
            thing.setValue(1, forKey: "count")
            expectDamage(of: "made") { try context.save() }
        }
    }

    @Test func membersOfARelationshipAreReadAndPrefetchingThrows() throws {
        try damage("ZPRICE = 'cheap'")
        let context = try context()
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Box")
            let box = try #require(try context.fetch(request).first)
            let things = try #require(box.value(forKey: "things") as? Set<NSManagedObject>)
            #expect(Set(things.compactMap { $0.value(forKey: "name") as? String }) == ["one", "two"])
            #expect(things.compactMap { $0.value(forKey: "price") as? NSDecimalNumber } == [2.5])
            expectDamage(of: "price") { try context.save() }
            context.reset()
            request.relationshipKeyPathsForPrefetching = ["things"]
            expectDamage(of: "price") { _ = try context.fetch(request) }
        }
    }

    @Test func childContextsReportToo() throws {
        try damage("ZCOUNT = 'many'")
        let parent = try context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        let id = try parent.performAndWait { try Self.id(2, parent) }
        try child.performAndWait {
            expectDamage(of: "count") { _ = try child.fetch(Self.things()) }
            let thing = child.object(with: id)
            #expect(thing.value(forKey: "count") == nil)
            thing.setValue(2.5, forKey: "ratio")
            expectDamage(of: "count") { try child.save() }
            thing.setValue(7, forKey: "count")
            try child.save()
        }
        try parent.performAndWait { try parent.save() }
        #expect(try SQLiteShell.run("SELECT ZCOUNT, ZRATIO FROM ZTHING WHERE Z_PK = 2", on: url) == "7|2.5")
    }

    @Test(arguments: ["count", "small", "made", "price", "code", "name"]) func dictionariesThrow(_ property: String)
        throws
    {
        let values = [
            "count": "'many'", "small": "70000", "made": "'long ago'", "price": "'cheap'", "code": "x'07'",
            "name": "x'FF'",
        ]
        try SQLiteShell.run(
            "UPDATE ZTHING SET Z\(property.uppercased()) = \(values[property] ?? "") WHERE Z_PK = 2", on: url)
        let context = try context()
        context.performAndWait {
            let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = [property]
            let error = #expect(throws: CocoaError.self) { _ = try context.fetch(request) }
            #expect(error?.code == .fileReadCorruptFile)
            #expect(error?.localizedDescription.contains("Thing.\(property)") == true)
        }
    }

    /// What Apple's framework and other programs write in other forms, without a loss.
    @Test(arguments: [
        ("ZCOUNT = 5.0", "count", "5"), ("ZRATIO = 3", "ratio", "3.0"), ("ZMADE = 700000000", "made", "700000000"),
        ("ZPRICE = 7", "price", "7"), ("ZISNEW = 1", "isNew", "1"), ("ZPRICE = '10.25'", "price", "10.25"),
        ("ZCOUNT = '12'", "count", "12"), ("ZSMALL = 32767", "small", "32767"), ("ZSMALL = -32768", "small", "-32768"),
        ("ZMEDIUM = '-2147483648'", "medium", "-2147483648"),
        ("ZCODE = '11111111-2222-4333-8444-555555555555'", "code", ""),
    ])
    func otherFormsOfSoundValuesAreRead(_ assignment: String, _ property: String, _ expected: String) throws {
        try damage(assignment)
        let context = try context()
        try context.performAndWait {
            let things = try context.fetch(Self.things(true))
            let value = things.last?.value(forKey: property)
            switch value {
            case let date as Date: #expect(date.timeIntervalSinceReferenceDate == Double(expected))
            case let number as NSNumber: #expect(number.stringValue == expected)
            default: #expect((value as? UUID)?.uuidString == "11111111-2222-4333-8444-555555555555")
            }
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType]) func noCopyIsMade(type: String) throws {
        try damage("ZMADE = 'long ago'")
        let context = try context()
        let coordinator = try #require(context.persistentStoreCoordinator)
        let copy = folder.file("Copy.store")
        expectDamage(of: "made") {
            _ = try coordinator.migratePersistentStore(
                try #require(coordinator.persistentStores.first), to: copy, options: nil, withType: type)
        }
        #expect(!FileManager.default.fileExists(atPath: copy.path))
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType], [70_000, -32_769, 32_767, -32_768])
    func anIntegerThatItsTypeHasNoRoomForIsAnErrorInEachKindOfStore(type: String, number: Int) throws {
        func context(_ attributeType: NSAttributeType) throws -> NSManagedObjectContext {
            let thing = NSEntityDescription()
            thing.name = "Thing"
            thing.properties = [LibraryModel.attribute("count", attributeType)]
            let model = NSManagedObjectModel()
            model.entities = [thing]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: folder.file("Numbers.store"),
                options: [NSIgnorePersistentStoreVersioningOption: true])
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }
        let writer = try context(.integer64AttributeType)
        try writer.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Thing", into: writer).setValue(number, forKey: "count")
            try writer.save()
        }
        try close(writer)
        let read = {
            let reader = try context(.integer16AttributeType)
            return try reader.performAndWait {
                try reader.fetch(Self.things()).map { $0.value(forKey: "count") as? Int }
            }
        }
        guard Int16(exactly: number) == nil else { return #expect(try read() == [number]) }
        let error = #expect(throws: CocoaError.self) { _ = try read() }
        #expect(error?.localizedDescription.contains("count") == true, "\(String(describing: error))")
    }
}
