public import Foundation
public import OpenCoreData

/// Versions of a small model, made in code, and a store of the first one.
///
/// Version 1: Vehicle (abstract) <- Car, Bike; Person with cars in order, clubs (many-to-many) and a hidden list
/// "wishes" of Vehicle; Garage with one Person as its keeper, without an inverse.
public enum MigrationModels {

    public static func make(_ change: (inout [String: NSEntityDescription]) -> Void = { _ in }) -> NSManagedObjectModel
    {
        var entities: [String: NSEntityDescription] = [:]
        func add(_ name: String, _ attributes: NSAttributeDescription...) {
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = attributes
            entities[name] = entity
        }
        add("Vehicle", attribute("plate", .stringAttributeType), attribute("wheels", .integer16AttributeType))
        add("Car", attribute("seats", .integer32AttributeType))
        add("Bike", attribute("gears", .integer16AttributeType))
        add(
            "Person", attribute("name", .stringAttributeType), attribute("height", .floatAttributeType),
            attribute("photo", .binaryDataAttributeType))
        add("Club", attribute("name", .stringAttributeType))
        add("Garage", attribute("street", .stringAttributeType))
        (entities["Person"]?.attributesByName["photo"])?.allowsExternalBinaryDataStorage = true
        entities["Vehicle"]?.isAbstract = true
        entities["Vehicle"]?.subentities = [entities["Car"], entities["Bike"]].compactMap(\.self)
        pair(entities, "Person", "cars", "Vehicle", "owner", ordered: true)
        pair(entities, "Person", "clubs", "Club", "members", manyToMany: true)
        single(entities, "Garage", "keeper", "Person", maxCount: 1)
        single(entities, "Person", "wishes", "Vehicle", maxCount: 0)
        change(&entities)
        let model = NSManagedObjectModel()
        model.entities = entities.values.sorted { ($0.name ?? "") < ($1.name ?? "") }
        return model
    }

    public static func attribute(
        _ name: String, _ type: NSAttributeType, optional: Bool = true, default value: Any? = nil,
        was former: String? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = optional
        attribute.defaultValue = value
        attribute.renamingIdentifier = former
        return attribute
    }

    public static func pair(
        _ entities: [String: NSEntityDescription], _ owner: String, _ name: String, _ destination: String,
        _ inverse: String, ordered: Bool = false, manyToMany: Bool = false
    ) {
        let there = single(entities, owner, name, destination, maxCount: 0)
        there?.isOrdered = ordered
        let back = single(entities, destination, inverse, owner, maxCount: manyToMany ? 0 : 1)
        there?.inverseRelationship = back
        back?.inverseRelationship = there
    }

    @discardableResult
    public static func single(
        _ entities: [String: NSEntityDescription], _ owner: String, _ name: String, _ destination: String, maxCount: Int
    ) -> NSRelationshipDescription? {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entities[destination]
        relationship.maxCount = maxCount
        entities[owner]?.properties.append(relationship)
        return relationship
    }

    /// Writes a store of version 1: Ann owns C2, C0, B1 in this order, Bob owns nothing; both are in Chess, Ann in Rowing
    /// too; Ann wishes for C3; the garage in Elm Street is Bob's.
    public static func makeStore(in folder: TemporaryFolder, options: [AnyHashable: Any]? = nil) throws -> URL {
        let url = folder.file("Vehicles.sqlite")
        try makeStore(at: url, type: NSSQLiteStoreType, options: options)
        return url
    }

    /// The same, of another type.
    public static func makeStore(at url: URL, type: String, options: [AnyHashable: Any]? = nil) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: make())
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            func new(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                for (key, value) in values { object.setValue(value, forKey: key) }
                return object
            }
            let cars = (0..<4).map { new("Car", ["plate": "C\($0)", "wheels": 4, "seats": 2 + $0]) }
            let bike = new("Bike", ["plate": "B1", "wheels": 2, "gears": 7])
            let clubs = ["Chess", "Rowing"].map { new("Club", ["name": $0]) }
            let ann = new(
                "Person", ["name": "Ann", "height": Float(1.75), "photo": Data(repeating: 7, count: 200_000)])
            let bob = new("Person", ["name": "Bob", "photo": Data([1, 2, 3])])
            ann.setValue(NSOrderedSet(array: [cars[2], cars[0], bike]), forKey: "cars")
            ann.setValue(Set(clubs), forKey: "clubs")
            bob.setValue(Set([clubs[0]]), forKey: "clubs")
            ann.setValue(Set([cars[3]]), forKey: "wishes")
            new("Garage", ["street": "Elm Street"]).setValue(bob, forKey: "keeper")
            try context.save()
        }
        try coordinator.remove(store)
    }

    public static var automatically: [AnyHashable: Any] {
        [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }

    /// Opens a store with a model, migrating it, and runs a block in a context on it.
    public static func open<Result>(
        _ url: URL, _ model: NSManagedObjectModel, type: String = NSSQLiteStoreType,
        options: [AnyHashable: Any] = automatically, _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    /// What a store holds, as lines that do not depend on identifiers: each object with its attributes, and the names of
    /// the objects of each relationship, in order where it has one.
    public static func contents(of context: NSManagedObjectContext) throws -> [String] {
        let model = requireModel(context)
        func name(_ object: NSManagedObject) -> String {
            let keys = ["plate", "number", "name", "title", "street"]
            let key = keys.first { object.entity.attributesByName[$0] != nil } ?? ""
            return "\(object.entity.name ?? "") \(object.value(forKey: key) ?? "-")"
        }
        var lines: [String] = []
        for entity in model.entities where entity.superentity == nil {
            for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")) {
                var parts = [name(object)]
                for attribute in object.entity.attributesByName.keys.sorted() {
                    parts.append("\(attribute)=\(object.value(forKey: attribute).map { "\($0)" } ?? "nil")")
                }
                for (key, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
                    let value = object.value(forKey: key)
                    let names: [String]
                    if let ordered = value as? NSOrderedSet {
                        names = ordered.array.compactMap { ($0 as? NSManagedObject).map(name) }
                    } else if relationship.isToMany {
                        names = (value as? Set<NSManagedObject> ?? []).map(name).sorted()
                    } else {
                        names = [(value as? NSManagedObject).map(name) ?? "nil"]
                    }
                    parts.append("\(key)=[\(names.joined(separator: ", "))]")
                }
                lines.append(parts.joined(separator: " "))
            }
        }
        return lines.sorted()
    }

    private static func requireModel(_ context: NSManagedObjectContext) -> NSManagedObjectModel {
        context.persistentStoreCoordinator?.managedObjectModel ?? NSManagedObjectModel()
    }

    /// Changes of the model that every way of migrating has to carry out alike.
    public static let changes: [(name: String, change: @Sendable (inout [String: NSEntityDescription]) -> Void)] = [
        (
            "new optional and defaulted attributes",
            { entities in
                entities["Person"]?.properties += [
                    attribute("nick", .stringAttributeType),
                    attribute("age", .integer16AttributeType, optional: false, default: 18),
                    attribute(
                        "id", .UUIDAttributeType, default: UUID(uuidString: "0F2B3F2E-6B0F-4B38-9C0B-0D6B3A8C1E11")),
                    attribute(
                        "born", .dateAttributeType, default: Date(timeIntervalSinceReferenceDate: 5)),
                ]
            }
        ),
        (
            "mandatory with a default",
            { entities in
                entities["Person"]?.attributesByName["height"]?.isOptional = false
                entities["Person"]?.attributesByName["height"]?.defaultValue = Float(1.5)
            }
        ),
        (
            "renamed entity, attribute and relationships",
            { entities in
                entities["Club"]?.name = "Society"
                entities["Club"]?.renamingIdentifier = "Club"
                entities["Vehicle"]?.attributesByName["plate"]?.renamingIdentifier = "plate"
                entities["Vehicle"]?.attributesByName["plate"]?.name = "number"
                entities["Person"]?.relationshipsByName["cars"]?.renamingIdentifier = "cars"
                entities["Person"]?.relationshipsByName["cars"]?.name = "fleet"
                entities["Club"]?.relationshipsByName["members"]?.renamingIdentifier = "members"
                entities["Club"]?.relationshipsByName["members"]?.name = "people"
            }
        ),
        (
            "wider types",
            { entities in
                entities["Vehicle"]?.attributesByName["wheels"]?.attributeType = .integer64AttributeType
                entities["Person"]?.attributesByName["height"]?.attributeType = .doubleAttributeType
            }
        ),
        (
            "a subentity that is gone",
            { entities in
                entities["Vehicle"]?.subentities = [entities["Car"]].compactMap(\.self)
                entities["Bike"] = nil
            }
        ),
        (
            "a new parent and numbers that move",
            { entities in
                let thing = NSEntityDescription()
                thing.name = "Asset"
                thing.isAbstract = true
                thing.subentities = [entities["Vehicle"]].compactMap(\.self)
                entities["Asset"] = thing
            }
        ),
        (
            "a to-one that becomes to-many",
            { entities in
                entities["Garage"]?.relationshipsByName["keeper"]?.maxCount = 0
            }
        ),
        (
            "an inverse that is new",
            { entities in
                let back = single(entities, "Person", "garages", "Garage", maxCount: 0)
                let keeper = entities["Garage"]?.relationshipsByName["keeper"]
                back?.inverseRelationship = keeper
                keeper?.inverseRelationship = back
            }
        ),
        (
            "one-to-many that becomes many-to-many",
            { entities in
                entities["Vehicle"]?.relationshipsByName["owner"]?.maxCount = 0
            }
        ),
        (
            "a hidden list that gets an inverse",
            { entities in
                let back = single(entities, "Vehicle", "wisher", "Person", maxCount: 1)
                let wishes = entities["Person"]?.relationshipsByName["wishes"]
                back?.inverseRelationship = wishes
                wishes?.inverseRelationship = back
            }
        ),
        (
            "no order any more",
            { entities in
                entities["Person"]?.relationshipsByName["cars"]?.isOrdered = false
            }
        ),
        (
            "binary values inside the file",
            { entities in
                entities["Person"]?.attributesByName["photo"]?.allowsExternalBinaryDataStorage = false
            }
        ),
        (
            "an attribute that moves up",
            { entities in
                entities["Car"]?.properties.removeAll { $0.name == "seats" }
                entities["Vehicle"]?.properties.append(attribute("seats", .integer32AttributeType))
            }
        ),
        (
            "an abstract parent that is gone",
            { entities in
                entities["Vehicle"]?.subentities = []
                entities["Vehicle"] = nil
                for name in ["Car", "Bike"] {
                    entities[name]?.properties += [
                        attribute("plate", .stringAttributeType),
                        attribute("wheels", .integer16AttributeType),
                    ]
                }
                entities["Person"]?.properties.removeAll { ["cars", "wishes"].contains($0.name) }
                pair(entities, "Person", "cars", "Car", "owner", ordered: true)
                single(entities, "Person", "wishes", "Car", maxCount: 0)
            }
        ),
    ]
}
