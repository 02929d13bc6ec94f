#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Numbers and documents in a store's tables that no program of this kind writes: another program may have.
@Suite(.needsServer) struct DamageTests {
    /// A store with three books on a shelf, and their history.
    private func withBooks(_ body: (ServerStack) throws -> Void) throws {
        try ServerStack.with(options: [NSPersistentHistoryTrackingKey: true]) { stack in
            try stack.inContext { context in
                let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
                let books = (1...3).map { number in
                    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                    book.setValue("Book \(number)", forKey: "title")
                    return book
                }
                shelf.setValue(NSOrderedSet(array: books), forKey: "books")
                try context.save()
            }
            try body(stack)
        }
    }

    private func titles(_ stack: ServerStack) throws -> [[String]] {
        try stack.rows("SELECT title FROM book ORDER BY title")
    }

    private func insert(_ title: String, _ stack: ServerStack) throws {
        try stack.inContext { context in
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue(title, forKey: "title")
            try context.save()
        }
    }

    private func book(_ title: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "title == %@", title)
        return try #require(try context.fetch(request).first)
    }

    private static let three = [["Book 1"], ["Book 2"], ["Book 3"]]

    @Test(arguments: [Int64.max, Int64.max - 1, 0, -5])
    func nothingIsInsertedWithKeysThatAreNone(highest: Int64) throws {
        try withBooks { stack in
            _ = try stack.rows("UPDATE ocd_key SET z_max = \(highest)")
            let other = try ServerStack(
                schema: stack.schema, options: [NSPersistentHistoryTrackingKey: true])
            defer { other.close() }
            #expect(throws: CocoaError.self) { try insert("Book 4", other) }
            #expect(try titles(stack) == Self.three)
        }
    }

    @Test func aVersionAfterWhichThereIsNoneIsAnErrorThatNamesTheRow() throws {
        try withBooks { stack in
            _ = try stack.rows("UPDATE book SET z_opt = 2147483647 WHERE title = 'Book 1'")
            _ = try stack.rows("UPDATE book SET z_opt = -1 WHERE title = 'Book 2'")
            try stack.inContext { context in
                for title in ["Book 1", "Book 2"] {
                    try book(title, context).setValue(1, forKey: "pages")
                    let error = #expect(throws: CocoaError.self) { try context.save() }
                    #expect(error?.localizedDescription.contains("z_opt") == true, "\(error as Any)")
                    context.rollback()
                }
                try book("Book 3", context).setValue(3, forKey: "pages")
                try context.save()
            }
            #expect(
                try stack.rows("SELECT title, pages::text, z_opt::text FROM book ORDER BY title") == [
                    ["Book 1", "0", "2147483647"], ["Book 2", "0", "-1"], ["Book 3", "3", "2"],
                ])
        }
    }

    @Test(arguments: [(Int64.min, Int64.max), (.max, .min), (.max, .max), (0, .max)])
    func anOrderIsWrittenWhateverTheNumbersWere(first: Int64, second: Int64) throws {
        try withBooks { stack in
            _ = try stack.rows("UPDATE book SET shelf_order = \(first) WHERE title = 'Book 1'")
            _ = try stack.rows("UPDATE book SET shelf_order = \(second) WHERE title <> 'Book 1'")
            try stack.inContext { context in
                let shelf = try #require(
                    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).first)
                let books = try ["Book 3", "Book 1", "Book 2"].map { try book($0, context) }
                shelf.setValue(NSOrderedSet(array: books), forKey: "books")
                try context.save()
            }
            #expect(
                try stack.rows("SELECT title FROM book ORDER BY shelf_order") == [
                    ["Book 3"], ["Book 1"], ["Book 2"],
                ])
        }
    }

    @Test(arguments: [
        "type = 77", "type = -1", "entity = 99", "entity = -1", "reference = -1", "columns = 'nosuch,,'",
        "tombstone = 'no JSON'", "ordinal = -ordinal",
    ])
    func damagedHistoryIsRead(damage: String) throws {
        try withBooks { stack in
            _ = try stack.rows("UPDATE ocd_change SET \(damage)")
            try stack.waitForOlderTransactions()
            let transactions = try stack.inContext { context in
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
                let result = try context.execute(request) as? NSPersistentHistoryResult
                return try #require(result?.result as? [NSPersistentHistoryTransaction])
            }
            #expect(transactions.count == 1)
            #expect((transactions.first?.changes?.count ?? 0) <= 4)
        }
    }

    @Test func damagedMetadataIsAnError() throws {
        try withBooks { stack in
            for damage in ["\\x", "\\x00", "\\x62706c6973743030ffffffff"] {
                _ = try stack.rows("UPDATE ocd_store SET plist = '\(damage)'")
                let error = #expect(throws: CocoaError.self) { try ServerStack(schema: stack.schema) }
                #expect(error?.code == .fileReadCorruptFile, "\(damage): \(error as Any)")
            }
        }
    }

    /// As from a file, such rows are left out of what is fetched.
    @Test(arguments: ["z_ent = 99", "z_ent = -1", "z_ent = 0", "z_pk = -z_pk"])
    func strayRowsAreLeftOut(damage: String) throws {
        try withBooks { stack in
            _ = try stack.rows("UPDATE book SET \(damage) WHERE title = 'Book 2'")
            try stack.inContext { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                let found = try context.fetch(request).map { $0.value(forKey: "title") as? String ?? "" }.sorted()
                #expect(found == ["Book 1", "Book 3"])
                try book("Book 1", context).setValue(7, forKey: "pages")
                try context.save()
            }
            #expect(try stack.rows("SELECT pages::text FROM book WHERE title = 'Book 1'") == [["7"]])
        }
    }

    /// Nor do they count, or stand in the position of another one.
    @Test(arguments: ["z_ent = 99", "z_ent = -1", "z_ent = 0", "z_pk = -z_pk"])
    func strayRowsAreInNoAnswer(damage: String) throws {
        try withBooks { stack in
            _ = try stack.rows("UPDATE book SET \(damage) WHERE title = 'Book 2'")
            let before = try stack.rows("SELECT b::text FROM book b WHERE title = 'Book 2'")
            try stack.inContext { context in
                func request(_ format: String? = nil) -> NSFetchRequest<any NSFetchRequestResult> {
                    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
                    request.predicate = format.map { NSPredicate(format: $0) }
                    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                    return request
                }
                #expect(try context.count(for: request()) == 2)
                #expect(try context.count(for: request("title BEGINSWITH 'Book'")) == 2)
                let window = request()
                (window.fetchOffset, window.fetchLimit) = (1, 1)
                #expect(try context.count(for: window) == 1)
                let found = try context.fetch(window).compactMap {
                    ($0 as? NSManagedObject)?.value(forKey: "title")
                }
                #expect(found as? [String] == ["Book 3"])
                let identifiers = request()
                identifiers.resultType = .managedObjectIDResultType
                #expect(try context.fetch(identifiers).count == 2)
                let count = NSExpressionDescription()
                count.name = "count"
                count.expression = NSExpression(format: "count:(title)")
                count.expressionResultType = .integer64AttributeType
                let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Book")
                dictionaries.resultType = .dictionaryResultType
                dictionaries.propertiesToFetch = [count]
                #expect(try context.fetch(dictionaries).first?["count"] as? Int == 2)
                dictionaries.propertiesToFetch = ["title"]
                #expect(try context.fetch(dictionaries).count == 2)
                let update = NSBatchUpdateRequest(entityName: "Book")
                update.propertiesToUpdate = ["pages": 9]
                update.resultType = .updatedObjectsCountResultType
                #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 2)
                let delete = NSBatchDeleteRequest(fetchRequest: request())
                delete.resultType = .resultTypeCount
                #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 2)
            }
            #expect(try stack.rows("SELECT b::text FROM book b") == before)
        }
    }

    @Test func entitiesMayHaveTheNamesOfTheStoresOwnTables() throws {
        let model = NSManagedObjectModel()
        model.entities = ["OcdStore", "OcdTransaction", "OcdChange", "OcdKey", "Transaction", "Change"].map {
            name in
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = [LibraryModel.attribute("number", .integer32AttributeType)]
            return entity
        }
        try ServerStack.with(model: model, options: [NSPersistentHistoryTrackingKey: true]) { stack in
            try stack.inContext { context in
                for entity in model.entities {
                    let object = NSEntityDescription.insertNewObject(
                        forEntityName: try #require(entity.name), into: context)
                    object.setValue(3, forKey: "number")
                }
                try context.save()
                context.reset()
                for entity in model.entities {
                    let found = try context.fetch(
                        NSFetchRequest<NSManagedObject>(entityName: try #require(entity.name)))
                    #expect(found.map { $0.value(forKey: "number") as? Int } == [3])
                }
            }
            #expect(try stack.rows("SELECT count(*)::text FROM ocd_change") == [["6"]])
        }
    }
}
#endif
