import OpenCoreData
import TestSupport
import Testing

/// The text of an XML store.
@Suite struct XMLStoreFormatTests {
    let folder: TemporaryFolder
    private var url: URL { folder.file("Store.xml") }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil) throws
        -> NSPersistentStoreCoordinator
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .xml, at: url, options: options)
        return coordinator
    }

    private func inContext<T>(
        _ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> T
    ) throws -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    /// Note with an attribute of several types, to one Topic, which has many.
    private func noteModel() -> NSManagedObjectModel {
        let note = NSEntityDescription()
        note.name = "Note"
        let topic = NSEntityDescription()
        topic.name = "Topic"
        note.properties = [
            LibraryModel.attribute("body", .stringAttributeType), LibraryModel.attribute("dueDate", .dateAttributeType),
            LibraryModel.attribute("isDone", .booleanAttributeType),
            LibraryModel.attribute("stars", .integer16AttributeType),
            LibraryModel.relationship("topic", to: topic, rule: .nullifyDeleteRule),
        ]
        topic.properties = [
            LibraryModel.attribute("title", .stringAttributeType),
            LibraryModel.relationship("notes", to: note, toMany: true, rule: .nullifyDeleteRule),
        ]
        LibraryModel.pair(note, "topic", topic, "notes")
        let model = NSManagedObjectModel()
        model.entities = [note, topic]
        return model
    }

    // Behaviour 9.12
    @Test func theTextIsApples() throws {
        let coordinator = try open(noteModel())
        try inContext(coordinator) { context in
            let topic = NSEntityDescription.insertNewObject(forEntityName: "Topic", into: context)
            topic.setValue("A & B", forKey: "title")
            try context.save()
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue("<text>", forKey: "body")
            note.setValue(Date(timeIntervalSinceReferenceDate: 12.5), forKey: "dueDate")
            note.setValue(true, forKey: "isDone")
            note.setValue(5, forKey: "stars")
            note.setValue(topic, forKey: "topic")
            try context.save()
            #expect(note.objectID.uriRepresentation().lastPathComponent == "p103")
        }
        let text = try String(contentsOf: url, encoding: .utf8)
        let identifier = try #require(coordinator.persistentStores[0].identifier)
        #expect(
            text.hasPrefix(
                """
                <?xml version="1.0" standalone="yes"?>
                <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

                <database>
                    <databaseInfo>
                        <version>134481920</version>
                        <UUID>\(identifier)</UUID>
                        <nextObjectID>103</nextObjectID>
                        <metadata>
                            <plist version="1.0">
                                <dict>
                                    <key>NSPersistenceFrameworkVersion</key>

                """))
        #expect(!text.contains("NSStoreType<") && !text.contains("NSStoreUUID"))
        #expect(
            text.hasSuffix(
                """
                            </plist>
                        </metadata>
                    </databaseInfo>
                    <object type="TOPIC" id="z102">
                        <attribute name="title" type="string">A &amp; B</attribute>
                        <relationship name="notes" type="0/0" destination="NOTE" idrefs="z103"></relationship>
                    </object>
                    <object type="NOTE" id="z103">
                        <attribute name="body" type="string">&lt;text&gt;</attribute>
                        <attribute name="duedate" type="date">12.5</attribute>
                        <attribute name="isdone" type="bool">1</attribute>
                        <attribute name="stars" type="int16">5</attribute>
                        <relationship name="topic" type="0/1" destination="TOPIC" idrefs="z102"></relationship>
                    </object>
                </database>

                """))
    }

    // Behaviour 9.12
    @Test(.enabled(if: Fixtures.available)) func aFileOfApplesIsReadAndKept() throws {
        let source = try Fixtures.copy("coredataplus/SampleModel/V2toV3.xcmappingmodel/xcmapping.xml", into: folder)
        try FileManager.default.moveItem(at: source, to: url)
        let options: [AnyHashable: Any] = [NSIgnorePersistentStoreVersioningOption: true]
        let first = try open(Self.mappingModel(), options: options)
        #expect(first.persistentStores[0].identifier == "498313E6-D672-4887-A947-08765F4F1012")
        try expectMappings(first)
        try inContext(first) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "XDDevMappingModel")
            try context.fetch(request)[0].setValue("changed", forKey: "sourcemodelpath")
            try context.save()
        }
        try expectMappings(try open(Self.mappingModel(), options: options))
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.contains("<nextObjectID>133</nextObjectID>") && text.contains(">changed</attribute>"))
    }

    private func expectMappings(_ coordinator: NSPersistentStoreCoordinator) throws {
        try inContext(coordinator) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "XDDevEntityMapping")
            request.sortDescriptors = [NSSortDescriptor(key: "mappingnumber", ascending: true)]
            let mappings = try context.fetch(request)
            #expect(mappings.count == 5)
            #expect(mappings.compactMap { $0.value(forKey: "mappingnumber") as? Int } == [1, 2, 3, 4, 5])
            let sportCar = try #require(mappings.first { $0.value(forKey: "sourcename") as? String == "SportCar" })
            #expect(sportCar.objectID.uriRepresentation().lastPathComponent == "p103")
            #expect((sportCar.value(forKey: "attributemappings") as? NSSet)?.count == 3)
            #expect((sportCar.value(forKey: "relationshipmappings") as? NSSet)?.count == 3)
            let model = try #require(sportCar.value(forKey: "mappingmodel") as? NSManagedObject)
            #expect((model.value(forKey: "sourcemodeldata") as? Data)?.starts(with: Data("bplist".utf8)) == true)
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "XDDevPropertyMapping"))
            #expect(count == 26)
        }
    }

    /// The model of Xcode's mapping models, as far as the file tells of it.
    private static func mappingModel() -> NSManagedObjectModel {
        func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = properties
            return entity
        }
        func text(_ names: String...) -> [NSPropertyDescription] {
            names.map { LibraryModel.attribute($0, .stringAttributeType) }
        }
        func bytes(_ names: String...) -> [NSPropertyDescription] {
            names.map { LibraryModel.attribute($0, .binaryDataAttributeType) }
        }
        let flag = LibraryModel.attribute("autogenerateexpression", .booleanAttributeType)
        let otherFlag = LibraryModel.attribute("autogenerateexpression", .booleanAttributeType)
        let model = entity(
            "XDDevMappingModel",
            text("sourcemodelpath", "destinationmodelpath") + bytes("sourcemodeldata", "destinationmodeldata"))
        let mapping = entity(
            "XDDevEntityMapping",
            text("name", "sourcename", "destinationname", "mappingtypename", "migrationpolicyclassname")
                + bytes("valueexpressiondata")
                + [LibraryModel.attribute("mappingnumber", .integer16AttributeType), flag])
        let property = entity("XDDevPropertyMapping", text("name") + bytes("valueexpressiondata") + [otherFlag])
        let attribute = entity("XDDevAttributeMapping", [])
        let relationship = entity("XDDevRelationshipMapping", [])
        property.subentities = [attribute, relationship]
        func relate(_ one: NSEntityDescription, _ many: String, _ other: NSEntityDescription, _ back: String) {
            one.properties.append(
                LibraryModel.relationship(many, to: other, toMany: true, rule: .cascadeDeleteRule))
            other.properties.append(LibraryModel.relationship(back, to: one, rule: .nullifyDeleteRule))
            LibraryModel.pair(one, many, other, back)
        }
        relate(model, "entitymappings", mapping, "mappingmodel")
        relate(mapping, "attributemappings", attribute, "entitymapping")
        relate(mapping, "relationshipmappings", relationship, "entitymapping")
        let result = NSManagedObjectModel()
        result.entities = [model, mapping, property, attribute, relationship]
        return result
    }

    // MARK: Hostile files

    private func file(info: String = "", objects: String = "", type: String = "") -> String {
        """
        <?xml version="1.0"?>
        <!DOCTYPE database \(type)>
        <database><databaseInfo><version>134481920</version><UUID>A</UUID><nextObjectID>9</nextObjectID>\(info)
        <metadata><plist version="1.0"><dict></dict></plist></metadata></databaseInfo>\(objects)</database>
        """
    }

    private func expectError(
        _ text: String, _ part: String, model: NSManagedObjectModel? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try Data(text.utf8).write(to: url)
        let error = #expect(throws: CocoaError.self, sourceLocation: sourceLocation) {
            try open(model ?? noteModel())
        }
        let sentence = error?.localizedDescription ?? ""
        #expect(
            sentence.contains("Store.xml") && sentence.contains(part), "\(sentence)", sourceLocation: sourceLocation)
    }

    @Test func entitiesAreNotExpanded() throws {
        let secret = folder.file("secret")
        try Data("secret".utf8).write(to: secret)
        let note = "<object type=\"NOTE\" id=\"z1\"><attribute name=\"body\" type=\"string\">&x;</attribute></object>"
        try expectError(
            file(objects: note, type: "[<!ENTITY x SYSTEM \"file://\(secret.path)\">]"), "declarations of entities")
        try expectError(
            file(objects: note, type: "[<!ENTITY a \"aaaa\"><!ENTITY x \"&a;&a;&a;&a;\">]"), "declarations of entities")
        try expectError(file(objects: note), "is not known")
    }

    @Test func whatDoesNotFitIsNamed() throws {
        try expectError("", "damaged")
        try expectError("<other/>", "<other>")
        try expectError("<database></database>", "databaseInfo")
        try expectError(file(objects: "<object type=\"CAR\" id=\"z1\"></object>"), "'CAR'")
        try expectError(file(objects: "<object type=\"NOTE\" id=\"1\"></object>"), "'1'")
        try expectError(file(objects: "<object type=\"NOTE\" id=\"z-1\"></object>"), "'z-1'")
        let twice = "<object type=\"NOTE\" id=\"z1\"></object>"
        try expectError(file(objects: twice + twice), "twice")
        func note(_ content: String) -> String { file(objects: "<object type=\"NOTE\" id=\"z1\">\(content)</object>") }
        try expectError(note("<attribute name=\"stars\" type=\"int16\">99999</attribute>"), "Note.stars")
        try expectError(note("<attribute name=\"color\" type=\"string\">red</attribute>"), "'color'")
        try expectError(note("<relationship name=\"topic\" idrefs=\"z7\"></relationship>"), "'z7'")
        try expectError(note("<relationship name=\"topic\" idrefs=\"z1\"></relationship>"), "'z1'")
        let deep = String(repeating: "<a>", count: 10_000)
        try expectError(file(objects: deep), "deeply")
    }

    /// The beginning of a text may be a number, and bytes may be among characters that aren't base64.
    @Test(arguments: [("price", "2.5 or so"), ("price", "cheap"), ("icon", "#!?*"), ("icon", "QUJD#")])
    func valuesAreNotGuessed(_ name: String, _ text: String) throws {
        let model = noteModel()
        model.entitiesByName["Note"]?.properties += [
            LibraryModel.attribute("price", .decimalAttributeType),
            LibraryModel.attribute("icon", .binaryDataAttributeType),
        ]
        let attribute = "<attribute name=\"\(name)\" type=\"any\">\(text)</attribute>"
        try expectError(
            file(objects: "<object type=\"NOTE\" id=\"z1\">\(attribute)</object>"), "Note.\(name)", model: model)
    }

    @Test func namesThatDifferInCaseAloneAreRefused() throws {
        let model = noteModel()
        model.entitiesByName["Note"]?.properties.append(LibraryModel.attribute("BODY", .stringAttributeType))
        let error = #expect(throws: CocoaError.self) { try open(model) }
        #expect(error?.code.rawValue == NSPersistentStoreIncompatibleSchemaError)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func typesWhoseFormAtAppleIsNotKnownHaveNamesOfTheirOwn() throws {
        let identifier = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let coordinator = try open(LibraryModel.make())
        try inContext(coordinator) { context in
            let book = Book(context: context)
            book.title = "a\u{1}b"
            book.setValue(identifier, forKey: "identifier")
            book.setValue(URL(string: "https://example.org/?a&b"), forKey: "home")
            book.setValue(["a"], forKey: "extra")
            try context.save()
        }
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.contains(#"<attribute name="title" type="string">a&#1;b</attribute>"#), "\(text)")
        #expect(text.contains(#"<attribute name="identifier" type="uuid">\#(identifier.uuidString)</attribute>"#))
        #expect(text.contains(#"<attribute name="home" type="uri">https://example.org/?a&amp;b</attribute>"#))
        let extra = try #require(text.firstMatch(of: /<attribute name="extra" type="transformable">([^<]*)</)?.1)
        let archive = try #require(Data(base64Encoded: String(extra), options: .ignoreUnknownCharacters))
        #expect(archive.range(of: Data("NSKeyedArchiver".utf8)) != nil)
    }
}
