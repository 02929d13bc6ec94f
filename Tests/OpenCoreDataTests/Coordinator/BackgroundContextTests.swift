import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Contexts that a container makes.
@Suite struct BackgroundContextTests {
    private func container(_ folder: TemporaryFolder, tracksHistory: Bool = false) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: LibraryModel.make())
        let description = NSPersistentStoreDescription(url: folder.file("Library.sqlite"))
        description.setOption(tracksHistory as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        return container
    }

    @Test func backgroundContextsDoNotMergeByThemselves() async throws {
        let folder = try TemporaryFolder()
        let container = try container(folder)
        #expect(!container.viewContext.automaticallyMergesChangesFromParent)
        let (one, two) = (container.newBackgroundContext(), container.newBackgroundContext())
        #expect(!two.automaticallyMergesChangesFromParent)
        #expect(await container.performBackgroundTask { !$0.automaticallyMergesChangesFromParent })
        let id = try one.performAndWait {
            let book = Book(context: one)
            book.title = "old"
            try one.save()
            return book.objectID
        }
        let held = try two.performAndWait { try two.existingObject(with: id) as? Book }
        let book = try #require(held)
        #expect(two.performAndWait { book.title } == "old")
        try one.performAndWait {
            try one.existingObject(with: id).setValue("new", forKey: "title")
            try one.save()
        }
        // Merging would run on the queue before this does.
        #expect(two.performAndWait { book.title } == "old")
        two.performAndWait { two.refresh(book, mergeChanges: true) }
        #expect(two.performAndWait { book.title } == "new")
    }

    @Test func notificationsOfASaveHaveTheTokenUnderBothKeys() throws {
        let folder = try TemporaryFolder()
        let container = try container(folder, tracksHistory: true)
        let context = container.newBackgroundContext()
        let log = NotificationLog(context)
        try context.performAndWait {
            _ = Book(context: context)
            try context.save()
        }
        for name in [
            Notification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs,
        ] {
            let info = try #require(log.entries(name).first?.notification.userInfo)
            let token = try #require(info["newChangeToken"] as? NSPersistentHistoryToken)
            #expect(token == info[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
        }
        let untracked = try TestStack()
        try untracked.inContext { context in
            let log = NotificationLog(context)
            _ = Book(context: context)
            try context.save()
            #expect(log.entries.allSatisfy { $0.notification.userInfo?["newChangeToken"] == nil })
        }
    }

    @Test func aMergeMarksItsChanges() throws {
        let stack = try TestStack()
        let context = stack.context()
        try context.performAndWait {
            let key = "NSObjectsChangedByMergeChangesKey"
            let log = NotificationLog(context, [.NSManagedObjectContextObjectsDidChange])
            let book = Book(context: context)
            try context.save()
            #expect(log.entries.count == 1 && log.entries.first?.notification.userInfo?[key] == nil)
            log.clear()
            let id = book.objectID
            try stack.inContext { other in
                try other.existingObject(with: id).setValue("new", forKey: "title")
                try other.save()
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: [id]], into: [context])
            let info = try #require(log.entries.last?.notification.userInfo)
            #expect(info[key] is Set<NSManagedObject> && log.entries.last?.objects(NSRefreshedObjectsKey) == [book])
        }
    }
}
