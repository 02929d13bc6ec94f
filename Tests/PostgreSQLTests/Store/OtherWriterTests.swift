#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Other programs write the tables of a store, by the rules that the documentation gives.
@Suite(.needsServer) struct OtherWriterTests {
    private func psql(_ schema: String, _ script: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["psql", try #require(TestServer.url), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        input.fileHandleForWriting.write(Data("SET search_path = \(schema);\n\(script)\n".utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func names(_ context: NSManagedObjectContext) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Product")
        request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
        context.refreshAllObjects()
        return try context.fetch(request).map { "\($0.value(forKey: "code") ?? "") \($0.entity.name ?? "")" }
    }

    @Test func psqlInsertsUpdatesAndDeletesByTheDocumentedRules() throws {
        try ServerStack.with(model: TableRuleTests.model()) { stack in
            try stack.inContext { context in
                let maker = NSEntityDescription.insertNewObject(forEntityName: "Maker", into: context)
                let label = NSEntityDescription.insertNewObject(forEntityName: "Label", into: context)
                let own = TableRuleTests.product("own", maker, context)
                own.mutableSetValue(forKey: "labels").add(label)
                try context.save()
                let written = try psql(
                    stack.schema,
                    """
                    INSERT INTO maker DEFAULT VALUES;
                    INSERT INTO product (z_ent, code, maker) SELECT 3, 'other', MAX(z_pk) FROM maker;
                    INSERT INTO product (z_ent, code, isbn, maker) SELECT 4, 'book', '1-2', MAX(z_pk) FROM maker;
                    INSERT INTO label_products (labels, products) SELECT l.z_pk, p.z_pk FROM label l, product p WHERE code = 'book';
                    UPDATE product SET stock = 9, z_opt = z_opt + 1 WHERE code = 'own';
                    SELECT MIN(z_pk) FROM product WHERE code <> 'own';
                    """)
                #expect(written.status == 0 && written.output == "\(PostgreSQLSchema.firstForeignKey)", "\(written)")
                // What was changed by others meets what is changed here.
                own.setValue(5, forKey: "stock")
                let conflict = #expect(throws: CocoaError.self) { try context.save() }
                #expect(conflict?.code.rawValue == NSManagedObjectMergeError)
                context.rollback()
                #expect(try names(context) == ["book Book", "other Product", "own Product"])
                #expect(own.value(forKey: "stock") as? Int == 9)
                #expect(label.mutableSetValue(forKey: "products").count == 2)
                // Objects are saved beside the others' rows, and those can be changed.
                for product in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Product")) {
                    product.setValue(1, forKey: "stock")
                }
                _ = TableRuleTests.product("next", maker, context)
                try context.save()
                let deleted = try psql(
                    stack.schema,
                    """
                    DELETE FROM label_products USING product WHERE code = 'book' AND z_pk = products;
                    DELETE FROM product WHERE code = 'book';
                    """)
                #expect(deleted.status == 0, "\(deleted)")
                #expect(try names(context) == ["next Product", "other Product", "own Product"])
                for wrong in [
                    "INSERT INTO product (z_ent, code, maker) VALUES (4, 'x', 1)",
                    "INSERT INTO product (z_ent, code, maker) VALUES (3, 'x', 99)",
                    "INSERT INTO product (z_ent, maker) VALUES (3, 1)",
                    "UPDATE product SET stock = -1", "DELETE FROM label",
                ] { #expect(try psql(stack.schema, wrong + ";").status != 0, "\(wrong)") }
                let findings = try PostgreSQLStore.findings(
                    inStoreAt: stack.url, model: TableRuleTests.model(), options: nil
                ) { _, _ in }
                #expect(findings.isEmpty, "\(findings)")
            }
        }
    }

    @Test func triggersGiveVersionsAndAHistoryToWhatOthersWrite() throws {
        var options = PostgreSQLOptions()
        options.recordsOtherWriters = true
        try ServerStack.with(
            model: TableRuleTests.model(),
            options: [PostgreSQLStore.optionsOption: options, NSPersistentHistoryTrackingKey: true]
        ) { stack in
            try stack.inContext { context in
                let maker = NSEntityDescription.insertNewObject(forEntityName: "Maker", into: context)
                let own = TableRuleTests.product("own", maker, context)
                try context.save()
                own.setValue(4, forKey: "stock")
                try context.save()
                #expect(try stack.rows("SELECT z_opt::text FROM product") == [["2"]])
                let before = try stack.rows("SELECT count(*)::text FROM ocd_change")
                let written = try psql(
                    stack.schema,
                    """
                    BEGIN;
                    INSERT INTO product (z_ent, code, maker) SELECT 3, 'a' || n, z_pk FROM maker, generate_series(1, 2) AS n;
                    UPDATE product SET stock = 7, weight = 1 WHERE code = 'own';
                    DELETE FROM product WHERE code = 'a2';
                    COMMIT;
                    """)
                #expect(written.status == 0, "\(written)")
                #expect(try stack.rows("SELECT z_opt::text FROM product WHERE code = 'own'") == [["3"]])
                own.setValue(5, forKey: "stock")
                #expect(throws: CocoaError.self) { try context.save() }
                context.rollback()
                let changes = try stack.rows(
                    """
                    SELECT c.type::text, c.entity::text, c.columns, t.process FROM ocd_change c
                    JOIN ocd_transaction t USING (number) WHERE t.process = 'psql' ORDER BY c.ordinal
                    """)
                #expect(
                    changes == [
                        ["0", "3", "NULL", "psql"], ["0", "3", "NULL", "psql"], ["1", "3", "stock,weight", "psql"],
                        ["2", "3", "NULL", "psql"],
                    ])
                #expect(before == [["3"]])
                // The history names the objects as for any save.
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
                var found: [NSPersistentHistoryChange] = []
                for _ in 0..<500 where found.count < 4 {
                    let result = try context.execute(request) as? NSPersistentHistoryResult
                    let all = try #require(result?.result as? [NSPersistentHistoryTransaction])
                    found = all.filter { $0.processID == "psql" }.flatMap { $0.changes ?? [] }
                    usleep(20_000)
                }
                #expect(found.map(\.changeType) == [.insert, .insert, .update, .delete])
                #expect(Set(found[2].updatedProperties?.map(\.name) ?? []) == ["stock", "weight"])
                #expect(found[2].changedObjectID == own.objectID)
            }
        }
    }
}
#endif
