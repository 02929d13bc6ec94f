import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `execute(_:)` of contexts and coordinators with each class of request.
@Suite struct RequestExecutionTests {
    /// A request that the engine doesn't know.
    private final class StrangeRequest: NSPersistentStoreRequest {}

    @Test func fetchesAndSavesAreExecutedAsRequests() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            Book(context: context).title = "a"
            let saved = try stack.coordinator.execute(NSSaveChangesRequest(), with: context)
            #expect((saved as? [Any])?.isEmpty == true && !context.hasChanges)
            let fetch = NSFetchRequest<Book>(entityName: "Book")
            let found = try #require(try stack.coordinator.execute(fetch, with: context) as? [Book])
            #expect(found.map(\.title) == ["a"])
            let result = try context.execute(fetch) as? NSAsynchronousFetchResult<Book>
            #expect(result?.finalResult == found && result?.managedObjectContext === context)
            Book(context: context).title = "b"
            try context.execute(NSSaveChangesRequest())
        }
        #expect(try stack.count("Book") == 2)
    }

    @Test func requestsThatNobodyKnowsAreAnError() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let error = try #require(throws: CocoaError.self) { try context.execute(StrangeRequest()) }
            #expect(error.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
            #expect(error.localizedDescription.contains("StrangeRequest"))
        }
    }

    @Test func theCoordinatorRefusesAContextOfAnother() throws {
        let (one, two) = (try TestStack(), try TestStack())
        let error = one.inContext { context in
            #expect(throws: CocoaError.self) {
                try two.coordinator.execute(NSFetchRequest<Book>(entityName: "Book"), with: context)
            }
        }
        #expect(error?.localizedDescription.contains("another coordinator") == true)
    }

    @Test func requestTypesAndCopies() throws {
        let insert = NSBatchInsertRequest(entityName: "Book", objects: [["title": "x"]])
        insert.resultType = .count
        let update = NSBatchUpdateRequest(entityName: "Book")
        update.includesSubentities = false
        let fetch = NSFetchRequest<Book>(entityName: "Book")
        fetch.fetchLimit = 3
        let delete = NSBatchDeleteRequest(fetchRequest: fetch)
        // The result type needs not be said.
        #expect(
            NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Book")).fetchRequest.entityName == "Book")
        let types = [insert.requestType, update.requestType, delete.requestType].map(\.rawValue)
        #expect(types == [5, 6, 7])
        #expect((insert.copy() as? NSBatchInsertRequest)?.resultType == .count)
        #expect((insert.copy() as? NSBatchInsertRequest)?.objectsToInsert?.count == 1)
        #expect((update.copy() as? NSBatchUpdateRequest)?.includesSubentities == false)
        #expect((delete.copy() as? NSBatchDeleteRequest)?.fetchRequest.fetchLimit == 3)
    }

    @Test func aChildContextExecutesBatchesOnTheStore() throws {
        let stack = try TestStack()
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait {
            _ = try child.execute(NSBatchInsertRequest(entityName: "Book", objects: [["title": "a"]]))
        }
        #expect(try stack.values("Book", "title") == ["a"])
    }
}
