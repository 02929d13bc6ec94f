#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer) struct SavingTests {
    private func book(_ title: String, in context: NSManagedObjectContext) -> NSManagedObject {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        return book
    }

    @Test func rowsStandInTablesWithNaturalNames() throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                let book = book("Emma", in: context)
                book.setValue(474, forKey: "pages")
                book.setValue(Decimal(string: "12345678901234567890.123456789"), forKey: "cost")
                book.setValue(UUID(uuidString: "11111111-2222-3333-4444-555555555555"), forKey: "identifier")
                book.setValue(Date(timeIntervalSinceReferenceDate: 0.25), forKey: "published")
                let novel = NSEntityDescription.insertNewObject(forEntityName: "GraphicNovel", into: context)
                novel.setValue("Maus", forKey: "title")
                novel.setValue(true, forKey: "isColored")
                try context.save()
            }
            #expect(
                try stack.rows(
                    "SELECT title, pages::text, cost::text, identifier::text, in_print::text, "
                        + "(published AT TIME ZONE 'UTC')::text, z_opt::text FROM book WHERE title = 'Emma'") == [
                        [
                            "Emma", "474", "12345678901234567890.123456789",
                            "11111111-2222-3333-4444-555555555555", "true", "2001-01-01 00:00:00.25", "1",
                        ]
                    ])
            #expect(
                try stack.rows(
                    "SELECT e.name FROM book b JOIN ocd_entity e ON e.number = b.z_ent ORDER BY b.title") == [
                        ["Book"], ["GraphicNovel"],
                    ])
            try stack.inContext { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.predicate = NSPredicate(format: "title == %@", "Emma")
                let book = try #require(try context.fetch(request).first)
                #expect(book.value(forKey: "cost") as? Decimal == Decimal(string: "12345678901234567890.123456789"))
            }
        }
    }

    @Test func aRowThatIsStillReferredToIsAConflictAndTheContextGoesOn() throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                author.setValue("Jane", forKey: "name")
                try context.save()
                #expect((author.value(forKey: "books") as? Set<NSManagedObject>)?.isEmpty == true)
                // Not by a program of this kind, which would have raised the author's version.
                _ = try stack.rows(
                    "INSERT INTO book (z_pk, z_ent, z_opt, title, author) SELECT 900, e.number, 1, 'Emma', a.z_pk "
                        + "FROM ocd_entity e, author a WHERE e.name = 'Book'")
                context.delete(author)
                let error = try #require(throws: CocoaError.self) { try context.save() }
                #expect(error.code.rawValue == NSPersistentStoreSaveConflictsError)
                #expect((error.underlying as? PostgreSQLError)?.kind == .foreignKeyViolation)
                #expect(error.localizedDescription.contains("book"))
                #expect(try stack.rows("SELECT count(*)::text FROM author") == [["1"]])
                context.rollback()
                context.refreshAllObjects()
                context.delete(author)
                try context.save()
                #expect(try stack.rows("SELECT title, author::text FROM book") == [["Emma", "NULL"]])
            }
        }
    }

    @Test func aSaveWithoutConflictIsOneRoundTripWithAStatementForEachKindOfChange() throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                let books = (0..<100).map { book("Book \($0)", in: context) }
                try context.save()
                let inserts = stack.statements.take().filter { $0.hasPrefix("INSERT") && $0.contains("\"book\"") }
                #expect(inserts.count == 1)
                for book in books { book.setValue(7, forKey: "pages") }
                try context.save()
                let sent = stack.statements.take()
                // One asks for the number of the transaction, and whether the version of the model is still there.
                #expect(sent.count == 4, "\(sent)")
                #expect(sent.first == "BEGIN" && sent.last == "COMMIT")
            }
            #expect(try stack.rows("SELECT count(*)::text FROM book WHERE pages = 7 AND z_opt = 2") == [["100"]])
        }
    }

    @Test func aRowThatChangedMeanwhileIsAConflict() throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                _ = book("Emma", in: context)
                try context.save()
            }
            let (first, second) = (stack.context(), stack.context())
            func fetched(_ context: NSManagedObjectContext) throws -> NSManagedObject {
                try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first)
            }
            try first.performAndWait { try fetched(first).setValue(1, forKey: "pages") }
            try second.performAndWait {
                let book = try fetched(second)
                book.setValue(2, forKey: "pages")
                try second.save()
            }
            try first.performAndWait {
                let error = #expect(throws: CocoaError.self) { try first.save() }
                let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
                #expect(conflicts?.count == 1)
                #expect(conflicts?.first?.persistedSnapshot?["pages"] as? Int == 2)
                first.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                try first.save()
            }
            #expect(try stack.rows("SELECT pages::text FROM book") == [["1"]])
        }
    }

    @Test func uniqueValuesOfAnotherRowAreAConstraintConflict() throws {
        try ServerStack.with { stack in
            func label(_ name: String, _ context: NSManagedObjectContext) {
                NSEntityDescription.insertNewObject(forEntityName: "Label", into: context)
                    .setValue(name, forKey: "name")
            }
            try stack.inContext { context in
                label("a", context)
                label("b", context)
                try context.save()
            }
            stack.inContext { context in
                label("a", context)
                let error = #expect(throws: CocoaError.self) { try context.save() }
                let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
                #expect(conflicts?.first?.constraint == ["name"])
                #expect(conflicts?.first?.databaseObject != nil)
            }
            // Rows that exchange their values are no conflict.
            try stack.inContext { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Label")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                let labels = try context.fetch(request)
                labels[0].setValue("b", forKey: "name")
                labels[1].setValue("a", forKey: "name")
                try context.save()
            }
            #expect(try stack.rows("SELECT name FROM label ORDER BY z_pk") == [["b"], ["a"]])
        }
    }

    @Test func aSaveThatFailsLeavesNothingBehind() throws {
        try ServerStack.with { stack in
            stack.inContext { context in
                _ = book("whole", in: context)
                _ = book("with \u{0} in it", in: context)
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.code.rawValue == NSManagedObjectValidationError)
                #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "title")
                #expect(error?.localizedDescription.contains("title") == true)
            }
            let count = try stack.rows("SELECT count(*)::text FROM book")
            #expect(count == [["0"]])
        }
    }

    @Test func aDateIsRoundedToMicrosecondsInObjectAndRow() throws {
        try ServerStack.with { stack in
            let given = Date(timeIntervalSinceReferenceDate: 700_000_000.123_456_789)
            try stack.inContext { context in
                let book = book("dated", in: context)
                book.setValue(given, forKey: "published")
                try context.save()
                let kept = try #require(book.value(forKey: "published") as? Date)
                #expect(abs(kept.timeIntervalSince(given)) < 1e-6)
                context.refreshAllObjects()
                #expect(book.value(forKey: "published") as? Date == kept)
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.predicate = NSPredicate(format: "published == %@", kept as NSDate)
                #expect(try context.count(for: request) == 1)
                request.predicate = NSPredicate(format: "published < %@", given.addingTimeInterval(1e-4) as NSDate)
                #expect(try context.count(for: request) == 1)
            }
        }
    }

    @Test(arguments: [
        ("title", "" as any Sendable), ("title", "naïve 日本 \u{1F600} 'quoted' \"twice\" $1 ? %"),
        ("price", -0.0), ("price", Double.infinity), ("price", Double.leastNonzeroMagnitude),
        ("pages", Int(Int32.max)),
        ("pages", Int(Int32.min)), ("published", Date.distantPast), ("published", Date.distantFuture),
        ("cover", Data()), ("cover", Data([0, 255])),
    ])
    func awkwardValuesComeBackAsTheyWere(_ key: String, _ value: any Sendable) throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                let book = book("x", in: context)
                book.setValue(value, forKey: key)
                try context.save()
            }
            try stack.inContext { context in
                let book = try #require(
                    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first)
                let found = book.value(forKey: key)
                #expect("\(found ?? "nil")" == "\(value)")
            }
        }
    }
}
#endif
