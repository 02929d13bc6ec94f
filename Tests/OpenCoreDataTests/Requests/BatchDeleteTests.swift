import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `NSBatchDeleteRequest` on SQLite and in memory.
@Suite struct BatchDeleteTests {
    private func delete(
        _ stack: TestStack, _ entity: String, _ predicate: NSPredicate? = nil,
        result: NSBatchDeleteRequestResultType = .resultTypeObjectIDs,
        _ adjust: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) throws -> NSBatchDeleteResult {
        try stack.inContext { context in
            let fetch = NSFetchRequest<NSManagedObject>(entityName: entity)
            fetch.predicate = predicate
            adjust(fetch)
            let request = NSBatchDeleteRequest(fetchRequest: fetch)
            request.resultType = result
            return try #require(try context.execute(request) as? NSBatchDeleteResult)
        }
    }

    private func ids(_ result: NSBatchDeleteResult) throws -> [NSManagedObjectID] {
        try #require(result.result as? [NSManagedObjectID])
    }

    private func libraryStack(_ type: String) throws -> TestStack {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            for number in 0..<6 {
                let book = number < 4 ? Book(context: context) : GraphicNovel(context: context)
                book.title = "B\(number)"
                book.pages = Int32(number)
            }
            try context.save()
        }
        return stack
    }

    // Behaviour 7.1
    @Test(arguments: BatchModel.storeTypes) func eachResultTypeGivesItsOwnKindOfResult(type: String) throws {
        let stack = try libraryStack(type)
        let status = try delete(stack, "Book", NSPredicate(format: "pages = 0"), result: .resultTypeStatusOnly)
        #expect(status.result as? Bool == true && status.result as? Int == nil)
        let count = try delete(stack, "Book", NSPredicate(format: "pages < 3"), result: .resultTypeCount)
        #expect(count.result as? Int == 2 && count.result as? [NSManagedObjectID] == nil)
        #expect(try ids(delete(stack, "Book")).count == 3)
        #expect(try stack.count("Book") == 0)
    }

    // Behaviour 7.2
    @Test(arguments: BatchModel.storeTypes) func subentitiesGoUnlessTheyAreExcluded(type: String) throws {
        let stack = try libraryStack(type)
        _ = try delete(stack, "Book") { $0.includesSubentities = false }
        #expect(try stack.values("Book", "title") == ["B4", "B5"])
        _ = try delete(stack, "Book")
        #expect(try stack.count("Book") == 0)
    }

    @Test(arguments: BatchModel.storeTypes) func orderLimitAndOffsetCount(type: String) throws {
        let stack = try libraryStack(type)
        _ = try delete(stack, "Book") {
            $0.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)]
            $0.fetchOffset = 1
            $0.fetchLimit = 2
        }
        #expect(try stack.values("Book", "title") == ["B0", "B1", "B2", "B5"])
    }

    @Test(arguments: BatchModel.storeTypes) func objectsGoByIdentifier(type: String) throws {
        let stack = try libraryStack(type)
        try stack.inContext { context in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            request.resultType = .managedObjectIDResultType
            request.predicate = NSPredicate(format: "pages IN {1, 5}")
            let found = try context.fetch(request)
            let delete = NSBatchDeleteRequest(objectIDs: found)
            #expect(delete.fetchRequest.entityName == "Book")
            delete.resultType = .resultTypeObjectIDs
            let result = try #require(try context.execute(delete) as? NSBatchDeleteResult)
            #expect(try Set(ids(result)) == Set(found))
            // What is gone already is no error.
            #expect(try ids(#require(try context.execute(delete) as? NSBatchDeleteResult)).isEmpty)
            let unsaved = Book(context: context)
            #expect(throws: CocoaError.self) {
                try context.execute(NSBatchDeleteRequest(objectIDs: [unsaved.objectID]))
            }
            let none = NSBatchDeleteRequest(objectIDs: [])
            none.resultType = .resultTypeCount
            #expect((try context.execute(none) as? NSBatchDeleteResult)?.result as? Int == 0)
        }
        #expect(try stack.values("Book", "title") == ["B0", "B2", "B3", "B4"])
    }

    // MARK: Relationships

    private func publisherStack(_ type: String, options: [AnyHashable: Any]? = nil, derived: Bool = false) throws
        -> TestStack
    {
        let stack = try TestStack(model: BatchModel.make(derived: derived), type: type, options: options)
        try stack.inContext { context in
            func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                for (key, value) in values { object.setValue(value, forKey: key) }
                return object
            }
            var volumes: [NSManagedObject] = []
            for name in ["P", "Q"] {
                let publisher = make("Publisher", ["name": name])
                for title in ["s", "t"] {
                    let series = make("Series", ["title": name + title, "publisher": publisher])
                    for number in 1...2 {
                        volumes.append(make("Volume", ["code": name + title, "number": number, "series": series]))
                    }
                }
            }
            // Pairs, and one-way to-ones, across what is going to be deleted and what stays.
            volumes[0].setValue(Set([volumes[1], volumes[7]]), forKey: "related")
            volumes[6].setValue(Set([volumes[3]]), forKey: "related")
            for publisher in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Publisher")) {
                publisher.setValue(volumes[0], forKey: "favorite")
            }
            _ = make("Review", ["text": "fine", "volume": volumes[5]])
            try context.save()
        }
        return stack
    }

    @Test(arguments: BatchModel.storeTypes) func cascadesAreFollowedAndNothingDangles(type: String) throws {
        let stack = try publisherStack(type)
        let gone = try ids(delete(stack, "Publisher", NSPredicate(format: "name = 'P'")))
        #expect(
            gone.map { $0.entity.name ?? "" }.sorted() == ["Publisher", "Series", "Series"]
                + Array(repeating: "Volume", count: 4))
        #expect(try stack.values("Series", "title") == ["Qs", "Qt"])
        #expect(try stack.values("Publisher", "favorite") == ["nil"])
        try stack.inContext { context in
            for volume in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Volume")) {
                #expect((volume.value(forKey: "related") as? Set<NSManagedObject>)?.isEmpty == true)
            }
        }
        if type == NSSQLiteStoreType, stack.isFile {
            #expect(
                try stack.sqlite("SELECT count(*) FROM ZVOLUME; SELECT Z_OPT, ZFAVORITE IS NULL FROM ZPUBLISHER")
                    == "4\n1|1")
            let join = try stack.sqlite("SELECT name FROM sqlite_master WHERE name LIKE 'Z!_%RELATED' ESCAPE '!'")
            #expect(try stack.sqlite("SELECT count(*) FROM \(join)") == "0")
            #expect(try StoreChecker.findings(inStoreAt: stack.url, model: BatchModel.make()).isEmpty)
        }
    }

    @Test(arguments: BatchModel.storeTypes) func aMandatoryToOneOfAnObjectThatStaysStopsTheRequest(type: String) throws
    {
        let stack = try publisherStack(type)
        let error = try #require(throws: CocoaError.self) {
            _ = try delete(stack, "Publisher", NSPredicate(format: "name = 'Q'"))
        }
        #expect(error.code.rawValue == NSValidationMissingMandatoryPropertyError)
        #expect(error.localizedDescription.contains("volume of Review"))
        #expect(try stack.count("Publisher") == 2 && stack.count("Volume") == 8)
        _ = try delete(stack, "Review")
        #expect(try ids(delete(stack, "Publisher")).count == 2 + 4 + 8)
        #expect(try stack.count("Volume") == 0)
    }

    @Test(arguments: BatchModel.storeTypes) func aDenyRuleStopsTheRequest(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            _ = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let book = Book(context: context)
            book.setValue(shelf, forKey: "shelf")
            try context.save()
        }
        let error = try #require(throws: CocoaError.self) { _ = try delete(stack, "Shelf") }
        #expect(error.code.rawValue == NSValidationRelationshipDeniedDeleteError && error.validationKey == "books")
        #expect(try stack.count("Shelf") == 2)
        _ = try delete(stack, "Book")
        _ = try delete(stack, "Shelf")
        #expect(try stack.count("Shelf") == 0)
    }

    @Test(arguments: BatchModel.storeTypes) func pairsOfManyToManysGo(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let labels = ["x", "y"].map { name in
                let label = Label(context: context)
                label.name = name
                return label
            }
            for number in 0..<4 {
                let book = GraphicNovel(context: context)
                book.title = "\(number)"
                book.tags = Set(labels)
            }
            try context.save()
        }
        _ = try delete(stack, "Label", NSPredicate(format: "name = 'x'"))
        _ = try delete(stack, "GraphicNovel", NSPredicate(format: "title = '0'"))
        try stack.inContext { context in
            let labels = try context.fetch(NSFetchRequest<Label>(entityName: "Label"))
            #expect(labels.map { $0.books.count } == [3])
        }
        if type == NSSQLiteStoreType, stack.isFile {
            let join = try stack.sqlite("SELECT name FROM sqlite_master WHERE type='table' AND name GLOB 'Z_[0-9]*'")
            #expect(try stack.sqlite("SELECT count(*) FROM \(join)") == "3")
        }
    }

    // Behaviour 7.5
    @Test func historyHasTombstonesAndTheObjectsThatLostAnother() throws {
        let stack = try publisherStack(NSSQLiteStoreType, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        let start = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        _ = try delete(stack, "Publisher", NSPredicate(format: "name = 'P'"), result: .resultTypeStatusOnly)
        let read = try stack.inContext { context in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: start)
            request.resultType = .changesOnly
            return try (context.execute(request) as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryChange]
        }
        let texts = (read ?? []).map { change in
            let codes = change.tombstone.map { $0["code"] as? String ?? "" } ?? ""
            return "\(change.changedObjectID.entity.name ?? "") \(change.changeType.rawValue) \(codes)"
        }
        let volumes = ["Ps", "Pt"].flatMap { ["Volume 2 \($0)", "Volume 2 \($0)"] }
        #expect(texts.sorted() == ["Publisher 1 ", "Publisher 2 ", "Series 2 ", "Series 2 "] + volumes)
        guard stack.isFile else { return }
        let changes = try stack.sqlite(
            "SELECT Z_NAME, ZCHANGETYPE, count(*), max(ZTOMBSTONE0) FROM ACHANGE JOIN Z_PRIMARYKEY p ON p.Z_ENT = ZENTITY "
                + "WHERE ZTRANSACTIONID=2 GROUP BY 1, 2 ORDER BY 1, 2")
        #expect(changes == "Publisher|1|1|\nPublisher|2|1|\nSeries|2|2|\nVolume|2|4|Pt")
    }

    @Test func derivedCountsFollowAndFilesGo() throws {
        let stack = try publisherStack(NSSQLiteStoreType, derived: true)
        let scan = Data(repeating: 1, count: 200_000)
        try stack.inContext { context in
            let update = NSBatchUpdateRequest(entityName: "Volume")
            update.predicate = NSPredicate(format: "number = 1")
            update.propertiesToUpdate = ["scan": scan]
            _ = try context.execute(update)
        }
        let folder = stack.folder.file(".Library_SUPPORT/_EXTERNAL_DATA").path
        // A server keeps large values in rows.
        #expect(try !stack.isFile || FileManager.default.contentsOfDirectory(atPath: folder).count == 4)
        #expect(try stack.sqlite("SELECT group_concat(ZVOLUMECOUNT) FROM ZSERIES") == "2,2,2,2")
        _ = try delete(stack, "Volume", NSPredicate(format: "number = 1 AND code != 'Qs'"))
        #expect(try stack.sqlite("SELECT sum(ZVOLUMECOUNT) FROM ZSERIES") == "5")
        guard stack.isFile else { return }
        #expect(try stack.removeUnusedFiles())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }

    @Test func aFaultOfADeletedRowIsMissing() throws {
        let stack = try libraryStack(NSSQLiteStoreType)
        try stack.inContext { context in
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            let result = try delete(stack, "Book", NSPredicate(format: "pages = 2"))
            let id = try #require(try ids(result).first)
            #expect(books.count == 6)
            let other = stack.context()
            let error = other.performAndWait {
                #expect(throws: CocoaError.self) { try other.existingObject(with: id) }
            }
            #expect(error?.code.rawValue == NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test(arguments: BatchModel.storeTypes) func theCountIncludesWhatACascadeDeleted(type: String) throws {
        let stack = try publisherStack(type)
        let count = try delete(stack, "Publisher", NSPredicate(format: "name = 'P'"), result: .resultTypeCount)
        #expect(count.result as? Int == 7)
    }
}
