import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Batch requests are for SQLite and in-memory stores; the others say so, and are as they were.
@Suite struct BatchRefusalTests {
    @Test(arguments: [NSXMLStoreType, NSBinaryStoreType, ArchiveStore.storeType, RecordStore.storeType])
    func otherStoresRefuse(type: String) throws {
        ArchiveStore.register()
        RecordStore.register()
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let author = Author(context: context)
            author.name = "Ada"
            try context.save()
            let update = NSBatchUpdateRequest(entityName: "Author")
            update.propertiesToUpdate = ["name": "Eve"]
            let requests: [(NSPersistentStoreRequest, String)] = [
                (NSBatchInsertRequest(entityName: "Author", objects: [["name": "Kim"]]), "insert"), (update, "update"),
                (NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Author")), "delete"),
                (NSBatchDeleteRequest(objectIDs: [author.objectID]), "delete"),
            ]
            for (request, word) in requests {
                let error = try #require(throws: CocoaError.self) { try context.execute(request) }
                #expect(error.code == .persistentStoreUnsupportedRequestType)
                #expect(error.localizedDescription.contains("batch \(word)"))
                let stores = error.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore]
                #expect(stores?.first === stack.coordinator.persistentStores.first)
            }
            let names = try context.fetch(NSFetchRequest<Author>(entityName: "Author")).map(\.name)
            #expect(names == ["Ada"])
        }
    }
}
