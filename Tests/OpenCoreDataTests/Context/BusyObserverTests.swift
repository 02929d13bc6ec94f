import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// Contexts that merge by themselves, and whose queue is busy while others save.
@Suite(.serialized) struct BusyObserverTests {
    private final class SelectiveContext: NSManagedObjectContext, @unchecked Sendable {
        let merges = Atomic(false)
        override var automaticallyMergesChangesFromParent: Bool {
            get { merges.load(ordering: .relaxed) }
            set { merges.store(newValue, ordering: .relaxed) }
        }
    }

    private func retitle(_ id: NSManagedObjectID, _ title: String, in context: NSManagedObjectContext) throws {
        try context.performAndWait {
            try #require(context.object(with: id) as? Book).title = title
            try context.save()
        }
    }

    /// A context that has read all books.
    private func reader(_ stack: TestStack, _ ids: [NSManagedObjectID], merges: Bool) -> NSManagedObjectContext {
        let context = stack.context()
        context.retainsRegisteredObjects = true
        context.automaticallyMergesChangesFromParent = merges
        context.performAndWait { for id in ids { _ = (context.object(with: id) as? Book)?.title } }
        return context
    }

    private func titles(_ context: NSManagedObjectContext, _ ids: [NSManagedObjectID]) async -> [String] {
        await context.perform(schedule: .enqueued) { ids.compactMap { (context.object(with: $0) as? Book)?.title } }
    }

    @Test func whatIsSavedMeanwhileIsMergedInItsOrderAndOnce() async throws {
        let stack = try TestStack()
        let ids = try stack.savedBooks(["a", "b"])
        let reader = reader(stack, ids, merges: true)
        let writers = [stack.context(), stack.context()]
        let log = NotificationLog(reader)
        try reader.performAndWait {
            for round in 0..<200 {
                try retitle(ids[round % 2], "\(round)", in: writers[round % 2])
            }
            #expect(reader.persistentStoreCoordinator?.contexts.pendingCount == 200)
            #expect((reader.object(with: ids[0]) as? Book)?.title == "a")
        }
        #expect(await titles(reader, ids) == ["198", "199"])
        let refreshed = log.entries(.NSManagedObjectContextObjectsDidChange).filter {
            !$0.objects(NSRefreshedObjectsKey).isEmpty
        }
        #expect(refreshed.count == 200)
        #expect(stack.coordinator.contexts.pendingCount == 0)
    }

    @Test func aContextDoesNotMergeWhatItSavesItself() async throws {
        let stack = try TestStack()
        let ids = try stack.savedBooks(["a", "b"])
        let first = reader(stack, ids, merges: true)
        let second = reader(stack, ids, merges: true)
        let log = NotificationLog(first)
        try first.performAndWait {
            try retitle(ids[1], "b2", in: stack.context())
            try #require(first.object(with: ids[0]) as? Book).title = "a2"
            try first.save()
        }
        #expect(await titles(first, ids) == ["a2", "b2"])
        #expect(await titles(second, ids) == ["a2", "b2"])
        let refreshed = log.entries(.NSManagedObjectContextObjectsDidChange).flatMap {
            $0.objects(NSRefreshedObjectsKey).map(\.objectID)
        }
        #expect(refreshed == [ids[1]])
    }

    @Test func whoStopsMergingWhileChangesWaitMergesThoseFromBefore() async throws {
        let stack = try TestStack()
        let ids = try stack.savedBooks(["a", "b"])
        let reader = reader(stack, ids, merges: true)
        let writer = stack.context()
        try reader.performAndWait {
            try retitle(ids[0], "a2", in: writer)
            reader.automaticallyMergesChangesFromParent = false
            try retitle(ids[1], "b2", in: writer)
        }
        #expect(await titles(reader, ids) == ["a2", "b"])
        try retitle(ids[0], "a3", in: writer)
        #expect(await titles(reader, ids) == ["a2", "b"])
        reader.automaticallyMergesChangesFromParent = true
        try retitle(ids[1], "b3", in: writer)
        #expect(await titles(reader, ids) == ["a2", "b3"])
    }

    @Test func aSubclassThatOverridesThePropertyIsAskedAtEachSave() async throws {
        let stack = try TestStack()
        let ids = try stack.savedBooks(["a", "b"])
        let reader = SelectiveContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = stack.coordinator
        reader.retainsRegisteredObjects = true
        reader.performAndWait { for id in ids { _ = (reader.object(with: id) as? Book)?.title } }
        let writer = stack.context()
        try retitle(ids[0], "a2", in: writer)
        #expect(await titles(reader, ids) == ["a", "b"])
        reader.merges.store(true, ordering: .relaxed)
        try retitle(ids[1], "b2", in: writer)
        #expect(await titles(reader, ids) == ["a", "b2"])
    }

    @Test func contextsThatEndWhileChangesWaitLeaveNothingBehind() async throws {
        let stack = try TestStack()
        let ids = try stack.savedBooks(["a"])
        let writer = stack.context()
        for round in 0..<20 {
            var reader: NSManagedObjectContext? = reader(stack, ids, merges: true)
            try retitle(ids[0], "\(round)", in: writer)
            if round % 2 == 0 { reader?.persistentStoreCoordinator = nil }
            reader = nil
        }
        #expect(try await eventually { stack.coordinator.contexts.pendingCount == 0 })
    }
}
