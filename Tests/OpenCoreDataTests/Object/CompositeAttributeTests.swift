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

    /// Person with a name, an address of street, number, since and token, and a place of latitude and longitude.
    private static func model() -> NSManagedObjectModel {
        let person = NSEntityDescription()
        person.name = "Person"
        person.properties = [
            attribute("name", .stringAttributeType),
            composite(
                "place", [attribute("latitude", .doubleAttributeType), attribute("longitude", .doubleAttributeType)]),
            composite(
                "address",
                [
                    attribute("street", .stringAttributeType), attribute("number", .integer32AttributeType),
                    attribute("since", .dateAttributeType), attribute("token", .UUIDAttributeType),
                ]),
        ]
        let model = NSManagedObjectModel()
        model.entities = [person]
        return model
    }

    private func insert(
        _ name: String, _ address: [String: Any]?, place: [String: Any]? = nil, _ context: NSManagedObjectContext
    ) -> NSManagedObject {
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        person.setValue(name, forKey: "name")
        person.setValue(address, forKey: "address")
        person.setValue(place, forKey: "place")
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
                ["street": "Weg", "number": 7, "since": since, "token": token],
                place: ["latitude": 1.5, "longitude": -2.0], context)
            let part = insert("part", ["street": "Ring"], place: ["latitude": 9.0], context)
            let none = insert("none", nil, context)
            try context.save()
            return [full, part, none].map(\.objectID)
        }
        try stack.inContext { context in
            let full = try #require(context.object(with: ids[0]).value(forKey: "address") as? [String: Any])
            #expect(full["street"] as? String == "Weg" && full["number"] as? Int == 7)
            #expect(full["since"] as? Date == since && full["token"] as? UUID == token)
            #expect(context.object(with: ids[0]).value(forKeyPath: "place.longitude") as? Double == -2)
            let part = try #require(context.object(with: ids[1]).value(forKey: "address") as? [String: Any])
            #expect(part.keys.sorted() == ["street"])
            let place = context.object(with: ids[1]).value(forKey: "place") as? [String: Any]
            #expect(place?.keys.sorted() == ["latitude"])
            #expect(context.object(with: ids[2]).value(forKey: "address") == nil)
        }
        if type == NSSQLiteStoreType, stack.isFile {
            let columns = try stack.sqlite("SELECT name FROM pragma_table_info('ZPERSON')").split(separator: "\n")
            #expect(columns.contains("ZSTREET") && columns.contains("ZLATITUDE"))
            #expect(
                try stack.sqlite("SELECT ZSTREET, ZNUMBER, ZLONGITUDE FROM ZPERSON ORDER BY Z_PK")
                    == "Weg|7|-2.0\nRing||\n||")
        }
    }

    // Behaviour 6.17
    @Test(arguments: storeTypes) func predicatesAndSortsReachElements(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        try stack.inContext { context in
            for (index, street) in ["b", "a", "c"].enumerated() {
                _ = insert(
                    street, ["street": street, "number": index], place: ["latitude": Double(index)], context)
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
            #expect(try names("place.latitude == 0") == ["b"])
            #expect(try names("address.street == nil") == ["none"])
            #expect(try names("address.street BEGINSWITH[c] 'A'") == ["a"])
            let error = #expect(throws: CocoaError.self) { try names("address.strete == 'a'") }
            #expect(error?.localizedDescription.contains("address.strete") == true)
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
            (["nosuch": 1], "nosuch"), (["number": "seven"], "number"), (["street": 3], "street"),
            ("text", "dictionary"),
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

    // MARK: Batches and dictionaries

    @Test(arguments: storeTypes) func batchUpdatesSetElementsAndWholeComposites(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        let token = UUID()
        try stack.inContext { context in
            _ = insert("a", ["street": "Weg", "number": 7], place: ["latitude": 1.5], context)
            _ = insert("b", nil, context)
            try context.save()
            func update(_ name: String, _ properties: [AnyHashable: Any]) throws {
                let update = NSBatchUpdateRequest(entityName: "Person")
                update.predicate = NSPredicate(format: "name == %@", name)
                update.propertiesToUpdate = properties
                update.resultType = .updatedObjectsCountResultType
                #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 1)
            }
            try update(
                "a",
                [
                    "address.street": "Ring", "place.longitude": 2.5, "address.token": token,
                    "address.number": NSExpression(format: "address.number * 2 + 1"),
                ])
            try update("b", ["address": ["street": "Platz", "number": 3], "address.number": 4])
        }
        func address(_ name: String, key: String = "address") throws -> [String: Any]? {
            try stack.inContext { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.predicate = NSPredicate(format: "name == %@", name)
                return try context.fetch(request).first?.value(forKey: key) as? [String: Any]
            }
        }
        let first = try #require(try address("a"))
        #expect(first["street"] as? String == "Ring" && first["number"] as? Int == 15)
        #expect(first["token"] as? UUID == token)
        #expect(try address("a", key: "place") as? [String: Double] == ["latitude": 1.5, "longitude": 2.5])
        let second = try #require(try address("b"))
        #expect(second["street"] as? String == "Platz" && second["number"] as? Int == 4 && second.count == 2)
        try stack.inContext { context in
            let update = NSBatchUpdateRequest(entityName: "Person")
            update.propertiesToUpdate = ["address": NSNull()]
            try context.execute(update)
        }
        #expect(try address("a") == nil && address("b") == nil)
    }

    @Test(arguments: storeTypes) func wrongElementsFailABatchUpdateAndNameTheElement(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        try stack.inContext { context in
            _ = insert("a", ["number": 7], context)
            try context.save()
            let wrong: [(String, Any)] = [
                ("address.nosuch", 1), ("address.number", "seven"), ("address.street", 3), ("address", ["nosuch": 1]),
                ("address", NSExpression(format: "name")), ("address.number.x", 1),
            ]
            for (key, value) in wrong {
                let update = NSBatchUpdateRequest(entityName: "Person")
                update.propertiesToUpdate = [key: value]
                let error = try #require(throws: CocoaError.self) { try context.execute(update) }
                #expect(error.localizedDescription.contains("address"), "\(key): \(error)")
            }
        }
    }

    @Test(arguments: storeTypes) func dictionaryResultsHaveElementsAndWholeComposites(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        let since = Date(timeIntervalSinceReferenceDate: 42.5)
        try stack.inContext { context in
            _ = insert("a", ["street": "Weg", "number": 7, "since": since], place: ["latitude": 1.5], context)
            _ = insert("b", ["street": "Weg", "number": 2], context)
            _ = insert("c", nil, context)
            try context.save()
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            request.resultType = .dictionaryResultType
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            request.propertiesToFetch = [
                "name", "address.street", "address.number", "address.since", "place.latitude", "address",
            ]
            let rows = try context.fetch(request)
            #expect(rows.map { $0["address.street"] as? String } == ["Weg", "Weg", nil])
            #expect(rows.map { $0["address.number"] as? Int } == [7, 2, nil])
            #expect(rows[0]["address.since"] as? Date == since)
            #expect(rows[0]["place.latitude"] as? Double == 1.5)
            let whole = rows.map { $0["address"] as? [String: Any] }
            #expect(whole[0]?.count == 3 && whole[1]?.count == 2 && whole[2] == nil)
            request.propertiesToFetch = ["address.nosuch"]
            let error = try #require(throws: CocoaError.self) { try context.fetch(request) }
            #expect(error.localizedDescription.contains("address.nosuch"))
            let sum = NSExpressionDescription()
            sum.name = "sum"
            sum.expression = NSExpression(format: "sum:(address.number)")
            sum.expressionResultType = .integer64AttributeType
            request.propertiesToFetch = ["address.street", sum]
            request.propertiesToGroupBy = ["address.street"]
            request.sortDescriptors = [NSSortDescriptor(key: "address.street", ascending: true)]
            let groups = try context.fetch(request)
            #expect(groups.map { $0["address.street"] as? String } == [nil, "Weg"])
            #expect(groups.last?["sum"] as? Int == 9)
        }
    }

    @Test(arguments: storeTypes) func batchInsertsTakeComposites(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        try stack.inContext { context in
            let insert = NSBatchInsertRequest(
                entityName: "Person",
                objects: [["name": "a", "address": ["street": "Weg"], "place": ["latitude": 1.5]], ["name": "b"]])
            try context.execute(insert)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let people = try context.fetch(request)
            let address = try #require(people.first?.value(forKey: "address") as? [String: Any])
            #expect(address["street"] as? String == "Weg")
            #expect(people.first?.value(forKey: "place") as? [String: Double] == ["latitude": 1.5])
            #expect(people.last?.value(forKey: "address") == nil)
            let wrong = NSBatchInsertRequest(entityName: "Person", objects: [["address": ["nosuch": 1]]])
            let error = try #require(throws: CocoaError.self) { try context.execute(wrong) }
            #expect(error.localizedDescription.contains("nosuch"))
            #expect(try context.count(for: request) == 2)
        }
    }
}
