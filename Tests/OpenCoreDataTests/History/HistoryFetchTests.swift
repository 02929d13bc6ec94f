import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct HistoryFetchTests {
    // Behaviour 11.1
    @Test func aNewStoreHasATokenAndNoTransactions() throws {
        let history = try HistoryStack()
        let token = try #require(history.token)
        let none: NSPersistentHistoryToken? = nil
        #expect(try history.transactions(.fetchHistory(after: none)).isEmpty)
        #expect(try history.transactions(.fetchHistory(after: token)).isEmpty)
        #expect(try history.allTransactions().isEmpty)
    }

    // Behaviour 11.2
    @Test func eachSaveIsATransactionAndCoordinatorsAgreeOnTheToken() throws {
        let (first, folder) = try { ($0, $0.stack.folder) }(HistoryStack())
        let second = try HistoryStack(folder: folder)
        for (index, writer) in [first, second, first, second].enumerated() {
            try writer.addAuthor("Author \(index)")
            #expect(first.token == second.token)
            #expect(first.token?.isEqual(second.token) == true)
        }
        for reader in [first, second] {
            let transactions = try reader.allTransactions()
            let numbers = transactions.map(\.transactionNumber)
            #expect(numbers == (first.isFile ? [1, 2, 3, 4] : numbers.sorted()) && Set(numbers).count == 4)
            #expect(transactions.map { $0.changes?.count } == [1, 1, 1, 1])
            #expect(transactions.map(\.timestamp) == transactions.map(\.timestamp).sorted())
            #expect(transactions.last?.token == reader.token)
        }
    }

    // Behaviour 11.3
    @Test func whatATokenNamesIsNotFetchedAgain() throws {
        let history = try HistoryStack()
        try history.addAuthor("Ada")
        let token = try #require(history.token)
        try history.addAuthor("Eve")
        try history.addAuthor("Kim")
        let all = try history.allTransactions()
        #expect(all.count == 3)
        #expect(try history.transactions(.fetchHistory(after: token)).numbers(in: all) == [2, 3])
        let second = all[1]
        #expect(try history.transactions(.fetchHistory(after: second)).numbers(in: all) == [3])
        #expect(try history.transactions(.fetchHistory(after: second.timestamp)).numbers(in: all) == [3])
        #expect(try history.transactions(.fetchHistory(after: second.token)).numbers(in: all) == [3])
    }

    @Test func aTransactionTellsWhoWroteItAndWhat() throws {
        let history = try HistoryStack()
        let before = Date()
        let id = try history.addAuthor("Ada", as: "importer", context: "background")
        try history.save { context in
            let author = try #require(try context.existingObject(with: id) as? Author)
            author.country = "GB"
            Book(context: context).author = author
        }
        let transactions = try history.allTransactions()
        let first = try #require(transactions.first)
        #expect(first.author == "importer")
        #expect(first.contextName == "background")
        #expect(first.processID == ProcessInfo.processInfo.processName)
        #expect(first.bundleID == Bundle.main.bundleIdentifier ?? "")
        #expect(first.storeID == (try history.store().identifier))
        #expect(first.timestamp >= before.addingTimeInterval(-1) && first.timestamp <= Date().addingTimeInterval(1))
        let insert = try #require(first.changes?.first)
        #expect(insert.changeType == .insert)
        #expect(insert.changedObjectID == id)
        #expect(insert.transaction === first)
        #expect(insert.updatedProperties == nil)
        let second = try #require(transactions.last)
        #expect(second.author == nil)
        #expect(second.contextName == nil)
        #expect(second.changes?.map(\.changeType) == [.insert, .update])
        let update = try #require(second.changes?.last)
        #expect(update.changedObjectID == id)
        #expect(Set(update.updatedProperties?.map(\.name) ?? []) == ["country", "books"])
        guard history.isFile else { return }
        #expect(
            try history.stack.sqlite("SELECT ZCHANGETYPE, ZENTITYPK, ZTRANSACTIONID FROM ACHANGE ORDER BY Z_PK")
                == "0|1|1\n0|1|2\n1|1|2")
        #expect(second.changes?.map(\.changeID) == [2, 3])
    }

    // Behaviour 11.7
    @Test func resultTypesGiveWhatTheyName() throws {
        let history = try HistoryStack()
        let ids = [try history.addAuthor("Ada"), try history.addAuthor("Eve")]
        func result(_ type: NSPersistentHistoryResultType) throws -> Any? {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
            #expect(request.resultType == .transactionsAndChanges)
            request.resultType = type
            let result = try history.execute(request)
            #expect(result.resultType == type)
            return result.result
        }
        let transactions = try #require(try result(.transactionsOnly) as? [NSPersistentHistoryTransaction])
        #expect(transactions.count == 2)
        #expect(transactions.allSatisfy { $0.changes == nil })
        #expect(try result(.count) as? Int == 2)
        #expect(try result(.statusOnly) as? Bool == true)
        #expect(try result(.objectIDs) as? [NSManagedObjectID] == ids)
        let changes = try #require(try result(.changesOnly) as? [NSPersistentHistoryChange])
        #expect(changes.map(\.changedObjectID) == ids)
        #expect(changes.compactMap(\.transaction).numbers(in: transactions) == [1, 2])
    }

    @Test func storesWithoutHistoryHaveNone() throws {
        let plain = try TestStack()
        try plain.inContext { context in
            Author(context: context).name = "Ada"
            try context.save()
            let result = try plain.coordinator.execute(
                NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast), with: context)
            let history = try #require(result as? NSPersistentHistoryResult)
            #expect((history.result as? [NSPersistentHistoryTransaction])?.isEmpty == true)
        }
        #expect(plain.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
        let memory = try TestStack(type: NSInMemoryStoreType)
        #expect(memory.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
        memory.inContext { context in
            let error = #expect(throws: CocoaError.self) {
                try memory.coordinator.execute(
                    NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast), with: context)
            }
            #expect(error?.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
        }
    }

    // Behaviour 1.9
    @Test func savesCarryATokenOnlyWhereHistoryIsRecorded() throws {
        func token(_ options: [AnyHashable: Any]) throws -> (stack: TestStack, tokens: [NSPersistentHistoryToken?]) {
            let stack = try TestStack(options: options)
            return try stack.inContext { context in
                let log = NotificationLog(context)
                Author(context: context).name = "Ada"
                try context.save()
                let saves = log.entries(.NSManagedObjectContextDidSave)
                return (stack, saves.map { $0.notification.userInfo?["historyToken"] as? NSPersistentHistoryToken })
            }
        }
        let recorded = try token(HistoryStack.options)
        #expect(recorded.tokens == [recorded.stack.coordinator.currentPersistentHistoryToken(fromStores: nil)])
        #expect(recorded.tokens.first != .some(nil))
        #expect(try token([:]).tokens == [nil])
    }

    // Behaviour 11.10
    @Test func tombstonesHaveTheAttributesThatArePreserved() throws {
        let model = LibraryModel.make()
        for name in ["title", "identifier", "pages"] {
            model.entitiesByName["Book"]?.attributesByName[name]?.preservesValueInHistoryOnDeletion = true
        }
        let history = try HistoryStack(model: model)
        let identifier = UUID()
        let id = try history.save { context in
            let book = Book(context: context)
            book.title = "Emma"
            book.price = 9
            book.pages = 474
            book.setValue(identifier, forKey: "identifier")
            try context.obtainPermanentIDs(for: [book])
            return book.objectID
        }
        try history.save { try #require($0.existingObject(with: id) as? Book).price = 10 }
        try history.save { $0.delete(try $0.existingObject(with: id)) }
        let changes = try history.allTransactions().flatMap { $0.changes ?? [] }
        #expect(changes.map(\.changeType) == [.insert, .update, .delete])
        #expect(changes[0].tombstone == nil && changes[1].tombstone == nil)
        let tombstone = try #require(changes[2].tombstone)
        #expect(Set(tombstone.keys) == ["title", "identifier", "pages"])
        #expect(tombstone["title"] as? String == "Emma")
        #expect(tombstone["identifier"] as? UUID == identifier)
        #expect(tombstone["pages"] as? Int == 474)
        guard history.isFile else { return }
        #expect(
            try history.stack.sqlite(
                "SELECT hex(ZTOMBSTONE0), ZTOMBSTONE1, ZTOMBSTONE2 FROM ACHANGE WHERE ZCHANGETYPE=2")
                == identifier.uuidString.replacingOccurrences(of: "-", with: "") + "|474|Emma")
    }

    @Test func tokensSurviveAnArchive() throws {
        let history = try HistoryStack()
        try history.addAuthor("Ada")
        let token = try #require(history.token)
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data))
        #expect(read == token)
        #expect(read.hash == token.hash)
        try history.addAuthor("Eve")
        #expect(try history.transactions(.fetchHistory(after: read)).numbers(in: history.allTransactions()) == [2])
        #expect(history.token != token)
        #expect((token.copy() as? NSPersistentHistoryToken) == token)
    }

    @Test func historyOfSeveralStoresIsOne() throws {
        let history = try HistoryStack()
        let folder = history.stack.folder
        let other = try history.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("Other.sqlite"),
            options: HistoryStack.options)
        let first = try history.store()
        for (name, store) in [("Ada", first), ("Eve", other), ("Kim", first)] {
            try history.save { context in
                let author = Author(context: context)
                author.name = name
                context.assign(author, to: store)
            }
        }
        let all = try history.allTransactions()
        #expect(all.map(\.storeID) == [first.identifier, other.identifier, first.identifier])
        #expect(!history.isFile || all.map(\.transactionNumber) == [1, 1, 2])
        let token = try #require(history.coordinator.currentPersistentHistoryToken(fromStores: [other]))
        #expect(token == all[1].token)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        request.affectedStores = [other]
        #expect(try history.transactions(request).map(\.storeID) == [other.identifier])
    }
}
