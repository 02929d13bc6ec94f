import Foundation
import OpenCoreData
import Testing

@Suite struct SQLSchemaTests {
    private func createStatements(_ model: NSManagedObjectModel) throws -> [String] {
        Array(try SQLSchema(entities: model.entities).createStatements.dropLast(3))
    }

    @Test func columnsAreGroupedByKindAndSortedByName() throws {
        let model = Build.model(
            Build.entity(
                "Thing",
                [
                    Build.attribute("data", .binaryDataAttributeType),
                    Build.attribute("any", .transformableAttributeType),
                    Build.attribute("link", .URIAttributeType),
                    Build.attribute("id", .UUIDAttributeType),
                    Build.attribute("text", .stringAttributeType),
                    Build.attribute("price", .decimalAttributeType),
                    Build.attribute("when", .dateAttributeType),
                    Build.attribute("ratio", .floatAttributeType),
                    Build.attribute("Zoom", .doubleAttributeType),
                    Build.attribute("flag", .booleanAttributeType),
                    Build.attribute("count", .integer64AttributeType),
                    Build.attribute("small", .integer16AttributeType),
                    Build.attribute("gone", .stringAttributeType) { $0.isTransient = true },
                ]))
        #expect(
            try createStatements(model) == [
                "CREATE TABLE ZTHING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOUNT INTEGER, "
                    + "ZFLAG INTEGER, ZSMALL INTEGER, ZZOOM FLOAT, ZRATIO FLOAT, ZWHEN TIMESTAMP, ZPRICE DECIMAL, "
                    + "ZTEXT VARCHAR, ZID BLOB, ZLINK VARCHAR, ZANY BLOB, ZDATA BLOB )"
            ])
    }

    @Test func subentitiesShareATableAndEqualNamesGetNumbers() throws {
        let base = Build.entity("Base", [Build.attribute("own", .stringAttributeType)])
        let b = Build.entity("b", [Build.attribute("value", .doubleAttributeType)])
        let c = Build.entity("C", [Build.attribute("value", .integer32AttributeType)])
        base.subentities = [c, b]
        let schema = try SQLSchema(entities: Build.model(base, b, c).entities)
        #expect(schema.entities.map { "\($0.number) \($0.name) \($0.superNumber)" } == ["1 Base 0", "2 b 1", "3 C 1"])
        #expect(
            schema.tableStatements == [
                "CREATE TABLE ZBASE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZVALUE1 INTEGER, "
                    + "ZVALUE FLOAT, ZOWN VARCHAR )"
            ])
        #expect(schema.indexStatements == ["CREATE INDEX ZBASE_Z_ENT_INDEX ON ZBASE (Z_ENT)"])
        #expect(schema.entity(named: "C")?.column(named: "value")?.name == "ZVALUE1")
        #expect(schema.entity(named: "C")?.column(named: "own")?.name == "ZOWN")
        #expect(schema.entity(number: 2)?.condition(includingSubentities: true) == "Z_ENT = 2")
        #expect(schema.entity(number: 1)?.condition(includingSubentities: true) == nil)
        #expect(schema.entity(number: 1)?.condition(includingSubentities: false, alias: "t.") == "t.Z_ENT = 1")
    }

    @Test func foreignKeysHaveTheirCompanions() throws {
        let parent = Build.entity("Parent")
        let special = Build.entity("Special")
        let child = Build.entity("Child")
        parent.subentities = [special]
        let children = Build.toMany("children", child, ordered: true)
        let owner = Build.toOne("owner", parent)
        Build.inverse(children, owner)
        parent.properties = [children, Build.toMany("hidden", child)]
        child.properties = [owner]
        let schema = try SQLSchema(entities: Build.model(parent, special, child).entities)
        #expect(
            schema.tableStatements == [
                "CREATE TABLE ZCHILD ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER INTEGER, "
                    + "Z2_OWNER INTEGER, Z_FOK_OWNER INTEGER, Z2HIDDEN INTEGER )",
                "CREATE TABLE ZPARENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
            ])
        #expect(
            schema.indexStatements == [
                "CREATE INDEX ZCHILD_ZOWNER_INDEX ON ZCHILD (ZOWNER)",
                "CREATE INDEX ZCHILD_Z2HIDDEN_INDEX ON ZCHILD (Z2HIDDEN)",
                "CREATE INDEX ZPARENT_Z_ENT_INDEX ON ZPARENT (Z_ENT)",
            ])
        guard case .toOne(let toOne)? = schema.entity(named: "Child")?.relationship(named: "owner")?.storage,
            case .toManyInverseForeignKey(let inverse)? =
                schema.entity(named: "Special")?.relationship(named: "children")?.storage,
            case .toManyHiddenColumn(let hidden)? =
                schema.entity(named: "Parent")?.relationship(named: "hidden")?.storage
        else {
            Issue.record("a relationship is stored in another way")
            return
        }
        #expect(toOne.column.name == "ZOWNER" && toOne.entityColumn?.name == "Z2_OWNER")
        #expect(toOne.orderColumn?.name == "Z_FOK_OWNER")
        #expect(inverse.table.name == "ZCHILD" && inverse.column == toOne.column)
        #expect(inverse.orderColumn == toOne.orderColumn && inverse.inverseName == "owner")
        #expect(hidden.table.name == "ZCHILD" && hidden.column.name == "Z2HIDDEN")
    }

    @Test func manyToManyRelationshipsHaveAJoinTable() throws {
        let author = Build.entity("Author")
        let book = Build.entity("Book")
        let books = Build.toMany("books", book, ordered: true)
        let authors = Build.toMany("authors", author)
        Build.inverse(books, authors)
        author.properties = [books]
        book.properties = [authors]
        let schema = try SQLSchema(entities: Build.model(author, book).entities)
        #expect(
            schema.tableStatements[1] == "CREATE TABLE Z_1BOOKS ( Z_1AUTHORS INTEGER, Z_2BOOKS INTEGER, "
                + "Z_FOK_2BOOKS INTEGER, PRIMARY KEY (Z_1AUTHORS, Z_2BOOKS) )")
        #expect(
            schema.indexStatements == [
                "CREATE INDEX Z_1BOOKS_Z_2BOOKS_INDEX ON Z_1BOOKS (Z_2BOOKS, Z_1AUTHORS)"
            ])
        guard case .manyToMany(let own)? = schema.entity(named: "Author")?.relationship(named: "books")?.storage,
            case .manyToMany(let other)? = schema.entity(named: "Book")?.relationship(named: "authors")?.storage
        else {
            Issue.record("a relationship is stored in another way")
            return
        }
        #expect(own.ownColumn.name == "Z_1AUTHORS" && own.otherColumn.name == "Z_2BOOKS")
        #expect(own.orderColumn?.name == "Z_FOK_2BOOKS" && own.inverseOrderColumn == nil)
        #expect(other.ownColumn == own.otherColumn && other.otherColumn == own.ownColumn)
        #expect(other.orderColumn == nil && other.inverseOrderColumn?.name == "Z_FOK_2BOOKS")
    }

    @Test func aRelationshipThatIsItsOwnInverseIsReflexive() throws {
        let person = Build.entity("Person")
        let friends = Build.toMany("friends", person)
        friends.inverseRelationship = friends
        person.properties = [friends]
        let schema = try SQLSchema(entities: Build.model(person).entities)
        #expect(
            schema.tableStatements[1] == "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, "
                + "PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )")
        #expect(
            schema.indexStatements == [
                "CREATE INDEX Z_1FRIENDS_REFLEXIVE_INDEX ON Z_1FRIENDS (REFLEXIVE, Z_1FRIENDS)"
            ])
    }

    @Test func indexesAndConstraintsAreMade() throws {
        let entity = Build.entity(
            "Car",
            [
                Build.attribute("maker", .stringAttributeType), Build.attribute("plate", .stringAttributeType),
                Build.attribute("state", .integer16AttributeType),
            ])
        let maker = try #require(entity.propertiesByName["maker"])
        let plate = try #require(entity.propertiesByName["plate"])
        let byBoth = NSFetchIndexDescription(
            name: "byBoth",
            elements: [
                .init(property: maker, collationType: .binary), .init(property: plate, collationType: .binary),
            ])
        byBoth.elements[1].isAscending = false
        let partial = NSFetchIndexDescription(
            name: "partial", elements: [.init(property: plate, collationType: .binary)])
        partial.partialIndexPredicate = NSCompoundPredicate(orPredicateWithSubpredicates: [
            NSPredicate(format: "state = 2"), NSPredicate(format: "maker != nil"),
        ])
        entity.indexes = [byBoth, partial]
        entity.uniquenessConstraints = [["plate", "maker"]]
        let schema = try SQLSchema(entities: Build.model(entity).entities)
        #expect(
            schema.indexStatements == [
                "CREATE INDEX Z_Car_byBoth ON ZCAR (ZMAKER COLLATE BINARY ASC, ZPLATE COLLATE BINARY DESC)",
                "CREATE INDEX Z_Car_partial ON ZCAR (ZPLATE COLLATE BINARY ASC) "
                    + "WHERE (ZSTATE = 2 OR ZMAKER IS NOT NULL)",
                "CREATE UNIQUE INDEX Z_Car_UNIQUE_plate_maker ON ZCAR "
                    + "(ZPLATE COLLATE BINARY ASC, ZMAKER COLLATE BINARY ASC)",
            ])
    }

    @Test func everyStatementIsValidSQL() throws {
        let place = Build.entity(
            "Place",
            [
                Build.attribute("latitude", .doubleAttributeType), Build.attribute("longitude", .doubleAttributeType),
                Build.attribute("name", .stringAttributeType),
                Build.derived("search", .stringAttributeType, NSExpression(format: "canonical:(name)")),
                Build.derived("touched", .dateAttributeType, NSExpression(format: "now()")),
            ])
        let visit = Build.entity("Visit", [Build.attribute("cost", .doubleAttributeType)])
        let visits = Build.toMany("visits", visit)
        let target = Build.toOne("place", place)
        Build.inverse(visits, target)
        place.properties += [
            visits, Build.derived("count", .integer64AttributeType, NSExpression(forKeyPath: "visits.@count")),
            Build.derived("total", .doubleAttributeType, NSExpression(forKeyPath: "visits.cost.@sum")),
        ]
        visit.properties += [
            target, Build.derived("placeName", .stringAttributeType, NSExpression(forKeyPath: "place.name")),
        ]
        let spatial = NSFetchIndexDescription(
            name: "where",
            elements: ["latitude", "longitude"].compactMap { place.propertiesByName[$0] }
                .map { .init(property: $0, collationType: .rTree) })
        place.indexes = [spatial]
        let schema = try SQLSchema(entities: Build.model(place, visit).entities)
        let connection = try SQLiteConnection()
        for statement in schema.createStatements + schema.historyStatements {
            try connection.execute(script: statement)
        }
        try connection.run(
            "INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT, ZLATITUDE, ZLONGITUDE, ZNAME) VALUES (1, 1, 1, 2, 3, 'Ää')")
        try connection.run(
            "INSERT INTO ZVISIT (Z_PK, Z_ENT, Z_OPT, ZPLACE, ZCOST) VALUES (1, 2, 1, 1, 1.5), (2, 2, 1, 1, 2)")
        #expect(
            try connection.rows("SELECT ZCOUNT, ZTOTAL, ZSEARCH FROM ZPLACE") == [
                [.integer(2), .real(3.5), .text("aa")]
            ])
        #expect(try connection.rows("SELECT DISTINCT ZPLACENAME FROM ZVISIT") == [[.text("Ää")]])
        try connection.run("DELETE FROM ZVISIT WHERE Z_PK = 1")
        #expect(try connection.rows("SELECT ZCOUNT, ZTOTAL FROM ZPLACE") == [[.integer(1), .real(2)]])
        let touched = try connection.firstValue("SELECT ZTOUCHED FROM ZPLACE")
        if case .real(let time)? = touched {
            #expect(abs(time - Date().timeIntervalSinceReferenceDate) < 60)
        } else {
            Issue.record("\(String(describing: touched)) is no time")
        }
        #expect(try connection.firstValue("SELECT count(*) FROM Z_RT_Place_where") == .integer(1))
    }

    @Test func anAttributeWithoutAStorableTypeIsNamed() throws {
        let model = Build.model(Build.entity("Thing", [Build.attribute("what", .undefinedAttributeType)]))
        let error = #expect(throws: CocoaError.self) { try SQLSchema(entities: model.entities) }
        #expect(error?.code == .persistentStoreIncompatibleSchema)
        #expect(error?.localizedDescription.contains("“what” of entity “Thing”") == true)
    }
}
