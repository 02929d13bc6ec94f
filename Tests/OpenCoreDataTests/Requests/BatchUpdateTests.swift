import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `NSBatchUpdateRequest` on SQLite and in memory.
@Suite struct BatchUpdateTests {
    private func stack(_ type: String, options: [AnyHashable: Any]? = nil) throws -> TestStack {
        let stack = try TestStack(type: type, options: options)
        try stack.inContext { context in
            let author = Author(context: context)
            author.name = "Ann"
            for number in 0..<6 {
                let book = number < 4 ? Book(context: context) : GraphicNovel(context: context)
                book.title = "B\(number)"
                book.pages = Int32(number)
                book.price = Double(number) + 0.5
                if number % 2 == 0 { book.author = author }
            }
            try context.save()
        }
        return stack
    }

    private func update(
        _ stack: TestStack, entity: String = "Book", _ predicate: NSPredicate? = nil, _ changes: [AnyHashable: Any],
        result: NSBatchUpdateRequestResultType = .updatedObjectIDsResultType, subentities: Bool = true
    ) throws -> NSBatchUpdateResult {
        try stack.inContext { context in
            let request = NSBatchUpdateRequest(entityName: entity)
            request.predicate = predicate
            request.propertiesToUpdate = changes
            request.resultType = result
            request.includesSubentities = subentities
            let answer = try context.execute(request)
            #expect(request.entity.name == entity)
            return try #require(answer as? NSBatchUpdateResult)
        }
    }

    // Behaviour 7.1
    @Test(arguments: BatchModel.storeTypes) func eachResultTypeGivesItsOwnKindOfResult(type: String) throws {
        let stack = try stack(type)
        let some = NSPredicate(format: "pages > 2")
        let status = try update(stack, some, ["isbn": "x"], result: .statusOnlyResultType)
        #expect(status.result as? Bool == true && status.result as? Int == nil)
        let count = try update(stack, some, ["isbn": "y"], result: .updatedObjectsCountResultType)
        #expect(count.result as? Int == 3 && count.resultType == .updatedObjectsCountResultType)
        let ids = try #require(try update(stack, some, ["isbn": "z"]).result as? [NSManagedObjectID])
        #expect(ids.count == 3)
        #expect(Set(ids.map { $0.entity.name }) == ["Book", "GraphicNovel"])
        #expect(try stack.values("Book", "isbn") == ["nil", "nil", "nil", "z", "z", "z"])
        let plain = try update(stack, some, ["isbn": "w"], subentities: false).result as? [NSManagedObjectID]
        #expect(plain?.count == 1)
    }

    @Test(arguments: BatchModel.storeTypes) func valuesAreComputedFromEachRow(type: String) throws {
        let stack = try stack(type)
        _ = try update(
            stack, NSPredicate(format: "author.name = 'Ann'"),
            ["pages": NSExpression(format: "pages * 10 + 1"), "price": NSExpression(format: "pages / 2.0")])
        #expect(try stack.values("Book", "pages") == ["1", "1", "21", "3", "41", "5"])
        _ = try update(stack, NSPredicate(format: "pages = 41"), ["pages": NSExpression(format: "price + 0.75")])
        #expect(try stack.values("Book", "pages") == ["1", "1", "2", "21", "3", "5"])
        _ = try update(
            stack, nil, ["isbn": NSExpression(forKeyPath: "author.name")], result: .updatedObjectsCountResultType)
        #expect(try stack.values("Book", "isbn") == ["Ann", "Ann", "Ann", "nil", "nil", "nil"])
        _ = try update(stack, nil, ["title": NSExpression(forConstantValue: "same")], result: .statusOnlyResultType)
        #expect(try Set(stack.values("Book", "title")) == ["same"])
    }

    /// SQL has no words for these; SQLite's rows get what those in memory get.
    @Test(arguments: BatchModel.storeTypes) func whatSQLCannotComputeIsEvaluatedOnEachRow(type: String) throws {
        let stack = try stack(type)
        _ = try update(
            stack, NSPredicate(format: "pages < 5"),
            ["pages": NSExpression(format: "count:({1, 2, 3} MINUS {pages}) * 100 + pages"), "isbn": "set"])
        #expect(try stack.values("Book", "pages") == ["202", "203", "300", "304", "5", "201"].sorted())
        #expect(try stack.values("Book", "isbn") == ["nil", "set", "set", "set", "set", "set"])
        let updated = try update(
            stack, NSPredicate(format: "author.name = 'Ann'"),
            ["title": NSExpression(format: "TERNARY(title MATCHES title, author.name, 'none')")],
            result: .updatedObjectsCountResultType)
        #expect(updated.result as? Int == 3)
        #expect(try stack.values("Book", "title") == ["Ann", "Ann", "Ann", "B1", "B3", "B5"])
        // A value that doesn't fit changes nothing.
        #expect(throws: CocoaError.self) {
            _ = try update(stack, nil, ["pages": NSExpression(format: "count:({1, 2} MINUS {pages}) * 9000000000")])
        }
        #expect(try stack.values("Book", "title") == ["Ann", "Ann", "Ann", "B1", "B3", "B5"])
        // Neither does a mistake, which stores on disk name where there is no row, too.
        let empty = try TestStack(type: type)
        for stack in type == NSInMemoryStoreType ? [stack] : [stack, empty] {
            let error = #expect(throws: CocoaError.self) {
                _ = try update(stack, nil, ["pages": NSExpression(format: "count:({1, 2} MINUS {shade})")])
            }
            #expect(error?.localizedDescription.contains("shade") == true || type == NSInMemoryStoreType)
        }
    }

    @Test func aBlockIsRefusedByAStoreOnDisk() throws {
        let stack = try stack(NSSQLiteStoreType)
        let error = #expect(throws: CocoaError.self) {
            let block = NSExpression(block: { _, _, _ in 7 }, arguments: [NSExpression(forKeyPath: "pages")])
            _ = try update(stack, nil, ["pages": block])
        }
        #expect(error?.localizedDescription.contains("block expression") == true)
        #expect(error?.localizedDescription.contains("Evaluate it on the objects") == true)
    }

    @Test func evaluatedValuesAreRecordedAndReadByOthers() throws {
        let stack = try stack(NSSQLiteStoreType, options: [NSPersistentHistoryTrackingKey: true])
        _ = try update(stack, nil, ["pages": NSExpression(format: "count:({1, 2} UNION {pages})")])
        #expect(
            try stack.sqlite("SELECT group_concat(ZPAGES) FROM (SELECT ZPAGES FROM ZBOOK ORDER BY Z_PK) AS t")
                == "3,2,2,3,3,3")
        #expect(try stack.sqlite("SELECT DISTINCT Z_OPT FROM ZBOOK") == "2")
        #expect(try stack.sqlite("SELECT count(*) FROM ACHANGE WHERE ZCHANGETYPE = 1") == "6")
    }

    @Test func aPlainUpdateIsOneStatementInOneTransaction() throws {
        let log = StatementLog()
        let stack = try stack(NSSQLiteStoreType, options: log.options)
        log.clear()
        _ = try update(
            stack, NSPredicate(format: "pages > 2"), ["isbn": "x", "pages": NSExpression(format: "pages + 1")],
            result: .updatedObjectsCountResultType)
        let words = log.statements.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(words == ["BEGIN", "UPDATE", "COMMIT"])
        #expect(try stack.sqlite("SELECT count(*), sum(ZPAGES) FROM ZBOOK WHERE ZISBN = 'x'") == "3|15")
    }

    @Test func rowVersionsGoUpSoThatOldValuesConflict() throws {
        let stack = try stack(NSSQLiteStoreType)
        #expect(throws: CocoaError.self) {
            try stack.inContext { context in
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.predicate = NSPredicate(format: "title = 'B0'")
                let book = try #require(try context.fetch(request).first)
                book.title = "mine"
                _ = try update(stack, nil, ["isbn": "x"])
                try context.save()
            }
        }
        #expect(try stack.sqlite("SELECT DISTINCT Z_OPT FROM ZBOOK") == "2")
    }

    // Behaviour 2.15
    @Test func aRefreshGivesTheRowInMemoryUntilItIsTooOld() throws {
        let stack = try stack(NSSQLiteStoreType)
        try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "title = 'B0'")
            let book = try #require(try context.fetch(request).first)
            #expect(book.pages == 0 && context.stalenessInterval < 0)
            _ = try update(stack, nil, ["pages": 99])
            context.refresh(book, mergeChanges: false)
            #expect(book.pages == 0)
            context.refresh(book, mergeChanges: true)
            #expect(book.pages == 0)
            context.stalenessInterval = 0
            context.refresh(book, mergeChanges: true)
            #expect(book.pages == 99)
            _ = try update(stack, nil, ["pages": 100])
            book.isbn("kept")
            context.refresh(book, mergeChanges: true)
            #expect(book.pages == 100 && book.value(forKey: "isbn") as? String == "kept")
        }
    }

    // Behaviour 7.4
    @Test func mandatoryAttributesCanBeEmptied() throws {
        let stack = try stack(NSSQLiteStoreType)
        _ = try update(stack, NSPredicate(format: "pages = 0"), ["title": NSNull()])
        #expect(try stack.sqlite("SELECT count(*) FROM ZBOOK WHERE ZTITLE IS NULL") == "1")
    }

    @Test(arguments: BatchModel.storeTypes) func toOnesAreSetByIdentity(type: String) throws {
        let stack = try stack(type)
        try stack.inContext { context in
            let other = Author(context: context)
            other.name = "Bob"
            try context.save()
            _ = try update(stack, NSPredicate(format: "author = nil"), ["author": other.objectID])
            _ = try update(stack, NSPredicate(format: "author.name = 'Ann'"), ["author": NSNull()])
            _ = try update(stack, NSPredicate(format: "title = 'B0'"), ["author": other])
        }
        try stack.inContext { context in
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let books = try context.fetch(request).map { $0.books.map(\.title).sorted() }
            #expect(books == [[], ["B0", "B1", "B3", "B5"]])
        }
    }

    @Test(arguments: BatchModel.storeTypes) func whatCannotBeSetIsAnErrorThatNamesIt(type: String) throws {
        let stack = try stack(type)
        for (key, value) in [
            ("tags", NSNull() as Any), ("nothing", 1), ("pages", "many"), ("pages", Int64(1) << 40), ("author", "Ann"),
            ("title", NSExpression(format: "pages + 1")),
        ] {
            let error = try #require(throws: CocoaError.self, "\(key)") { _ = try update(stack, nil, [key: value]) }
            #expect(error.localizedDescription.contains(key))
        }
        #expect(throws: CocoaError.self) { try update(stack, nil, [:]) }
        #expect(throws: (any Error).self) { try update(stack, NSPredicate(format: "nothing = 1"), ["isbn": "x"]) }
        #expect(try stack.values("Book", "title") == (0..<6).map { "B\($0)" })
    }

    @Test(arguments: BatchModel.storeTypes) func uniqueValuesStayUnique(type: String) throws {
        let stack = try TestStack(model: BatchModel.make(), type: type)
        try stack.inContext { context in
            let rows: [[String: Any]] = [["code": "a", "number": 1], ["code": "b", "number": 1]]
            _ = try context.execute(NSBatchInsertRequest(entityName: "Volume", objects: rows))
        }
        let error = try #require(throws: CocoaError.self) {
            _ = try update(stack, entity: "Volume", nil, ["code": "same"])
        }
        #expect(error.code.rawValue == NSManagedObjectConstraintMergeError)
        #expect(try stack.values("Volume", "code") == ["a", "b"])
    }

    // Behaviour 7.5
    @Test func historyNamesTheRowsAndTheirChangedColumns() throws {
        let stack = try stack(NSSQLiteStoreType, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        _ = try update(stack, NSPredicate(format: "pages < 2"), ["isbn": "x"], result: .statusOnlyResultType)
        func changes() throws -> [[String]] {
            try stack.inContext { context in
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
                let result = try context.execute(request) as? NSPersistentHistoryResult
                let last = try #require((result?.result as? [NSPersistentHistoryTransaction])?.last)
                return (last.changes ?? []).map { change in
                    let names = (change.updatedProperties ?? []).map(\.name).sorted()
                    return ["\(change.changedObjectID)", "\(change.changeType.rawValue)"] + names
                }
            }
        }
        let changesByBatch = try changes()
        let byBatch =
            try !stack.isFile
            ? ""
            : stack.sqlite(
                "SELECT group_concat(ZENTITYPK), hex(min(ZCOLUMNS)), min(ZCHANGETYPE) FROM ACHANGE WHERE ZTRANSACTIONID=2"
            )
        try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "pages < 2")
            for book in try context.fetch(request) { book.isbn("y") }
            try context.save()
        }
        #expect(try changes() == changesByBatch && changesByBatch.count == 2)
        guard stack.isFile else { return }
        let bySave = try stack.sqlite(
            "SELECT group_concat(ZENTITYPK), hex(min(ZCOLUMNS)), min(ZCHANGETYPE) FROM ACHANGE WHERE ZTRANSACTIONID=3")
        #expect(byBatch == bySave && !byBatch.isEmpty)
    }

    @Test func valuesInFilesAreReplacedWithTheirFiles() throws {
        let stack = try TestStack(model: BatchModel.make())
        let (old, new) = (Data(repeating: 1, count: 200_000), Data(repeating: 2, count: 210_000))
        func files() throws -> [String] {
            #expect(try stack.removeUnusedFiles())
            return try FileManager.default.contentsOfDirectory(
                atPath: stack.folder.file(".Library_SUPPORT/_EXTERNAL_DATA").path)
        }
        try stack.inContext { context in
            let rows: [[String: Any]] = ["a", "b", "c"].map { ["code": $0, "scan": old] }
            _ = try context.execute(NSBatchInsertRequest(entityName: "Volume", objects: rows))
        }
        let before = Set(try files())
        _ = try update(stack, entity: "Volume", NSPredicate(format: "code != 'c'"), ["scan": new])
        let after = Set(try files())
        #expect(before.count == 3 && after.count == 3 && before.intersection(after).count == 1)
        _ = try update(stack, entity: "Volume", nil, ["scan": Data([5])])
        #expect(try files().isEmpty)
        try stack.inContext { context in
            let volumes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Volume"))
            #expect(volumes.allSatisfy { $0.value(forKey: "scan") as? Data == Data([5]) })
        }
    }

    // Behaviour 6.12
    @Test func affectedStoresRestrictEveryBatchRequest() throws {
        let stack = try stack(NSSQLiteStoreType)
        let second = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.file("Second.sqlite"), options: nil)
        let first = try #require(stack.coordinator.persistentStores.first)
        try stack.inContext { context in
            let insert = NSBatchInsertRequest(entityName: "Book", objects: [["title": "S1"], ["title": "S2"]])
            insert.affectedStores = [second]
            insert.resultType = .objectIDs
            let ids = (try context.execute(insert) as? NSBatchInsertResult)?.result as? [NSManagedObjectID]
            #expect(ids?.allSatisfy { $0.persistentStore === second } == true)
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.propertiesToUpdate = ["isbn": "first"]
            update.affectedStores = [first]
            update.resultType = .updatedObjectsCountResultType
            #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 6)
            update.affectedStores = nil
            #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 8)
            let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Book>(entityName: "Book"))
            delete.affectedStores = [second]
            delete.resultType = .resultTypeCount
            #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 2)
        }
        #expect(try stack.count("Book") == 6)
    }
}

extension Book {
    fileprivate func isbn(_ value: String) { setValue(value, forKey: "isbn") }
}
