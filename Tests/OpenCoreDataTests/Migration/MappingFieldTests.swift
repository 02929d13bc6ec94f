import Foundation
import OpenCoreData
import TestSupport
import Testing

/// The fields "Key Path" and "Mapping Name" of Xcode's mapping editor.
@Suite(.enabled(if: SQLiteShell.isAvailable)) struct MappingFieldTests {
    private let folder: TemporaryFolder
    private let old: NSManagedObjectModel
    private let new: NSManagedObjectModel

    init() throws {
        folder = try TemporaryFolder()
        old = try Self.model("Old", "", in: folder)
        new = try Self.model(
            "New",
            """
            <attribute name="title" optional="YES" attributeType="String"/>
            <relationship name="home" optional="YES" maxCount="1" destinationEntity="Land"/>
            <relationship name="neighbors" optional="YES" toMany="YES" destinationEntity="Town"/>
            """, in: folder)
    }

    private static func model(_ name: String, _ added: String, in folder: TemporaryFolder) throws
        -> NSManagedObjectModel
    {
        let version = folder.file("\(name).xcdatamodeld/\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        let source = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Town"><attribute name="name" optional="YES" attributeType="String"/>\(added)
            <relationship name="land" optional="YES" maxCount="1" destinationEntity="Land" inverseName="towns" inverseEntity="Land"/>
            </entity>
            <entity name="Land"><attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="towns" optional="YES" toMany="YES" destinationEntity="Town" inverseName="land" inverseEntity="Town"/>
            </entity>
            </model>
            """
        try source.write(to: version.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
        return try NSManagedObjectModel(contentsOfModelFile: folder.file("\(name).xcdatamodeld"))
    }

    private static func property(_ kind: String, _ id: String, _ name: String, _ fields: [String: String] = [:])
        -> String
    {
        let attributes = fields.merging(["name": name]) { first, _ in first }.sorted { $0.key < $1.key }
            .map { "<attribute name=\"\($0.key)\" type=\"string\">\($0.value)</attribute>" }
        return "<object type=\"XDDEV\(kind)MAPPING\" id=\"\(id)\">\(attributes.joined())"
            + "<attribute name=\"autogenerateexpression\" type=\"bool\">1</attribute></object>"
    }

    private static func entity(_ id: String, _ name: String, _ attributes: String, _ relationships: String) -> String {
        """
        <object type="XDDEVENTITYMAPPING" id="\(id)"><attribute name="sourcename" type="string">\(name)</attribute>
        <attribute name="destinationname" type="string">\(name)</attribute>
        <attribute name="mappingtypename" type="string">Undefined</attribute>
        <relationship name="attributemappings" type="0/0" destination="XDDEVATTRIBUTEMAPPING" idrefs="\(attributes)"/>
        <relationship name="relationshipmappings" type="0/0" destination="XDDEVRELATIONSHIPMAPPING" idrefs="\(relationships)"/>
        </object>
        """
    }

    /// A mapping model whose relationship `home` has the given fields.
    private func mapping(
        home: [String: String], neighbors: [String: String] = [:], title: [String: String] = [:]
    ) throws -> NSMappingModel {
        let file = folder.file("M.xcmappingmodel/xcmapping.xml")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let objects = [
            Self.entity("z2", "Town", "z4 z9", "z5 z6 z10"), Self.entity("z3", "Land", "z7", "z8"),
            Self.property("ATTRIBUTE", "z4", "name"), Self.property("RELATIONSHIP", "z5", "land"),
            Self.property("RELATIONSHIP", "z6", "home", home), Self.property("ATTRIBUTE", "z7", "name"),
            Self.property("RELATIONSHIP", "z8", "towns"), Self.property("ATTRIBUTE", "z9", "title", title),
            Self.property("RELATIONSHIP", "z10", "neighbors", neighbors),
        ]
        let source = """
            <?xml version="1.0" standalone="yes"?><database>
            <object type="XDDEVMAPPINGMODEL" id="z1">
            <attribute name="sourcemodelpath" type="string">Old.xcdatamodeld/Old.xcdatamodel</attribute>
            <attribute name="destinationmodelpath" type="string">New.xcdatamodeld/New.xcdatamodel</attribute>
            <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z2 z3"/></object>
            \(objects.joined(separator: "\n"))
            </database>
            """
        try source.write(to: file, atomically: true, encoding: .utf8)
        return try NSMappingModel(contentsOfMappingFile: folder.file("M.xcmappingmodel"))
    }

    /// Migrates two towns of the North, and gives name, title, home and the number of neighbors of each.
    private func migrated(_ mapping: NSMappingModel) throws -> String {
        let (url, target) = (folder.file("Old.sqlite"), folder.file("New.sqlite"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let land = NSEntityDescription.insertNewObject(forEntityName: "Land", into: context)
            land.setValue("North", forKey: "name")
            for name in ["A", "B"] {
                let town = NSEntityDescription.insertNewObject(forEntityName: "Town", into: context)
                town.setValue(name, forKey: "name")
                town.setValue(land, forKey: "land")
            }
            try context.save()
        }
        try coordinator.remove(store)
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
        let migrated = NSPersistentStoreCoordinator(managedObjectModel: new)
        try migrated.addPersistentStore(type: .sqlite, at: target)
        let reading = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reading.persistentStoreCoordinator = migrated
        return try reading.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Town")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try reading.fetch(request).map { town in
                let values = ["name", "title", "home.name"].map { town.value(forKeyPath: $0) as? String ?? "-" }
                let count = (town.value(forKey: "neighbors") as? NSSet)?.count ?? 0
                return (values + ["\(count)"]).joined(separator: " ")
            }.joined(separator: ", ")
        }
    }

    @Test(arguments: ["sourcemappingname", "sourcemappinglname"]) func keyPathAndMappingNameFillTheRelationship(
        key: String
    ) throws {
        let mapping = try mapping(
            home: [key: "LandToLand", "sourcekeypath": "$source.land"],
            neighbors: ["sourcemappingname": "TownToTown", "sourcekeypath": "$source.land.towns"],
            title: ["sourcekeypath": "$source.land.name"])
        // A to-many without an inverse has what was put there last.
        #expect(try migrated(mapping) == "A North North 0, B North North 2")
    }

    @Test func aKeyPathAloneLeadsToWhatItsObjectsBecame() throws {
        #expect(try migrated(mapping(home: ["sourcekeypath": "$source.land"])) == "A - North 0, B - North 0")
    }

    @Test func fieldsThatSayNothingAreLeftOut() throws {
        #expect(try migrated(mapping(home: ["sourcekeypath": ""])) == "A - - 0, B - - 0")
    }

    @Test func whatTheFieldsNameMustBeThere() throws {
        let unknown = #expect(throws: CocoaError.self) {
            _ = try mapping(home: ["sourcemappingname": "Nothing", "sourcekeypath": "$source.land"])
        }
        #expect(unknown?.localizedDescription.contains("'Nothing'") == true)
        #expect(unknown?.localizedDescription.contains("'home'") == true)
        let malformed = #expect(throws: CocoaError.self) {
            _ = try mapping(home: ["sourcekeypath": "$source.(", "sourcemappingname": "LandToLand"])
        }
        #expect(malformed?.localizedDescription.contains("$source.(") == true)
    }
}
