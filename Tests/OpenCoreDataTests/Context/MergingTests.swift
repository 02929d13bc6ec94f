import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Section 5, facts 9 to 15: taking over what another context saved. Numbers are section.fact.
@Suite(.serialized) struct MergingTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    /// Runs a change in another context and gives back its did-save notification.
    private func save(_ stack: TestStack, _ change: (NSManagedObjectContext) throws -> Void) throws -> Notification {
        let context = stack.context()
        let log = NotificationLog(context)
        try context.performAndWait {
            try change(context)
            try context.save()
        }
        return try #require(log.entries(.NSManagedObjectContextDidSave).first).notification
    }

    // Behaviour 5.9, 5.11
    @Test(arguments: storeTypes) func mergingReportsInsertsRefreshesAndDeletes(type: String) throws {
        let stack = try TestStack(type: type)
        let ids = try stack.savedBooks(["realized", "fault", "deleted"])
        try stack.inContext { context in
            let realized = try #require(context.object(with: ids[0]) as? Book)
            let fault = try #require(context.object(with: ids[1]) as? Book)
            let deleted = try #require(context.object(with: ids[2]) as? Book)
            #expect(realized.title == "realized" && deleted.title == "deleted")
            let notification = try save(stack) { other in
                Book(context: other).title = "inserted"
                (other.object(with: ids[0]) as? Book)?.title = "realized 2"
                (other.object(with: ids[1]) as? Book)?.title = "fault 2"
                other.delete(other.object(with: ids[2]))
            }
            let log = NotificationLog(context)
            context.mergeChanges(fromContextDidSave: notification)
            context.processPendingChanges()
            let change = try #require(log.entries(.NSManagedObjectContextObjectsDidChange).first)
            #expect(change.objects(NSInsertedObjectsKey).count == 1)
            #expect(change.objects(NSRefreshedObjectsKey) == [realized])
            #expect(change.objects(NSUpdatedObjectsKey).isEmpty)
            #expect(change.objects(NSDeletedObjectsKey) == [deleted])
            #expect(realized.title == "realized 2" && fault.title == "fault 2")
            #expect(deleted.isDeleted && deleted.title == "deleted" && !deleted.isFault)
            #expect(context.deletedObjects == [deleted])
            #expect(context.insertedObjects.isEmpty && context.updatedObjects.isEmpty)
            let titles = try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title).sorted()
            #expect(titles == ["fault 2", "inserted", "realized 2"])
            let merged = try #require(log.entries(.NSManagedObjectContextDidMergeChangesObjectIDs).first)
            #expect(merged.ids(NSInsertedObjectIDsKey).count == 1)
            #expect(merged.ids(NSUpdatedObjectIDsKey) == [ids[0]] && merged.ids(NSRefreshedObjectIDsKey) == [ids[0]])
            try context.save()
            #expect(!context.hasChanges)
        }
    }

    // Unsaved changes stay on top of what is merged.
    // Behaviour 5.9
    @Test(arguments: storeTypes) func mergingKeepsUnsavedChanges(type: String) throws {
        let stack = try TestStack(type: type)
        let ids = try stack.savedBooks(["book"])
        try stack.inContext { context in
            let book = try #require(context.object(with: ids[0]) as? Book)
            book.pages = 5
            let notification = try save(stack) { other in
                let theirs = try #require(other.object(with: ids[0]) as? Book)
                theirs.title = "theirs"
                theirs.pages = 6
            }
            context.mergeChanges(fromContextDidSave: notification)
            #expect(book.title == "theirs" && book.pages == 5 && book.hasChanges)
            try context.save()
            #expect(book.pages == 5)
        }
    }

    // Relationships follow.
    // Behaviour 5.9
    @Test(arguments: storeTypes) func mergingBringsRelationshipsUpToDate(type: String) throws {
        let stack = try TestStack(type: type)
        let ids = try stack.savedBooks(["one", "two"])
        try stack.inContext { context in
            let author = Author(context: context)
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let books = ids.compactMap { context.object(with: $0) as? Book }
            author.books = [books[0]]
            shelf.setValue(NSOrderedSet(array: books), forKey: "books")
            try context.save()
            let authorID = author.objectID
            let notification = try save(stack) { other in
                let author = try #require(other.object(with: authorID) as? Author)
                let books = ids.compactMap { other.object(with: $0) as? Book }
                author.books = [books[1]]
                let shelf = try #require(books[0].value(forKey: "shelf") as? NSManagedObject)
                shelf.setValue(NSOrderedSet(array: [books[1], books[0]]), forKey: "books")
            }
            context.mergeChanges(fromContextDidSave: notification)
            #expect(author.books == [books[1]])
            #expect(books[0].author == nil && books[1].author === author)
            #expect((shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [Book] == [books[1], books[0]])
            #expect(!context.hasChanges)
        }
    }

    // Behaviour 5.10, 5.12
    @Test(arguments: storeTypes) func siblingsMergeAutomatically(type: String) async throws {
        let stack = try TestStack(type: type)
        let ids = try stack.savedBooks(["held", "not held", "fault"])
        let context = stack.context()
        let log = NotificationLog(context)
        let (held, fault) = await context.perform {
            context.automaticallyMergesChangesFromParent = true
            let held = context.object(with: ids[0]) as? Book
            _ = held?.title
            return (SendableObject(held), SendableObject(context.object(with: ids[2]) as? Book))
        }
        _ = try save(stack) { other in
            Book(context: other).title = "inserted"
            for id in ids { (other.object(with: id) as? Book)?.title += " 2" }
        }
        await context.perform(schedule: .enqueued) {
            let change = log.entries(.NSManagedObjectContextObjectsDidChange).first
            #expect(change?.objects(NSInsertedObjectsKey).count == 1)
            #expect(change?.objects(NSRefreshedObjectsKey).count == 1)
            #expect(held.object?.title == "held 2" && fault.object?.title == "fault 2")
            #expect(!context.hasChanges)
        }
        log.clear()
        _ = try save(stack) { other in
            for id in ids { other.delete(other.object(with: id)) }
        }
        await context.perform(schedule: .enqueued) {
            let change = log.entries(.NSManagedObjectContextObjectsDidChange).first
            #expect(change?.objects(NSDeletedObjectsKey).count == 2)
        }
    }

    // Behaviour 5.12
    @Test(arguments: [false, true]) func aChildSeesTheParentsChangesOnlyIfItMerges(merges: Bool) async throws {
        let stack = try TestStack()
        let ids = try stack.savedBooks(["old"])
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        let book = await child.perform {
            child.automaticallyMergesChangesFromParent = merges
            let book = child.object(with: ids[0]) as? Book
            #expect(book?.title == "old")
            return SendableObject(book)
        }
        try await parent.perform {
            (parent.object(with: ids[0]) as? Book)?.title = "new"
            try parent.save()
        }
        await child.perform(schedule: .enqueued) {
            #expect(book.object?.title == (merges ? "new" : "old"))
            #expect(!child.hasChanges)
        }
    }

    // Behaviour 5.14
    @Test(.enabled(if: SQLiteShell.isAvailable)) func remoteChangesComeInAsIdentifiers() throws {
        let stack = try TestStack()
        let ids = try stack.savedBooks(["changed", "deleted"])
        let context = stack.context()
        try context.performAndWait {
            let books = ids.compactMap { context.object(with: $0) as? Book }
            #expect(books.map(\.title) == ["changed", "deleted"])
            _ = try stack.sqlite(
                "UPDATE ZBOOK SET ZTITLE = 'foreign', Z_OPT = Z_OPT + 1 WHERE ZTITLE = 'changed'; "
                    + "DELETE FROM ZBOOK WHERE ZTITLE = 'deleted'")
            let log = NotificationLog(context)
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: [ids[0]], NSDeletedObjectsKey: [ids[1]]], into: [context])
            #expect(books[0].title == "foreign")
            #expect(log.entries.first?.objects(NSRefreshedObjectsKey) == [books[0]])
            #expect(log.entries.first?.objects(NSDeletedObjectsKey) == [books[1]])
            #expect(try context.fetch(NSFetchRequest<Book>(entityName: "Book")) == [books[0]])
        }
    }

    // Behaviour 5.14
    @Test(arguments: storeTypes) func remoteChangesMayBeNamedByTheirURIs(type: String) throws {
        let stack = try TestStack(type: type)
        let ids = try stack.savedBooks(["changed"])
        try stack.inContext { context in
            let book = try #require(context.object(with: ids[0]) as? Book)
            #expect(book.title == "changed")
            _ = try save(stack) { other in (other.object(with: ids[0]) as? Book)?.title = "new" }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: [ids[0].uriRepresentation()]], into: [context])
            #expect(book.title == "new")
        }
    }

    // Behaviour 5.15
    @Test(arguments: storeTypes) func mergingInsertsIsPostedAndKeepsNothingAlive(type: String) throws {
        let stack = try TestStack(type: type)
        let notification = try save(stack) { other in Book(context: other).title = "new" }
        try stack.inContext { context in
            do {
                let log = NotificationLog(context)
                context.mergeChanges(fromContextDidSave: notification)
                let change = try #require(log.entries(.NSManagedObjectContextObjectsDidChange).first)
                #expect(change.objects(NSInsertedObjectsKey).count == 1)
            }
            #expect(context.registeredObjects.isEmpty && !context.hasChanges)
        }
    }

    // Behaviour 5.15
    @Test func mergingUpdatesOfUnknownObjectsRegistersNothing() throws {
        let stack = try TestStack()
        let ids = try stack.savedBooks(["one"])
        try stack.inContext { context in
            let notification = try save(stack) { other in
                (other.object(with: ids[0]) as? Book)?.title = "two"
            }
            context.mergeChanges(fromContextDidSave: notification)
            #expect(context.registeredObjects.isEmpty && !context.hasChanges)
        }
    }

    /// A context that only merges, as that of a screen, must not keep all that was ever deleted, and the rows beside it.
    @Test(arguments: storeTypes, [false, true])
    func whatOthersDeletedGoesWithTheLastReference(type: String, isChild: Bool) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let context = isChild ? NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType) : stack.context()
        if isChild { context.parent = parent }
        func save(_ change: @escaping (NSManagedObjectContext) throws -> Void) throws -> Notification {
            let log = NotificationLog(parent)
            try parent.performAndWait {
                try change(parent)
                try parent.save()
            }
            return try #require(log.entries(.NSManagedObjectContextDidSave).first).notification
        }
        func deleteOne(_ parent: NSManagedObjectContext) throws {
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            parent.delete(try #require(try parent.fetch(request).first))
        }
        _ = try save { for number in 10..<20 { Book(context: $0).title = "\(number)" } }
        try context.performAndWait {
            weak var gone: Book?
            var held: NSManagedObject?
            for round in 0..<4 {
                var books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
                for book in books { _ = book.title }
                #expect(books.count == 10 - round)
                if round == 1 { gone = books.min { $0.title < $1.title } }
                if round == 2 { held = books.min { $0.title < $1.title } }
                let notification = try save(deleteOne)
                context.mergeChanges(fromContextDidSave: notification)
                books = []
            }
            context.mergeChanges(fromContextDidSave: try save(deleteOne))
            #expect(gone == nil)
            // What the application holds is still there, and counts.
            #expect(held?.isDeleted == true && (held as? Book)?.title == "12")
            #expect(context.deletedObjects == Set([held].compactMap { $0 }))
            held = nil
            context.mergeChanges(fromContextDidSave: try save(deleteOne))
            #expect(context.deletedObjects.isEmpty && !context.hasChanges)
            #expect(try context.count(for: NSFetchRequest<Book>(entityName: "Book")) == 4)
        }
    }
}

/// Carries an object between blocks of its own context.
// @unchecked Sendable because `object` is only used on the object's queue.
struct SendableObject<Object>: @unchecked Sendable {
    let object: Object?

    init(_ object: Object?) { self.object = object }
}
