import Foundation
import OpenCoreData
import TestSupport
import Testing

/// How an SQLite store keeps composite attributes: as Apple's framework does.
@Suite(.enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command")) struct CompositeStorageTests {
    private static func attribute(_ name: String, _ type: NSAttributeType = .stringAttributeType)
        -> NSAttributeDescription
    {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    private static func composite(
        _ name: String, _ elements: [NSAttributeDescription], isOptional: Bool = true
    ) -> NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        (composite.name, composite.elements, composite.isOptional) = (name, elements, isOptional)
        return composite
    }

    private static func model(_ properties: [NSPropertyDescription]) -> NSManagedObjectModel {
        let person = NSEntityDescription()
        person.name = "Person"
        person.properties = properties
        let model = NSManagedObjectModel()
        model.entities = [person]
        return model
    }

    /// The model of ``OlderCompositeStore``.
    private static func addressModel(_ more: NSPropertyDescription...) -> NSManagedObjectModel {
        model(
            [
                attribute("name"),
                composite(
                    "address", [attribute("street"), attribute("number", .integer32AttributeType), attribute("name")]),
            ] + more)
    }

    private func columns(_ stack: TestStack) throws -> [String] {
        try stack.sqlite("SELECT name FROM pragma_table_info('ZPERSON')").split(separator: "\n").map(String.init)
    }

    private func people(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request)
    }

    private func findings(_ url: URL) throws -> [StoreFinding] {
        try StoreChecker.findings(inStoreAt: url, model: try StoreFile.model(inStoreAt: url))
    }

    // MARK: Columns

    @Test func columnsAreNamedAfterTheElementAndStandAsDeclared() throws {
        let stack = try TestStack(
            model: Self.model([
                Self.composite(
                    "origin",
                    [Self.attribute("town"), Self.attribute("area"), Self.attribute("year", .dateAttributeType)]
                ),
                Self.attribute("name"), Self.attribute("zip"), Self.attribute("count", .integer16AttributeType),
            ]))
        #expect(
            try columns(stack)
                == ["Z_PK", "Z_ENT", "Z_OPT", "ZCOUNT", "ZYEAR", "ZNAME", "ZTOWN", "ZAREA", "ZZIP"])
    }

    @Test func clashingColumnsAreNumberedInTheOrderOfThePropertiesNames() throws {
        let owner = NSRelationshipDescription()
        (owner.name, owner.maxCount, owner.isOptional) = ("owner", 1, true)
        let model = Self.model([
            Self.attribute("id"), Self.composite("author", [Self.attribute("id"), Self.attribute("tag")]),
            Self.composite("zone", [Self.attribute("ID"), Self.attribute("owner", .integer64AttributeType)]), owner,
        ])
        owner.destinationEntity = model.entities[0]
        let stack = try TestStack(model: model)
        #expect(
            Set(try columns(stack)).subtracting(["Z_PK", "Z_ENT", "Z_OPT"])
                == ["ZID", "ZID1", "ZID2", "ZTAG", "ZOWNER", "ZOWNER1"])
        try stack.inContext { context in
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            person.setValue("own", forKey: "id")
            person.setValue(["id": "author's", "tag": "t"], forKey: "author")
            person.setValue(["ID": "zone's", "owner": 42], forKey: "zone")
            person.setValue(person, forKey: "owner")
            try context.save()
        }
        #expect(try stack.sqlite("SELECT ZID, ZID1, ZID2, ZOWNER, ZOWNER1 FROM ZPERSON") == "author's|own|zone's|1|42")
        let again = try TestStack(model: model, folder: stack.folder)
        try again.inContext { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "zone.ID == %@ AND author.id == %@", "zone's", "author's")
            let person = try #require(try context.fetch(request).first)
            #expect(person.value(forKey: "id") as? String == "own")
            #expect(person.value(forKeyPath: "zone.owner") as? Int == 42)
            #expect(person.value(forKey: "owner") as? NSManagedObject === person)
        }
    }

    @Test func compositesWithinCompositesAreRefusedByStoresOnDisk() throws {
        let inner = Self.composite("place", [Self.attribute("town")])
        let model = Self.model([Self.composite("address", [inner, Self.attribute("street")])])
        let error = try #require(throws: (any Error).self) { try TestStack(model: model) }
        #expect("\(error)".contains("place") && "\(error)".contains("Person"), "\(error)")
        let folder = try TemporaryFolder()
        #expect(throws: (any Error).self) { try TestStack(model: model, folder: folder) }
        #expect(!FileManager.default.fileExists(atPath: folder.file("Library.sqlite").path))
        let memory = try TestStack(model: model, type: NSInMemoryStoreType)
        try memory.inContext { context in
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            person.setValue(["street": "Weg", "place": ["town": "Ort"]], forKey: "address")
            person.setValue("Dorf", forKeyPath: "address.place.town")
            try context.save()
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "address.place.town == 'Dorf'")
            #expect(try context.fetch(request).first?.value(forKeyPath: "address.street") as? String == "Weg")
        }
    }

    // MARK: Hashes and archives

    @Test func aCompositeCountsByItsElementsAlone() throws {
        func hash(_ composite: NSAttributeDescription) -> Data? {
            Self.model([composite]).entities[0].versionHash
        }
        let elements = { [Self.attribute("street"), Self.attribute("number", .integer32AttributeType)] }
        let first = hash(Self.composite("address", elements()))
        #expect(first == hash(Self.composite("address", elements().reversed(), isOptional: false)))
        #expect(first != hash(Self.composite("address", [Self.attribute("street")])))
        // The value was computed from the rule by another program.
        #expect(
            first?.base64EncodedString() == "aTClek6IXcP8M9sst6YJmpZrerrMnInP4oG2bmlaubY=")
    }

    @Test func anArchiveHasTheElementsUnderApplesKeyAndNoOther() throws {
        let model = Self.addressModel()
        (model.entities[0].attributesByName["address"] as? NSCompositeAttributeDescription)?.compositeName = "Address"
        let again = try NSManagedObjectModel.decode(modelCache: try model.encodedModelCache())
        let address = try #require(again.entities[0].attributesByName["address"] as? NSCompositeAttributeDescription)
        #expect(address.elements.map(\.name) == ["street", "number", "name"])
        #expect(address.compositeName == nil)
        #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
    }

    @Test func aCompositeWithoutElementsIsAnErrorThatNamesIt() throws {
        let folder = try TemporaryFolder()
        let error = try #require(throws: (any Error).self) {
            _ = try TestStack(model: Self.model([Self.composite("nothing", [])]), folder: folder)
        }
        #expect("\(error)".contains("nothing"))
    }

    // MARK: Stores of earlier versions

    @Test func anOlderStoreOpensByItsOwnModelAndKeepsItsColumns() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Library.sqlite")
        try OlderCompositeStore.make(at: url)
        let stack = try TestStack(model: try StoreFile.model(inStoreAt: url), folder: folder)
        try stack.inContext { context in
            let people = try people(context)
            #expect(people.map { $0.value(forKeyPath: "address.street") as? String } == ["Weg", "Ring", nil])
            #expect(people[0].value(forKeyPath: "address.number") as? Int == 7)
            #expect(people[0].value(forKeyPath: "address.name") as? String == "Mill")
            #expect(people[2].value(forKey: "address") == nil)
            people[2].setValue("Allee", forKeyPath: "address.street")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "address.name == 'Mill'")
            #expect(try context.fetch(request).map { $0.value(forKey: "name") as? String } == ["Ann"])
            try context.save()
        }
        #expect(try stack.sqlite("SELECT ZADDRESS_STREET, ZNAME FROM ZPERSON") == "Weg|Ann\nRing|Bob\nAllee|Cy")
        #expect(try findings(url).isEmpty)
    }

    @Test func anOlderStoreIsMigratedToTheNewColumnsWhenAModelAsks() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Library.sqlite")
        try OlderCompositeStore.make(at: url)
        // The hashes are others.
        let refused = try #require(throws: CocoaError.self) {
            _ = try TestStack(model: Self.addressModel(), folder: folder)
        }
        #expect(refused.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
        for extra in [[], [Self.attribute("age", .integer16AttributeType)]] {
            let model = Self.addressModel()
            model.entities[0].properties += extra
            let stack = try TestStack(
                model: model, folder: folder,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                ])
            #expect(
                try stack.sqlite("SELECT ZNUMBER, ZNAME, ZSTREET, ZNAME1 FROM ZPERSON ORDER BY Z_PK")
                    == "7|Mill|Weg|Ann\n||Ring|Bob\n|||Cy")
            #expect(try columns(stack).allSatisfy { $0 != "ZADDRESS_STREET" })
            let names = try stack.inContext { context in
                try people(context).map { $0.value(forKey: "name") as? String }
            }
            #expect(names == ["Ann", "Bob", "Cy"])
            #expect(try findings(url).isEmpty)
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType])
    func elementsThatAreRenamedAddedAndTakenAwayAreMigrated(type: String) throws {
        let first = try TestStack(model: Self.addressModel(), type: type)
        try first.inContext { context in
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            person.setValue("Ann", forKey: "name")
            person.setValue(["street": "Weg", "number": 7, "name": "Mill"], forKey: "address")
            try context.save()
        }
        try first.coordinator.remove(try #require(first.coordinator.persistentStores.first))
        let road = Self.attribute("road")
        road.renamingIdentifier = "street"
        let later = Self.model([
            Self.attribute("name"),
            Self.composite(
                "address", [road, Self.attribute("number", .integer64AttributeType), Self.attribute("zip")]),
        ])
        var folder = first.folder
        if type != NSSQLiteStoreType {
            // By objects: such a store keeps no model.
            folder = try TemporaryFolder()
            let manager = NSMigrationManager(sourceModel: first.coordinator.managedObjectModel, destinationModel: later)
            try manager.migrateStore(
                from: first.url, sourceType: type, options: nil,
                with: try NSMappingModel.inferredMappingModel(
                    forSourceModel: manager.sourceModel, destinationModel: later),
                toDestinationURL: folder.file("Library.sqlite"), destinationType: type, destinationOptions: nil)
        }
        let second = try TestStack(
            model: later, type: type, folder: folder,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ])
        let address = try second.inContext { context in
            try people(context).first?.value(forKey: "address") as? [String: Any]
        }
        #expect(address?["road"] as? String == "Weg" && address?["number"] as? Int == 7 && address?.count == 2)
    }

    @Test func aStoreWithoutTheColumnsIsNamed() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Library.sqlite")
        try OlderCompositeStore.make(at: url)
        try SQLiteShell.run("ALTER TABLE ZPERSON DROP COLUMN ZADDRESS_STREET", on: url)
        let error = try #require(throws: CocoaError.self) {
            _ = try TestStack(model: try StoreFile.model(inStoreAt: url), folder: folder)
        }
        #expect(error.localizedDescription.contains("ZSTREET"))
    }

    // MARK: Values

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType])
    func aMandatoryCompositeOfOptionalElementsMayBeEmpty(type: String) throws {
        let stack = try TestStack(
            model: Self.model([
                Self.attribute("name"), Self.composite("tags", [Self.attribute("color")], isOptional: false),
            ]), type: type)
        let id = try stack.inContext { context in
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            let missing = try #require(throws: CocoaError.self) { try context.save() }
            #expect(missing.code.rawValue == NSValidationMissingMandatoryPropertyError)
            person.setValue([String: Any](), forKey: "tags")
            try context.save()
            return person.objectID
        }
        try stack.inContext { context in
            let person = try context.existingObject(with: id)
            #expect((person.value(forKey: "tags") as? [String: Any])?.isEmpty == true)
            person.setValue("Ann", forKey: "name")
            try context.save()
            person.setValue("red", forKeyPath: "tags.color")
            try context.save()
            person.setValue(nil, forKeyPath: "tags.color")
            try context.save()
        }
        guard type == NSSQLiteStoreType else { return }
        #expect(try stack.sqlite("SELECT ZNAME, \(stack.isFile ? "ZCOLOR" : "ZTAGSCOLOR") FROM ZPERSON") == "Ann|")
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func anElementIsSetByItsKeyPath(type: String) throws {
        let stack = try TestStack(model: Self.addressModel(), type: type)
        let id = try stack.inContext { context in
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            person.setValue("Weg", forKeyPath: "address.street")
            person.setValue(3, forKeyPath: "address.number")
            try context.save()
            person.setValue(nil, forKeyPath: "address.street")
            #expect(person.changedValues().keys.sorted() == ["address"])
            try context.save()
            person.setValue(1, forKeyPath: "address.nosuch")
            let error = try #require(throws: CocoaError.self) { try context.save() }
            #expect(error.localizedDescription.contains("nosuch"))
            return person.objectID
        }
        try stack.inContext { context in
            let person = try context.existingObject(with: id)
            #expect(person.value(forKeyPath: "address.number") as? Int == 3)
            #expect(person.value(forKeyPath: "address.street") == nil)
        }
    }

    @Test func indexesAndDerivedAttributesReachElements() throws {
        let derived = NSDerivedAttributeDescription()
        (derived.name, derived.attributeType, derived.isOptional) = ("shout", .stringAttributeType, true)
        derived.derivationExpression = NSExpression(format: "uppercase:(address.street)")
        let model = Self.addressModel(derived)
        model.entities[0].indexes = [
            NSFetchIndexDescription(
                name: "byStreet",
                elements: [NSFetchIndexElementDescription(propertyName: "address.street", collationType: .binary)])
        ]
        let stack = try TestStack(model: model)
        if stack.isFile {
            let index = try stack.sqlite("SELECT sql FROM sqlite_master WHERE name = 'Z_Person_byStreet'")
            #expect(index.hasSuffix("ON ZPERSON (ZSTREET COLLATE BINARY ASC)"))
        }
        try stack.inContext { context in
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            person.setValue(["street": "Weg"], forKey: "address")
            try context.save()
            person.setValue("Ring", forKeyPath: "address.street")
            try context.save()
        }
        let street = stack.isFile ? "ZSTREET" : "ZADDRESSSTREET"
        #expect(try stack.sqlite("SELECT \(street), ZSHOUT FROM ZPERSON") == "Ring|RING")
    }

    @Test func aConstraintOnAnElementIsRefusedByName() throws {
        let model = Self.addressModel()
        model.entities[0].uniquenessConstraints = [["address.street"]]
        let problems = model.problems()
        #expect(problems.contains { $0.contains("address.street") })
    }

    @Test func historyNamesTheComposite() throws {
        let stack = try TestStack(
            model: Self.addressModel(), options: [NSPersistentHistoryTrackingKey: true])
        try stack.inContext { context in
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            try context.save()
            person.setValue("Ring", forKeyPath: "address.street")
            try context.save()
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
            request.resultType = .changesOnly
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let changes = try #require(result?.result as? [NSPersistentHistoryChange])
            #expect(changes.last?.updatedProperties?.map(\.name) == ["address"])
        }
    }

    // MARK: Model source

    @Test func sourceKeepsWhatSwiftDataSays() throws {
        let plain = Self.composite("ice", [Self.attribute("ice")])
        plain.userInfo = ["EnumType": true]
        let cases = Self.composite("kind", [Self.attribute("gimlet"), Self.attribute("gin, \"fizz\"")])
        cases.userInfo = ["EnumType": true, "enum": ["gimlet", "gin, \"fizz\""]]
        let tags = Self.composite("tags", [Self.attribute("flavors", .binaryDataAttributeType)], isOptional: false)
        tags.defaultValue = [String: Any]()
        let model = Self.model([plain, cases, tags])
        let other = NSEntityDescription()
        other.name = "Other"
        // A type of the same name with other elements.
        other.properties = [Self.composite("tags", [Self.attribute("color")])]
        let second = NSEntityDescription()
        second.name = "Second"
        second.properties = [Self.composite("tags", [Self.attribute("color")])]
        model.entities += [other, second]
        let data = try ModelSourceDocument(model: model).data
        let string = String(decoding: data, as: UTF8.self)
        let again = try ModelSourceDocument(data: data).model()
        #expect(again.entityVersionHashesByName == model.entityVersionHashesByName, "\(string)")
        let person = try #require(again.entitiesByName["Person"])
        #expect((person.attributesByName["ice"]?.userInfo?["EnumType"] as? NSNumber)?.boolValue == true)
        #expect(person.attributesByName["kind"]?.userInfo?["enum"] as? [String] == ["gimlet", "gin, \"fizz\""])
        #expect((person.attributesByName["tags"]?.defaultValue as? [String: Any])?.isEmpty == true)
        #expect(try ModelSourceDocument(model: again).data == data)
    }
}
