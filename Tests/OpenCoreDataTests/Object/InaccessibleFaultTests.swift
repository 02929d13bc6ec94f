import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Notes what is asked of a book.
final class WatchedBook: NSManagedObject {
    @TaskLocal static var asked: Noted<String>?

    override func willSave() { Self.asked?.note("willSave") }
    override func didSave() { Self.asked?.note("didSave") }
    override func validateForDelete() throws {
        Self.asked?.note("validateForDelete")
        throw Refusal()
    }
    override func prepareForDeletion() { Self.asked?.note("prepareForDeletion") }
}

/// A fault whose row is gone is a deleted object, as `shouldDeleteInaccessibleFaults` says, or an error.
@Suite struct InaccessibleFaultTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    private func fault(_ stack: TestStack, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        let id = try stack.inContext { other in
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: other)
            book.setValue("Emma", forKey: "title")
            book.setValue(12, forKey: "pages")
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: other)
            author.setValue("Jane", forKey: "name")
            book.setValue(author, forKey: "author")
            try other.save()
            return book.objectID
        }
        return context.object(with: id)
    }

    private func deleteAllBooks(_ stack: TestStack) throws {
        try stack.inContext { other in
            for book in try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) { other.delete(book) }
            try other.save()
        }
    }

    @Test(arguments: storeTypes) func itIsADeletedObjectThatTheSaveLetsGoOf(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let book = try fault(stack, context)
            try deleteAllBooks(stack)
            #expect(!book.isDeleted && !context.hasChanges)
            let log = NotificationLog(context)
            #expect(book.value(forKey: "title") as? String == nil)
            #expect(book.value(forKey: "author") as? NSManagedObject == nil)
            #expect(book.isDeleted && !book.isFault && !book.isUpdated)
            #expect(context.deletedObjects == [book] && context.hasChanges)
            context.processPendingChanges()
            #expect(log.entries(.NSManagedObjectContextObjectsDidChange).count == 1)
            #expect(throws: CocoaError.self) { _ = try context.existingObject(with: book.objectID) }
            // Whatever is done with it is done with a deleted object.
            book.setValue("Persuasion", forKey: "title")
            try context.save()
            #expect(!context.hasChanges && context.deletedObjects.isEmpty)
            #expect(book.managedObjectContext == nil && !book.isDeleted)
        }
        try stack.inContext { (context) throws in
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 0)
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")) == 1)
        }
    }

    @Test func nobodyIsAskedWhetherItMayGo() throws {
        let model = LibraryModel.make()
        model.entitiesByName["Book"]?.managedObjectClassName = NSStringFromClass(WatchedBook.self)
        let stack = try TestStack(model: model)
        try stack.inContext { context in
            let book = try fault(stack, context)
            _ = try stack.sqlite("DELETE FROM ZBOOK")
            let asked = Noted<String>()
            try WatchedBook.$asked.withValue(asked) {
                _ = book.value(forKey: "title")
                #expect(book.isDeleted)
                context.delete(book)
                try context.save()
            }
            #expect(asked.all == ["prepareForDeletion"])
        }
    }

    @Test func aRollbackOrARefreshLooksForTheRowAgain() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = try fault(stack, context)
            _ = try stack.sqlite("UPDATE ZBOOK SET Z_PK = Z_PK + 1000")
            _ = book.value(forKey: "title")
            #expect(book.isDeleted)
            context.rollback()
            #expect(!book.isDeleted && book.isFault && !context.hasChanges)
            _ = book.value(forKey: "title")
            #expect(book.isDeleted)
            _ = try stack.sqlite("UPDATE ZBOOK SET Z_PK = Z_PK - 1000")
            context.refresh(book, mergeChanges: true)
            #expect(!book.isDeleted && !context.hasChanges)
            #expect(book.value(forKey: "title") as? String == "Emma")
            book.setValue("Persuasion", forKey: "title")
            try context.save()
        }
        #expect(try stack.sqlite("SELECT ZTITLE FROM ZBOOK") == "Persuasion")
    }

    @Test func aResetLetsGoOfIt() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = try fault(stack, context)
            try deleteAllBooks(stack)
            _ = book.value(forKey: "title")
            context.reset()
            #expect(!context.hasChanges && context.deletedObjects.isEmpty && !book.isDeleted)
            try context.save()
        }
    }

    @Test func aChildFindsOutToo() throws {
        let stack = try TestStack()
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait {
            let book = try fault(stack, child)
            try deleteAllBooks(stack)
            #expect(book.value(forKey: "title") == nil && book.isDeleted)
            #expect(child.deletedObjects == [book])
            try child.save()
            #expect(!child.hasChanges && book.managedObjectContext == nil)
        }
        try parent.performAndWait {
            try parent.save()
            #expect(!parent.hasChanges)
        }
    }

    @Test func otherChangesAreSavedWithIt() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = try fault(stack, context)
            try deleteAllBooks(stack)
            let author = try #require(
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).first)
            #expect(book.value(forKey: "title") == nil)
            author.setValue("Austen", forKey: "name")
            try context.save()
            #expect(!context.hasChanges)
        }
        #expect(try stack.sqlite("SELECT ZNAME FROM ZAUTHOR") == "Austen")
    }

    @Test func otherwiseTheNextFetchOrSaveSaysOnceThatItIsMissing() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            context.shouldDeleteInaccessibleFaults = false
            let book = try fault(stack, context)
            try deleteAllBooks(stack)
            #expect(book.value(forKey: "title") == nil && !book.isDeleted)
            let error = #expect(throws: CocoaError.self) {
                _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
            }
            #expect(error?.code.rawValue == NSManagedObjectReferentialIntegrityError)
            #expect(error?.localizedDescription.contains(book.objectID.uriRepresentation().absoluteString) == true)
            try context.save()
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")) == 1)
        }
    }

    @Test func anObjectThatWasNeverSavedIsNotDeletedForHavingNoRow() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("Jane", forKey: "name")
            try context.obtainPermanentIDs(for: [author])
            context.refresh(author, mergeChanges: false)
            #expect(author.value(forKey: "name") as? String != "Jane")
            #expect(!author.isDeleted)
            author.setValue("Austen", forKey: "name")
            try context.save()
        }
        #expect(try stack.sqlite("SELECT ZNAME FROM ZAUTHOR") == "Austen")
    }
}
