import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// Section 3 of the observed behavior: changes and hooks. Numbers are section.fact.
@Suite(.serialized) struct ChangeTrackingTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    private func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        return child
    }

    // Behaviour 3.1
    @Test(arguments: storeTypes) func insertionAwakesOnceWithDefaultsInPlace(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        try stack.inContext { context in
            let item = HookItem(context: context)
            #expect(item.calls == ["awakeFromInsert": 1, "defaultWasThere": 1])
            try context.save()
            #expect(item.calls["awakeFromInsert"] == 1 && item.calls["awakeFromFetch"] == nil)
        }
    }

    // Behaviour 3.2
    @Test(arguments: storeTypes) func saveHooksRunOncePerObject(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        try stack.inContext { context in
            let (item, other) = (HookItem(context: context), HookItem(context: context))
            try context.save()
            #expect(item.calls["willSave"] == 1 && item.calls["didSave"] == 1)
            item.name = "changed"
            try context.save()
            #expect(item.calls["willSave"] == 2 && item.calls["didSave"] == 2)
            #expect(other.calls["willSave"] == 1 && other.calls["didSave"] == 1)
            context.delete(item)
            try context.save()
            #expect(item.calls["willSave"] == 3 && item.calls["didSave"] == 3)
        }
    }

    // Behaviour 3.2
    @Test(arguments: storeTypes) func aChangeMadeInWillSaveIsSavedAndAsksAgain(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        let id = try stack.inContext { context in
            let item = HookItem(context: context)
            try context.save()
            item.inWillSave = { item in if item.name != "stamped" { item.name = "stamped" } }
            item.amount = 8
            try context.save()
            #expect(item.calls["willSave"] == 3)
            #expect(!context.hasChanges)
            return item.objectID
        }
        stack.inContext { context in
            #expect((context.object(with: id) as? HookItem)?.name == "stamped")
        }
    }

    // Behaviour 3.2
    @Test func anObjectMadeInWillSaveIsSavedToo() throws {
        let stack = try TestStack(model: HookItem.model())
        try stack.inContext { context in
            let item = HookItem(context: context)
            item.inWillSave = { item in
                guard item.calls["willSave"] == 1, let context = item.managedObjectContext else { return }
                HookItem(context: context).name = "made"
            }
            try context.save()
            #expect(!context.hasChanges)
            #expect(try context.count(for: NSFetchRequest<HookItem>(entityName: "Item")) == 2)
        }
        #expect(try stack.sqlite("SELECT count(*) FROM ZITEM") == "2")
    }

    // Behaviour 3.3, 3.4
    @Test(arguments: storeTypes) func deletionIsPreparedAndFlagged(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        try stack.inContext { context in
            let item = HookItem(context: context)
            try context.save()
            context.delete(item)
            #expect(item.isDeleted && item.calls["prepareForDeletion"] == 1)
            context.delete(item)
            #expect(item.calls["prepareForDeletion"] == 2)
            #expect(context.deletedObjects == [item] && context.hasChanges)
            try context.save()
            #expect(!item.isDeleted && !item.hasChanges && item.managedObjectContext == nil)
        }
    }

    // Behaviour 3.5
    @Test(arguments: storeTypes) func changedValuesOfANewObjectAreWhatWasSet(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        try stack.inContext { context in
            let item = HookItem(context: context)
            #expect(item.changedValues().isEmpty)
            #expect(item.committedValues(forKeys: ["name", "amount"]).isEmpty)
            item.name = "set"
            #expect(item.changedValues().keys.sorted() == ["name"])
            let part = NSEntityDescription.insertNewObject(forEntityName: "Part", into: context)
            part.setValue(item, forKey: "item")
            #expect(item.changedValues().keys.sorted() == ["name", "parts"])
            #expect(part.changedValues()["item"] as? NSManagedObject === item)
            try context.save()
            #expect(item.changedValues().isEmpty && part.changedValues().isEmpty)
            item.name = nil
            #expect(item.changedValues()["name"] is NSNull)
            #expect(item.committedValues(forKeys: ["name"])["name"] as? String == "set")
        }
    }

    @Test(arguments: storeTypes) func changedValuesForCurrentEventHoldTheFormerValues(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        try stack.inContext { context in
            let item = HookItem(context: context)
            item.name = "first"
            try context.save()
            item.name = "second"
            item.name = "third"
            #expect(item.changedValuesForCurrentEvent()["name"] as? String == "first")
            context.processPendingChanges()
            #expect(item.changedValuesForCurrentEvent().isEmpty)
        }
    }

    // Behaviour 3.7
    @Test(arguments: storeTypes) func equalRelationshipsAreNoPersistentChange(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let (author, book) = (Author(context: context), Book(context: context))
            book.author = author
            try context.save()
            book.author = author
            author.books = [book]
            #expect(!book.hasPersistentChangedValues && !author.hasPersistentChangedValues)
            #expect(book.changedValues().isEmpty)
        }
    }

    // Behaviour 3.8
    @Test(arguments: storeTypes) func transientValuesAreLostOnReset(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let author = Author(context: context)
            author.setValue("glad", forKey: "mood")
            try context.save()
            #expect(author.value(forKey: "mood") as? String == "glad" && author.changedValues().isEmpty)
            context.refreshAllObjects()
            #expect(author.value(forKey: "mood") == nil)
        }
    }

    // Behaviour 3.9
    @Test(arguments: storeTypes) func aChildPushesTransientValues(type: String) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = child(of: parent)
        let (new, old) = try parent.performAndWait {
            let old = Author(context: parent)
            try parent.save()
            return try child.performAndWait {
                let author = Author(context: child)
                author.setValue("glad", forKey: "mood")
                let known = child.object(with: old.objectID)
                known.setValue("sad", forKey: "mood")
                #expect(known.hasChanges && !known.hasPersistentChangedValues)
                try child.save()
                return (author.objectID, old)
            }
        }
        parent.performAndWait {
            #expect(parent.object(with: new).value(forKey: "mood") as? String == "glad")
            #expect(old.value(forKey: "mood") as? String == "sad")
            #expect(parent.hasChanges && old.hasChanges && !old.hasPersistentChangedValues)
        }
    }

    // Without Objective-C methods to find, a class says so by overriding value(forKey:).
    // Behaviour 3.11
    @Test func keyValueCodingAsksTheClassFirst() throws {
        let stack = try TestStack(model: HookItem.model())
        stack.inContext { context in
            let item = HookItem(context: context)
            item.name = "quiet"
            #expect(item.value(forKey: "shout") as? String == "QUIET")
            #expect(NSPredicate(format: "shout == 'QUIET'").evaluate(with: item))
        }
    }

    // As on Apple's systems a change inside a value is not seen. An equal value that is set afterwards is one, there it
    // is lost.
    // Behaviour 3.12
    @Test(arguments: storeTypes) func aChangeInsideATransformableValueIsNotSeen(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        func stored(_ id: NSManagedObjectID) -> [String]? {
            stack.inContext { $0.object(with: id).value(forKey: "blob") as? [String] }
        }
        try stack.inContext { context in
            let item = HookItem(context: context)
            item.setValue(NSMutableArray(array: ["a"]), forKey: "blob")
            try context.save()
            (item.value(forKey: "blob") as? NSMutableArray)?.add("b")
            #expect(!item.hasChanges && !context.hasChanges)
            item.name = "saved beside it"
            try context.save()
            #expect(stored(item.objectID) == ["a"])
            item.setValue(NSMutableArray(array: ["a", "b"]), forKey: "blob")
            #expect(item.hasPersistentChangedValues)
            try context.save()
            #expect(stored(item.objectID) == ["a", "b"])
        }
    }

    // Behaviour 3.7
    @Test(arguments: storeTypes) func anEqualTransformableIsNoPersistentChange(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        try stack.inContext { context in
            let item = HookItem(context: context)
            item.setValue(["a": [1, 2]], forKey: "blob")
            try context.save()
            item.setValue(["a": [1, 2]], forKey: "blob")
            #expect(item.hasChanges && !item.hasPersistentChangedValues && item.changedValues().isEmpty)
            item.setValue(["a": [1, 3]], forKey: "blob")
            #expect(item.hasPersistentChangedValues)
        }
    }

    // There is no key-value observing: the notification tells each object and, while it is posted, each property.
    // Behaviour 3.10
    @Test(arguments: storeTypes) func theNotificationTellsEachChangedProperty(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let (author, book) = (Author(context: context), Book(context: context))
            try context.save()
            let told = Mutex<[[String]]>([])
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { [box = SendableObject(book)] _ in
                let names = box.object?.changedValuesForCurrentEvent().keys.sorted() ?? []
                told.withLock { $0.append(names) }
            }
            defer { NotificationCenter.default.removeObserver(observer) }
            book.title = "Emma"
            book.author = author
            context.processPendingChanges()
            book.pages = 3
            try context.save()
            author.setValue("glad", forKey: "mood")
            context.processPendingChanges()
            #expect(told.withLock { $0 } == [["author", "title"], ["pages"], []])
            #expect(book.changedValuesForCurrentEvent().isEmpty)
        }
    }

    // Behaviour 3.13
    @Test(arguments: storeTypes) func rollbackRestoresRelationships(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let (jane, leo) = (Author(context: context), Author(context: context))
            let books = (0..<3).map { _ in Book(context: context) }
            jane.books = Set(books)
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            shelf.setValue(NSOrderedSet(array: books), forKey: "books")
            try context.save()
            leo.books = [books[0], books[1]]
            shelf.setValue(NSOrderedSet(array: [books[2], books[0]]), forKey: "books")
            context.delete(books[2])
            context.processPendingChanges()
            context.rollback()
            #expect(!context.hasChanges)
            #expect(jane.books == Set(books) && leo.books.isEmpty)
            #expect(books.allSatisfy { $0.author === jane && $0.value(forKey: "shelf") as? NSManagedObject === shelf })
            #expect((shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [Book] == books)
            try context.save()
        }
    }

    // Behaviour 3.15
    @Test(arguments: storeTypes) func savingChangesIdentifiersOnTheSameInstances(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let book = Book(context: context)
            let temporary = book.objectID
            try context.save()
            #expect(book.objectID != temporary && !book.objectID.isTemporaryID)
            #expect(context.object(with: book.objectID) === book)
            #expect(try context.fetch(NSFetchRequest<Book>(entityName: "Book")).first === book)
        }
    }

    @Test func aNewObjectThatIsDeletedBeforeTheSaveIsNeverWritten() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            context.delete(book)
            #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
            try context.save()
            #expect(book.managedObjectContext == nil && !context.hasChanges)
        }
        #expect(try stack.sqlite("SELECT count(*) FROM ZBOOK") == "0")
    }
}
