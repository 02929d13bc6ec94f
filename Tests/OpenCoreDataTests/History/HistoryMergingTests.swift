import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct HistoryMergingTests {
    // Behaviour 11.9
    @Test func transactionsOfAnotherCoordinatorAreMerged() throws {
        let (reader, folder) = try { ($0, $0.stack.folder) }(HistoryStack())
        let writer = try HistoryStack(folder: folder)
        let kept = try reader.addAuthor("Ada")
        let doomed = try reader.addAuthor("Eve")
        let token = reader.token
        let context = reader.stack.context()
        try context.performAndWait {
            let author = try #require(try context.existingObject(with: kept) as? Author)
            let gone = try #require(try context.existingObject(with: doomed) as? Author)
            #expect(author.name == "Ada" && gone.name == "Eve")
            try writer.save { other in
                let id = try #require(
                    writer.coordinator.managedObjectID(forURIRepresentation: kept.uriRepresentation()))
                try #require(other.existingObject(with: id) as? Author).name = "Ada Lovelace"
            }
            try writer.addAuthor("Kim")
            try writer.save { other in
                let id = try #require(
                    writer.coordinator.managedObjectID(forURIRepresentation: doomed.uriRepresentation()))
                other.delete(try other.existingObject(with: id))
            }
            let log = NotificationLog(context, [.NSManagedObjectContextObjectsDidChange])
            let transactions = try reader.transactions(.fetchHistory(after: token))
            #expect(transactions.count == 3)
            for transaction in transactions {
                context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            }
            let entries = log.entries
            #expect(entries.count == 3)
            #expect(entries.first?.objects(NSRefreshedObjectsKey) == [author])
            #expect(entries.dropFirst().first?.objects(NSInsertedObjectsKey).count == 1)
            #expect(entries.last?.objects(NSDeletedObjectsKey) == [gone])
            #expect(author.name == "Ada Lovelace")
            // A merged deletion stays visible until the next save, which has nothing to write.
            #expect(context.insertedObjects.isEmpty && context.updatedObjects.isEmpty)
            #expect(context.deletedObjects == [gone])
            try context.save()
            #expect(!context.hasChanges)
            #expect(try reader.transactions(.fetchHistory(after: token)).count == 3)
            let names = try context.fetch(NSFetchRequest<Author>(entityName: "Author")).map(\.name)
            #expect(Set(names) == ["Ada Lovelace", "Kim"])
        }
    }

    @Test func theNotificationOfATransactionListsItsObjects() throws {
        let history = try HistoryStack()
        let id = try history.addAuthor("Ada")
        let transaction = try #require(try history.allTransactions().first)
        let notification = transaction.objectIDNotification()
        #expect(notification.name == .NSManagedObjectContextDidSaveObjectIDs)
        #expect(notification.userInfo?["inserted_objectIDs"] as? Set<NSManagedObjectID> == [id])
        #expect((notification.userInfo?["updated_objectIDs"] as? Set<NSManagedObjectID>)?.isEmpty == true)
        #expect((notification.userInfo?["deleted_objectIDs"] as? Set<NSManagedObjectID>)?.isEmpty == true)
    }
}
