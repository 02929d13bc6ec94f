#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Columns of existing tables whose types have no counterpart: JSON, arrays, enumerations, and keys that are no integers.
@Suite(.needsServer) struct ExistingTypeTests {
    private static let tables = """
        CREATE TYPE mood AS ENUM ('sad', 'happy');
        CREATE DOMAIN label AS text CHECK (VALUE <> 'bad');
        CREATE TABLE item (id serial PRIMARY KEY, mood mood, meta jsonb, raw json, tags text[] DEFAULT '{new}', sizes int[],
            big bigint[], small smallint[], weights float8[], flags bool[], moods mood[], labels label[], ids uuid[],
            days date[], spans int4range[], names varchar(3)[], note text);
        """

    private func withItems(
        model change: (NSManagedObjectModel) -> Void = { _ in },
        _ body: (ExistingModel, NSManagedObjectContext, PostgreSQLConnection) throws -> Void
    ) throws {
        PostgreSQLStore.register()
        try TestServer.withSchema { schema in
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript("SET search_path = \(schema), public; \(Self.tables)")
            let url = try TestServer.url(schema: schema)
            let imported = try ExistingModel(at: url)
            change(imported.model)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: imported.model)
            let store = try coordinator.addPersistentStore(
                ofType: PostgreSQLStore.type, configurationName: nil, at: url)
            defer { try? coordinator.remove(store) }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait { try body(imported, context, connection) }
        }
    }

    private func item(_ context: NSManagedObjectContext, _ values: [String: Any] = [:]) -> NSManagedObject {
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
        for (key, value) in values { item.setValue(value, forKey: key) }
        return item
    }

    private func row(_ columns: String, _ connection: PostgreSQLConnection) throws -> String? {
        try connection.execute("SELECT concat_ws('|', \(columns)) FROM item ORDER BY id LIMIT 1", isPrepared: false)
            .first?
            .string(0)
    }

    @Test func typesComeIntoTheModel() throws {
        try withItems { imported, _, _ in
            let attributes = try #require(imported.model.entitiesByName["Item"]?.attributesByName)
            #expect(attributes["meta"]?.attributeType == .stringAttributeType)
            for (name, type) in [
                ("tags", "String"), ("sizes", "Int"), ("big", "Int"), ("small", "Int"), ("weights", "Double"),
                ("flags", "Bool"), ("moods", "String"), ("labels", "String"), ("ids", "String"), ("days", "String"),
            ] {
                let attribute = try #require(attributes[name], "\(name)")
                #expect(attribute.attributeType == .transformableAttributeType)
                #expect(attribute.valueTransformerName == "OpenCoreData\(type)Array")
                #expect(attribute.attributeValueClassName == "Array<\(type)>")
            }
            #expect(attributes["spans"] == nil)
            #expect(imported.notes.contains("The column item.spans is of the type int4range[]: left out."))
            #expect(imported.notes.contains("The column item.tags is of the type text[]: tags is an Array<String>."))
        }
    }

    @Test func arraysAreReadAndWritten() throws {
        try withItems { _, context, connection in
            let words = ["a", "ä\"b\\c,{}", "", "NULL", "null"]
            let object = item(
                context,
                [
                    "tags": words, "sizes": [1, -2], "big": [Int.max, Int.min], "small": [Int](),
                    "flags": [true, false],
                    "weights": [0.1, 3.0, -Double.infinity] as [Double], "moods": ["happy", "sad"], "labels": ["good"],
                    "days": ["2024-02-29"],
                    "ids": ["00000000-0000-0000-0000-00000000abcd"], "names": ["abc"],
                ])
            try context.save()
            #expect(
                try row("sizes, big, small, flags, weights, moods, labels, ids, days, names, tags[2]", connection)
                    == "{1,-2}|{9223372036854775807,-9223372036854775808}|{}|{t,f}|{0.1,3,-Infinity}|{happy,sad}|{good}|"
                    + "{00000000-0000-0000-0000-00000000abcd}|{2024-02-29}|{abc}|ä\"b\\c,{}")
            func check() {
                #expect(object.value(forKey: "tags") as? [String] == words)
                #expect(object.value(forKey: "sizes") as? [Int] == [1, -2])
                #expect(object.value(forKey: "big") as? [Int] == [.max, .min])
                #expect((object.value(forKey: "small") as? [Int])?.isEmpty == true)
                #expect(object.value(forKey: "flags") as? [Bool] == [true, false])
                #expect(object.value(forKey: "weights") as? [Double] == [0.1, 3, -.infinity])
                #expect(object.value(forKey: "moods") as? [String] == ["happy", "sad"])
                #expect(object.value(forKey: "days") as? [String] == ["2024-02-29"])
            }
            check()
            context.refresh(object, mergeChanges: false)
            check()
            object.setValue(nil, forKey: "tags")
            object.setValue([3], forKey: "sizes")
            try context.save()
            #expect(try row("tags IS NULL, sizes", connection) == "t|{3}")
            // Without a value, a new object has the server's.
            #expect(item(context).value(forKey: "tags") == nil)
            try context.save()
            let counted = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
            #expect(counted == 2)
            let tagged = NSFetchRequest<NSManagedObject>(entityName: "Item")
            tagged.predicate = NSPredicate(format: "tags != nil")
            #expect(try context.fetch(tagged).map { $0.value(forKey: "tags") as? [String] } == [["new"]])
        }
    }

    @Test func arraysAreWrittenByBatchRequests() throws {
        try withItems { imported, context, connection in
            let entity = try #require(imported.model.entitiesByName["Item"])
            try context.execute(
                NSBatchInsertRequest(entity: entity, objects: [["tags": ["x", "y"], "note": "n"], ["sizes": [7]]]))
            #expect(try row("tags, sizes", connection) == "{x,y}")
            let update = NSBatchUpdateRequest(entity: entity)
            update.propertiesToUpdate = ["tags": ["z"]]
            try context.execute(update)
            #expect(try row("tags", connection) == "{z}")
            update.propertiesToUpdate = ["moods": ["angry"]]
            #expect(throws: CocoaError.self) { try context.execute(update) }
        }
    }

    @Test func predicatesOnArraysAreEvaluatedOnTheRows() throws {
        try withItems { _, context, _ in
            for (note, tags) in [("one", ["a", "b"]), ("two", ["b"])] {
                _ = item(context, ["note": note, "tags": tags])
            }
            let none = item(context, ["note": "none"])
            try context.save()
            none.setValue(nil, forKey: "tags")
            try context.save()
            for (format, found) in [
                ("tags CONTAINS 'a'", ["one"]), ("'b' IN tags", ["one", "two"]), ("ANY tags == 'a'", ["one"]),
                ("tags == nil", ["none"]), ("tags CONTAINS 'c'", []),
            ] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                request.predicate = NSPredicate(format: format)
                request.sortDescriptors = [NSSortDescriptor(key: "note", ascending: true)]
                #expect(try context.fetch(request).map { $0.value(forKey: "note") as? String } == found, "\(format)")
                #expect(try context.count(for: request) == found.count, "\(format)")
            }
        }
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        var key: String
        var value: [String?]
        var reason: String
        var testDescription: String { "\(key) \(value)" }
        /// Numbers where the texts are, and null where nil is.
        var object: [Any] { value.map { $0.map { text in Int(text).map { $0 as Any } ?? text } ?? NSNull() } }
    }

    @Test(arguments: [
        Wrong(key: "tags", value: ["a", nil], reason: "null"), Wrong(key: "tags", value: ["1"], reason: "string"),
        Wrong(key: "sizes", value: ["one"], reason: "integer of 32 bits"),
        Wrong(key: "sizes", value: ["3000000000"], reason: "integer of 32 bits"),
        Wrong(key: "small", value: ["70000"], reason: "integer of 16 bits"),
        Wrong(key: "moods", value: ["sad", "angry"], reason: "angry"),
        Wrong(key: "flags", value: ["x"], reason: "boolean"),
        Wrong(key: "tags", value: ["a\u{0}"], reason: "U+0000"), Wrong(key: "labels", value: ["bad"], reason: ""),
        Wrong(key: "names", value: ["abcd"], reason: ""), Wrong(key: "days", value: ["someday"], reason: ""),
    ])
    func whatAColumnCannotHaveIsAValidationError(_ test: Wrong) throws {
        try withItems { _, context, connection in
            let known = item(context)
            try context.save()
            for isNew in [true, false] {
                let object = isNew ? item(context) : known
                object.setValue(test.object, forKey: test.key)
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect((1550..<1700).contains(error?.code.rawValue ?? 0), "\(error as Any)")
                let sentence = error?.localizedDescription ?? ""
                #expect(sentence.contains("Item"), "\(sentence)")
                if !test.reason.isEmpty {
                    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == test.key)
                    #expect(sentence.contains(test.key) && sentence.contains(test.reason), "\(sentence)")
                }
                context.rollback()
            }
            known.setValue("works on", forKey: "note")
            try context.save()
            #expect(try row("note, (SELECT count(*) FROM item)", connection) == "works on|1")
        }
    }

    @Test(arguments: ["'{{1,2},{3,4}}'", "'{1,NULL}'"])
    func anArrayThatIsMoreThanAListNamesTableColumnAndRow(array: String) throws {
        try withItems { _, context, connection in
            try connection.runScript(
                "INSERT INTO item (note, sizes) VALUES ('a', \(array)), ('b', '{5}'), ('c', '[0:0]={6}')")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.sortDescriptors = [NSSortDescriptor(key: "note", ascending: true)]
            let items = try context.fetch(request)
            #expect(items.map { $0.value(forKey: "note") as? String } == ["a", "b", "c"])
            #expect(items.map { $0.value(forKey: "sizes") as? [Int] } == [nil, [5], [6]])
            let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
            let sentence = error?.localizedDescription ?? ""
            for part in ["item", "sizes", "row 1", "{"] { #expect(sentence.contains(part), "\(sentence)") }
        }
    }

    // MARK: JSON

    @Test func jsonIsDataOrObjectsOrAString() throws {
        try withItems { model in
            let attributes = model.entitiesByName["Item"]?.attributesByName
            attributes?["meta"]?.attributeType = .binaryDataAttributeType
            attributes?["raw"]?.attributeType = .transformableAttributeType
            attributes?["raw"]?.valueTransformerName = "OpenCoreDataJSON"
        } _: { _, context, connection in
            struct Meta: Codable, Equatable {
                var name: String
                var sizes: [Int]
            }
            let meta = Meta(name: "ä\"", sizes: [1, 2])
            let object = item(
                context, ["meta": try JSONEncoder().encode(meta), "raw": ["a": [1, 2], "b": "c"] as [String: Any]])
            try context.save()
            #expect(try row("meta->>'name', meta->'sizes'->>1, raw->>'b', raw->'a'->>0", connection) == "ä\"|2|c|1")
            context.refresh(object, mergeChanges: false)
            let data = try #require(object.value(forKey: "meta") as? Data)
            #expect(try JSONDecoder().decode(Meta.self, from: data) == meta)
            let raw = try #require(object.value(forKey: "raw") as? [String: Any])
            #expect(raw["b"] as? String == "c" && (raw["a"] as? [Any])?.count == 2)
            for value in [Data("{".utf8), Data([0xFF]), Data("\"a\\u0000\"".utf8)] {
                object.setValue(value, forKey: "meta")
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.code.rawValue == NSManagedObjectValidationError)
                #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "meta")
            }
            object.setValue(Data("[1, null]".utf8), forKey: "meta")
            object.setValue(nil, forKey: "raw")
            try context.save()
            #expect(try row("meta, raw IS NULL", connection) == "[1, null]|t")
        }
    }

    @Test func jsonAsAStringIsChecked() throws {
        try withItems { _, context, connection in
            let object = item(context, ["meta": "{\"a\":1}", "raw": "{\"b\":2}"])
            try context.save()
            #expect(object.value(forKey: "meta") as? String == "{\"a\": 1}")
            #expect(object.value(forKey: "raw") as? String == "{\"b\":2}")
            for value in ["{", "a", "\"\\u0000\""] {
                object.setValue(value, forKey: "meta")
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.code.rawValue == NSManagedObjectValidationError)
                #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "meta")
                context.rollback()
            }
            #expect(try row("meta->>'a', raw->>'b'", connection) == "1|2")
        }
    }

    @Test(arguments: [
        (NSAttributeType.transformableAttributeType, "meta", "OpenCoreDataJSON"),
        (.transformableAttributeType, "sizes", "OpenCoreDataIntArray"), (.stringAttributeType, "tags", "text[]"),
        (.integer32AttributeType, "meta", "jsonb"), (.stringAttributeType, "spans", "int4range[]"),
    ])
    func otherAttributesAreRefusedByName(type: NSAttributeType, key: String, named: String) throws {
        let error = #expect(throws: CocoaError.self) {
            try withItems { model in
                let entity = model.entitiesByName["Item"]
                let attribute = entity?.attributesByName[key] ?? LibraryModel.attribute(key, type)
                attribute.userInfo = ["column": key]
                attribute.attributeType = type
                attribute.valueTransformerName = nil
                if entity?.attributesByName[key] == nil { entity?.properties.append(attribute) }
            } _: { _, _, _ in
            }
        }
        #expect(error?.code.rawValue == NSPersistentStoreIncompatibleSchemaError)
        let sentence = error?.localizedDescription ?? ""
        #expect(sentence.contains("item") && sentence.contains(key) && sentence.contains(named), "\(sentence)")
    }

    // MARK: Keys

    @Test(arguments: [
        ("id uuid PRIMARY KEY", "id", "of the type uuid"), ("id text PRIMARY KEY", "id", "of the type text"),
        ("id int, other int, PRIMARY KEY (id, other)", "id", "id, other"), ("id int", "id", "no primary key"),
    ])
    func tablesWithOtherKeysAreRefusedByName(columns: String, key: String, named: String) throws {
        PostgreSQLStore.register()
        try TestServer.withSchema { schema in
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript("CREATE TABLE \(schema).thing (\(columns), name text)")
            let url = try TestServer.url(schema: schema)
            let imported = try ExistingModel(at: url)
            #expect(imported.model.entities.isEmpty)
            #expect(
                imported.notes.contains { $0.contains("thing") && $0.contains(named) && $0.contains("left out") },
                "\(imported.notes)")
            let thing = NSEntityDescription()
            (thing.name, thing.managedObjectClassName) = ("Thing", "NSManagedObject")
            thing.userInfo = ["table": "thing", "primaryKey": key]
            thing.properties = [LibraryModel.attribute("name", .stringAttributeType)]
            let model = NSManagedObjectModel()
            model.entities = [thing]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let error = #expect(throws: CocoaError.self) {
                try coordinator.addPersistentStore(ofType: PostgreSQLStore.type, configurationName: nil, at: url)
            }
            #expect(error?.code.rawValue == NSPersistentStoreIncompatibleSchemaError)
            let sentence = error?.localizedDescription ?? ""
            #expect(sentence.contains("thing") && sentence.contains(named), "\(sentence)")
        }
    }
}
#endif
