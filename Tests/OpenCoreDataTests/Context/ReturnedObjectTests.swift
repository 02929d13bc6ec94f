import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Objects whose deletion was merged, and that others have saved again since: by undoing the deletion, as an editor does.
@Suite(.serialized) struct ReturnedObjectTests {
    /// A context that deletes an item and takes that back, each with a save, and one that merges both.
    private struct Pair {
        let stack: TestStack
        let parent: NSManagedObjectContext?
        let saver: NSManagedObjectContext
        let merging: NSManagedObjectContext
        let log: NotificationLog

        init(_ type: String, areChildren: Bool) throws {
            let stack = try TestStack(model: BoxModel.make(), type: type)
            let parent = areChildren ? stack.context() : nil
            func context() -> NSManagedObjectContext {
                guard let parent else { return stack.context() }
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = parent
                return child
            }
            self.stack = stack
            self.parent = parent
            saver = context()
            merging = context()
            try stack.inContext { context throws in
                for title in ["a", "b"] { _ = context.box(title) }
                for key in 0..<3 { _ = context.item(key) }
                try context.save()
            }
            log = NotificationLog(saver, [.NSManagedObjectContextDidSave])
        }

        func deleteAndTakeBack() throws {
            try saver.performAndWait {
                saver.undoManager = UndoManager()
                saver.undoManager?.groupsByEvent = false
                saver.undoManager?.beginUndoGrouping()
                if let item = try saver.stored("Item", 0) { saver.delete(item) }
                saver.processPendingChanges()
                saver.undoManager?.endUndoGrouping()
                try saver.save()
                saver.undo()
                try saver.save()
            }
        }

        func inMerging(_ body: (NSManagedObjectContext) throws -> Void) throws {
            try merging.performAndWait { try body(merging) }
        }

        func merge() {
            merging.performAndWait {
                for entry in log.entries { merging.mergeChanges(fromContextDidSave: entry.notification) }
            }
        }
    }

    private static let ways = BoxModel.storeTypes.flatMap { type in [(type, false), (type, true)] }

    @Test(arguments: ways) func isThereOnceMore(_ type: String, areChildren: Bool) throws {
        let pair = try Pair(type, areChildren: areChildren)
        var kept: NSManagedObject?
        try pair.inMerging { kept = try $0.stored("Item", 0) }
        try pair.deleteAndTakeBack()
        pair.merge()
        try pair.inMerging { context throws in
            let found = try context.stored("Item", 0)
            #expect(found != nil && found?.isDeleted == false)
            #expect(found?.objectID != kept?.objectID || found === kept)
            #expect(context.deletedObjects.isEmpty || kept?.objectID != found?.objectID)
            #expect(try context.storedKeys() == [0, 1, 2])
        }
    }

    /// A link that was made here lies on top of it.
    @Test(arguments: ways) func keepsWhatWasLinkedHere(_ type: String, areChildren: Bool) throws {
        let pair = try Pair(type, areChildren: areChildren)
        try pair.saver.performAndWait {
            try pair.saver.stored("Box", "a")?.setValue(pair.saver.stored("Item", 0), forKey: "cover")
            try pair.saver.save()
        }
        var kept: [NSManagedObject?] = []
        try pair.inMerging { context throws in
            context.refreshAllObjects()
            kept = [try context.stored("Item", 0), try context.stored("Box", "a")]
            #expect(kept[0]?.value(forKey: "covered") as? NSManagedObject === kept[1])
            try kept[1]?.setValue(context.stored("Item", 1), forKey: "cover")
        }
        try pair.deleteAndTakeBack()
        pair.merge()
        try pair.inMerging { context throws in
            context.refreshAllObjects()
            let (former, now) = (try context.stored("Item", 0), try context.stored("Item", 1))
            let box = try context.stored("Box", "a")
            #expect(former != nil && former?.value(forKey: "covered") == nil)
            #expect(now?.value(forKey: "covered") as? NSManagedObject === box)
            #expect(box?.value(forKey: "cover") as? NSManagedObject === now)
        }
        withExtendedLifetime(kept) {}
    }

    /// The notification of an insertion comes late, after the row has been deleted for good.
    @Test(arguments: ways) func anOldNotificationBringsNothingBack(_ type: String, areChildren: Bool) throws {
        let pair = try Pair(type, areChildren: areChildren)
        var kept: NSManagedObject?
        try pair.saver.performAndWait {
            _ = pair.saver.item(7)
            try pair.saver.save()
        }
        try pair.inMerging { context throws in
            context.refreshAllObjects()
            kept = try context.stored("Item", 7)
        }
        #expect(kept != nil)
        try pair.saver.performAndWait {
            if let item = try pair.saver.stored("Item", 7) { pair.saver.delete(item) }
            try pair.saver.save()
        }
        pair.merge()
        let first = try #require(pair.log.entries.first?.notification)
        try pair.inMerging { context throws in
            context.mergeChanges(fromContextDidSave: first)
            #expect(try context.stored("Item", 7) == nil)
            #expect(try context.storedKeys() == [0, 1, 2])
        }
    }
}
