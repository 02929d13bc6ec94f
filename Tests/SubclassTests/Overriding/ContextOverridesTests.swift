import CoreData
import Foundation
import TestSupport
import Testing

/// Contexts whose class overrides what it can.
@Suite(.serialized) struct ContextOverridesTests {
    private let stack: TestStack
    private let context: WatchedContext

    init() throws {
        stack = try TestStack()
        context = WatchedContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
    }

    private func books() -> NSFetchRequest<Book> { NSFetchRequest<Book>(entityName: "Book") }

    @Test func everyOverrideRuns() throws {
        WatchedContext.ran.forget()
        let ran = context.ran
        context.perform {}
        try context.performAndWait {
            _ = context.concurrencyType
            _ = context.userInfo
            context.name = "watched"
            context.transactionAuthor = "somebody"
            context.mergePolicy = NSMergePolicy.overwrite
            context.automaticallyMergesChangesFromParent = true
            context.propagatesDeletesAtEndOfEvent = true
            context.shouldDeleteInaccessibleFaults = true
            context.stalenessInterval = -1
            context.retainsRegisteredObjects = false
            context.undoManager = UndoManager()
            let author = Author(context: context)
            let book = Book(context: context)
            book.author = author
            context.assign(book, to: stack.coordinator.persistentStores[0])
            try context.obtainPermanentIDs(for: [author])
            #expect(context.insertedObjects.count == 2 && context.hasChanges)
            try context.save()
            #expect(context.registeredObjects.count == 2)
            #expect(context.object(with: book.objectID) === book)
            #expect(context.registeredObject(for: book.objectID) === book)
            #expect(try context.existingObject(with: book.objectID) === book)
            book.title = "Ulysses"
            #expect(context.updatedObjects == [book])
            context.processPendingChanges()
            context.undo()
            context.redo()
            context.refresh(book, mergeChanges: true)
            context.refreshAllObjects()
            context.detectConflicts(for: author)
            context.rollback()
            #expect(try context.count(for: books()) == 1)
            #expect(try context.fetch(books()) == [book])
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Note")))
            context.delete(book)
            #expect(context.deletedObjects == [book])
            try context.setQueryGenerationFrom(.current)
            _ = context.queryGenerationToken
            context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave))
            let lost = context.object(with: author.objectID)
            context.rollback()
            context.refresh(lost, mergeChanges: false)
            try stack.inContext { other in
                other.delete(other.object(with: lost.objectID))
                try other.save()
            }
            try context.setQueryGenerationFrom(nil)
            context.refresh(lost, mergeChanges: false)
            _ = lost.value(forKey: "name")
            context.reset()
        }
        WatchedContext.mergeChanges(fromRemoteContextSave: [:], into: [context])
        context.persistentStoreCoordinator = nil
        context.parent = stack.context()
        let missing = Self.members.subtracting(ran.names)
        #expect(missing.isEmpty, "\(missing)")
        #expect(WatchedContext.ran.names == ["mergeChanges(fromRemoteContextSave:into:)"])
    }

    private static let members: Set<String> = [
        "concurrencyType", "userInfo", "registeredObjects", "insertedObjects", "updatedObjects", "deletedObjects",
        "hasChanges", "queryGenerationToken", "name", "transactionAuthor", "mergePolicy",
        "automaticallyMergesChangesFromParent", "propagatesDeletesAtEndOfEvent", "shouldDeleteInaccessibleFaults",
        "stalenessInterval", "retainsRegisteredObjects", "undoManager", "parent", "persistentStoreCoordinator",
        "insert(_:)", "delete(_:)", "registeredObject(for:)", "object(with:)", "existingObject(with:)",
        "obtainPermanentIDs(for:)", "assign(_:to:)", "fetch(_:)", "count(for:)", "execute(_:)", "save()",
        "processPendingChanges()", "rollback()", "reset()", "refresh(_:mergeChanges:)", "refreshAllObjects()",
        "detectConflicts(for:)", "mergeChanges(fromContextDidSave:)", "undo()", "redo()", "perform(_:)",
        "performAndWait(_:)", "setQueryGenerationFrom(_:)",
        "shouldHandleInaccessibleFault(_:for:triggeredByProperty:)",
    ]

    @Test func aTypedFetchComesToTheOverride() throws {
        try context.performAndWait {
            let book = Book(context: context)
            book.title = "Dubliners"
            try context.save()
            context.ran.forget()
            let request = books()
            #expect(try context.fetch(request).map(\.title) == ["Dubliners"])
            #expect(request.entity?.name == "Book")
            #expect(context.ran["fetch(_:)"] == 1)
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            ids.resultType = .managedObjectIDResultType
            #expect(try context.fetch(ids) == [book.objectID])
            let untyped = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
            #expect(try context.fetch(untyped).count == 1)
            #expect(context.ran["fetch(_:)"] == 3)
            let found: [any NSFetchRequestResult] = try context.fetch(untyped)
            #expect(found.count == 1 && context.ran["fetch(_:)"] == 4)
            let plain: NSManagedObjectContext = context
            #expect(try plain.fetch(untyped).first as? Book === book)
            #expect(context.ran["fetch(_:)"] == 5)
            #expect(try context.count(for: untyped) == 1)
            #expect(try context.count(for: request) == 1)
            #expect(context.ran["count(for:)"] == 2)
        }
    }

    @Test func aFetchedResultsControllerFetchesThroughTheOverride() throws {
        try context.performAndWait {
            Book(context: context).title = "Dubliners"
            try context.save()
            context.ran.forget()
            let request = books()
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            #expect(controller.fetchedObjects?.map(\.title) == ["Dubliners"])
            #expect(context.ran["fetch(_:)"] == 1)
        }
    }

    @Test func insertingIsSeenForEveryNewObject() {
        context.performAndWait {
            _ = Book(context: context)
            _ = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        }
        #expect(context.ran["insert(_:)"] == 2)
    }

    @Test func whatABlockReturnsOrThrowsPassesTheOverride() throws {
        struct Refused: Error {}
        #expect(context.performAndWait { 7 } == 7)
        #expect(throws: Refused.self) { try context.performAndWait { throw Refused() } }
        let run: (() -> Void) -> Void = context.performAndWait
        var ran = false
        run { ran = true }
        #expect(ran)
        #expect(context.ran["performAndWait(_:)"] == 3)
    }

    /// Saves twice, and leaves drafts out.
    private final class AuditedContext: NSManagedObjectContext, @unchecked Sendable {
        override func save() throws {
            for object in insertedObjects { object.setValue("audited", forKey: "title") }
            try super.save()
        }

        override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
            request.predicate = NSPredicate(format: "title == 'audited'")
            return try super.fetch(request)
        }
    }

    @Test func anOverrideMayChangeWhatIsSavedAndFetched() throws {
        let audited = AuditedContext(concurrencyType: .privateQueueConcurrencyType)
        audited.persistentStoreCoordinator = stack.coordinator
        try stack.inContext { other in
            Book(context: other).title = "not audited"
            try other.save()
        }
        try audited.performAndWait {
            Book(context: audited).title = "new"
            try audited.save()
            #expect(try audited.fetch(books()).map(\.title) == ["audited"])
        }
        #expect(try stack.sqlite("SELECT count(*) FROM ZBOOK") == "2")
    }

    @Test func aControllerOfIdentifiersFollowsWhatAnOverriddenFetchGives() throws {
        let audited = AuditedContext(concurrencyType: .privateQueueConcurrencyType)
        audited.persistentStoreCoordinator = stack.coordinator
        try audited.performAndWait {
            for pages: Int32 in [3, 1] {
                let book = Book(context: audited)
                (book.title, book.pages) = ("audited", pages)
            }
            try audited.save()
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            request.resultType = .managedObjectIDResultType
            request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: audited, sectionNameKeyPath: nil, cacheName: nil)
            let delegate = Delegate()
            controller.delegate = delegate
            try controller.performFetch()
            let book = Book(context: audited)
            (book.title, book.pages) = ("audited", 2)
            audited.processPendingChanges()
            #expect(controller.indexPath(forObject: book.objectID) == IndexPath(row: 1, section: 0))
            audited.delete(book)
            audited.processPendingChanges()
            #expect(controller.fetchedObjects?.count == 2 && delegate.changes == 2)
        }
    }

    private final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
        var changes = 0

        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            changes += 1
        }
    }
}
