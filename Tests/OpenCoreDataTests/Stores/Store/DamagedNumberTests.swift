import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Numbers in a store's tables that no store gives out: an error that names the table, or an answer without them.
@Suite(.enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command")) struct DamagedNumberTests {
    private static let maximum = "9223372036854775807"

    /// The file of a store with three books on a shelf, closed, and then damaged.
    private func damaged(
        _ sql: String, model: NSManagedObjectModel = LibraryModel.make(), options: [AnyHashable: Any]? = nil
    ) throws -> TemporaryFolder {
        let stack = try TestStack(model: model, options: options)
        try stack.inContext { context in
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let books = (1...3).map { number in
                let book = Book(context: context)
                book.title = "Book \(number)"
                return book
            }
            shelf.setValue(NSOrderedSet(array: books), forKey: "books")
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        _ = try stack.sqlite(sql)
        return stack.folder
    }

    private func error(_ body: () throws -> Void) -> CocoaError? {
        #expect(throws: CocoaError.self) { try body() }
    }

    private func titles(_ stack: TestStack) throws -> [String] {
        try stack.inContext { try $0.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title).sorted() }
    }

    // MARK: Z_PRIMARYKEY

    @Test(arguments: ["-1", "0", "16000", "2000000000", maximum, "-9223372036854775808"])
    func anEntityNumberThatNoneCanHaveIsAnError(_ number: String) throws {
        let folder = try damaged("UPDATE Z_PRIMARYKEY SET Z_ENT = \(number) WHERE Z_NAME = 'Book'")
        let error = error { _ = try TestStack(folder: folder) }
        #expect(error?.code.rawValue == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedDescription.contains("Book") == true)
        #expect(error?.localizedDescription.contains("Library.sqlite") == true)
        let findings = try StoreChecker.findings(inStoreAt: folder.file("Library.sqlite"), model: LibraryModel.make())
        #expect(findings.contains { $0.kind == .entityNumber && $0.row == Int64(number) })
    }

    @Test(arguments: [
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(maximum) WHERE Z_NAME = 'Book'",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775806 WHERE Z_NAME = 'Book'",
        "UPDATE ZBOOK SET Z_PK = \(maximum) WHERE ZTITLE = 'Book 3'",
    ])
    func whenNoKeysAreLeftNothingIsInserted(_ sql: String) throws {
        let stack = try TestStack(folder: try damaged(sql))
        #expect(try titles(stack) == ["Book 1", "Book 2", "Book 3"])
        let before = try stack.sqlite("SELECT * FROM ZBOOK; SELECT * FROM ZAUTHOR; SELECT * FROM Z_PRIMARYKEY")
        let saving = error {
            try stack.inContext { context in
                Book(context: context).title = "one too many"
                try context.save()
            }
        }
        #expect(saving?.localizedDescription.contains("ZBOOK") == true)
        let batch = error {
            try stack.inContext { context in
                _ = try context.execute(NSBatchInsertRequest(entityName: "Book", objects: [["title": "too many"]]))
            }
        }
        #expect(batch?.localizedDescription.contains("ZBOOK") == true)
        #expect(try stack.sqlite("SELECT * FROM ZBOOK; SELECT * FROM ZAUTHOR; SELECT * FROM Z_PRIMARYKEY") == before)
        let findings = try StoreChecker.findings(inStoreAt: stack.url, model: LibraryModel.make())
        #expect(findings.contains { $0.kind == .primaryKey })
    }

    @Test(arguments: ["-5", "-9223372036854775808", "NULL", "'x'"])
    func aHighestKeyThatIsNoneIsNotBelieved(_ number: String) throws {
        let folder = try damaged(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = \(number); DELETE FROM ZAUTHOR; DELETE FROM ZNOTE")
        let findings = try StoreChecker.findings(inStoreAt: folder.file("Library.sqlite"), model: LibraryModel.make())
        #expect(findings.contains { $0.kind == .primaryKey && $0.table == "Z_PRIMARYKEY" })
        let stack = try TestStack(folder: folder)
        try stack.inContext { context in
            Book(context: context).title = "Book 4"
            Author(context: context).name = "Ada"
            try context.save()
        }
        #expect(try titles(stack) == ["Book 1", "Book 2", "Book 3", "Book 4"])
        #expect(try stack.sqlite("SELECT min(Z_PK) FROM ZBOOK; SELECT min(Z_PK) FROM ZAUTHOR") == "1\n1")
    }

    /// The history's entities have rows in `Z_PRIMARYKEY` too.
    @Test func anEntityMayHaveTheNameOfOneOfTheHistory() throws {
        func model() -> NSManagedObjectModel {
            let change = NSEntityDescription()
            change.name = "CHANGE"
            change.properties = [LibraryModel.attribute("text", .stringAttributeType)]
            let model = NSManagedObjectModel()
            model.entities = [change]
            return model
        }
        let stack = try TestStack(model: model(), options: [NSPersistentHistoryTrackingKey: true])
        try stack.inContext { context in
            NSEntityDescription.insertNewObject(forEntityName: "CHANGE", into: context).setValue("a", forKey: "text")
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        let again = try TestStack(
            model: model(), folder: stack.folder, options: [NSPersistentHistoryTrackingKey: true])
        let texts = try again.inContext { context in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "CHANGE")).map {
                $0.value(forKey: "text") as? String
            }
        }
        #expect(texts == ["a"])
        #expect(try StoreChecker.findings(inStoreAt: again.url, model: model()).map(\.message) == [])
    }

    // MARK: Rows

    @Test func aVersionAfterWhichThereIsNoneIsAnErrorThatNamesTheRow() throws {
        let stack = try TestStack(folder: try damaged("UPDATE ZBOOK SET Z_OPT = \(Self.maximum)"))
        let error = error {
            try stack.inContext { context in
                let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
                for book in books { book.title += "!" }
                try context.save()
            }
        }
        #expect(error?.localizedDescription.contains("ZBOOK") == true)
        #expect(try stack.sqlite("SELECT count(*) FROM ZBOOK WHERE ZTITLE LIKE '%!'") == "0")
        let findings = try StoreChecker.findings(inStoreAt: stack.url, model: LibraryModel.make())
        #expect(findings.filter { $0.kind == .version }.count == 3)
    }

    @Test(arguments: [
        ("-9223372036854775808", maximum), (maximum, "-9223372036854775808"), ("0", maximum), (maximum, maximum),
        ("-9223372036854775808", "-9223372036854775807"), ("'x'", "NULL"), ("1.5", "-1e300"),
    ])
    func anOrderIsWrittenWhateverTheNumbersWere(_ first: String, _ second: String) throws {
        let folder = try damaged(
            """
            UPDATE ZBOOK SET Z_FOK_SHELF = \(first) WHERE ZTITLE = 'Book 1';
            UPDATE ZBOOK SET Z_FOK_SHELF = \(second) WHERE ZTITLE = 'Book 2';
            """)
        let wanted = ["new", "Book 1", "newer", "Book 2", "Book 3", "newest"]
        try TestStack(folder: folder).inContext { context in
            let shelf = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).first)
            let known = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            let books = wanted.map { title -> Book in
                if let book = known.first(where: { $0.title == title }) { return book }
                let book = Book(context: context)
                book.title = title
                return book
            }
            shelf.setValue(NSOrderedSet(array: books), forKey: "books")
            try context.save()
        }
        try TestStack(folder: folder).inContext { context in
            let shelf = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).first)
            let titles = (shelf.value(forKey: "books") as? NSOrderedSet)?.compactMap { ($0 as? Book)?.title }
            #expect(titles == wanted)
        }
    }

    @Test func orderNumbersAtTheEndsOfTheirRangeLeaveNoRoomAndAreReplaced() {
        for keys: [Int64?] in [
            [.min, nil, .max], [.max, nil], [nil, .min], [nil, .min, nil, .max, nil], [.min, nil, .min + 1],
            [.max - 1, nil],
        ] {
            let assigned = OrderKeys.assign(existing: keys)
            #expect(
                assigned.count == keys.count && zip(assigned, assigned.dropFirst()).allSatisfy { $0 < $1 }, "\(keys)")
        }
    }

    // MARK: History

    private static var history: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    @Test(arguments: [
        ("UPDATE Z_PRIMARYKEY SET Z_MAX = \(maximum) WHERE Z_NAME = 'CHANGE'", "ACHANGE"),
        ("UPDATE Z_PRIMARYKEY SET Z_MAX = \(maximum) WHERE Z_NAME = 'TRANSACTION'", "ATRANSACTION"),
        ("UPDATE ATRANSACTION SET Z_PK = \(maximum); UPDATE ACHANGE SET ZTRANSACTIONID = \(maximum)", "ATRANSACTION"),
        ("UPDATE ACHANGE SET Z_PK = \(maximum) WHERE Z_PK = 1", "ACHANGE"),
    ])
    func whenTheHistoryHasNoNumbersLeftNothingIsSaved(_ sql: String, _ table: String) throws {
        let stack = try TestStack(folder: try damaged(sql, options: Self.history), options: Self.history)
        let token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        _ = try stack.inContext { context in
            try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
        }
        _ = try stack.inContext { context in
            try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
        }
        let error = error {
            try stack.inContext { context in
                Book(context: context).title = "one too many"
                try context.save()
            }
        }
        #expect(error?.localizedDescription.contains(table) == true)
        #expect(try titles(stack) == ["Book 1", "Book 2", "Book 3"])
        let findings = try StoreChecker.findings(inStoreAt: stack.url, model: LibraryModel.make())
        #expect(findings.contains { $0.kind == .primaryKey })
    }

    @Test(arguments: [
        "UPDATE ACHANGE SET ZENTITY = -1", "UPDATE ACHANGE SET ZENTITY = \(maximum)",
        "UPDATE ACHANGE SET ZENTITYPK = -1",
        "UPDATE ACHANGE SET ZENTITYPK = \(maximum), ZCHANGETYPE = \(maximum)", "UPDATE ACHANGE SET ZCHANGETYPE = -1",
        "UPDATE ACHANGE SET ZTRANSACTIONID = \(maximum)", "UPDATE ACHANGE SET Z_PK = -Z_PK",
        "UPDATE ATRANSACTION SET ZTIMESTAMP = 9e999", "UPDATE ATRANSACTION SET ZTIMESTAMP = -9e999",
        "UPDATE ATRANSACTION SET ZTIMESTAMP = 'x'", "UPDATE ATRANSACTION SET Z_PK = -1",
        "DELETE FROM ATRANSACTION; UPDATE Z_PRIMARYKEY SET Z_MAX = \(maximum) WHERE Z_NAME = 'TRANSACTION'",
    ])
    func damagedHistoryIsReadAndReported(_ sql: String) throws {
        let stack = try TestStack(folder: try damaged(sql, options: Self.history), options: Self.history)
        let token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        try stack.inContext { context in
            for request in [
                NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast),
                NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?),
            ] {
                let result = try context.execute(request) as? NSPersistentHistoryResult
                let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
                let ids = transactions.flatMap { $0.changes ?? [] }.map(\.changedObjectID)
                #expect(ids.allSatisfy { !$0.isTemporaryID })
            }
            _ = try? context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
        }
        let findings = try StoreChecker.findings(inStoreAt: stack.url, model: LibraryModel.make())
        #expect(!findings.isEmpty)
    }

    @Test func aTokenOfTheLastNumberThereIsDoesNotStopTheProgram() throws {
        let stack = try TestStack(
            folder: try damaged(
                "DELETE FROM ATRANSACTION; UPDATE Z_PRIMARYKEY SET Z_MAX = \(Self.maximum) WHERE Z_NAME = 'TRANSACTION'",
                options: Self.history), options: Self.history)
        let identifier = try #require(stack.coordinator.persistentStores.first?.identifier)
        for number in [Int64.max, Int64.max - 1, 0, -1, Int64.min] {
            let token = NSPersistentHistoryToken([identifier: number])
            _ = stack.inContext { context in
                try? context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
            }
        }
        #expect(try titles(stack) == ["Book 1", "Book 2", "Book 3"])
    }

    // MARK: Migration

    @Test func aMigrationMakesNoObjectsOfStrayRows() throws {
        let folder = try damaged("UPDATE ZBOOK SET Z_ENT = -1 WHERE ZTITLE = 'Book 2'")
        let model = LibraryModel.make()
        model.entitiesByName["Book"]?.properties.append(LibraryModel.attribute("blurb", .stringAttributeType))
        let stack = try TestStack(
            model: model, folder: folder,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ])
        #expect(try titles(stack) == ["Book 1", "Book 3"])
    }
}
