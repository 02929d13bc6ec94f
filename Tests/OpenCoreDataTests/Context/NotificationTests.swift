import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// Section 1 of the observed behavior: what is posted, when, and where. Numbers are section.fact.
@Suite(.serialized) struct NotificationTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    // Behaviour 1.1
    @Test(arguments: storeTypes) func changesArePostedOnceWhenTheyAreProcessed(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let kept = Book(context: context)
            let gone = Book(context: context)
            try context.save()
            let log = NotificationLog(context)
            let new = Book(context: context)
            kept.title = "Emma"
            kept.title = "Persuasion"
            context.delete(gone)
            #expect(log.entries.isEmpty)
            context.processPendingChanges()
            #expect(log.names == [.NSManagedObjectContextObjectsDidChange])
            let entry = try #require(log.entries.first)
            #expect(entry.objects(NSInsertedObjectsKey) == [new])
            #expect(entry.objects(NSUpdatedObjectsKey) == [kept])
            #expect(entry.objects(NSDeletedObjectsKey) == [gone])
            #expect(entry.notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> == [new])
            context.processPendingChanges()
            #expect(log.entries.count == 1)
        }
    }

    // Behaviour 1.2
    @Test func performAndWaitPostsNothingByItself() throws {
        let stack = try TestStack()
        let context = stack.context()
        let log = NotificationLog(context)
        let caller = Thread.current
        context.performAndWait {
            _ = Book(context: context)
            #expect(Thread.current === caller)
        }
        #expect(log.entries.isEmpty)
        context.performAndWait { context.processPendingChanges() }
        #expect(log.names == [.NSManagedObjectContextObjectsDidChange])
    }

    // Behaviour 1.1, 1.3
    @Test func asynchronousPerformPostsAtItsEndOffTheMainThread() async throws {
        let stack = try TestStack()
        let context = stack.context()
        let log = NotificationLog(context)
        await context.perform {
            _ = Book(context: context)
            _ = Book(context: context)
            #expect(log.entries.isEmpty)
        }
        #expect(log.names == [.NSManagedObjectContextObjectsDidChange])
        #expect(log.entries.first?.isOnMainThread == false)
        #expect(log.entries.first?.objects(NSInsertedObjectsKey).count == 2)
    }

    // Behaviour 1.3
    @Test func performWithoutResultPostsAtItsEnd() async throws {
        let stack = try TestStack()
        let context = stack.context()
        let log = NotificationLog(context)
        await withCheckedContinuation { continuation in
            context.perform { _ = Book(context: context) }
            context.perform { continuation.resume() }
        }
        #expect(log.names == [.NSManagedObjectContextObjectsDidChange])
    }

    // Behaviour 1.1
    @Test func aMainQueueContextPostsAtTheEndOfTheTurn() async throws {
        let stack = try TestStack()
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        let log = NotificationLog(context)
        await MainActor.run {
            _ = Book(context: context)
            _ = Book(context: context)
            #expect(log.entries.isEmpty)
        }
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(log.names == [.NSManagedObjectContextObjectsDidChange])
        #expect(log.entries.first?.objects(NSInsertedObjectsKey).count == 2)
    }

    // Behaviour 1.4, 1.6
    @Test(arguments: storeTypes) func aSavePostsChangeThenWillSaveThenDidSave(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let kept = Book(context: context)
            let gone = Book(context: context)
            try context.save()
            let log = NotificationLog(context)
            let new = Book(context: context)
            kept.title = "Emma"
            context.delete(gone)
            let goneID = gone.objectID
            try context.save()
            #expect(
                log.names == [
                    .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave,
                    .NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs,
                ])
            let didSave = try #require(log.entries(.NSManagedObjectContextDidSave).first)
            #expect(didSave.objects(NSInsertedObjectsKey) == [new])
            #expect(didSave.objects(NSUpdatedObjectsKey) == [kept])
            #expect(didSave.objects(NSDeletedObjectsKey) == [gone])
            let ids = try #require(log.entries(.NSManagedObjectContextDidSaveObjectIDs).first)
            #expect(ids.ids(NSInsertedObjectIDsKey) == [new.objectID])
            #expect(ids.ids(NSInsertedObjectIDsKey).allSatisfy { !$0.isTemporaryID })
            #expect(ids.ids(NSUpdatedObjectIDsKey) == [kept.objectID])
            #expect(ids.ids(NSDeletedObjectIDsKey) == [goneID])
        }
    }

    // Behaviour 1.4
    @Test func processedChangesAreNotPostedAgainByTheSave() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            _ = Book(context: context)
            context.processPendingChanges()
            let log = NotificationLog(context)
            try context.save()
            #expect(log.names.first == .NSManagedObjectContextWillSave)
        }
    }

    // Behaviour 1.5
    @Test(arguments: storeTypes) func aSaveWithoutChangesSucceedsAndPostsEmptySets(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let log = NotificationLog(context)
            try context.save()
            let didSave = try #require(log.entries(.NSManagedObjectContextDidSave).first)
            #expect(didSave.objects(NSInsertedObjectsKey).isEmpty)
            #expect(didSave.objects(NSUpdatedObjectsKey).isEmpty)
            #expect(didSave.objects(NSDeletedObjectsKey).isEmpty)
        }
    }

    // Behaviour 1.7
    @Test func aChildPostsTemporaryIdentifiers() throws {
        let stack = try TestStack()
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        let log = NotificationLog(child)
        try child.performAndWait {
            _ = Book(context: child)
            try child.save()
        }
        let entry = try #require(log.entries(.NSManagedObjectContextDidSaveObjectIDs).first)
        #expect(entry.ids(NSInsertedObjectIDsKey).count == 1)
        #expect(entry.ids(NSInsertedObjectIDsKey).allSatisfy { $0.isTemporaryID })
    }

    // Behaviour 1.10
    @Test(arguments: storeTypes) func resetPostsEverythingAsInvalidated(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let books = [Book(context: context), Book(context: context)]
            try context.save()
            let new = Book(context: context)
            context.processPendingChanges()
            let ids = Set((books + [new]).map(\.objectID))
            let log = NotificationLog(context)
            context.reset()
            #expect(log.names == [.NSManagedObjectContextObjectsDidChange])
            let entry = try #require(log.entries.first)
            #expect(entry.elements(NSInvalidatedAllObjectsKey).count == 3)
            #expect(entry.ids(NSInvalidatedAllObjectsKey) == ids)
            #expect(entry.notification.userInfo?[NSInvalidatedAllObjectsKey] is [NSManagedObjectID])
            #expect(entry.notification.userInfo?.count == 1)
            #expect(context.registeredObjects.isEmpty && !context.hasChanges)
            #expect((books + [new]).allSatisfy { $0.managedObjectContext == nil })
        }
    }

    // Behaviour 1.11
    @Test(arguments: storeTypes) func refreshAllObjectsPostsEverythingAsRefreshed(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let books = [Book(context: context), Book(context: context)]
            try context.save()
            books[0].title = "Emma"
            context.processPendingChanges()
            let log = NotificationLog(context)
            context.refreshAllObjects()
            #expect(log.names == [.NSManagedObjectContextObjectsDidChange])
            #expect(log.entries.first?.objects(NSRefreshedObjectsKey) == Set(books))
        }
    }

    // Behaviour 1.12
    @Test func eachChildSavePostsInTheParentAndTheParentSavesTheSum() throws {
        let stack = try TestStack()
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        let log = NotificationLog(parent)
        try child.performAndWait {
            let book = Book(context: child)
            try child.save()
            #expect(log.names == [.NSManagedObjectContextObjectsDidChange])
            #expect(log.entries.last?.objects(NSInsertedObjectsKey).count == 1)
            _ = Book(context: child)
            try child.save()
            #expect(log.entries.count == 2)
            book.title = "Emma"
            try child.save()
            #expect(log.entries.count == 3)
            #expect(log.entries.last?.objects(NSUpdatedObjectsKey).count == 1)
        }
        log.clear()
        try parent.performAndWait { try parent.save() }
        let didSave = log.entries(.NSManagedObjectContextDidSave)
        #expect(didSave.count == 1)
        #expect(didSave.first?.objects(NSInsertedObjectsKey).count == 2)
    }

    // Behaviour 1.13
    @Test func addingAndRemovingAStoreIsPosted() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let log = NotificationLog(
            coordinator,
            [.NSPersistentStoreCoordinatorStoresDidChange, .NSPersistentStoreCoordinatorStoresWillChange])
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("a.sqlite"), options: nil)
        #expect(log.names == [.NSPersistentStoreCoordinatorStoresDidChange])
        let added = log.entries.first?.notification.userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore]
        #expect(added?.first === store && added?.count == 1)
        log.clear()
        let leaving = NotificationLog(store, [.NSPersistentStoreCoordinatorWillRemoveStore])
        try coordinator.remove(store)
        #expect(leaving.entries.count == 1)
        #expect(log.names == [.NSPersistentStoreCoordinatorStoresDidChange])
        let removed = log.entries.last?.notification.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore]
        #expect(removed?.first === store)
    }

    // Behaviour 1.14
    @Test func storesWillChangeIsNotPosted() throws {
        let stack = try TestStack()
        let log = NotificationLog(stack.coordinator, [.NSPersistentStoreCoordinatorStoresWillChange])
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        #expect(log.entries.isEmpty)
    }

    /// The center frees a block inside of its lock, and what goes with the block must not come back to the center.
    @Test func aContextMayGoWithTheBlockOfAnObserver() throws {
        let stack = try TestStack()
        var context: NSManagedObjectContext? = stack.context()
        context?.performAndWait { context?.undoManager = UndoManager() }
        let token = NotificationCenter.default.addObserver(forName: .init("Nothing"), object: nil, queue: nil) {
            [context] _ in withExtendedLifetime(context) {}
        }
        weak let gone = context
        context = nil
        #expect(gone != nil)
        NotificationCenter.default.removeObserver(token)
        #expect(gone == nil)
    }

    @Test func anObserverMayGoWithTheHandlerOfAnother() {
        let name = Notification.Name("AnObserverMayGo")
        let heard = Mutex(0)
        var inner: NoticeObserver? = NoticeObserver(name, of: nil) { _ in heard.withLock { $0 += 1 } }
        let outer = NoticeObserver(name, of: nil) { [inner] _ in withExtendedLifetime(inner) {} }
        inner = nil
        NotificationCenter.default.post(name: name, object: nil)
        #expect(heard.withLock { $0 } == 1)
        outer.end()
        NotificationCenter.default.post(name: name, object: nil)
        #expect(heard.withLock { $0 } == 1)
    }

    /// With layers around it, it would grow slower each time, and stop the program in the end.
    @Test func aHandlerIsTheSameHoweverOftenItIsAskedFor() {
        let heard = Mutex(0)
        let locked = LockedHandler<Int> { number in heard.withLock { $0 += number } }
        for _ in 0..<200_000 { _ = locked.handler }
        locked.handler?(1)
        #expect(heard.withLock { $0 } == 1)
    }
}
