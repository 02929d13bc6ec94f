#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// A migration gives tables the constraints, defaults and comments that a new store of the model has.
@Suite(.needsServer) struct MigratedRuleTests {
    private static var migrating: [AnyHashable: Any] {
        [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
    }

    /// Renamed entities and attributes, one that isn't required any more, one that is now, and other defaults and limits.
    private static func changed() -> NSManagedObjectModel {
        let model = TableRuleTests.model(longestCode: 20)
        let entities = model.entitiesByName
        entities["Maker"]?.name = "Company"
        entities["Maker"]?.renamingIdentifier = "Maker"
        let product = entities["Product"]
        product?.attributesByName["stock"]?.renamingIdentifier = "stock"
        product?.attributesByName["stock"]?.defaultValue = 8
        product?.attributesByName["stock"]?.attributeType = .integer64AttributeType
        product?.attributesByName["stock"]?.name = "amount"
        product?.attributesByName["weight"]?.isOptional = false
        product?.attributesByName["weight"]?.defaultValue = 0.5
        product?.properties.append(
            LibraryModel.attribute("color", .stringAttributeType, optional: false, default: "red"))
        entities["Book"]?.attributesByName["isbn"]?.isOptional = true
        return model
    }

    private func fill(_ stack: ServerStack) throws {
        try stack.inContext { context in
            let maker = NSEntityDescription.insertNewObject(forEntityName: "Maker", into: context)
            let label = NSEntityDescription.insertNewObject(forEntityName: "Label", into: context)
            for index in 0..<3 {
                let product = TableRuleTests.product("p\(index)", maker, context)
                product.mutableSetValue(forKey: "labels").add(label)
            }
            try context.save()
        }
    }

    /// What a store of an earlier version of the library has: neither constraints nor keys for others.
    private func takeRulesAway(_ stack: ServerStack) throws {
        let tables = ["product", "maker", "label"]
        let commands = try stack.rows(
            """
            SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname) FROM pg_constraint c
            WHERE c.connamespace = current_schema()::regnamespace AND c.contype = 'c'
                AND c.conrelid::regclass::text IN ('product', 'maker', 'label')
            UNION ALL
            SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname) FROM pg_constraint c
            WHERE c.connamespace = current_schema()::regnamespace AND c.contype = 'f'
                AND c.conrelid::regclass::text = 'label_products'
            """
        ).map(\.[0])
        let more =
            ["code", "stock"].map { "ALTER TABLE product ALTER COLUMN \($0) DROP NOT NULL" }
            + [
                "ALTER TABLE product ALTER COLUMN stock DROP DEFAULT",
                "ALTER TABLE maker ALTER COLUMN name DROP NOT NULL",
            ]
            + tables.map {
                "ALTER TABLE \($0) ALTER z_pk DROP IDENTITY, ALTER z_ent DROP DEFAULT, ALTER z_opt DROP DEFAULT"
            }
        let connection = try TestServer.connect()
        defer { connection.close() }
        try connection.runScript(
            "SET search_path = \(stack.schema); " + (commands + more).joined(separator: "; "))
    }

    @Test(arguments: [false, true]) func theRulesAreThoseOfANewStore(isOld: Bool) throws {
        try ServerStack.with(model: TableRuleTests.model()) { stack in
            try fill(stack)
            if isOld { try takeRulesAway(stack) }
            stack.close()
            let migrated = try ServerStack(model: Self.changed(), schema: stack.schema, options: Self.migrating)
            defer { migrated.close() }
            try ServerStack.with(model: Self.changed()) { new in
                let rules = try ServerRules.lines(of: new.schema, hasNumbers: false)
                #expect(rules.contains("product color NOT NULL 'red'::text -- Product.color -- Product, Book"))
                #expect(
                    rules.contains("product weight NOT NULL '0.5'::double precision -- Product.weight -- Product, Book")
                )
                #expect(try ServerRules.lines(of: stack.schema, hasNumbers: false) == rules)
            }
            try migrated.inContext { context in
                let products = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Product"))
                #expect(products.count == 3 && products.allSatisfy { $0.value(forKey: "color") as? String == "red" })
                products.first?.setValue("a longer code", forKey: "code")
                try context.save()
            }
        }
    }

    @Test func aVersionThatOnlyAddsAddsTheRules() throws {
        try ServerStack.with(model: TableRuleTests.model()) { stack in
            try fill(stack)
            try takeRulesAway(stack)
            func wider() -> NSManagedObjectModel {
                let model = TableRuleTests.model()
                model.entitiesByName["Maker"]?.properties.append(
                    LibraryModel.attribute("city", .stringAttributeType, optional: false, default: "Ulm"))
                return model
            }
            let migrated = try ServerStack(model: wider(), schema: stack.schema, options: Self.migrating)
            defer { migrated.close() }
            try ServerStack.with(model: wider()) { (new: ServerStack) throws -> Void in
                #expect(try ServerRules.lines(of: stack.schema) == ServerRules.lines(of: new.schema))
            }
            // The program of the version before works on.
            try stack.inContext { context in
                _ = NSEntityDescription.insertNewObject(forEntityName: "Maker", into: context)
                try context.save()
            }
            #expect(try stack.rows("SELECT DISTINCT city FROM maker") == [["Ulm"]])
        }
    }

    /// The migration succeeds, and the table has no constraint that its rows break.
    @Test func aRuleThatRowsBreakIsLeftOut() throws {
        try ServerStack.with(model: TableRuleTests.model()) { stack in
            try fill(stack)
            try takeRulesAway(stack)
            _ = try stack.rows("UPDATE maker SET name = NULL RETURNING '1'")
            _ = try stack.rows("UPDATE product SET stock = -5 WHERE code = 'p1' RETURNING '1'")
            _ = try stack.rows("INSERT INTO label_products (products, labels) VALUES (1, 99) RETURNING '1'")
            stack.close()
            let model = TableRuleTests.model()
            model.entitiesByName["Label"]?.properties.append(
                LibraryModel.attribute("color", .stringAttributeType, optional: false, default: "red"))
            let migrated = try ServerStack(model: model, schema: stack.schema, options: Self.migrating)
            defer { migrated.close() }
            let lines = try ServerRules.lines(of: stack.schema)
            #expect(!lines.contains { $0.contains("product_stock_check") || $0.contains("NOT VALID") })
            #expect(lines.contains { $0.hasPrefix("product product_code_check") })
            #expect(lines.contains("product stock NOT NULL 3 -- Product.stock -- Product, Book"))
            #expect(lines.contains("maker name 'it''s new'::text -- Maker.name -- Maker"))
            // What is computed of such rows is written.
            try migrated.inContext { context in
                let maker = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Maker")).first)
                maker.setValue("N", forKey: "name")
                _ = TableRuleTests.product("new", maker, context)
                try context.save()
                #expect(maker.value(forKey: "productCount") as? Int == 4)
            }
        }
    }
}
#endif
