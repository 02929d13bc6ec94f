import Foundation
import OpenCoreData
import TestSupport

/// A small store with every kind of property, made through the public API.
enum SampleStore {
    static func model() -> NSManagedObjectModel {
        let person = entity("Person")
        let employee = entity("Employee")
        let team = entity("Team")
        let badge = entity("Badge")
        let (members, memberTeam) = relate("members", team, many: true, "team", person, many: false)
        members.isOrdered = true
        memberTeam.isOptional = true
        members.deleteRule = .cascadeDeleteRule
        let (friends, friendOf) = relate("friends", person, many: true, "friendOf", person, many: true)
        let (ownBadge, holder) = relate("badge", person, many: false, "holder", badge, many: false)
        ownBadge.isOptional = true
        ownBadge.deleteRule = .cascadeDeleteRule
        holder.isOptional = false
        holder.minCount = 1
        person.properties = [
            attribute("name", .string, isOptional: false), attribute("age", .integer16), attribute("height", .float),
            attribute("balance", .decimal), attribute("score", .double), attribute("isActive", .boolean),
            attribute("born", .date), attribute("photo", .binaryData), attribute("token", .uuid),
            attribute("home", .uri), attribute("settings", .transformable), attribute("big", .integer64),
            attribute("small", .integer32), memberTeam, friends, friendOf, ownBadge,
        ]
        person.subentities = [employee]
        employee.properties = [attribute("salary", .integer32)]
        team.properties = [attribute("name", .string, isOptional: false), members]
        team.uniquenessConstraints = [["name"]]
        badge.properties = [attribute("code", .string, isOptional: false), holder]
        let model = NSManagedObjectModel()
        model.entities = [person, employee, team, badge]
        return model
    }

    /// Makes the store and returns its URL.
    static func make(in folder: TemporaryFolder, name: String = "Sample.sqlite") throws -> URL {
        let url = folder.file(name)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            fill(context)
            try context.save()
        }
        try coordinator.remove(store)
        // The log, emptied, and its index stay beside a store that was open; a store that was copied has neither.
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
        return url
    }

    private static func fill(_ context: NSManagedObjectContext) {
        func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            return object
        }
        let ada = insert(
            "Person",
            [
                "name": "Ada \"the\" Löve,lace\nCountess 👩🏽‍💻", "age": 36, "height": Float(1.65), "score": 0.1,
                "balance": Decimal(string: "1234.5") ?? 0, "isActive": true, "photo": Data([0, 1, 2, 255]),
                "born": Date(timeIntervalSinceReferenceDate: 727_531_200.123_456_7), "big": Int64.max,
                "small": Int32.min,
                "token": UUID(uuidString: "6A1E3B1C-94A5-4F86-9E0E-6B1E2F1A9C77") ?? UUID(),
                "home": URL(string: "https://example.org/ä?q=1") as Any,
                "settings": ["color": "red", "sizes": [1, 2, 3]] as NSDictionary,
            ])
        let bob = insert("Employee", ["name": "Bob", "age": -1, "salary": 100, "isActive": false, "photo": Data()])
        let cy = insert("Employee", ["name": "", "height": Float(0.1)])
        let red = insert("Team", ["name": "Red"])
        let blue = insert("Team", ["name": "Blue"])
        red.setValue(NSOrderedSet(array: [cy, ada]), forKey: "members")
        blue.setValue(NSOrderedSet(array: [bob]), forKey: "members")
        ada.setValue(Set([bob, cy]), forKey: "friends")
        bob.setValue(Set([ada]), forKey: "friends")
        _ = insert("Badge", ["code": "A-1", "holder": ada])
    }

    // MARK: Parts

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeDescription.AttributeType, isOptional: Bool = true
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        attribute.isOptional = isOptional
        return attribute
    }

    private static func relate(
        _ name: String, _ entity: NSEntityDescription, many: Bool,
        _ inverseName: String, _ inverseEntity: NSEntityDescription, many inverseMany: Bool
    ) -> (NSRelationshipDescription, NSRelationshipDescription) {
        let (first, second) = (NSRelationshipDescription(), NSRelationshipDescription())
        first.name = name
        first.destinationEntity = inverseEntity
        first.maxCount = many ? 0 : 1
        second.name = inverseName
        second.destinationEntity = entity
        second.maxCount = inverseMany ? 0 : 1
        for relationship in [first, second] {
            relationship.minCount = 0
            relationship.isOptional = true
            relationship.deleteRule = .nullifyDeleteRule
        }
        first.inverseRelationship = second
        second.inverseRelationship = first
        return (first, second)
    }
}
