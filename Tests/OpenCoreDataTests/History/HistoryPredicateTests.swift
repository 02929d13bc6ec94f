import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct HistoryPredicateTests {
    // Behaviour 11.5
    @Test func transactionsAreFilteredByWhatTheyTell() throws {
        let history = try HistoryStack()
        try history.addAuthor("Ada", as: "app", context: "view")
        try history.addAuthor("Eve", as: "share", context: "background")
        try history.addAuthor("Kim", context: "background")
        let all = try history.allTransactions()
        #expect(try history.numbers("author == %@", "app") == [1])
        #expect(try history.numbers("author != %@", "app") == [2, 3])
        #expect(try history.numbers("author == nil") == [3])
        #expect(try history.numbers("author IN %@", ["app", "share"]) == [1, 2])
        #expect(try history.numbers("author BEGINSWITH[c] %@", "SH") == [2])
        #expect(try history.numbers("contextName == %@", "background") == [2, 3])
        let token = all[1].token
        #expect(try history.numbers("token == %@", token) == [2])
        #expect(try history.numbers("token = %@", token) == [2])
        #expect(try history.numbers("token > %@", token) == [3])
        #expect(try history.numbers("token >= %@", token) == [2, 3])
        #expect(try history.numbers("token < %@", token) == [1])
        #expect(try history.numbers("token <= %@", token) == [1, 2])
        #expect(try history.numbers("%@ < token", token) == [3])
        #expect(try history.numbers("timestamp > %@", all[0].timestamp) == [2, 3])
        #expect(try history.numbers("timestamp <= %@", all[0].timestamp) == [1])
        #expect(try history.numbers("transactionNumber == %@", all[2].transactionNumber) == [3])
        #expect(try history.numbers("processID == %@", ProcessInfo.processInfo.processName) == [1, 2, 3])
        #expect(try history.numbers("processID == %@", "another") == [])
        #expect(
            try history.numbers("bundleID == %@", "none.such") == [])
        #expect(
            try history.numbers("author == %@ OR contextName == %@ AND token > %@", "app", "background", token) == [
                1, 3,
            ])
        #expect(try history.numbers("ANY changes.changeType == %@", 0) == [1, 2, 3])
    }

    // Behaviour 11.5
    @Test func theTokenOfANewStoreIsRefusedInAPredicateAndAcceptedAsABorder() throws {
        let history = try HistoryStack()
        let initial = try #require(history.token)
        try history.addAuthor("Ada")
        #expect(try history.transactions(.fetchHistory(after: initial)).count == 1)
        for format in ["token > %@", "token == %@"] {
            let error = #expect(throws: CocoaError.self) { try history.numbers(format, initial) }
            #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
        }
    }

    // Behaviour 11.6
    @Test func changesAreFilteredByTypeEntityAndObject() throws {
        let history = try HistoryStack()
        let ids = try history.save { context in
            let (book, novel) = (Book(context: context), GraphicNovel(context: context))
            let author = Author(context: context)
            try context.obtainPermanentIDs(for: [book, novel, author])
            return [book.objectID, novel.objectID, author.objectID]
        }
        try history.save { try #require($0.existingObject(with: ids[0]) as? Book).title = "Emma" }
        try history.save { $0.delete(try $0.existingObject(with: ids[1])) }

        let types: [NSPersistentHistoryChangeType] = [.insert, .update, .delete]
        #expect(try types.map { try history.changes("changeType == %d", $0.rawValue).count } == [3, 1, 1])
        let entities = history.coordinator.managedObjectModel.entitiesByName
        let book = try #require(entities["Book"])
        #expect(try history.changes("changedEntity == %@", book).map(\.changedObjectID) == [ids[0], ids[0]])
        #expect(try history.changes("changedEntity = %@", try #require(entities["GraphicNovel"])).count == 2)
        #expect(try history.changes("changedEntity IN %@", [book, try #require(entities["Author"])]).count == 3)
        #expect(try history.changes("changedEntity != %@", book).count == 3)
        #expect(try history.changes("changedObjectID == %@", ids[1]).map(\.changeType) == [.insert, .delete])
        #expect(try history.changes("changedObjectID IN %@", [ids[0], ids[2]]).count == 3)
        #expect(try history.changes("changedObjectID != %@", ids[1]).count == 3)
        let deletions = try history.changes("changedObjectID == %@ AND changeType == %d", ids[1], 2).map(\.changeID)
        #expect(history.isFile ? deletions == [5] : deletions.count == 1)
        let first = try history.allTransactions()[0]
        #expect(try history.changes("transaction.transactionNumber > %@", first.transactionNumber).count == 2)
        #expect(try history.changes("transaction.token == %@", first.token).count == 3)
        // Identifiers of another coordinator on the file name the same objects.
        let other = try history.another()
        let same = try #require(
            other.coordinator.managedObjectID(forURIRepresentation: ids[1].uriRepresentation()))
        #expect(try history.changes("changedObjectID == %@", same).count == 2)
        let stranger = try HistoryStack().addAuthor("Ada")
        #expect(try history.changes("changedObjectID == %@", stranger).isEmpty)
    }

    @Test func aRequestOfChangesAlsoGivesTheirTransactions() throws {
        let history = try HistoryStack()
        let id = try history.addAuthor("Ada")
        try history.save { context in
            try #require(context.existingObject(with: id) as? Author).country = "GB"
            Author(context: context).name = "Eve"
        }
        let request = try #require(NSPersistentHistoryChange.fetchRequest)
        request.predicate = NSPredicate(format: "changeType == %d", NSPersistentHistoryChangeType.update.rawValue)
        let transactions = try history.transactions(.fetchHistory(withFetch: request))
        #expect(try transactions.numbers(in: history.allTransactions()) == [2])
        #expect(transactions.first?.changes?.map(\.changedObjectID) == [id])
    }

    @Test func orderLimitAndTokenOfARequestCount() throws {
        let history = try HistoryStack()
        for index in 1...5 { try history.addAuthor("\(index)", as: index == 3 ? "other" : "app") }
        let second = try history.allTransactions()[1].token
        let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
        request.sortDescriptors = [NSSortDescriptor(key: "timestamp", ascending: false)]
        request.fetchLimit = 2
        request.predicate = NSPredicate(format: "author == %@", "app")
        let news = NSPersistentHistoryChangeRequest.fetchHistory(after: second)
        #expect(news.token == second)
        news.fetchRequest = request
        #expect(try history.transactions(news).numbers(in: history.allTransactions()) == [5, 4])
    }

    // Behaviour 11.8
    @Test func entitiesOfTheHistoryAreThereForRequests() throws {
        let history = try HistoryStack()
        try history.addAuthor("Ada", as: "app")
        try history.stack.inContext { context in
            let transaction = try #require(NSPersistentHistoryTransaction.entityDescription(with: context))
            let change = try #require(NSPersistentHistoryChange.entityDescription(with: context))
            #expect(transaction.attributesByName.keys.contains("author"))
            #expect(change.attributesByName.keys.contains("changedObjectID"))
            let request = NSFetchRequest<any NSFetchRequestResult>()
            request.entity = transaction
            request.predicate = NSPredicate(format: "%K == %@", "author", "app")
            let found = try history.transactions(.fetchHistory(withFetch: request))
            #expect(found.map(\.author) == ["app"])
        }
    }

    @Test func requestsThatMakeNoSenseAreErrorsThatSayWhy() throws {
        let history = try HistoryStack()
        try history.addAuthor("Ada")
        let books = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: NSFetchRequest(entityName: "Book"))
        let wrongEntity = #expect(throws: CocoaError.self) { try history.execute(books) }
        #expect(wrongEntity?.localizedDescription.contains("Book") == true)
        let unknownKey = #expect(throws: CocoaError.self) { try history.numbers("writer == %@", "app") }
        #expect(unknownKey?.localizedDescription.contains("writer") == true)
        #expect(throws: CocoaError.self) { try history.numbers("author ==") }
    }
}
