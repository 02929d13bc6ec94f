import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct HistoryDeletionTests {
    private func filled(_ count: Int = 4) throws -> HistoryStack {
        let history = try HistoryStack()
        for index in 1...count { try history.addAuthor("Author \(index)", as: index % 2 == 0 ? "even" : "odd") }
        return history
    }

    // Behaviour 11.4
    @Test func deletingBeforeATransactionKeepsIt() throws {
        let history = try filled()
        let all = try history.allTransactions()
        let result = try history.execute(.deleteHistory(before: all[2]))
        #expect(result.resultType == .statusOnly)
        #expect(result.result as? Bool == true)
        #expect(try history.allTransactions().numbers(in: all) == [3, 4])
        let kept = all[2...].map { "\($0.transactionNumber)" }.joined(separator: "\n")
        #expect(try history.stack.sqlite("SELECT DISTINCT ZTRANSACTIONID FROM ACHANGE ORDER BY 1") == kept)
    }

    @Test func deletionsByTokenAndDateKeepTheBorder() throws {
        let history = try filled()
        let all = try history.allTransactions()
        let count = NSPersistentHistoryChangeRequest.deleteHistory(before: all[1].token)
        #expect(count.resultType == .statusOnly)
        count.resultType = .count
        #expect(try history.execute(count).result as? Int == 1)
        #expect(try history.allTransactions().numbers(in: all) == [2, 3, 4])
        _ = try history.execute(.deleteHistory(before: all[3].timestamp))
        #expect(try history.allTransactions().numbers(in: all) == [4])
        let nothing: NSPersistentHistoryToken? = nil
        _ = try history.execute(.deleteHistory(before: nothing))
        let nobody: NSPersistentHistoryTransaction? = nil
        _ = try history.execute(.deleteHistory(before: nobody))
        #expect(try history.allTransactions().numbers(in: all) == [4])
    }

    @Test func theHistoryGoesOnAfterAllOfItWasDeleted() throws {
        let history = try filled(2)
        let token = history.token
        _ = try history.execute(.deleteHistory(before: Date.distantFuture))
        #expect(try history.allTransactions().isEmpty)
        #expect(history.token == token)
        try history.addAuthor("Last")
        #expect(try history.transactions(.fetchHistory(after: token)).map { $0.changes?.count } == [1])
        let last = try #require(history.allTransactions().last)
        #expect(try history.allTransactions().count == 1 && last.token == history.token && history.token != token)
        #expect(!history.isFile || last.transactionNumber == 3)
    }

    @Test func aTokenWhoseSuccessorsAreGoneHasExpired() throws {
        let history = try filled()
        let all = try history.allTransactions()
        _ = try history.execute(.deleteHistory(before: all[3]))
        // What comes after the third transaction is still there.
        #expect(try history.transactions(.fetchHistory(after: all[2].token)).numbers(in: all) == [4])
        let error = #expect(throws: CocoaError.self) {
            try history.transactions(.fetchHistory(after: all[0].token))
        }
        #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
        #expect(error?.code.rawValue == 134301)
        #expect(error?.localizedDescription.contains("begins with transaction \(all[3].transactionNumber)") == true)
    }

    @Test func aTokenOfAnotherStoreHasExpired() throws {
        let (history, other) = (try filled(1), try filled(3))
        for token in [other.token, NSPersistentHistoryToken([(try history.store()).identifier: 99])] {
            let error = #expect(throws: CocoaError.self) {
                try history.transactions(.fetchHistory(after: token))
            }
            #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
        }
    }

    // Behaviour 11.11
    @Test func readersSkipTheirOwnAuthorAndCleanUpWhatAllHaveSeen() throws {
        let app = try HistoryStack()
        let authors = ["app", "share", "batch"]
        var seen: [String: Date] = [:]
        for round in 0..<3 {
            for author in authors { try app.addAuthor("\(author) \(round)", as: author) }
        }
        for reader in authors {
            let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
            request.predicate = NSPredicate(format: "author != %@", reader)
            let news = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            news.fetchRequest = request
            let transactions = try app.transactions(news)
            #expect(transactions.count == 6)
            #expect(!transactions.contains { $0.author == reader })
            // The share extension is one transaction behind.
            seen[reader] = transactions.dropLast(reader == "share" ? 1 : 0).last?.timestamp
        }
        let border = try #require(seen.values.min())
        _ = try app.execute(.deleteHistory(before: border))
        let rest = try app.allTransactions()
        #expect(rest.map(\.timestamp).allSatisfy { $0 >= border })
        #expect(rest.map(\.author) == ["app", "share", "batch"].suffix(rest.count))
        #expect(rest.count == 3)
    }

    // Behaviour 10.9
    @Test func aStoreWithHistoryOpenedWithoutTheOptionIsReadOnly() throws {
        let folder = try TemporaryFolder()
        do {
            let history = try HistoryStack(folder: folder)
            try history.addAuthor("Ada")
            try history.coordinator.remove(try history.store())
        }
        for options in [[:], [NSPersistentHistoryTrackingKey: false]] as [[AnyHashable: Any]] {
            let plain = try TestStack(folder: folder, options: options)
            #expect(plain.coordinator.persistentStores.first?.isReadOnly == true)
            try plain.inContext { (context: NSManagedObjectContext) throws -> Void in
                #expect(try context.count(for: NSFetchRequest<Author>(entityName: "Author")) == 1)
                Author(context: context).name = "Eve"
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.localizedDescription.contains(NSPersistentHistoryTrackingKey) == true)
            }
            try plain.coordinator.remove(try #require(plain.coordinator.persistentStores.first))
        }
        let again = try HistoryStack(folder: folder)
        #expect(try again.store().isReadOnly == false)
        try again.addAuthor("Eve")
        #expect(try again.allTransactions().count == 2)
    }
}
