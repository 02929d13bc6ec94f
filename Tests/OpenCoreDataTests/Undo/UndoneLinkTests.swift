import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Links that were undone, and then made by others.
@Suite(.serialized) struct UndoneLinkTests {
    private static let toManys = ["items", "list", "tags", "ranked"]
    private static let cases = BoxModel.storeTypes.flatMap { type in toManys.map { (type, $0) } }

    /// The box a, and the items 0 and 1, linked by nothing.
    private func stack(_ type: String) throws -> TestStack {
        let stack = try TestStack(model: BoxModel.make(), type: type)
        try stack.inContext { context throws in
            _ = context.box("a")
            for key in 0..<2 { _ = context.item(key) }
            try context.save()
        }
        return stack
    }

    private func addAndUndo(
        _ toMany: String, _ inverse: String, in context: NSManagedObjectContext
    ) throws -> [NSObject] {
        let (box, item) = (try #require(try context.stored("Box", "a")), try #require(try context.stored("Item", 0)))
        #expect(box.keys(toMany) == [])
        let led = item.value(forKey: inverse)
        #expect(led == nil || (led as? NSSet)?.count == 0)
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        manager.beginUndoGrouping()
        box.add(item, to: toMany)
        context.processPendingChanges()
        manager.endUndoGrouping()
        context.undo()
        context.processPendingChanges()
        #expect(box.keys(toMany) == [])
        return [box, item]
    }

    private func link(_ toMany: String, in stack: TestStack) throws -> [AnyHashable: Any] {
        var changed: [AnyHashable: Any] = [:]
        try stack.inContext { context throws in
            let (box, item) = (try #require(try context.stored("Box", "a")), try context.stored("Item", 0))
            box.add(item, to: toMany)
            try context.save()
            changed = [NSUpdatedObjectIDsKey: [box.objectID, item?.objectID].compactMap { $0 }]
        }
        return changed
    }

    private static let inverses = ["items": "owner", "list": "shelf", "tags": "tagged", "ranked": "rankers"]

    @Test(arguments: cases) func anUndoneLinkShowsWhenOthersMakeIt(_ type: String, toMany: String) throws {
        let inverse = try #require(Self.inverses[toMany])
        let stack = try stack(type)
        let context = stack.context()
        try context.performAndWait {
            let objects = try addAndUndo(toMany, inverse, in: context)
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: try link(toMany, in: stack), into: [context])
            #expect(try context.stored("Box", "a")?.keys(toMany) == [0])
            let led = try context.stored("Item", 0)?.value(forKey: inverse)
            #expect(led is NSManagedObject || (led as? NSSet)?.count == 1)
            withExtendedLifetime(objects) {}
        }
    }

    @Test(arguments: cases) func aDeletionTakesTheUndoneLinkThatOthersMade(_ type: String, toMany: String) throws {
        let inverse = try #require(Self.inverses[toMany])
        let stack = try stack(type)
        let context = stack.context()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.performAndWait {
            let objects = try addAndUndo(toMany, inverse, in: context)
            let changes = try link(toMany, in: stack)
            if let item = try context.stored("Item", 0) { context.delete(item) }
            context.processPendingChanges()
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
            context.processPendingChanges()
            #expect(try context.stored("Box", "a")?.keys(toMany) == [])
            try context.save()
            withExtendedLifetime(objects) {}
        }
        try stack.inContext { context throws in
            #expect(try context.stored("Box", "a")?.keys(toMany) == [])
            #expect(try context.storedKeys() == [1])
        }
    }
}
