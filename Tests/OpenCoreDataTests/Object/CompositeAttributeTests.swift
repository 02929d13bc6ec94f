import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Composite attributes: dictionaries whose elements a store keeps one by one.
struct CompositeAttributeTests {
    static let storeTypes = [NSSQLiteStoreType, NSInMemoryStoreType]

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    private static func composite(_ name: String, _ elements: [NSAttributeDescription]) -> NSAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        composite.name = name
        composite.isOptional = true
        composite.elements = elements
        return composite
    }

    /// Person with a name and an address of street, number, since, token and a place of latitude and longitude.
    private static func model() -> NSManagedObjectModel {
        let person = NSEntityDescription()
        person.name = "Person"
        let place = composite(
            "place", [attribute("latitude", .doubleAttributeType), attribute("longitude", .doubleAttributeType)])
        person.properties = [
            attribute("name", .stringAttributeType),
            composite(
                "address",
                [
                    attribute("street", .stringAttributeType), attribute("number", .integer32AttributeType),
                    attribute("since", .dateAttributeType), attribute("token", .UUIDAttributeType), place,
                ]),
        ]
        let model = NSManagedObjectModel()
        model.entities = [person]
        return model
    }

    private func insert(_ name: String, _ address: [String: Any]?, _ context: NSManagedObjectContext) -> NSManagedObject
    {
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        person.setValue(name, forKey: "name")
        person.setValue(address, forKey: "address")
        return person
    }

    // Behaviour 6.17
    @Test(arguments: storeTypes) func aDictionaryComesBackWithoutTheElementsThatWereMissing(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        let token = UUID()
        let since = Date(timeIntervalSinceReferenceDate: 42.5)
        let ids = try stack.inContext { context in
            let full = insert(
                "full",
                [
                    "street": "Weg", "number": 7, "since": since, "token": token,
                    "place": ["latitude": 1.5, "longitude": -2.0],
                ], context)
            let part = insert("part", ["street": "Ring", "place": ["latitude": 9.0]], context)
            let none = insert("none", nil, context)
            try context.save()
            return [full, part, none].map(\.objectID)
        }
        try stack.inContext { context in
            let full = try #require(context.object(with: ids[0]).value(forKey: "address") as? [String: Any])
            #expect(full["street"] as? String == "Weg" && full["number"] as? Int == 7)
            #expect(full["since"] as? Date == since && full["token"] as? UUID == token)
            #expect((full["place"] as? [String: Any])?["longitude"] as? Double == -2)
            let part = try #require(context.object(with: ids[1]).value(forKey: "address") as? [String: Any])
            #expect(part.keys.sorted() == ["place", "street"])
            #expect((part["place"] as? [String: Any])?.keys.sorted() == ["latitude"])
            #expect(context.object(with: ids[2]).value(forKey: "address") == nil)
        }
        if type == NSSQLiteStoreType {
            let columns = try stack.sqlite("SELECT name FROM pragma_table_info('ZPERSON')").split(separator: "\n")
            #expect(columns.contains("ZADDRESS_STREET") && columns.contains("ZADDRESS_PLACE_LATITUDE"))
            #expect(
                try stack.sqlite(
                    "SELECT ZADDRESS_STREET, ZADDRESS_NUMBER, ZADDRESS_PLACE_LONGITUDE FROM ZPERSON ORDER BY Z_PK")
                    == "Weg|7|-2.0\nRing||\n||")
        }
    }

    // Behaviour 6.17
    @Test(arguments: storeTypes) func predicatesAndSortsReachElements(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        try stack.inContext { context in
            for (index, street) in ["b", "a", "c"].enumerated() {
                _ = insert(street, ["street": street, "number": index, "place": ["latitude": Double(index)]], context)
            }
            _ = insert("none", nil, context)
            try context.save()
            context.reset()
            func names(_ format: String) throws -> [String] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.predicate = NSPredicate(format: format)
                request.sortDescriptors = [NSSortDescriptor(key: "address.street", ascending: true)]
                return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
            }
            #expect(try names("TRUEPREDICATE") == ["none", "a", "b", "c"])
            #expect(try names("address.number >= 1") == ["a", "c"])
            #expect(try names("address.place.latitude == 0") == ["b"])
            #expect(try names("address.street == nil") == ["none"])
            #expect(try names("address.street BEGINSWITH[c] 'A'") == ["a"])
        }
    }

    @Test(arguments: storeTypes) func aChangedElementIsSavedAndACompositeCanBeTakenAway(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        let id = try stack.inContext { context in
            let person = insert("x", ["street": "old", "number": 1], context)
            try context.save()
            person.setValue(["street": "new"], forKey: "address")
            try context.save()
            return person.objectID
        }
        try stack.inContext { context in
            let person = context.object(with: id)
            #expect((person.value(forKey: "address") as? [String: Any])?.keys.sorted() == ["street"])
            person.setValue(nil, forKey: "address")
            try context.save()
        }
        #expect(stack.inContext { $0.object(with: id).value(forKey: "address") == nil })
    }

    @Test(arguments: storeTypes) func wrongElementsFailTheSaveAndNameTheElement(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        let wrong: [(Any, String)] = [
            (["nosuch": 1], "nosuch"), (["number": "seven"], "number"), (["place": 3], "place"), ("text", "dictionary"),
        ]
        for (value, word) in wrong {
            try stack.inContext { context in
                let person = insert("x", nil, context)
                person.setValue(value, forKey: "address")
                let error = try #require(throws: CocoaError.self) { try context.save() }
                #expect(error.code.rawValue == NSManagedObjectValidationError)
                #expect(error.localizedDescription.contains("address") && error.localizedDescription.contains(word))
            }
        }
    }
}
