import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Objects of a context that refer to rows which a batch deletes.
@Suite(.serialized) struct BatchDeleteReferrerTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    /// Deletes all rows of an entity but for one, beside the contexts.
    private func delete(_ entity: String, from stack: TestStack) throws -> [NSManagedObjectID] {
        try stack.inContext { context in
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
            let request = NSBatchDeleteRequest(fetchRequest: fetch)
            request.resultType = .resultTypeObjectIDs
            let result = try #require(try context.execute(request) as? NSBatchDeleteResult)
            return try #require(result.result as? [NSManagedObjectID])
        }
    }

    /// A box with an item in every relationship, in a context that has read all of them.
    private func box(_ context: NSManagedObjectContext) throws -> (box: NSManagedObject, item: NSManagedObject) {
        let (box, item) = (context.box("a"), context.item(1))
        for relationship in BoxModel.toManys { box.add(item, to: relationship) }
        box.setValue(item, forKey: "cover")
        item.setValue(box, forKey: "friend")
        try context.save()
        for relationship in BoxModel.toManys { #expect(box.keys(relationship) == [1]) }
        return (box, item)
    }

    @Test(arguments: storeTypes, [false, true])
    func whatReferredToDeletedRowsIsSavedWithoutAConflict(type: String, merges: Bool) throws {
        let stack = try TestStack(model: BoxModel.make(), type: type)
        try stack.inContext { context in
            let (box, item) = try box(context)
            let gone = try delete("Box", from: stack)
            #expect(gone == [box.objectID])
            if merges {
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: gone], into: [context])
                for key in ["owner", "shelf", "covered", "friend"] { #expect(item.value(forKey: key) == nil, "\(key)") }
                for key in ["tagged", "rankers"] {
                    #expect((item.value(forKey: key) as? Set<NSManagedObject>)?.isEmpty == true, "\(key)")
                }
                #expect(!item.hasChanges)
            }
            item.setValue(2, forKey: "key")
            try context.save()
        }
        try stack.inContext { context throws in
            #expect(try context.storedKeys("owner == nil AND friend == nil AND tagged.@count == 0") == [2])
        }
        if type == NSSQLiteStoreType, stack.isFile {
            #expect(try StoreChecker.findings(inStoreAt: stack.url, model: BoxModel.make()).isEmpty)
        }
    }

    @Test(arguments: storeTypes) func toManysLoseDeletedMembersByMerging(type: String) throws {
        let stack = try TestStack(model: BoxModel.make(), type: type)
        try stack.inContext { context in
            let (box, _) = try box(context)
            box.add(context.item(9), to: "items")
            let gone = try delete("Item", from: stack)
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: gone], into: [context])
            #expect(box.value(forKey: "cover") == nil)
            for relationship in BoxModel.toManys {
                #expect(box.keys(relationship) == (relationship == "items" ? [9] : []), "\(relationship)")
            }
            try context.save()
        }
        try stack.inContext { context throws in
            #expect(try context.stored("Box", "a")?.keys("items") == [9])
        }
    }
}
