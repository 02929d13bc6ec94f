import Foundation
import OpenCoreData
import TestSupport
import Testing

/// The table of attribute types in Documentation/Guides/Migration.md: a cell for each pair, in each way to migrate.
@Suite(.enabled(if: !TestStack.isOnServer)) struct AttributeConversionTests {
    static let numbers: [NSAttributeType] = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
        .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
    ]
    static let types: [NSAttributeType] =
        numbers + [
            .stringAttributeType, .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType, .URIAttributeType,
            .transformableAttributeType,
        ]

    /// How a store is migrated.
    enum Way: CaseIterable { case sql, objects, xml, binary }

    private static func type(_ way: Way) -> String {
        switch way {
        case .sql, .objects: NSSQLiteStoreType
        case .xml: NSXMLStoreType
        case .binary: NSBinaryStoreType
        }
    }

    private static func model(_ type: NSAttributeType, renamed: Bool = false, isNew: Bool = false)
        -> NSManagedObjectModel
    {
        let entity = NSEntityDescription()
        entity.name = "Thing"
        entity.properties = [
            MigrationModels.attribute(renamed ? "amount" : "value", type, was: renamed ? "value" : nil),
            MigrationModels.attribute("number", .integer16AttributeType),
        ]
        if isNew { entity.properties.append(MigrationModels.attribute("added", .stringAttributeType)) }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    /// Objects with values, in their order, nil for none.
    private static func make(
        _ values: [Any?], _ model: NSManagedObjectModel, at url: URL, _ way: Way
    ) throws {
        try open(model, url, way) { context in
            for (number, value) in values.enumerated() {
                let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                thing.setValue(value, forKey: "value")
                thing.setValue(number, forKey: "number")
                // Each gets its number from the store in this order.
                try context.save()
            }
        }
    }

    private static func open<T>(
        _ model: NSManagedObjectModel, _ url: URL, _ way: Way, migrating: Bool = false,
        _ body: (NSManagedObjectContext) throws -> T
    ) throws -> T {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let options = [
            NSMigratePersistentStoresAutomaticallyOption: migrating, NSInferMappingModelAutomaticallyOption: migrating,
        ]
        let store = try coordinator.addPersistentStore(
            ofType: type(way), configurationName: nil, at: url, options: options)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    private static func values(_ key: String, _ context: NSManagedObjectContext) throws -> [NSObject?] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        return try context.fetch(request).map { $0.value(forKey: key) as? NSObject }
    }

    private static func migrate(
        _ url: URL, from old: NSManagedObjectModel, to new: NSManagedObjectModel, _ way: Way, key: String = "value"
    ) throws -> [NSObject?] {
        // Only a SQLite store has a copy of its model.
        if way != .sql {
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type(way), at: url)
            try StoreMigration(
                url: url, type: type(way), metadata: metadata, sourceModel: old, destinationModel: new,
                configuration: nil, options: nil
            ).run(
                with: NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new), direct: false)
        }
        return try open(new, url, way, migrating: way == .sql) { try values(key, $0) }
    }

    // MARK: The table

    private static func isConvertible(_ from: NSAttributeType, _ to: NSAttributeType) -> Bool {
        from == to || numbers.contains(from) && numbers.contains(to)
    }

    /// An entity with an attribute for each pair of types that convert, so that a store is migrated once for all of them.
    private static func pairs(isNew: Bool, renamed: Bool = false) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Thing"
        entity.properties = [MigrationModels.attribute("number", .integer16AttributeType)]
        for from in types {
            for to in types where isConvertible(from, to) {
                let name = name(from, to)
                entity.properties.append(
                    MigrationModels.attribute(
                        renamed ? name + "new" : name, isNew ? to : from, was: renamed ? name : nil))
            }
        }
        if isNew { entity.properties.append(MigrationModels.attribute("added", .stringAttributeType)) }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private static func name(_ from: NSAttributeType, _ to: NSAttributeType) -> String {
        "value\(from.rawValue)to\(to.rawValue)"
    }

    private static func samples() throws -> [NSAttributeType: [NSObject?]] {
        var samples: [NSAttributeType: [NSObject?]] = [
            .stringAttributeType: ["a" as NSString, nil],
            .dateAttributeType: [Date(timeIntervalSinceReferenceDate: 9) as NSDate, nil],
            .binaryDataAttributeType: [Data([1, 2]) as NSData, nil], .UUIDAttributeType: [UUID() as NSUUID, nil],
            .URIAttributeType: [try #require(URL(string: "https://example.org")) as NSURL, nil],
            .transformableAttributeType: [["a", "b"] as NSArray, nil],
        ]
        for type in numbers { samples[type] = [1 as NSNumber, nil, 0 as NSNumber] }
        return samples
    }

    @Test(arguments: Way.allCases, [false, true]) func eachPairConverts(way: Way, renamed: Bool) throws {
        let (old, new) = (Self.pairs(isNew: false), Self.pairs(isNew: true, renamed: renamed))
        let folder = try TemporaryFolder()
        let (url, samples) = (folder.file("Things.store"), try Self.samples())
        try Self.open(old, url, way) { context in
            for number in 0..<3 {
                let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                thing.setValue(number, forKey: "number")
                for from in Self.types {
                    for to in Self.types where Self.isConvertible(from, to) {
                        let values = samples[from] ?? []
                        thing.setValue(number < values.count ? values[number] : nil, forKey: Self.name(from, to))
                    }
                }
            }
            try context.save()
        }
        _ = try Self.migrate(url, from: old, to: new, way, key: "number")
        try Self.open(new, url, way) { context in
            for from in Self.types {
                for to in Self.types where Self.isConvertible(from, to) {
                    let values = try Self.values(Self.name(from, to) + (renamed ? "new" : ""), context)
                    let expected = samples[from] ?? []
                    #expect(Array(values.prefix(expected.count)) == expected, "\(from) to \(to)")
                }
            }
        }
    }

    @Test(arguments: types, types) func eachOtherPairIsRefused(from: NSAttributeType, to: NSAttributeType) throws {
        let (old, new) = (Self.model(from), Self.model(to, isNew: true))
        let infer = { try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new) }
        guard !Self.isConvertible(from, to) else { return #expect(try infer().entityMappings.count == 1) }
        let error = #expect(throws: CocoaError.self) { _ = try infer() }
        #expect(error?.code == .inferredMappingModel && error?.code.rawValue == 134190)
        #expect(error?.userInfo["entity"] as? String == "Thing")
        #expect(error?.userInfo["property"] as? String == "value")
        #expect(error?.userInfo["reason"] as? String == "Source and destination attribute types are incompatible")
        #expect(error?.localizedDescription.contains("Thing.value") == true)
    }

    @Test(arguments: zip(types, types.dropFirst()).filter { !isConvertible($0, $1) })
    func aRefusedStoreStaysAsItIs(from: NSAttributeType, to: NSAttributeType) throws {
        let (old, new) = (Self.model(from), Self.model(to, isNew: true))
        let folder = try TemporaryFolder()
        let url = folder.file("Refused.sqlite")
        try Self.make([nil], old, at: url, .sql)
        let before = try Data(contentsOf: url)
        let refusal = #expect(throws: CocoaError.self) { try Self.migrate(url, from: old, to: new, .sql) }
        #expect(refusal?.code == .migrationMissingMappingModel)
        #expect(refusal?.localizedDescription.contains("Thing.value") == true)
        #expect(try Data(contentsOf: url) == before)
    }

    // MARK: Values

    @Test(arguments: NumberChange.fitting) func valuesStayTheSameNumbers(value: NumberChange) throws {
        let (old, new) = (Self.model(value.from), Self.model(value.to))
        let folder = try TemporaryFolder()
        for way in Way.allCases {
            let url = folder.file("\(way).store")
            try Self.make([value.number()], old, at: url, way)
            let values = try Self.migrate(url, from: old, to: new, way)
            #expect(values == [value.expected?()], "\(way)")
        }
    }

    @Test(arguments: NumberChange.misfits) func aValueThatDoesNotFitIsAnErrorThatNamesIt(value: NumberChange) throws {
        let (old, new) = (Self.model(value.from), Self.model(value.to))
        let folder = try TemporaryFolder()
        for way in Way.allCases {
            let url = folder.file("\(way).store")
            try Self.make([1 as NSNumber, value.number(), nil], old, at: url, way)
            let error = #expect(throws: CocoaError.self, "\(way)") {
                _ = try Self.migrate(url, from: old, to: new, way)
            }
            #expect(error?.code.rawValue == NSMigrationError, "\(way)")
            #expect(
                error?.userInfo["entity"] as? String == "Thing" && error?.userInfo["property"] as? String == "value")
            #expect(error?.localizedDescription.contains("Thing.value") == true)
            let object = error?.userInfo["object"] as? String ?? ""
            #expect(object.hasPrefix("Thing/p") && error?.localizedDescription.contains(object) == true)
            // The store is as it was.
            let values = try Self.open(old, url, way) { try Self.values("value", $0) }
            #expect(values == [1 as NSNumber, value.number(), nil], "\(way)")
        }
    }

    // MARK: Relatives

    @Test func theObjectWithTheValueIsNamed() throws {
        let (old, new) = (Self.model(.integer64AttributeType), Self.model(.integer16AttributeType))
        let folder = try TemporaryFolder()
        let url = folder.file("Named.sqlite")
        try Self.make([1 as NSNumber, 70_000 as NSNumber], old, at: url, .sql)
        let error = #expect(throws: CocoaError.self) { _ = try Self.migrate(url, from: old, to: new, .sql) }
        #expect(error?.userInfo["object"] as? String == "Thing/p2")
        #expect(error?.localizedDescription.contains("the value 70000 of Thing.value of Thing/p2") == true)
    }

    @Test func elementsOfCompositesConvert() throws {
        func model(_ type: NSAttributeType, _ name: String) -> NSManagedObjectModel {
            let composite = NSCompositeAttributeDescription()
            (composite.name, composite.isOptional) = ("value", true)
            composite.elements = [
                MigrationModels.attribute(name, type, was: name == "width" ? nil : "width"),
                MigrationModels.attribute("unit", .stringAttributeType),
            ]
            let entity = NSEntityDescription()
            entity.name = "Thing"
            entity.properties = [composite, MigrationModels.attribute("number", .integer16AttributeType)]
            let model = NSManagedObjectModel()
            model.entities = [entity]
            return model
        }
        let (old, new) = (model(.integer64AttributeType, "width"), model(.doubleAttributeType, "breadth"))
        let folder = try TemporaryFolder()
        for way in [Way.sql, .objects] {
            let url = folder.file("\(way).store")
            try Self.make([["width": 7, "unit": "m"] as [String: Any]], old, at: url, way)
            let value = try Self.migrate(url, from: old, to: new, way).first as? NSDictionary
            #expect(value?["breadth"] as? Double == 7 && value?["unit"] as? String == "m", "\(way)")
            let bad = folder.file("\(way)2.store")
            try Self.make([["width": 9_007_199_254_740_993, "unit": "m"] as [String: Any]], old, at: bad, way)
            let error = #expect(throws: CocoaError.self) { _ = try Self.migrate(bad, from: old, to: new, way) }
            #expect(error?.localizedDescription.contains("Thing.value.breadth") == true, "\(way)")
        }
    }

    @Test func aDefaultValueFillsWhatAConvertedRequiredAttributeLacks() throws {
        let (old, new) = (Self.model(.integer64AttributeType), Self.model(.doubleAttributeType))
        let attribute = try #require(new.entities[0].attributesByName["value"])
        (attribute.isOptional, attribute.defaultValue) = (false, 2.5)
        let folder = try TemporaryFolder()
        for way in Way.allCases {
            let url = folder.file("\(way).store")
            try Self.make([4 as NSNumber, nil], old, at: url, way)
            let values = try Self.migrate(url, from: old, to: new, way)
            #expect(values == [4 as NSNumber, 2.5 as NSNumber], "\(way)")
        }
    }

    @Test func aValueThatTheApplicationHasComputedIsLeftAlone() throws {
        let (old, new) = (Self.model(.integer64AttributeType), Self.model(.doubleAttributeType))
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let property = mapping.entityMappings[0].attributeMappings?.first { $0.name == "value" }
        property?.valueExpression = NSExpression(format: "$source.value / 2.0")
        let folder = try TemporaryFolder()
        let (url, target) = (folder.file("Old.sqlite"), folder.file("New.sqlite"))
        try Self.make([7 as NSNumber], old, at: url, .sql)
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
        #expect(try Self.open(new, target, .sql) { try Self.values("value", $0) } == [3.5 as NSNumber])
    }
}
