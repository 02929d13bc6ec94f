#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Composite attributes of existing tables, whose elements are keys of the JSON objects in a column.
@Suite(.needsServer) struct ExistingCompositeTests {
    private static func element(
        _ name: String, _ type: NSAttributeType, key: String? = nil
    ) -> NSAttributeDescription {
        let element = LibraryModel.attribute(name, type)
        if let key { element.userInfo = ["key": key] }
        return element
    }

    private static func model(
        column: String = "address", elements: [NSAttributeDescription]? = nil, isOptional: Bool = true
    ) -> NSManagedObjectModel {
        let address = NSCompositeAttributeDescription()
        (address.name, address.isOptional, address.userInfo) = ("address", isOptional, ["column": column])
        address.elements =
            elements ?? [
                element("street", .stringAttributeType), element("number", .integer16AttributeType, key: "house no."),
                element("height", .doubleAttributeType), element("cost", .decimalAttributeType),
                element("isOld", .booleanAttributeType, key: "old?"), element("code", .UUIDAttributeType),
                element("big", .integer64AttributeType), element("page", .URIAttributeType),
            ]
        let entity = NSEntityDescription()
        (entity.name, entity.managedObjectClassName) = ("Place", "NSManagedObject")
        entity.userInfo = ["table": "place", "primaryKey": "id"]
        entity.properties = [LibraryModel.attribute("name", .stringAttributeType), address]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private func with(
        type: String = "jsonb", model: NSManagedObjectModel = ExistingCompositeTests.model(),
        _ body: (NSManagedObjectContext, PostgreSQLConnection) throws -> Void
    ) throws {
        PostgreSQLStore.register()
        try TestServer.withSchema { schema in
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript(
                "SET search_path = \(schema); CREATE TABLE place (id bigserial PRIMARY KEY, name text, address \(type), "
                    + "other text)")
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(
                ofType: PostgreSQLStore.type, configurationName: nil, at: try TestServer.url(schema: schema))
            defer { try? coordinator.remove(store) }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait { try body(context, connection) }
        }
    }

    private func place(
        _ context: NSManagedObjectContext, _ name: String, _ address: [String: Any]?
    ) -> NSManagedObject {
        let place = NSEntityDescription.insertNewObject(forEntityName: "Place", into: context)
        place.setValue(name, forKey: "name")
        place.setValue(address, forKey: "address")
        return place
    }

    private func document(_ name: String, _ connection: PostgreSQLConnection) throws -> String? {
        let row = try connection.execute(
            "SELECT COALESCE(address::jsonb::text, 'NULL') FROM place WHERE name = $1::text", values: [.text(name)],
            isPrepared: false
        ).first
        return row?.string(0)
    }

    private func found(
        _ format: String, _ context: NSManagedObjectContext, _ arguments: Any...
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Place")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }

    @Test(arguments: ["jsonb", "json"]) func elementsAreKeysOfTheObject(_ type: String) throws {
        try with(type: type) { context, connection in
            let code = UUID()
            let full: [String: Any] = [
                "street": "Rue d'Été \"1\"", "number": Int16(-7), "height": 0.1,
                "cost": NSDecimalNumber(string: "12.34"),
                "isOld": true, "code": code, "big": Int64.max,
                "page": try #require(URL(string: "https://example.org/?a=b")),
            ]
            let object = place(context, "full", full)
            _ = place(context, "none", nil)
            _ = place(context, "some", ["street": "S"])
            try context.save()
            let stored = try connection.execute(
                "SELECT address ->> 'street', address ->> 'house no.', address ->> 'cost', address ->> 'old?', "
                    + "address ->> 'code', address ->> 'big', (SELECT count(*) FROM json_object_keys(address::json))::text "
                    + "FROM place WHERE name = 'full'",
                isPrepared: false
            ).first
            let row = try #require(stored)
            #expect(
                (0..<7).map { row.string($0) }
                    == [
                        "Rue d'Été \"1\"", "-7", "12.34", "true", code.uuidString.lowercased(), "9223372036854775807",
                        "8",
                    ])
            #expect(try document("none", connection) == "NULL")
            #expect(try document("some", connection) == #"{"street": "S"}"#)
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Place")
            request.predicate = NSPredicate(format: "name == 'full'")
            let again = try #require(try context.fetch(request).first)
            #expect(again.objectID == object.objectID)
            let read = try #require(again.value(forKey: "address") as? [String: Any])
            #expect(NSDictionary(dictionary: read) == NSDictionary(dictionary: full), "\(read)")
            #expect(again.value(forKeyPath: "address.street") as? String == "Rue d'Été \"1\"")
        }
    }

    /// What others have in the object stays: other keys, and values that elements can't have.
    @Test func changesLeaveTheRestOfTheObjectAlone() throws {
        try with { context, connection in
            try connection.runScript(
                """
                INSERT INTO place (name, address) VALUES
                    ('a', '{"street": "S", "house no.": 70000, "height": 1.50, "extra": {"x": null}, "big": "no number"}'),
                    ('b', '{"extra": [1, null], "street": null}'), ('c', '[1]'), ('d', '"text"'),
                    ('e', '{"street": 5, "height": 1e400, "big": 1.5, "code": "zz", "old?": 1}')
                """)
            let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Place"))
            let places = Dictionary(
                uniqueKeysWithValues: objects.map { ($0.value(forKey: "name") as? String ?? "", $0) })
            let a = places["a"]?.value(forKey: "address") as? [String: Any]
            #expect(a?["street"] as? String == "S" && a?["height"] as? Double == 1.5 && a?.count == 2)
            #expect(places["b"]?.value(forKey: "address") == nil && places["c"]?.value(forKey: "address") == nil)
            #expect(places["e"]?.value(forKey: "address") as? [String: String] == ["street": "5"])
            places["a"]?.setValue(["street": "T", "height": 1.5], forKey: "address")
            places["b"]?.setValue(["number": 3], forKey: "address")
            places["e"]?.setValue(["street": "5", "big": 8], forKey: "address")
            try context.save()
            #expect(
                try document("a", connection)
                    == #"{"big": "no number", "extra": {"x": null}, "height": 1.50, "street": "T", "house no.": 70000}"#
            )
            #expect(
                try document("b", connection) == #"{"extra": [1, null], "street": null, "house no.": 3}"#)
            #expect(
                try document("e", connection)?.contains(#""big": 8, "code": "zz", "old?": 1"#) == true)
            #expect(try document("e", connection)?.contains(#""street": 5"#) == true)
            // Without the attribute, other keys stay; with none of them, the column is NULL.
            places["a"]?.setValue(nil, forKey: "address")
            places["b"]?.setValue(nil, forKey: "address")
            try context.save()
            #expect(
                try document("a", connection)
                    == #"{"big": "no number", "extra": {"x": null}, "house no.": 70000}"#)
            #expect(try document("b", connection) == #"{"extra": [1, null], "street": null}"#)
            // What is no object isn't replaced.
            for name in ["c", "d"] {
                places[name]?.setValue(["street": "x"], forKey: "address")
                let error = #expect(throws: (any Error).self) { try context.save() }
                #expect(error.map { "\($0)".contains("place") } == true, "\(String(describing: error))")
                context.rollback()
            }
            #expect(try document("c", connection) == "[1]")
            #expect(try document("d", connection) == "\"text\"")
        }
    }

    /// What other programs may have in a row doesn't keep the other rows from being read.
    @Test(arguments: ["jsonb", "json"]) func valuesThatElementsCannotHaveAreNil(_ type: String) throws {
        try with(type: type) { context, connection in
            let costs = [
                "1e400": nil, "1e200": nil, "123456789012345678901234567890123456789012": nil, "1e-200": nil,
                "1e100": 1e100,
                "340282366920938463463374607431768211455": 0x1p128,
                "340282366920938463463374607431768211456": nil, "0.00": 0, "-7.25000": -7.25, "5e-100": 5e-100,
            ]
            for (number, _) in costs {
                try connection.runScript(
                    "INSERT INTO place (name, address) VALUES ('\(number)', '{\"street\": \"S\", \"cost\": \(number)}')"
                )
            }
            let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Place"))
            #expect(objects.count == costs.count)
            for object in objects {
                let name = try #require(object.value(forKey: "name") as? String)
                let cost = object.value(forKeyPath: "address.cost") as? NSDecimalNumber
                let expected = costs[name].flatMap { $0 }
                let ratio = expected.flatMap { expected in cost.map { $0.doubleValue / expected } } ?? 1
                #expect((cost == nil) == (expected == nil) && (expected == 0 || abs(ratio - 1) < 1e-12), "\(name)")
                #expect(object.value(forKeyPath: "address.street") as? String == "S")
            }
            guard type == "json" else { return }
            try connection.runScript(
                #"""
                INSERT INTO place (name, address) VALUES ('zero', '{"street": "a\u0000b", "house no.": 4}'),
                    ('key', '{"street": "S", "house no.": 4, "\u0000": 1}'), ('odd', '{"street": "\\\u0000", "house no.": 4}'),
                    ('backslash', '{"street": "a\\u0000b", "house no.": 4}'), ('even', '{"street": "\\\\u0000", "house no.": 4}'),
                    ('half', '{"street": "\ud83d ", "house no.": 4}'), ('pair', '{"street": "\uD83d\uDe00", "house no.": 4}'),
                    ('huge', '{"cost": 1e999999, "height": 1e999999, "big": 1e999999, "house no.": 4}')
                """#)
            #expect(try found("address.number == 4", context) == ["backslash", "even", "huge", "pair"])
            #expect(try found("address.street == %@", context, #"a\u0000b"#) == ["backslash"])
            #expect(
                try found("name IN {'zero', 'key', 'odd', 'half'} AND address == nil", context)
                    == ["half", "key", "odd", "zero"])
            #expect(try found("address.street == '😀'", context) == ["pair"])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Place")
            request.predicate = NSPredicate(format: "name == 'zero' OR name == 'huge'")
            for place in try context.fetch(request) { place.setValue(["street": "T"], forKey: "address") }
            // The server can't keep the rest of such an object.
            #expect(throws: CocoaError.self) { try context.save() }
            context.rollback()
            #expect(
                try connection.execute("SELECT address::text FROM place WHERE name = 'zero'", isPrepared: false).first?
                    .string(0) == #"{"street": "a\u0000b", "house no.": 4}"#)
        }
    }

    @Test(arguments: ["jsonb", "json"]) func aDocumentThatIsNullIsWritten(_ type: String) throws {
        try with(type: type) { context, connection in
            try connection.runScript(
                "INSERT INTO place (name, address) VALUES ('a', 'null'), ('b', 'null'), ('c', 'null')")
            for place in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Place")) {
                #expect(place.value(forKey: "address") == nil)
                if place.value(forKey: "name") as? String == "a" { place.setValue(["street": "S"], forKey: "address") }
            }
            try context.save()
            #expect(try document("a", connection) == #"{"street": "S"}"#)
            #expect(try document("b", connection) == "null")
            let entity = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Place"])
            let update = NSBatchUpdateRequest(entity: entity)
            update.predicate = NSPredicate(format: "name == 'c'")
            update.propertiesToUpdate = ["address.number": 3]
            try context.execute(update)
            #expect(try document("c", connection) == #"{"house no.": 3}"#)
        }
    }

    @Test func uniqueElementsChangePlaces() throws {
        let model = Self.model(elements: [Self.element("code", .stringAttributeType)])
        model.entitiesByName["Place"]?.uniquenessConstraints = [["address"]]
        try with(model: model) { context, connection in
            try connection.runScript("CREATE UNIQUE INDEX place_code ON place ((address ->> 'code'))")
            let (a, b) = (place(context, "a", ["code": "1"]), place(context, "b", ["code": "2"]))
            try context.save()
            try connection.runScript(#"UPDATE place SET address = address || '{"more": 1}'"#)
            context.refreshAllObjects()
            #expect(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Place")).count == 2)
            a.setValue(["code": "2"], forKey: "address")
            b.setValue(["code": "1"], forKey: "address")
            try context.save()
            #expect(try document("a", connection) == #"{"code": "2", "more": 1}"#)
            #expect(try document("b", connection) == #"{"code": "1", "more": 1}"#)
            _ = place(context, "c", ["code": "1"])
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
        }
    }

    @Test func predicatesOnElementsAreAnsweredByTheServer() throws {
        try with { context, connection in
            for (name, address) in [
                ("a", ["street": "Weg", "number": Int16(1), "isOld": true] as [String: Any]),
                ("b", ["street": "weg'; DROP TABLE place; --", "number": Int16(12), "isOld": false]),
                ("c", ["height": 2.5, "cost": NSDecimalNumber(string: "0.3")]),
            ] {
                _ = place(context, name, address)
            }
            _ = place(context, "d", nil)
            try context.save()
            for (format, names) in [
                ("address.street == 'Weg'", ["a"]), ("address.street == \"weg'; DROP TABLE place; --\"", ["b"]),
                ("address.street BEGINSWITH 'w'", ["b"]), ("address.street ==[c] 'WEG'", ["a"]),
                ("address.number > 1", ["b"]), ("address.number IN {1, 12}", ["a", "b"]),
                ("address.isOld == YES", ["a"]), ("address.isOld == NO", ["b"]), ("address.height == 2.5", ["c"]),
                ("address.cost == 0.3", ["c"]), ("address == nil", ["d"]), ("address != nil", ["a", "b", "c"]),
                ("address.street == nil", ["c", "d"]), ("address.street CONTAINS 'eg'", ["a", "b"]),
                ("address.number + 1 == 2", ["a"]),
            ] {
                #expect(try found(format, context) == names, "\(format)")
            }
            let sorted = NSFetchRequest<NSManagedObject>(entityName: "Place")
            sorted.sortDescriptors = [NSSortDescriptor(key: "address.number", ascending: false)]
            sorted.predicate = NSPredicate(format: "address.number != nil")
            #expect(try context.fetch(sorted).map { $0.value(forKey: "name") as? String } == ["b", "a"])
            let columns = NSFetchRequest<NSDictionary>(entityName: "Place")
            columns.resultType = .dictionaryResultType
            columns.propertiesToFetch = ["name", "address.street"]
            columns.predicate = NSPredicate(format: "address.number == 1")
            #expect(try context.fetch(columns).first?["address.street"] as? String == "Weg")
        }
    }

    @Test func anIndexOnAKeyIsUsed() throws {
        try with { context, connection in
            try connection.runScript(
                """
                INSERT INTO place (name, address) SELECT 'n' || i, jsonb_build_object('street', 's' || i, 'x', i)
                    FROM generate_series(1, 20000) AS i;
                CREATE INDEX place_street ON place ((address ->> 'street'));
                ANALYZE place
                """)
            for format in ["address.street == 's500'", "address.street IN {'s5', 's6'}"] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Place")
                request.predicate = NSPredicate(format: format)
                let statement = try #require(try context.explain(request).statements.first)
                let text = Comment(rawValue: ([statement.sql] + statement.plan.map(\.detail)).joined(separator: "\n"))
                #expect(statement.sql.contains("?::text") && !statement.sql.contains("s500"), text)
                #expect(statement.plan.contains { $0.detail.contains("place_street") }, text)
                #expect(!statement.isPredicateEvaluated, text)
            }
        }
    }

    @Test func batchRequestsSetElements() throws {
        try with { context, connection in
            let entity = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Place"])
            try context.execute(
                NSBatchInsertRequest(
                    entity: entity,
                    objects: [["name": "a", "address": ["street": "S", "number": 1]], ["name": "b"]]))
            #expect(try document("a", connection) == #"{"street": "S", "house no.": 1}"#)
            #expect(try document("b", connection) == "NULL")
            try connection.runScript(#"UPDATE place SET address = '{"more": 1, "house no.": 4}' WHERE name = 'b'"#)
            let update = NSBatchUpdateRequest(entity: entity)
            update.propertiesToUpdate = ["address.number": NSExpression(format: "address.number + 10")]
            try context.execute(update)
            #expect(try document("a", connection) == #"{"street": "S", "house no.": 11}"#)
            #expect(try document("b", connection) == #"{"more": 1, "house no.": 14}"#)
            update.propertiesToUpdate = ["address": ["street": "T"]]
            try context.execute(update)
            #expect(try document("a", connection) == #"{"street": "T"}"#)
            #expect(try document("b", connection) == #"{"more": 1, "street": "T"}"#)
        }
    }

    @Test func aMandatoryColumnHasAnEmptyObject() throws {
        try with(type: "jsonb NOT NULL", model: Self.model(isOptional: false)) { context, connection in
            _ = place(context, "a", [:])
            try context.save()
            #expect(try document("a", connection) == "{}")
            let read = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Place")).first
            #expect((read?.value(forKey: "address") as? [String: Any])?.isEmpty == true)
        }
    }

    @Test func numbersThatJSONDoesNotHaveAreValidationErrors() throws {
        try with { context, _ in
            _ = place(context, "a", ["height": Double.infinity])
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(
                error.map { "\($0)".contains("address of Place is infinite") } == true, "\(String(describing: error))")
        }
        try with { context, connection in
            try connection.runScript(#"INSERT INTO place (name, address) VALUES ('a', '{"height": 1.5}')"#)
            let entity = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Place"])
            let update = NSBatchUpdateRequest(entity: entity)
            for value in [
                -Double.infinity as Any, ["height": Double.infinity],
                NSExpression(
                    forFunction: "add:to:",
                    arguments: [
                        NSExpression(forKeyPath: "address.height"), NSExpression(forConstantValue: Double.infinity),
                    ]),
            ] {
                update.propertiesToUpdate = [value is [String: Double] ? "address" : "address.height": value]
                #expect(throws: CocoaError.self) { try context.execute(update) }
                #expect(try document("a", connection) == #"{"height": 1.5}"#)
            }
            update.propertiesToUpdate = ["address.height": NSExpression(format: "address.height * 2")]
            try context.execute(update)
            #expect(try document("a", connection) == #"{"height": 3}"#)
        }
    }

    @Test func whatCannotBeAnObjectsKeyIsRefusedByName() throws {
        func refusal(_ type: String, _ model: NSManagedObjectModel) -> String {
            let error = #expect(throws: CocoaError.self) { try with(type: type, model: model) { _, _ in } }
            #expect(error?.code.rawValue == NSPersistentStoreIncompatibleSchemaError)
            return error?.localizedDescription ?? ""
        }
        #expect(refusal("text", Self.model()).contains("the type text of the column address of place"))
        #expect(refusal("jsonb", Self.model(column: "gone")).contains("no column gone in the table place"))
        let day = Self.model(elements: [Self.element("day", .dateAttributeType)])
        #expect(refusal("jsonb", day).contains("the element address.day of Place"))
        let twice = Self.model(elements: [
            Self.element("a", .stringAttributeType, key: "k"), Self.element("b", .stringAttributeType, key: "k"),
        ])
        #expect(refusal("jsonb", twice).contains("the element address.b of Place"))
        let again = NSCompositeAttributeDescription()
        (again.name, again.userInfo) = ("copy", ["column": "address"])
        again.elements = [Self.element("a", .stringAttributeType, key: "street")]
        let overlapping = Self.model()
        overlapping.entitiesByName["Place"]?.properties.append(again)
        #expect(refusal("jsonb", overlapping).contains("the element copy.a of Place"))
        let zero = Self.model(elements: [Self.element("a", .stringAttributeType, key: "a\0b")])
        #expect(refusal("jsonb", zero).contains("address.a of Place") && refusal("jsonb", zero).contains("U+0000"))
        let shared = Self.model()
        let document = LibraryModel.attribute("document", .stringAttributeType)
        document.userInfo = ["column": "address"]
        shared.entitiesByName["Place"]?.properties.append(document)
        #expect(refusal("jsonb", shared).contains("the column address of place as both"))
    }
}
#endif
