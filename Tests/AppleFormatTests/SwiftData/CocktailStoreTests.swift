import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A store that SwiftData wrote, used as a program on a server would: read, edited, and left so that SwiftData opens it.
@Suite(.enabled(if: Fixtures.hasCocktails && SQLiteShell.isAvailable)) struct CocktailStoreTests {
    private static var options: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    /// A copy of the store, opened with a model and without ignoring its version.
    private struct Store {
        let folder: TemporaryFolder
        let url: URL
        let coordinator: NSPersistentStoreCoordinator

        init(
            model: NSManagedObjectModel? = nil, folder: TemporaryFolder? = nil, configuration: String? = nil,
            options: [AnyHashable: Any] = CocktailStoreTests.options
        ) throws {
            self.folder = try folder ?? TemporaryFolder()
            url = self.folder.file("PreloadedCocktails.store")
            if folder == nil { _ = try Fixtures.copy(Fixtures.cocktails, into: self.folder) }
            let model = try model ?? StoreFile.model(inStoreAt: url)
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: model.withoutClasses())
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: configuration, at: url, options: options)
        }

        func perform<T>(_ block: (NSManagedObjectContext) throws -> T) throws -> T {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return try context.performAndWait { try block(context) }
        }

        @discardableResult func sqlite(_ sql: String) throws -> String { try SQLiteShell.run(sql, on: url) }
    }

    private static func request(_ entity: String, _ format: String = "TRUEPREDICATE") -> NSFetchRequest<NSManagedObject>
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        return request
    }

    /// The model of the store, written in code: nothing of it comes from the archive but the names of the cases.
    private static func modelInCode(cases: [String]) -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType, isOptional: Bool = false) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, isOptional)
            return attribute
        }
        func composite(_ name: String, _ elements: [(String, NSAttributeType)], isOptional: Bool = true)
            -> NSAttributeDescription
        {
            let composite = NSCompositeAttributeDescription()
            (composite.name, composite.isOptional) = (name, isOptional)
            composite.elements = elements.map { attribute($0.0, $0.1, isOptional: true) }
            return composite
        }
        func relationship(_ name: String, isToMany: Bool, isOptional: Bool = false) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            (relationship.name, relationship.maxCount, relationship.isOptional) = (name, isToMany ? 0 : 1, isOptional)
            return relationship
        }
        func entity(_ name: String, unique: String? = nil, _ properties: [NSPropertyDescription]) -> NSEntityDescription
        {
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = properties
            if let unique { entity.uniquenessConstraints = [[unique]] }
            return entity
        }
        let tags: [(String, NSAttributeType)] = ["flavors", "profiles", "styles", "booze", "nA"].map {
            ($0, .binaryDataAttributeType)
        }
        let (garnish, cocktails) = (
            relationship("garnish", isToMany: true), relationship("cocktails", isToMany: true, isOptional: true)
        )
        let (spec, base) = (relationship("spec", isToMany: true), relationship("ingredientBase", isToMany: false))
        let bases = entity(
            "IngredientBase", unique: "name",
            ["name", "specialtyCategory", "umbrellaCategory", "baseCategory"].map {
                attribute($0, .stringAttributeType)
            }
                + [
                    attribute("id", .UUIDAttributeType), attribute("isCustom", .booleanAttributeType),
                    attribute("info", .stringAttributeType, isOptional: true), composite("tags", tags),
                    composite(
                        "prep",
                        [
                            ("id", .UUIDAttributeType), ("prepIngredientName", .stringAttributeType),
                            ("prepRecipe", .binaryDataAttributeType),
                        ]),
                ])
        let ingredients = entity(
            "Ingredient",
            [
                attribute("id", .UUIDAttributeType), attribute("value", .doubleAttributeType),
                composite("unit", [("unit", .stringAttributeType)], isOptional: false), base,
            ])
        let garnishes = entity("Garnish", unique: "name", [attribute("name", .stringAttributeType), cocktails])
        let cocktail = entity(
            "Cocktail", unique: "cocktailName",
            ["cocktailName", "collectionName"].map { attribute($0, .stringAttributeType) }
                + ["notes", "variationName"].map { attribute($0, .stringAttributeType, isOptional: true) }
                + ["favorite", "isCustomCocktail"].map { attribute($0, .booleanAttributeType) }
                + [
                    attribute("titleCocktail", .booleanAttributeType, isOptional: true),
                    attribute("id", .UUIDAttributeType),
                    composite("glasswareType", [("glasswareType", .stringAttributeType)], isOptional: false),
                    composite("ice", [("ice", .stringAttributeType)]),
                    composite("variation", [("variation", .stringAttributeType)]),
                    composite("collection", [("collection", .integer64AttributeType)]),
                    composite("historicSpec", cases.map { ($0, .stringAttributeType) }),
                    composite("compiledTags", tags, isOptional: false),
                    composite("buildOrder", [("instructions", .binaryDataAttributeType)]),
                    composite(
                        "author",
                        [
                            ("id", .UUIDAttributeType), ("person", .stringAttributeType),
                            ("place", .stringAttributeType), ("year", .stringAttributeType),
                        ]),
                    garnish, spec,
                ])
        (garnish.destinationEntity, garnish.inverseRelationship) = (garnishes, cocktails)
        (cocktails.destinationEntity, cocktails.inverseRelationship) = (cocktail, garnish)
        (spec.destinationEntity, spec.deleteRule) = (ingredients, .cascadeDeleteRule)
        base.destinationEntity = bases
        let model = NSManagedObjectModel()
        model.entities = [cocktail, garnishes, ingredients, bases]
        return model
    }

    private static func cases(_ model: NSManagedObjectModel) -> [String] {
        model.entitiesByName["Cocktail"]?.attributesByName["historicSpec"]?.userInfo?["enum"] as? [String] ?? []
    }

    // MARK: Models

    @Test func theStoreOpensWithAModelWrittenInCode() throws {
        let stored = try Store()
        let cases = Self.cases(stored.coordinator.managedObjectModel)
        #expect(cases.count == 15)
        let model = Self.modelInCode(cases: cases)
        #expect(model.entityVersionHashesByName == stored.coordinator.managedObjectModel.entityVersionHashesByName)
        let store = try Store(model: model)
        let count = try store.perform { context in
            try context.count(for: Self.request("Cocktail", "glasswareType.glasswareType == 'Coupe'"))
        }
        #expect(count > 10)
    }

    @Test func theStoreOpensWithModelSourceAndCompiledModelsOfIt() throws {
        let stored = try Store()
        let model = stored.coordinator.managedObjectModel
        let source = stored.folder.file("Cocktails.xcdatamodel")
        try ModelSourceDocument(model: try StoreFile.model(inStoreAt: stored.url)).write(to: source)
        let read = try NSManagedObjectModel(contentsOfModelFile: source)
        let compiled = try NSManagedObjectModel.decode(modelCache: try read.encodedModelCache())
        for copy in [read, compiled] {
            #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
            #expect(Self.cases(copy) == Self.cases(model))
            #expect(copy.configurations == ["default"] && copy.versionIdentifiers == ["1.0.0"])
            let unit = copy.entitiesByName["Ingredient"]?.attributesByName["unit"]
            #expect((unit?.userInfo?["EnumType"] as? NSNumber)?.boolValue == true)
            let tags = copy.entitiesByName["Cocktail"]?.attributesByName["compiledTags"]
            #expect((tags?.defaultValue as? [AnyHashable: Any])?.isEmpty == true)
            _ = try Store(model: copy, configuration: "default")
        }
    }

    @Test func theModelThatIsKeptIsWrittenAsItWasRead() throws {
        let store = try Store()
        let connection = try SQLiteConnection.readingOnly(store.url)
        defer { connection.close() }
        let model = try NSManagedObjectModel.decode(modelCache: #require(try StoreFile.modelCache(in: connection)))
        let again = try NSManagedObjectModel.decode(modelCache: try model.encodedModelCache())
        for (name, entity) in model.entitiesByName {
            let other = try #require(again.entitiesByName[name])
            #expect(entity.versionHash == other.versionHash)
            for (name, attribute) in entity.attributesByName {
                let copy = try #require(other.attributesByName[name])
                #expect((attribute.userInfo as NSDictionary?) == (copy.userInfo as NSDictionary?), "\(name)")
                #expect(attribute.renamingIdentifier == copy.renamingIdentifier)
                let (left, right) = (
                    attribute as? NSCompositeAttributeDescription, copy as? NSCompositeAttributeDescription
                )
                #expect(left?.elements.map(\.name) == right?.elements.map(\.name))
            }
        }
    }

    // MARK: Editing

    @Test func anEditOfEveryKindOfElementIsSeenByEverybody() throws {
        let store = try Store()
        let metadata = try StoreFile.metadata(at: store.url)
        let token = UUID()
        let edits: [(path: String, value: Any?, sql: String, text: String)] = [
            ("glasswareType.glasswareType", "Flute", "ZGLASSWARETYPE", "Flute"),
            ("ice.ice", "Large cube", "ZICE", "Large cube"), ("collection.collection", 3, "ZCOLLECTION", "3"),
            ("author.person", "Ann", "ZPERSON", "Ann"), ("author.year", nil, "ZYEAR", ""),
            ("author.id", token, "hex(ZID)", token.uuidString.replacing("-", with: "")),
            ("compiledTags.flavors", Data("[\"Lime\"]".utf8), "CAST(ZFLAVORS AS TEXT)", "[\"Lime\"]"),
            ("historicSpec.gimlet", "gimlet", "ZGIMLET", "gimlet"),
        ]
        let before = try store.sqlite("SELECT hex(ZID1), ZPLACE, hex(ZSTYLES) FROM ZCOCKTAIL WHERE Z_PK = 2")
        try store.perform { context in
            let cocktail = try #require(
                try context.fetch(Self.request("Cocktail", "cocktailName == 'Something Bitter This Way Comes'")).first)
            for edit in edits {
                cocktail.setValue(edit.value, forKeyPath: edit.path)
                try context.save()
            }
        }
        for edit in edits {
            #expect(
                try store.sqlite("SELECT \(edit.sql) FROM ZCOCKTAIL WHERE Z_PK = 2") == edit.text, "\(edit.path)")
        }
        // Nothing else changed.
        #expect(try store.sqlite("SELECT hex(ZID1), ZPLACE, hex(ZSTYLES) FROM ZCOCKTAIL WHERE Z_PK = 2") == before)
        #expect(try store.sqlite("SELECT Z_OPT FROM ZCOCKTAIL WHERE Z_PK = 2") == "\(edits.count + 1)")
        let again = try Store(folder: store.folder)
        try again.perform { context in
            let cocktail = try #require(try context.fetch(Self.request("Cocktail", "author.person == 'Ann'")).first)
            for edit in edits {
                let value = cocktail.value(forKeyPath: edit.path)
                #expect(value as? AnyHashable == edit.value as? AnyHashable, "\(edit.path)")
            }
        }
        // What SwiftData looks at when it opens the store is as it was.
        let after = try StoreFile.metadata(at: store.url)
        for key in metadata.keys where key != "NSPersistenceFrameworkVersion" {
            #expect((metadata[key] as? NSObject) == (after[key] as? NSObject), "\(key)")
        }
        #expect(
            try store.sqlite("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
                == "1|Cocktail\n2|Garnish\n3|Ingredient\n4|IngredientBase")
        #expect(try store.sqlite("PRAGMA integrity_check") == "ok")
        let kept = try StoreFile.model(inStoreAt: store.url)
        #expect(try StoreChecker.findings(inStoreAt: store.url, model: kept).isEmpty)
    }

    @Test func editsAreRecordedInTheHistory() throws {
        let store = try Store()
        try store.perform { context in
            context.transactionAuthor = "server"
            let cocktail = try #require(try context.fetch(Self.request("Cocktail")).first)
            cocktail.setValue("Flute", forKeyPath: "glasswareType.glasswareType")
            try context.save()
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
            let history = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = try #require(history?.result as? [NSPersistentHistoryTransaction])
            #expect(transactions.count == 3)
            #expect(transactions.last?.author == "server")
            #expect(transactions.last?.changes?.first?.updatedProperties?.map(\.name) == ["glasswareType"])
        }
        // Attributes by name, after the to-one relationships, which this entity lacks: glasswareType is the eighth.
        #expect(
            try store.sqlite("SELECT ZCHANGETYPE, ZENTITY, hex(ZCOLUMNS) FROM ACHANGE ORDER BY Z_PK DESC LIMIT 1")
                == "1|1|010000")
    }

    @Test func newObjectsWithRelationshipsAreWrittenAsSwiftDataWritesThem() throws {
        let store = try Store()
        let identifier = UUID()
        try store.perform { context in
            let base = try #require(try context.fetch(Self.request("IngredientBase")).first)
            let garnish = try #require(try context.fetch(Self.request("Garnish", "name BEGINSWITH 'L'")).first)
            let cocktail = NSEntityDescription.insertNewObject(forEntityName: "Cocktail", into: context)
            for (key, value) in [
                "cocktailName": "Server Sour", "collectionName": "Mine", "favorite": true, "isCustomCocktail": true,
                "id": identifier, "glasswareType": ["glasswareType": "Coupe"],
            ] as [String: Any] { cocktail.setValue(value, forKey: key) }
            let ingredient = NSEntityDescription.insertNewObject(forEntityName: "Ingredient", into: context)
            ingredient.setValue(UUID(), forKey: "id")
            ingredient.setValue(2.0, forKey: "value")
            ingredient.setValue(["unit": "oz"], forKey: "unit")
            ingredient.setValue(base, forKey: "ingredientBase")
            cocktail.setValue(Set([ingredient]), forKey: "spec")
            cocktail.setValue(Set([garnish]), forKey: "garnish")
            try context.save()
        }
        #expect(
            try store.sqlite(
                "SELECT Z_PK, Z_ENT, Z_OPT, ZGLASSWARETYPE FROM ZCOCKTAIL WHERE ZCOCKTAILNAME = 'Server Sour'")
                == "417|1|1|Coupe")
        #expect(try store.sqlite("SELECT Z_PK, ZUNIT FROM ZINGREDIENT WHERE Z1SPEC = 417") == "1894|oz")
        #expect(try store.sqlite("SELECT count(*) FROM Z_1GARNISH WHERE Z_1COCKTAILS = 417") == "1")
        #expect(
            try store.sqlite("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT IN (1, 3) ORDER BY Z_ENT") == "417\n1894")
        // A name that is taken.
        try store.perform { context in
            let garnish = NSEntityDescription.insertNewObject(forEntityName: "Garnish", into: context)
            let name = try store.sqlite("SELECT ZNAME FROM ZGARNISH LIMIT 1")
            garnish.setValue(name, forKey: "name")
            #expect(throws: CocoaError.self) { try context.save() }
        }
        // Its ingredients go with it.
        try store.perform { context in
            let cocktail = try #require(
                try context.fetch(Self.request("Cocktail", "cocktailName == 'Server Sour'")).first)
            context.delete(cocktail)
            try context.save()
        }
        #expect(try store.sqlite("SELECT count(*) FROM ZINGREDIENT WHERE Z1SPEC = 417") == "0")
        #expect(try store.sqlite("SELECT count(*) FROM Z_1GARNISH WHERE Z_1COCKTAILS = 417") == "0")
    }

    @Test func withoutTrackingItsHistoryTheStoreIsReadOnly() throws {
        let store = try Store(options: [:])
        try store.perform { context in
            let cocktail = try #require(try context.fetch(Self.request("Cocktail")).first)
            cocktail.setValue("Flute", forKeyPath: "glasswareType.glasswareType")
            #expect(throws: CocoaError.self) { try context.save() }
        }
    }

    // MARK: Asking

    @Test func requestsByElementsAgreeWithMemory() throws {
        let store = try Store()
        try store.perform { context in
            let all = try context.fetch(Self.request("Cocktail"))
            for format in [
                "glasswareType.glasswareType == 'Coupe'", "glasswareType.glasswareType != 'Coupe'", "ice == nil",
                "ice.ice != nil", "ice.ice == nil", "collection.collection >= 2", "collection.collection == nil",
                "author.person CONTAINS[c] 'an'", "author.year IN {'2018', '2019'}", "author != nil",
                "historicSpec.gimlet == 'gimlet' OR historicSpec.alaska == 'alaska'", "compiledTags.flavors != nil",
                "ANY spec.unit.unit == 'dash' AND glasswareType.glasswareType BEGINSWITH 'C'",
                "author.id == %@ OR favorite == YES",
            ] {
                let first = all.lazy.compactMap { $0.value(forKeyPath: "author.id") as? UUID }.first
                let predicate = NSPredicate(format: format, argumentArray: [first as Any])
                let request = Self.request("Cocktail")
                request.predicate = predicate
                let found = Set(try context.fetch(request).map(\.objectID))
                let expected = Set(all.filter { predicate.evaluate(with: $0) }.map(\.objectID))
                #expect(found == expected, "\(format): \(found.count), in memory \(expected.count)")
            }
            let request = Self.request("Cocktail")
            request.sortDescriptors = [
                NSSortDescriptor(key: "author.person", ascending: false),
                NSSortDescriptor(key: "cocktailName", ascending: true),
            ]
            let names = try context.fetch(request).map { $0.value(forKey: "cocktailName") as? String }
            let sorted = (all as NSArray).sortedArray(using: request.sortDescriptors ?? [])
            #expect(names == sorted.map { ($0 as? NSManagedObject)?.value(forKey: "cocktailName") as? String })
        }
    }

    @Test func dictionariesAndBatchesUseElements() throws {
        let store = try Store()
        try store.perform { context in
            let request = NSFetchRequest<NSDictionary>(entityName: "Cocktail")
            request.resultType = .dictionaryResultType
            let count = NSExpressionDescription()
            (count.name, count.expressionResultType) = ("count", .integer64AttributeType)
            count.expression = NSExpression(format: "count:(cocktailName)")
            request.propertiesToFetch = ["glasswareType.glasswareType", count]
            request.propertiesToGroupBy = ["glasswareType.glasswareType"]
            let rows = try context.fetch(request)
            let groups = Dictionary(
                rows.map { ($0["glasswareType.glasswareType"] as? String ?? "", $0["count"] as? Int ?? 0) },
                uniquingKeysWith: +)
            let counted = try store.sqlite("SELECT ZGLASSWARETYPE, count(*) FROM ZCOCKTAIL GROUP BY 1")
            #expect(Set(groups.map { "\($0.key)|\($0.value)" }) == Set(counted.split(separator: "\n").map(String.init)))

            let update = NSBatchUpdateRequest(entityName: "Cocktail")
            update.predicate = NSPredicate(format: "glasswareType.glasswareType == 'Coupe'")
            update.propertiesToUpdate = ["glasswareType.glasswareType": "Nick and Nora", "author.place": "Here"]
            update.resultType = .updatedObjectsCountResultType
            let updated = try context.execute(update) as? NSBatchUpdateResult
            #expect(updated?.result as? Int == groups["Coupe"])
            #expect(
                try store.sqlite(
                    "SELECT count(*) FROM ZCOCKTAIL WHERE ZPLACE = 'Here' AND ZGLASSWARETYPE = 'Nick and Nora'")
                    == "\(groups["Coupe"] ?? 0)")

            let gimlets = NSFetchRequest<any NSFetchRequestResult>(entityName: "Cocktail")
            gimlets.predicate = NSPredicate(format: "historicSpec.gimlet == 'gimlet'")
            let delete = NSBatchDeleteRequest(fetchRequest: gimlets)
            delete.resultType = .resultTypeCount
            let deleted = try context.execute(delete) as? NSBatchDeleteResult
            // The cocktail, and the two objects that go with it.
            #expect(deleted?.result as? Int == 3)
            #expect(try store.sqlite("SELECT count(*) FROM ZCOCKTAIL") == "415")
        }
    }

    // MARK: Damage

    @Test func valuesThatTheModelDoesNotKnowAreReadAsTheyAre() throws {
        let store = try Store()
        try store.sqlite(
            """
            UPDATE ZCOCKTAIL SET ZGLASSWARETYPE = 'Bucket', ZGIMLET = 'other', ZALASKA = 'alaska' WHERE Z_PK = 1;
            UPDATE ZCOCKTAIL SET ZGLASSWARETYPE = NULL, ZFLAVORS = x'5B22', ZSTYLES = NULL, ZPROFILES = NULL,
            ZBOOZE = NULL, ZNA = NULL WHERE Z_PK = 2;
            UPDATE ZCOCKTAIL SET ZFLAVORS = NULL, ZSTYLES = NULL, ZPROFILES = NULL, ZBOOZE = NULL, ZNA = NULL
            WHERE Z_PK = 3
            """)
        try store.perform { context in
            let cocktails = try context.fetch(Self.request("Cocktail", "SELF != nil")).sorted {
                $0.objectID.uriRepresentation().lastPathComponent < $1.objectID.uriRepresentation().lastPathComponent
            }
            func cocktail(_ key: String) throws -> NSManagedObject {
                try #require(cocktails.first { $0.objectID.uriRepresentation().lastPathComponent == key })
            }
            let first = try cocktail("p1")
            #expect(first.value(forKeyPath: "glasswareType.glasswareType") as? String == "Bucket")
            #expect(
                first.value(forKey: "historicSpec") as? [String: String] == ["gimlet": "other", "alaska": "alaska"])
            let second = try cocktail("p2")
            #expect(second.value(forKeyPath: "compiledTags.flavors") as? Data == Data([0x5B, 0x22]))
            // A struct of which nothing is there, in an attribute that is not optional, can be saved with.
            let third = try cocktail("p3")
            #expect((third.value(forKey: "compiledTags") as? [String: Any])?.isEmpty == true)
            for object in [first, second, third] { object.setValue(true, forKey: "favorite") }
            try context.save()
        }
        #expect(try store.sqlite("SELECT ZFAVORITE, ZGIMLET FROM ZCOCKTAIL WHERE Z_PK = 1") == "1|other")
        #expect(try store.sqlite("SELECT ZFAVORITE, hex(ZFLAVORS) FROM ZCOCKTAIL WHERE Z_PK = 2") == "1|5B22")
    }
}
