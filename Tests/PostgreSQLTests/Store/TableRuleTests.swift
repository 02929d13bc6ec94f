#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// What the model says of values stands in the tables that a store makes.
@Suite(.needsServer) struct TableRuleTests {
    /// Products, some of which are books, with makers and labels.
    static func model(longestCode: Int = 8) -> NSManagedObjectModel {
        func entity(_ name: String) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = "NSManagedObject"
            return entity
        }
        func limited(_ attribute: NSAttributeDescription, _ formats: String...) -> NSAttributeDescription {
            attribute.setValidationPredicates(formats.map { NSPredicate(format: $0) }, withValidationWarnings: nil)
            return attribute
        }
        let (product, book, maker, label) = (entity("Product"), entity("Book"), entity("Maker"), entity("Label"))
        let count = NSDerivedAttributeDescription()
        count.name = "productCount"
        count.attributeType = .integer64AttributeType
        count.derivationExpression = NSExpression(forKeyPath: "products.@count")
        let of = LibraryModel.relationship("maker", to: maker, rule: .nullifyDeleteRule)
        of.isOptional = false
        product.properties = [
            limited(
                LibraryModel.attribute("code", .stringAttributeType, optional: false), "length >= 1",
                "length <= \(longestCode)"),
            limited(
                LibraryModel.attribute("stock", .integer32AttributeType, optional: false, default: 3), "SELF >= 0"),
            limited(LibraryModel.attribute("weight", .doubleAttributeType), "SELF <= 1.5"),
            LibraryModel.attribute("added", .dateAttributeType), of,
            LibraryModel.relationship("labels", to: label, toMany: true, rule: .nullifyDeleteRule),
        ]
        product.uniquenessConstraints = [["code"]]
        book.properties = [LibraryModel.attribute("isbn", .stringAttributeType, optional: false)]
        product.subentities = [book]
        maker.properties = [
            LibraryModel.attribute("name", .stringAttributeType, optional: false, default: "it's new"), count,
            LibraryModel.relationship("products", to: product, toMany: true, rule: .cascadeDeleteRule),
        ]
        label.properties = [
            LibraryModel.attribute("text", .stringAttributeType),
            LibraryModel.relationship("products", to: product, toMany: true, rule: .nullifyDeleteRule),
        ]
        func pair(_ one: NSEntityDescription, _ name: String, _ other: NSEntityDescription, _ back: String) {
            let relationships = (one.relationshipsByName[name], other.relationshipsByName[back])
            relationships.0?.inverseRelationship = relationships.1
            relationships.1?.inverseRelationship = relationships.0
        }
        pair(product, "maker", maker, "products")
        pair(product, "labels", label, "products")
        let model = NSManagedObjectModel()
        model.entities = [product, book, maker, label]
        return model
    }

    static func product(
        _ code: String, _ maker: NSManagedObject, _ context: NSManagedObjectContext, entity: String = "Product"
    ) -> NSManagedObject {
        let product = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        product.setValue(code, forKey: "code")
        product.setValue(maker, forKey: "maker")
        return product
    }

    @Test func tablesHaveConstraintsDefaultsAndTheNamesOfTheModel() throws {
        try ServerStack.with(model: Self.model()) { stack in
            let lines = try ServerRules.lines(of: stack.schema)
            for line in [
                "product z_pk NOT NULL identity -- Product, Book", "product z_opt NOT NULL 1 -- Product, Book",
                "product code NOT NULL -- Product.code -- Product, Book",
                "product stock NOT NULL 3 -- Product.stock -- Product, Book",
                "product weight -- Product.weight -- Product, Book", "product isbn -- Book.isbn -- Product, Book",
                "product maker -- Product.maker -- Product, Book",
                "product product_isbn_required CHECK (((z_ent <> 4) OR (isbn IS NOT NULL))) -- Book.isbn",
                "product product_stock_check CHECK ((stock >= 0)) -- Product.stock, Book.stock: >= 0",
                "product FOREIGN KEY (maker) REFERENCES maker(z_pk) DEFERRABLE INITIALLY DEFERRED",
                "maker z_ent NOT NULL 2 -- Maker", "maker name NOT NULL 'it''s new'::text -- Maker.name -- Maker",
                "maker product_count -- Maker.productCount -- Maker",
            ] { #expect(lines.contains(line), "\(line)") }
            let pairs = lines.filter { $0.contains("FOREIGN KEY") && !$0.hasPrefix("product FOREIGN") }
            #expect(pairs.count == 2 && pairs.contains { $0.contains("REFERENCES product(z_pk)") })
            #expect(
                lines.contains { $0.hasPrefix("product product_code_check CHECK") && $0.contains("<= 8") }, "\(lines)")
        }
    }

    @Test func aStoreWithoutConstraintsHasDefaultsOnly() throws {
        var options = PostgreSQLOptions()
        options.hasConstraints = false
        try ServerStack.with(model: Self.model(), options: [PostgreSQLStore.optionsOption: options]) { stack in
            let lines = try ServerRules.lines(of: stack.schema)
            #expect(lines.contains("product stock 3 -- Product.stock -- Product, Book"))
            #expect(!lines.contains { $0.contains("CHECK") || $0.contains("FOREIGN KEY") })
        }
        #expect(try AddressSettings(["constraints": "off"]) { PostgreSQLError(.other, $0) }.hasConstraints == false)
        #expect(throws: PostgreSQLError.self) {
            try AddressSettings(["constraints": "no"]) { PostgreSQLError(.other, $0) }
        }
    }

    /// Saves write their rows in an order in which no constraint is in the way, and two rows may exchange unique values that
    /// have to be there and have limits.
    @Test func savesFulfillTheConstraints() throws {
        try ServerStack.with(model: Self.model()) { stack in
            try stack.inContext { context in
                let makers = (0..<2).map { _ in
                    NSEntityDescription.insertNewObject(forEntityName: "Maker", into: context)
                }
                let label = NSEntityDescription.insertNewObject(forEntityName: "Label", into: context)
                let products = ["12345678", "23456789", "👩‍👩‍👧"].map { Self.product($0, makers[0], context) }
                let book = Self.product("book", makers[1], context, entity: "Book")
                book.setValue("1-23", forKey: "isbn")
                for product in products + [book] { product.mutableSetValue(forKey: "labels").add(label) }
                try context.save()
                let codes = products.map { $0.value(forKey: "code") }
                for (index, product) in products.enumerated() {
                    product.setValue(codes[(index + 1) % 3], forKey: "code")
                }
                makers[0].setValue("Other", forKey: "name")
                try context.save()
                let versions = try stack.rows("SELECT code, z_opt::text FROM product WHERE z_ent = 3 ORDER BY z_pk")
                #expect(versions.map(\.[1]) == ["2", "2", "2"])
                #expect(versions.map(\.[0]) == [1, 2, 0].map { codes[$0] as? String })
                products[0].setValue(codes[0], forKey: "code")
                products[2].setValue(codes[1], forKey: "code")
                try context.save()
                #expect(makers[0].value(forKey: "productCount") as? Int == 3)
                // Members go with their maker, and to another one.
                products[1].setValue(makers[1], forKey: "maker")
                context.delete(makers[0])
                context.delete(label)
                try context.save()
                #expect(try stack.rows("SELECT count(*)::text FROM product") == [["2"]])
                #expect(try stack.rows("SELECT count(*)::text FROM label_products") == [["0"]])
            }
        }
    }

    /// Validation is not asked by batch requests; the server is.
    @Test func whatABatchRequestBreaksIsAValidationErrorWithEntityAndKey() throws {
        try ServerStack.with(model: Self.model()) { stack in
            try stack.inContext { context in
                let maker = NSEntityDescription.insertNewObject(forEntityName: "Maker", into: context)
                _ = Self.product("a", maker, context)
                try context.save()
                func error(_ key: String, _ value: Any?) -> CocoaError? {
                    let request = NSBatchUpdateRequest(entityName: "Product")
                    request.propertiesToUpdate = [key: value ?? NSNull()]
                    return #expect(throws: CocoaError.self) { try context.execute(request) }
                }
                let cases: [(String, Any?, Int)] = [
                    ("code", nil, NSValidationMissingMandatoryPropertyError),
                    ("code", "123456789", NSManagedObjectValidationError),
                    ("stock", -1, NSManagedObjectValidationError), ("weight", 1.75, NSManagedObjectValidationError),
                ]
                for (key, value, code) in cases {
                    let error = error(key, value)
                    #expect(error?.code.rawValue == code, "\(key)")
                    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == key)
                    #expect(error?.localizedDescription.contains("Product") == true)
                }
                let insert = NSBatchInsertRequest(entityName: "Maker", objects: [["name": "B"], ["name": NSNull()]])
                let missing = #expect(throws: CocoaError.self) { try context.execute(insert) }
                #expect(missing?.userInfo[NSValidationKeyErrorKey] as? String == "name")
                #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Maker")) == 1)
                #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Product")) == 1)
            }
        }
    }

    /// Limits belong to no version, so that programs that have others open the same store.
    @Test func aCheckThatAnotherModelDoesNotHaveIsTakenAway() throws {
        try ServerStack.with(model: Self.model()) { stack in
            let other = try ServerStack(model: Self.model(longestCode: 9), schema: stack.schema)
            defer { other.close() }
            try other.inContext { context in
                let maker = NSEntityDescription.insertNewObject(forEntityName: "Maker", into: context)
                _ = Self.product("123456789", maker, context)
                try context.save()
            }
            let lines = try ServerRules.lines(of: stack.schema)
            #expect(!lines.contains { $0.contains("product_code_check") })
            #expect(lines.contains { $0.contains("product_stock_check") })
        }
    }
}
#endif
