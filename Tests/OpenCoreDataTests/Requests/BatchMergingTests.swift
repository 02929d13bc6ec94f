import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Batch results reach contexts by `mergeChanges(fromRemoteContextSave:into:)`, and in no other way.
@Suite struct BatchMergingTests {
    private func ids(_ result: NSPersistentStoreResult) -> [NSManagedObjectID] {
        let value: Any? =
            switch result {
            case let insert as NSBatchInsertResult: insert.result
            case let update as NSBatchUpdateResult: update.result
            case let delete as NSBatchDeleteResult: delete.result
            default: nil
            }
        return value as? [NSManagedObjectID] ?? []
    }

    // Behaviour 5.14
    @Test(arguments: BatchModel.storeTypes) func contextsLearnOfABatchByMergingItsResult(type: String) throws {
        let stack = try TestStack(type: type)
        let viewer = stack.context()
        try viewer.performAndWait {
            let (kept, doomed) = (Book(context: viewer), Book(context: viewer))
            kept.title = "kept"
            doomed.title = "doomed"
            try viewer.save()
            let log = NotificationLog(viewer)

            let insert = NSBatchInsertRequest(entityName: "Book", objects: [["title": "new"]])
            insert.resultType = .objectIDs
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.predicate = NSPredicate(format: "title = 'kept'")
            update.propertiesToUpdate = ["pages": 77]
            update.resultType = .updatedObjectIDsResultType
            let fetch = NSFetchRequest<Book>(entityName: "Book")
            fetch.predicate = NSPredicate(format: "title = 'doomed'")
            let delete = NSBatchDeleteRequest(fetchRequest: fetch)
            delete.resultType = .resultTypeObjectIDs
            let background = stack.context()
            let (inserted, updated, deleted) = try background.performAndWait {
                (
                    ids(try background.execute(insert)), ids(try background.execute(update)),
                    ids(try background.execute(delete))
                )
            }
            #expect(inserted.count == 1 && updated.count == 1 && deleted.count == 1)
            #expect(log.entries.isEmpty && kept.pages == 0 && !doomed.isDeleted)

            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [
                    NSInsertedObjectIDsKey: inserted, NSUpdatedObjectIDsKey: updated, NSDeletedObjectIDsKey: deleted,
                ], into: [viewer])
            #expect(kept.pages == 77 && doomed.isDeleted)
            let change = try #require(log.entries(.NSManagedObjectContextObjectsDidChange).first)
            #expect(change.objects(NSInsertedObjectsKey).map(\.objectID) == inserted)
            #expect(change.objects(NSRefreshedObjectsKey) == [kept])
            #expect(change.objects(NSDeletedObjectsKey) == [doomed])
            #expect(
                try viewer.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title).sorted() == ["kept", "new"])
        }
    }

    // Behaviour 5.14
    @Test func theKeysOfObjectsTakeIdentifiersToo() throws {
        let stack = try TestStack()
        let viewer = stack.context()
        try viewer.performAndWait {
            let book = Book(context: viewer)
            book.title = "a"
            try viewer.save()
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.propertiesToUpdate = ["title": "b"]
            update.resultType = .updatedObjectIDsResultType
            let changed = ids(try viewer.execute(update))
            #expect(book.title == "a")
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: changed], into: [viewer])
            #expect(book.title == "b" && !viewer.hasChanges)
        }
    }
}
