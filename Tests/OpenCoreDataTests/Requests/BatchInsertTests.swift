import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `NSBatchInsertRequest` on SQLite and in memory.
@Suite struct BatchInsertTests {
    private func insert(
        _ request: NSBatchInsertRequest, into stack: TestStack, policy: NSMergePolicy = NSErrorMergePolicy,
        result: NSBatchInsertRequestResultType = .objectIDs
    ) throws -> NSBatchInsertResult {
        try stack.inContext { context in
            context.mergePolicy = policy
            request.resultType = result
            return try #require(try context.execute(request) as? NSBatchInsertResult)
        }
    }

    // Behaviour 7.1
    @Test(arguments: BatchModel.storeTypes) func eachResultTypeGivesItsOwnKindOfResult(type: String) throws {
        let stack = try TestStack(type: type)
        let rows: [[String: Any]] = [["title": "One", "pages": 1], ["title": "Two"]]
        let request = NSBatchInsertRequest(entityName: "Book", objects: rows)
        #expect(request.entity == nil)
        let status = try insert(request, into: stack, result: .statusOnly)
        #expect(request.entity?.name == "Book")
        #expect(status.result as? Bool == true && status.result as? [NSManagedObjectID] == nil)
        let count = try insert(request, into: stack, result: .count)
        #expect(count.result as? Int == 2 && count.resultType == .count)
        let ids = try #require(try insert(request, into: stack).result as? [NSManagedObjectID])
        #expect(ids.count == 2)
        try stack.inContext { context in
            let titles = try ids.map { try (context.existingObject(with: $0) as? Book)?.title }
            #expect(titles == ["One", "Two"])
        }
        #expect(try stack.count("Book") == 6)
    }

    @Test func whatIsNotGivenHasItsDefaultAndRowsLookLikeSavedOnes() throws {
        let stack = try TestStack()
        let date = Date(timeIntervalSinceReferenceDate: 100.5)
        let id = UUID()
        _ = try insert(
            NSBatchInsertRequest(
                entityName: "GraphicNovel",
                objects: [
                    [
                        "title": "A", "published": date, "cost": Decimal(string: "12.25") as Any, "identifier": id,
                        "home": URL(string: "https://example.org") as Any, "extra": ["k": "v"],
                        "isColored": true, "isbn": NSNull(), "unknown": 5,
                    ]
                ]), into: stack)
        #expect(
            try stack.sqlite(
                "SELECT Z_PK, Z_OPT, ZINPRINT, ZPAGES, ZPUBLISHED, CASE WHEN ZISBN IS NULL THEN 1 ELSE 0 END, ZCOST FROM ZBOOK"
            ) == "1|1|1|0|100.5|1|12.25")
        #expect(try !stack.isFile || stack.sqlite("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME='Book'") == "1")
        try stack.inContext { context in
            let novel = try #require(try context.fetch(NSFetchRequest<GraphicNovel>(entityName: "GraphicNovel")).first)
            #expect(novel.isColored && novel.title == "A")
            #expect(novel.value(forKey: "identifier") as? UUID == id)
            #expect((novel.value(forKey: "extra") as? [String: String]) == ["k": "v"])
            // A save after the batch goes on with the next key.
            Book(context: context).title = "B"
            try context.save()
        }
        #expect(try stack.sqlite("SELECT min(Z_PK), max(Z_PK), count(*) FROM ZBOOK") == "1|2|2")
    }

    // Behaviour 7.3
    @Test(arguments: BatchModel.storeTypes) func handlersStopWhenTheyReturnTrue(type: String) throws {
        let stack = try TestStack(type: type)
        var made = 0
        let dictionaries = NSBatchInsertRequest(
            entityName: "Book",
            dictionaryHandler: { (dictionary: NSMutableDictionary) in
                #expect(dictionary.count == 0)
                if made == 1_234 { return true }
                dictionary["title"] = "D\(made)"
                dictionary["pages"] = made
                made += 1
                return false
            })
        #expect(try insert(dictionaries, into: stack, result: .count).result as? Int == 1_234)
        var objects: Set<ObjectIdentifier> = []
        made = 0
        let handler = NSBatchInsertRequest(
            entityName: "Book",
            managedObjectHandler: { (object: NSManagedObject) in
                objects.insert(ObjectIdentifier(object))
                guard let book = object as? Book, made < 600 else { return true }
                #expect(book.pages == 0 && book.title.isEmpty)
                book.title = "O\(made)"
                if made % 2 == 0 { book.pages = 7 }
                made += 1
                return false
            })
        #expect(try insert(handler, into: stack, result: .count).result as? Int == 600)
        #expect(objects.count == 1)
        #expect(try stack.count("Book") == 1_834)
        try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "title BEGINSWITH 'O' AND pages = 7")
            let even = try context.count(for: request)
            request.predicate = NSPredicate(format: "title = 'D1000' AND pages = 1000")
            let single = try context.count(for: request)
            #expect(even == 300 && single == 1)
        }
    }

    // Behaviour 7.3
    @Test(arguments: BatchModel.storeTypes) func oneInvalidRowStopsTheWholeRequest(type: String) throws {
        let stack = try TestStack(model: BatchModel.make(), type: type)
        func failure(_ entity: String, _ rows: [[String: Any]]) throws -> CocoaError {
            try #require(throws: CocoaError.self) {
                _ = try insert(NSBatchInsertRequest(entityName: entity, objects: rows), into: stack)
            }
        }
        let missing = try failure("Review", [["text": "good"], [:]])
        #expect(missing.code.rawValue == NSValidationMissingMandatoryPropertyError)
        #expect(missing.validationKey == "text")
        #expect(try stack.count("Review") == 0)
        let clash = try failure("Volume", [["code": "a", "number": 1], ["code": "a", "number": 1]])
        #expect(clash.code.rawValue == NSManagedObjectConstraintMergeError)
        #expect("\(clash.localizedDescription)".contains("code, number"))
        let unfit = try failure("Volume", [["number": "many"]])
        #expect(unfit.code.rawValue == NSManagedObjectValidationError && unfit.validationKey == "number")
        let large = try failure("Volume", [["number": 70_000]])
        #expect(large.code.rawValue == NSValidationNumberTooLargeError)
        let toMany = try failure("Volume", [["code": "x", "related": Set<NSManagedObject>()]])
        #expect(toMany.localizedDescription.contains("related"))
        #expect(try stack.count("Volume") == 0)
        let unknown = try failure("Nothing", [])
        #expect(unknown.localizedDescription.contains("Nothing"))
    }

    @Test(arguments: BatchModel.storeTypes) func theMergePolicySaysWhatAClashDoes(type: String) throws {
        let stack = try TestStack(model: BatchModel.make(), type: type)
        let first = try insert(
            NSBatchInsertRequest(entityName: "Volume", objects: [["code": "a", "number": 1, "note": "old"]]),
            into: stack)
        let id = try #require((first.result as? [NSManagedObjectID])?.first)
        func again(_ policy: NSMergePolicy, _ values: [String: Any]) throws -> [NSManagedObjectID] {
            let rows = [["code": "a", "number": 1].merging(values) { $1 }, ["code": "b\(policy.mergeType.rawValue)"]]
            let result = try insert(
                NSBatchInsertRequest(entityName: "Volume", objects: rows), into: stack, policy: policy)
            return try #require(result.result as? [NSManagedObjectID])
        }
        func note() throws -> String? {
            try stack.inContext { try $0.existingObject(with: id).value(forKey: "note") as? String }
        }
        #expect(try again(NSMergeByPropertyStoreTrumpMergePolicy, ["note": "x"]).count == 1)
        #expect(try note() == "old")
        #expect(try again(NSRollbackMergePolicy, ["note": "x"]).count == 1)
        #expect(try note() == "old")
        #expect(try Set(again(NSMergeByPropertyObjectTrumpMergePolicy, ["note": "new"])).contains(id))
        #expect(try note() == "new")
        #expect(try again(NSMergeByPropertyObjectTrumpMergePolicy, [:]).count == 2)
        #expect(try note() == "new")
        #expect(try again(NSOverwriteMergePolicy, [:]).contains(id))
        #expect(try note() == nil)
        #expect(try stack.values("Volume", "code").filter { $0 == "a" }.count == 1)
    }

    @Test func toOneRelationshipsTakeSavedObjectsOnly() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let author = Author(context: context)
            author.name = "Ann"
            let unsaved = Author(context: context)
            try context.obtainPermanentIDs(for: [author])
            unsaved.name = "Bob"
            context.delete(unsaved)
            try context.save()
            let request = NSBatchInsertRequest(
                entityName: "Book",
                objects: [["title": "1", "author": author], ["title": "2", "author": author.objectID]])
            _ = try context.execute(request)
            context.reset()
            let found = try #require(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            #expect(Set(found.books.map(\.title)) == ["1", "2"])
            let stranger = Author(context: context)
            let bad = NSBatchInsertRequest(entityName: "Book", objects: [["title": "3", "author": stranger]])
            let error = #expect(throws: CocoaError.self) { try context.execute(bad) }
            #expect(error?.validationKey == "author")
        }
        #expect(try stack.count("Book") == 2)
    }

    // Behaviour 7.5
    @Test func historyHasTheInsertedRows() throws {
        let stack = try TestStack(
            model: BatchModel.make(), options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        try stack.inContext { context in
            context.transactionAuthor = "importer"
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            let rows: [[String: Any]] = (0..<700).map { ["code": "c\($0)", "number": 1] }
            _ = try context.execute(NSBatchInsertRequest(entityName: "Volume", objects: rows))
            _ = try context.execute(
                NSBatchInsertRequest(entityName: "Volume", objects: [["code": "c5", "number": 1, "note": "n"]]))
        }
        #expect(
            try stack.sqlite("SELECT ZCHANGETYPE, count(*), min(ZENTITYPK) FROM ACHANGE GROUP BY 1 ORDER BY 1")
                == "0|700|1\n1|1|6")
        #expect(try stack.sqlite("SELECT count(*) FROM ATRANSACTION") == "2")
        guard stack.isFile else { return }
        #expect(
            try stack.sqlite("SELECT ZTRANSACTIONID, ZCHANGETYPE, count(*), min(ZENTITYPK) FROM ACHANGE GROUP BY 1, 2")
                == "1|0|700|1\n2|1|1|6")
        #expect(
            try stack.sqlite(
                "SELECT count(*), min(ZNAME) FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s "
                    + "ON s.Z_PK = t.ZAUTHORTS") == "2|importer")
        #expect(
            try stack.sqlite("SELECT Z_MAX - (SELECT max(Z_PK) FROM ACHANGE) FROM Z_PRIMARYKEY WHERE Z_NAME='CHANGE'")
                == "0")
    }

    @Test func derivedValuesAndValuesInFilesAreKept() throws {
        let stack = try TestStack(model: BatchModel.make(derived: true))
        let scan = Data(repeating: 7, count: 300_000)
        try stack.inContext { context in
            _ = try context.execute(NSBatchInsertRequest(entityName: "Series", objects: [["title": "abc"]]))
            let series = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Series")).first)
            _ = try context.execute(
                NSBatchInsertRequest(
                    entityName: "Volume",
                    objects: [["code": "a", "scan": scan, "series": series], ["code": "b", "series": series]]))
            context.refresh(series, mergeChanges: false)
        }
        #expect(try stack.sqlite("SELECT ZSHOUTED, ZVOLUMECOUNT FROM ZSERIES") == "ABC|2")
        // A server keeps large values in rows.
        if stack.isFile {
            let files = try FileManager.default.contentsOfDirectory(
                atPath: stack.folder.file(".Library_SUPPORT/_EXTERNAL_DATA").path)
            #expect(files.count == 1)
        }
        try stack.inContext { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Volume")
            request.predicate = NSPredicate(format: "code = 'a'")
            let found = try context.fetch(request).first
            #expect(found?.value(forKey: "scan") as? Data == scan)
        }
    }

    @Test func aFailedInsertLeavesNoFilesAndNoRows() throws {
        let stack = try TestStack(model: BatchModel.make())
        let scan = Data(repeating: 7, count: 300_000)
        var rows: [[String: Any]] = (0..<600).map { ["code": "c\($0)", "number": 1] }
        rows[3]["scan"] = scan
        rows[599] = ["code": "c0", "number": 1]
        #expect(throws: CocoaError.self) {
            try stack.inContext { _ = try $0.execute(NSBatchInsertRequest(entityName: "Volume", objects: rows)) }
        }
        #expect(try stack.count("Volume") == 0)
        let folder = stack.folder.file(".Library_SUPPORT/_EXTERNAL_DATA").path
        #expect((try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty ?? true)
    }

    @Test func aReadOnlyStoreRefuses() throws {
        let stack = try TestStack()
        let reader = try TestStack(folder: stack.folder, options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
        let error = try #require(throws: CocoaError.self) {
            try reader.inContext {
                _ = try $0.execute(NSBatchInsertRequest(entityName: "Book", objects: [["title": "x"]]))
            }
        }
        #expect(error.code.rawValue == 513)
    }
}
