#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer) struct HistoryAndBatchTests {
    private static var recording: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    private func transactions(_ context: NSManagedObjectContext) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    @Test func historyTellsWhatWasChanged() throws {
        try ServerStack.with(options: Self.recording) { stack in
            try stack.inContext { context in
                context.transactionAuthor = "tester"
                let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                author.setValue("Jane", forKey: "name")
                try context.save()
                author.setValue("Emma", forKey: "name")
                try context.save()
                context.delete(author)
                try context.save()
                try stack.waitForOlderTransactions()
                let found = try transactions(context)
                #expect(found.count == 3)
                #expect(found.map(\.author) == ["tester", "tester", "tester"])
                let changes = found.flatMap { $0.changes ?? [] }
                #expect(changes.map(\.changeType) == [.insert, .update, .delete])
                #expect(changes[1].updatedProperties?.map(\.name) == ["name"])
                let after = NSPersistentHistoryChangeRequest.fetchHistory(after: found[0].token)
                let later = try (context.execute(after) as? NSPersistentHistoryResult)?.result
                #expect((later as? [NSPersistentHistoryTransaction])?.count == 2)
                _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: found[2].token))
                #expect(try transactions(context).count == 1)
                #expect(throws: CocoaError.self) { try context.execute(after) }
            }
        }
    }

    @Test func theHistoryGoesOnAfterAllOfItWasDeleted() throws {
        try ServerStack.with(options: Self.recording) { stack in
            try stack.inContext { context in
                func save(_ name: String) throws {
                    NSEntityDescription.insertNewObject(forEntityName: "Author", into: context).setValue(
                        name, forKey: "name")
                    try context.save()
                }
                for name in ["Jane", "Emma"] { try save(name) }
                try stack.waitForOlderTransactions()
                let last = try #require(try transactions(context).last)
                let everything = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
                _ = try context.execute(everything)
                #expect(try transactions(context).isEmpty)
                let token = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
                #expect(token == last.token)
                try save("Lem")
                let after = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
                try stack.waitForOlderTransactions()
                let later = try (context.execute(after) as? NSPersistentHistoryResult)?.result
                let found = try #require(later as? [NSPersistentHistoryTransaction])
                #expect(found.map { $0.changes?.count } == [1])
                #expect(found.allSatisfy { $0.transactionNumber > last.transactionNumber })
            }
        }
    }

    @Test func historyThatAnOlderTransactionMayComeBeforeIsNotDeleted() throws {
        try ServerStack.with(options: Self.recording) { stack in
            let other = try TestServer.connect()
            defer { other.close() }
            try other.execute("BEGIN", isPrepared: false)
            try other.execute("SELECT pg_current_xact_id()", isPrepared: false)
            func count() throws -> [[String]] { try stack.rows("SELECT count(*)::text FROM ocd_transaction") }
            try stack.inContext { context in
                let everything = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
                NSEntityDescription.insertNewObject(forEntityName: "Author", into: context).setValue(
                    "Jane", forKey: "name")
                try context.save()
                _ = try context.execute(everything)
                #expect(try count() == [["1"]])
                try other.execute("COMMIT", isPrepared: false)
                for _ in 0..<100 where try count() != [["0"]] { _ = try context.execute(everything) }
                #expect(try count() == [["0"]])
            }
        }
    }

    @Test func batchesInsertUpdateAndDelete() throws {
        try ServerStack.with(options: Self.recording) { stack in
            try stack.inContext { context in
                let insert = NSBatchInsertRequest(
                    entityName: "Book",
                    objects: (0..<2_500).map { ["title": "Book \($0)", "pages": $0] as [String: Any] })
                insert.resultType = .count
                let inserted = try context.execute(insert) as? NSBatchInsertResult
                #expect(inserted?.result as? Int == 2_500)
                let update = NSBatchUpdateRequest(entityName: "Book")
                update.predicate = NSPredicate(format: "pages < 10")
                update.propertiesToUpdate = ["pages": NSExpression(format: "pages + 10000")]
                update.resultType = .updatedObjectsCountResultType
                #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 10)
                let delete = NSBatchDeleteRequest(
                    fetchRequest: {
                        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
                        request.predicate = NSPredicate(format: "title MATCHES 'Book [0-9]'")
                        return request
                    }())
                delete.resultType = .resultTypeCount
                #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 10)
                #expect(try transactions(context).map { $0.changes?.count ?? 0 } == [2_500, 10, 10])
            }
            #expect(try stack.rows("SELECT count(*)::text, max(pages)::text FROM book") == [["2490", "2499"]])
        }
    }

    @Test func aBatchInsertMeetsUniqueValuesByItsMergePolicy() throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                func insert() throws {
                    _ = try context.execute(
                        NSBatchInsertRequest(entityName: "Label", objects: [["name": "a"], ["name": "b"]]))
                }
                try insert()
                #expect(throws: CocoaError.self) { try insert() }
                context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                try insert()
            }
            #expect(
                try stack.rows("SELECT name, z_opt::text FROM label ORDER BY name") == [["a", "2"], ["b", "2"]])
        }
    }
}
#endif
