#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Saves of so many rows that the server carries out the first while the values of the others are made.
@Suite(.needsServer, .serialized) struct LargeSaveTests {
    private static let count = SaveStatements.leastLateRows * 2 + 345

    @discardableResult
    private func insert(_ count: Int, _ author: String, _ context: NSManagedObjectContext) -> [NSManagedObject] {
        let owner = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        owner.setValue(author, forKey: "name")
        return (0..<count).map { number in
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue("\(author) \(number)", forKey: "title")
            book.setValue(number, forKey: "pages")
            if number % 3 == 0 { book.setValue("i\(number)", forKey: "isbn") }
            book.setValue(Date(timeIntervalSinceReferenceDate: Double(number) + 0.1234567), forKey: "published")
            book.setValue(owner, forKey: "author")
            return book
        }
    }

    private func counts(_ stack: ServerStack) throws -> [[String]] {
        try stack.rows(
            "SELECT a.name, count(b.z_pk)::text, sum(b.pages)::text, count(b.isbn)::text FROM author a "
                + "JOIN book b ON b.author = a.z_pk GROUP BY 1 ORDER BY 1")
    }

    private static func expected(_ author: String, _ count: Int = count) -> [String] {
        [author, "\(count)", "\(count * (count - 1) / 2)", "\((count + 2) / 3)"]
    }

    @Test(arguments: [false, true]) func rowsStandInTheirColumns(records: Bool) throws {
        try ServerStack.with(options: [NSPersistentHistoryTrackingKey: records]) { stack in
            try stack.inContext { context in
                let books = insert(Self.count, "Ann", context)
                _ = stack.statements.take()
                try context.save()
                let inserts = stack.statements.take().filter { $0.contains("\"book\"") && $0.hasPrefix("INSERT") }
                // The same text for all, so that it is prepared once.
                #expect(inserts.count > 1 && Set(inserts).count == 1)
                #expect(!context.hasChanges)
                // Moments are kept in microseconds, and shown so.
                let shown = try #require(books[7].value(forKey: "published") as? Date)
                #expect(shown.timeIntervalSinceReferenceDate == 7.123457)
                for (number, book) in books.enumerated() { book.setValue(number + 1, forKey: "pages") }
                try context.save()
                let updates = stack.statements.take().filter { $0.contains("UPDATE") && $0.contains("\"book\"") }
                #expect(updates.count > 1 && Set(updates).count == 1)
            }
            let count = Self.count
            #expect(
                try counts(stack) == [
                    ["Ann", "\(count)", "\(count * (count + 1) / 2)", "\((count + 2) / 3)"]
                ])
            #expect(
                try stack.rows(
                    "SELECT count(*)::text FROM book WHERE title = 'Ann ' || (pages - 1) AND z_opt = 2 AND in_print "
                        + "AND isbn IS NOT DISTINCT FROM CASE WHEN (pages - 1) % 3 = 0 THEN 'i' || (pages - 1) END")
                    == [["\(count)"]])
            if records {
                #expect(try stack.rows("SELECT count(*)::text FROM ocd_change") == [["\(count * 2 + 1)"]])
            }
        }
    }

    @Test(arguments: [0, 249, 250, 1_499, 2_344]) func aValueThatCannotBeStoredLeavesNothing(row: Int) throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                let books = insert(Self.count, "Ann", context)
                books[row].setValue("a\u{0}b", forKey: "title")
                for _ in 0..<2 {
                    let error = #expect(throws: CocoaError.self) { try context.save() }
                    #expect(error?.code.rawValue == NSManagedObjectValidationError)
                    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "title")
                    #expect(try stack.rows("SELECT count(*)::text FROM book") == [["0"]])
                    #expect(context.insertedObjects.count == Self.count + 1)
                }
                books[row].setValue("Ann \(row)", forKey: "title")
                try context.save()
            }
            #expect(try counts(stack) == [Self.expected("Ann")])
        }
    }

    @Test func aSaveAmongOthersThatTakeEffectTogetherIsUndoneAlone() throws {
        try ServerStack.with { stack in
            let store = try #require(stack.coordinator.persistentStores.first as? PostgreSQLStore)
            try store.savingTogether {
                try stack.inContext { context in
                    insert(Self.count, "Ann", context)
                    try context.save()
                }
                stack.inContext { context in
                    let books = insert(Self.count, "Bob", context)
                    books[2_000].setValue("a\u{0}b", forKey: "title")
                    #expect(throws: CocoaError.self) { try context.save() }
                    books[2_000].setValue("b", forKey: "title")
                    books[0].setValue("a\u{0}b", forKey: "title")
                    #expect(throws: CocoaError.self) { try context.save() }
                }
                try stack.inContext { context in
                    insert(3, "Cy", context)
                    try context.save()
                }
            }
            #expect(try counts(stack) == [Self.expected("Ann"), Self.expected("Cy", 3)])
        }
    }

    @Test func aRowThatChangedMeanwhileIsAConflictAndNothingIsWritten() throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                let books = insert(Self.count, "Ann", context)
                try context.save()
                _ = try stack.rows("UPDATE book SET pages = -5, z_opt = 2 WHERE title = 'Ann 1800'")
                for book in books { book.setValue(1, forKey: "pages") }
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.code.rawValue == NSManagedObjectMergeError)
                #expect(try stack.rows("SELECT count(*)::text FROM book WHERE pages = 1 AND z_opt = 2") == [["0"]])
                context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
                try context.save()
                #expect(!context.hasChanges)
            }
            #expect(try stack.rows("SELECT DISTINCT pages::text FROM book") == [["1"]])
        }
    }

    @Test func aTakenUniqueValueIsFoundInAnyRow() throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                let label = NSEntityDescription.insertNewObject(forEntityName: "Label", into: context)
                label.setValue("l1700", forKey: "name")
                try context.save()
            }
            stack.inContext { context in
                for number in 0..<Self.count {
                    NSEntityDescription.insertNewObject(forEntityName: "Label", into: context)
                        .setValue("l\(number)", forKey: "name")
                }
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
            }
            #expect(try stack.rows("SELECT count(*)::text FROM label") == [["1"]])
        }
    }

    /// More than sockets and libpq put aside.
    @Test func largeValuesGoThrough() throws {
        try ServerStack.with { stack in
            let text = String(repeating: "abcdefghij", count: 2_500)
            try stack.inContext { context in
                for (number, book) in insert(Self.count, "Ann", context).enumerated() {
                    book.setValue("\(number)" + text, forKey: "isbn")
                }
                try context.save()
            }
            #expect(
                try stack.rows(
                    "SELECT count(*)::text FROM book WHERE isbn = pages || repeat('abcdefghij', 2500)")
                    == [["\(Self.count)"]])
        }
    }

    /// With a history, in which a commit can be found whose answer is lost.
    @Test func aSaveIsCutAtEachMessageAndIsThereOnce() throws {
        var parts = try #require(URLComponents(string: TestServer.url ?? ""))
        let proxy = try CuttingProxy(toPort: UInt16(parts.port ?? 0))
        defer { proxy.close() }
        parts.port = Int(proxy.port)
        let recording: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        try ServerStack.with(options: recording) { stack in
            parts.queryItems = [
                URLQueryItem(name: "sslmode", value: "disable"), URLQueryItem(name: "schema", value: stack.schema),
            ]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            try coordinator.addPersistentStore(
                ofType: PostgreSQLStore.type, configurationName: nil, at: parts.url, options: recording)
            var cuts = 0
            for direction in [CuttingProxy.Direction.toServer, .toClient] {
                for messages in stride(from: 0, to: 200, by: 3) {
                    let name = "\(direction) \(messages)"
                    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                    context.persistentStoreCoordinator = coordinator
                    try context.performAndWait {
                        // There is a connection then, which is cut and not refused.
                        insert(1, "before " + name, context)
                        try context.save()
                        insert(SaveStatements.leastLateRows, name, context)
                        proxy.arm(direction, after: messages, inMiddle: messages % 2 == 1)
                        try context.save()
                    }
                    let wasCut = !proxy.disarm()
                    let rows = try stack.rows(
                        "SELECT count(*)::text FROM book WHERE title LIKE '\(name) %'")
                    #expect(rows == [["\(SaveStatements.leastLateRows)"]], "\(name)")
                    guard wasCut else { break }
                    cuts += 1
                }
            }
            #expect(cuts > 10)
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
    }
}
#endif
