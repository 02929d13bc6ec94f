#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// The plans that the server makes for predicates, so that a scan of a whole table can't come back.
@Suite(.needsServer) struct PlanTests {
    /// A predicate, and what its plan has to name.
    struct Case: Sendable, CustomTestStringConvertible {
        var format: String
        var index: String

        init(_ format: String, _ index: String) { (self.format, self.index) = (format, index) }

        var testDescription: String { format }
    }

    // MARK: The store's own tables

    private static let own = [
        Case("title == 't500'", "item_title_index"), Case("'t500' == title", "item_title_index"),
        Case("title IN {'t5', 't6', 't7'}", "item_title_index"),
        Case("title BEGINSWITH 't1999'", "item_title_index"),
        Case("title > 't9998'", "item_title_index"), Case("title BETWEEN {'t50', 't5005'}", "item_title_index"),
        Case("title == nil", "item_title_index"), Case("code == 'c77'", "item_code_key"),
        Case("code IN {'c1', 'c2'}", "item_code_key"), Case("number == 5", "item_number_index"),
        Case("number == 5.0", "item_number_index"), Case("number > 19990", "item_number_index"),
        Case("number >= 10 AND number < 20", "item_number_index"),
        Case("number BETWEEN {10, 20}", "item_number_index"), Case("number IN {1, 2, 3, 4}", "item_number_index"),
        Case("number == 5 AND note == 'n'", "item_number_index"),
        Case("number < 10 OR title == 't5'", "item_title_index"),
        Case("number < 10 AND NOT (title == 't5')", "item_number_index"),
        Case("price > 19995.5", "item_price_index"), Case("price == 7", "item_price_index"),
        Case("cost == 7", "item_cost_index"), Case("date > $date", "item_date_index"),
        Case("identifier == $uuid", "item_identifier_index"), Case("identifier IN $uuids", "item_identifier_index"),
        Case("flag == YES", "item_flag_number_index"),
        Case("flag == TRUE AND number < 100", "item_flag_number_index"),
        Case("flag == 1", "item_flag_number_index"), Case("parent.title == 't5'", "item_parent_index"),
        Case("parent.number == 5 AND number < 400", "item_number_index"), Case("SELF == $item", "item_pkey"),
        Case("SELF IN $items", "item_pkey"), Case("parent == $item", "item_parent_index"),
        Case("parent IN $items", "item_parent_index"), Case("ANY children.title == 't500'", "item_title_index"),
        Case("number < 20 AND children.@count > 0", "item_parent_index"),
        Case("number < 20 AND children.@count == 0", "item_parent_index"),
        Case("number < 20 AND SUBQUERY(children, $c, $c.number > 50).@count > 0", "item_parent_index"),
        Case("number < 20 AND SUBQUERY(children, $c, $c.flag == YES).@count != 0", "item_flag_number_index"),
        Case("ANY tags.name == 'tag5'", "tag_name_index"),
        Case("number < 20 AND tags.@count >= 1", "item_tags"),
    ]

    private static func model() -> NSManagedObjectModel {
        func make(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = "NSManagedObject"
            entity.properties = properties
            return entity
        }
        func relationship(_ name: String, isToMany: Bool) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            (relationship.name, relationship.maxCount) = (name, isToMany ? 0 : 1)
            relationship.isOptional = true
            return relationship
        }
        func connect(
            _ first: NSRelationshipDescription, to entity: NSEntityDescription, _ second: NSRelationshipDescription,
            of owner: NSEntityDescription
        ) {
            (first.destinationEntity, second.destinationEntity) = (entity, owner)
            (first.inverseRelationship, second.inverseRelationship) = (second, first)
        }
        let types: [(String, NSAttributeType)] = [
            ("title", .stringAttributeType), ("code", .stringAttributeType), ("note", .stringAttributeType),
            ("number", .integer32AttributeType), ("price", .doubleAttributeType), ("cost", .decimalAttributeType),
            ("date", .dateAttributeType), ("flag", .booleanAttributeType), ("identifier", .UUIDAttributeType),
        ]
        let (parent, children) = (relationship("parent", isToMany: false), relationship("children", isToMany: true))
        let (tags, items) = (relationship("tags", isToMany: true), relationship("items", isToMany: true))
        let item = make(
            "Item", types.map { LibraryModel.attribute($0.0, $0.1) } + [parent, children, tags])
        let tag = make("Tag", [LibraryModel.attribute("name", .stringAttributeType), items])
        connect(parent, to: item, children, of: item)
        connect(tags, to: tag, items, of: item)
        func index(_ names: String..., of entity: NSEntityDescription) -> NSFetchIndexDescription {
            NSFetchIndexDescription(
                name: names.joined(separator: "_"),
                elements: names.compactMap { entity.propertiesByName[$0] }.map {
                    NSFetchIndexElementDescription(property: $0, collationType: .binary)
                })
        }
        item.indexes =
            ["title", "number", "price", "cost", "date", "identifier"].map { index($0, of: item) }
            + [index("flag", "number", of: item)]
        item.uniquenessConstraints = [["code"]]
        tag.indexes = [index("name", of: tag)]
        let model = NSManagedObjectModel()
        model.entities = [item, tag]
        return model
    }

    private static let uuid = "00000000-0000-0000-0000-000000000077"

    private func fill(_ stack: ServerStack) throws {
        let connection = try TestServer.connect()
        defer { connection.close() }
        try connection.runScript(
            """
            SET search_path = \(SQLName.quoted(stack.schema));
            INSERT INTO item (z_pk, z_ent, z_opt, title, code, note, number, price, cost, date, flag, identifier, parent)
                SELECT i, (SELECT number FROM ocd_entity WHERE name = 'Item'), 1, CASE WHEN i % 4000 <> 0 THEN 't' || i END,
                    'c' || i, 'n' || i % 10, i, i, i, timestamptz '2001-01-01 00:00:00+00' + i * interval '1 second',
                    i % 500 = 0, lpad(i::text, 32, '0')::uuid, CASE WHEN i > 40 THEN i / 10 END
                FROM generate_series(1, 20050) AS i;
            INSERT INTO tag (z_pk, z_ent, z_opt, name)
                SELECT i, (SELECT number FROM ocd_entity WHERE name = 'Tag'), 1, 'tag' || i FROM generate_series(1, 2000) AS i;
            INSERT INTO item_tags (items, tags) SELECT i, i % 2000 + 1 FROM generate_series(1, 20000) AS i;
            ANALYZE;
            """)
    }

    private func check(_ cases: [Case], _ entity: String, _ context: NSManagedObjectContext) throws {
        let keys = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        keys.resultType = .managedObjectIDResultType
        keys.fetchLimit = 2
        keys.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
        let items = try context.fetch(keys)
        let uuid = try #require(UUID(uuidString: Self.uuid))
        let variables: [String: Any] = [
            "item": items[0], "items": items, "date": Date(timeIntervalSinceReferenceDate: 20_000), "uuid": uuid,
            "uuids": [uuid],
        ]
        for test in cases {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSPredicate(format: test.format).withSubstitutionVariables(variables)
            request.fetchLimit = 20
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            let statement = try #require(try context.explain(request).statements.first)
            let plan = statement.plan.map(\.detail)
            let text = Comment(rawValue: ([test.format, statement.sql] + plan).joined(separator: "\n"))
            #expect(plan.contains { $0.contains(" on \(test.index)") || $0.contains("using \(test.index)") }, text)
            #expect(!plan.contains { $0.hasPrefix("Seq Scan") }, text)
            #expect(!statement.isPredicateEvaluated, text)
        }
    }

    @Test func predicatesOnTheStoresOwnTablesUseTheirIndexes() throws {
        try ServerStack.with(model: Self.model()) { stack in
            try fill(stack)
            #expect(Self.own.count >= 40)
            try stack.inContext { try check(Self.own, "Item", $0) }
        }
    }

    // MARK: Existing tables

    private static let existing = [
        Case("name == 'n500'", "thing_name_idx"), Case("'n500' == name", "thing_name_idx"),
        Case("name IN {'n5', 'n6'}", "thing_name_idx"), Case("name IN {'n5'}", "thing_name_idx"),
        Case("name == 'n5' AND note == 'n'", "thing_name_idx"), Case("name == nil", "thing_name_idx"),
        Case("localized == 'l500'", "thing_localized_idx"),
        Case("localized IN {'l5', 'l6'}", "thing_localized_idx"),
        Case("plain == 'p500'", "thing_plain_idx"), Case("code == 'c77'", "thing_code_key"),
        Case("discontinued == YES", "thing_out"), Case("discontinued == NO", "thing_in"),
        Case("discontinued != YES AND number < 20", "thing_number_idx"), Case("number == 5", "thing_number_idx"),
        Case("number > 19990", "thing_number_idx"), Case("SELF == $item", "thing_pkey"),
        Case("parent == $item", "thing_parent_idx"), Case("parent.name == 'n77'", "thing_name_idx"),
        Case("number < 20 AND children.@count > 0", "thing_parent_idx"),
        Case("number < 20 AND SUBQUERY(children, $c, $c.name == 'n5').@count > 0", "thing_"),
    ]

    private static func existingModel() -> NSManagedObjectModel {
        func column(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = LibraryModel.attribute(name, type)
            attribute.userInfo = ["column": name]
            return attribute
        }
        let thing = NSEntityDescription()
        thing.name = "Thing"
        thing.managedObjectClassName = "NSManagedObject"
        thing.userInfo = ["table": "thing", "primaryKey": "id"]
        let (parent, children) = (NSRelationshipDescription(), NSRelationshipDescription())
        (parent.name, parent.maxCount, parent.userInfo) = ("parent", 1, ["column": "parent"])
        children.name = "children"
        for relationship in [parent, children] {
            relationship.isOptional = true
            relationship.destinationEntity = thing
        }
        (parent.inverseRelationship, children.inverseRelationship) = (children, parent)
        thing.properties =
            ["name", "localized", "plain", "code", "note"].map { column($0, .stringAttributeType) }
            + [
                column("number", .integer32AttributeType), column("discontinued", .booleanAttributeType), parent,
                children,
            ]
        let model = NSManagedObjectModel()
        model.entities = [thing]
        return model
    }

    /// The names of a database, so that its collation is another than that of code points.
    @Test(arguments: ["C", "C.UTF-8"]) func predicatesOnExistingTablesUseTheirIndexes(_ locale: String) throws {
        let name = "plans_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        let server = try TestServer.connect()
        defer { server.close() }
        try server.runScript(
            "CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE '\(locale)' LC_CTYPE '\(locale)'"
        )
        defer { try? server.runScript("DROP DATABASE \(name) WITH (FORCE)") }
        var parts = try #require(URLComponents(string: TestServer.url ?? ""))
        parts.path = "/" + name
        let url = try #require(parts.url)
        let connection = try PostgreSQLConnection(PostgreSQLAddress(url.absoluteString))
        defer { connection.close() }
        try connection.runScript(
            """
            CREATE TABLE thing (id bigserial PRIMARY KEY, name varchar(100), localized text COLLATE "en-x-icu", plain text,
                code text NOT NULL UNIQUE, note text, number int NOT NULL, discontinued bool NOT NULL, parent bigint REFERENCES thing);
            INSERT INTO thing (id, name, localized, plain, code, note, number, discontinued, parent)
                SELECT i, CASE WHEN i % 4000 <> 0 THEN 'n' || i END, 'l' || i, 'p' || i, 'c' || i, 'n', i, i % 50 = 0,
                    CASE WHEN i > 40 THEN i / 10 END FROM generate_series(1, 20000) AS i;
            CREATE INDEX ON thing (name); CREATE INDEX ON thing (localized); CREATE INDEX ON thing (plain);
            CREATE INDEX ON thing (number); CREATE INDEX ON thing (parent);
            CREATE INDEX thing_out ON thing (number) WHERE discontinued;
            CREATE INDEX thing_in ON thing (number) WHERE NOT discontinued;
            ANALYZE;
            """)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.existingModel())
        let store = try coordinator.addPersistentStore(
            ofType: PostgreSQLStore.type, configurationName: nil, at: url)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            try check(Self.existing, "Thing", context)
            // The order stays that of code points, whatever the collation of the column.
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            request.predicate = NSPredicate(format: "localized IN {'l1', 'l2', 'l10'} OR localized > 'l9999'")
            request.sortDescriptors = [NSSortDescriptor(key: "localized", ascending: true)]
            #expect(
                try context.fetch(request).map { $0.value(forKey: "localized") as? String } == ["l1", "l10", "l2"])
        }
    }

    /// The same predicates give what the objects themselves say.
    @Test func booleansAndNumbersOfElementsMeanWhatTheyMeantInMemory() throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                for (name, count) in [("a", 0), ("b", 1), ("c", 2)] {
                    let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                    author.setValue(name, forKey: "name")
                    for number in 0..<count {
                        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                        book.setValuesForKeys([
                            "title": "\(name)\(number)", "author": author, "inPrint": number == 0,
                        ])
                    }
                }
                let lost = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                lost.setValue("lost", forKey: "title")
                lost.setValue(nil, forKey: "inPrint")
                try context.save()
                func compare(_ entity: String, _ formats: [String]) throws {
                    let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
                    for format in formats {
                        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                        request.predicate = NSPredicate(format: format)
                        let found = Set(try context.fetch(request))
                        #expect(
                            found == Set(all.filter { request.predicate?.evaluate(with: $0) == true }), "\(format)")
                    }
                }
                let values = ["YES", "NO", "0", "1", "2", "-1", "1.0", "nil"]
                let signs = ["==", "!=", "<", "<=", ">", ">="]
                try compare("Book", values.flatMap { value in signs.map { "inPrint \($0) \(value)" } })
                try compare("Book", signs.map { "1 \($0) inPrint" } + ["inPrint IN {YES}", "inPrint IN {0, 2}"])
                try compare(
                    "Author",
                    signs.flatMap { sign in
                        [0, 1, 2].flatMap { number in
                            [
                                "books.@count \(sign) \(number)", "NOT (books.@count \(sign) \(number))",
                                "SUBQUERY(books, $b, $b.inPrint == YES).@count \(sign) \(number)",
                            ]
                        }
                    })
            }
        }
    }

    @Test func aPlanCountsTheRowsOfAllLoops() throws {
        try ServerStack.with(model: Self.model()) { stack in
            try fill(stack)
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript("DROP INDEX \(SQLName.quoted(stack.schema)).item_parent_index")
            try stack.inContext { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                request.predicate = NSPredicate(format: "number < 4 AND children.@count > 1")
                let statement = try #require(try context.explain(request).statements.first)
                // Each of three rows looks at all others.
                #expect(
                    statement.rowsScanned >= 3 * 20_050,
                    Comment(rawValue: statement.plan.map(\.detail).joined(separator: "\n")))
            }
        }
    }
}
#endif
