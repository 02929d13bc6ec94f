import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Sections 2 and 3 of the observed behavior: identity, faults, change tracking. Numbers are section.fact.
@Suite(.serialized) struct ObjectLifeCycleTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    private func saved(_ stack: TestStack, title: String = "Emma") throws -> NSManagedObjectID {
        try stack.inContext { context in
            let book = Book(context: context)
            book.title = title
            book.pages = 100
            try context.save()
            return book.objectID
        }
    }

    // Behaviour 2.3
    @Test(arguments: storeTypes) func newObjectHasTemporaryIDUntilItIsSaved(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let book = Book(context: context)
            #expect(book.objectID.isTemporaryID)
            #expect(book.isInserted && !book.isFault && !book.isUpdated && !book.isDeleted)
            #expect(book.managedObjectContext === context)
            try context.save()
            #expect(!book.objectID.isTemporaryID)
            #expect(!book.isInserted && !book.isUpdated && !book.isDeleted && !book.hasChanges)
        }
    }

    // Behaviour 2.4
    @Test(arguments: storeTypes) func permanentIDObtainedBeforeTheSaveIsKept(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let book = Book(context: context)
            try context.obtainPermanentIDs(for: [book])
            let id = book.objectID
            #expect(!id.isTemporaryID)
            try context.save()
            #expect(book.objectID == id)
            #expect(try context.existingObject(with: id) === book)
        }
    }

    // Behaviour 2.5, 2.6
    @Test func identifiersHaveApplesURIs() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            let temporary = book.objectID.uriRepresentation()
            #expect(temporary.scheme == "x-coredata")
            #expect((temporary.host ?? "").isEmpty)
            #expect(temporary.path.hasPrefix("/Book/t"))
            try context.save()
            let uri = book.objectID.uriRepresentation()
            let store = try #require(stack.coordinator.persistentStores.first)
            #expect(uri.absoluteString == "x-coredata://\(store.identifier ?? "")/Book/p1")
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == book.objectID)
        }
    }

    // Behaviour 2.6
    @Test func anIdentifierWorksInAnotherCoordinatorOfTheFile() throws {
        let stack = try TestStack()
        let id = try saved(stack)
        let other = try TestStack(folder: stack.folder)
        try other.inContext { context in
            let book = try #require(try context.existingObject(with: id) as? Book)
            #expect(book.title == "Emma")
        }
    }

    // Behaviour 2.8
    @Test(arguments: storeTypes) func existingObjectOfAMissingRowIsAnError(type: String) throws {
        let stack = try TestStack(type: type)
        let id = try saved(stack)
        try stack.inContext { context in
            context.delete(context.object(with: id))
            try context.save()
        }
        stack.inContext { context in
            let error = #expect(throws: CocoaError.self) { try context.existingObject(with: id) }
            #expect(error?.code.rawValue == NSManagedObjectReferentialIntegrityError)
        }
    }

    // Behaviour 2.9
    @Test(arguments: storeTypes) func fetchGivesFaultsUnlessAskedNotTo(type: String) throws {
        let stack = try TestStack(type: type)
        _ = try saved(stack)
        try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            let book = try #require(try context.fetch(request).first)
            #expect(book.isFault)
            #expect(book.title == "Emma")
            #expect(!book.isFault)
        }
        try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.returnsObjectsAsFaults = false
            let book = try #require(try context.fetch(request).first)
            #expect(!book.isFault)
        }
    }

    // Behaviour 2.13, 2.14
    @Test(arguments: storeTypes) func refreshKeepsOrDropsEdits(type: String) throws {
        let stack = try TestStack(type: type)
        let id = try saved(stack)
        try stack.inContext { context in
            let book = try #require(context.object(with: id) as? Book)
            book.title = "Persuasion"
            context.refresh(book, mergeChanges: true)
            #expect(!book.isFault && book.title == "Persuasion" && book.hasChanges)
            context.refresh(book, mergeChanges: false)
            #expect(book.isFault && !book.hasChanges)
            #expect(book.title == "Emma")
        }
    }

    // Behaviour 3.5
    @Test(arguments: storeTypes) func changedAndCommittedValues(type: String) throws {
        let stack = try TestStack(type: type)
        let id = try saved(stack)
        try stack.inContext { context in
            let book = try #require(context.object(with: id) as? Book)
            #expect(book.changedValues().isEmpty)
            book.pages = 7
            book.pages = 8
            #expect(book.changedValues()["pages"] as? Int == 8)
            #expect(book.committedValues(forKeys: ["pages"])["pages"] as? Int == 100)
            try context.save()
            #expect(book.changedValues().isEmpty)
            #expect(book.committedValues(forKeys: ["pages"])["pages"] as? Int == 8)
        }
    }

    // Behaviour 3.6
    @Test func setPrimitiveValueIsNotTracked() throws {
        let stack = try TestStack()
        let id = try saved(stack)
        stack.inContext { context in
            let book = context.object(with: id)
            _ = book.value(forKey: "title")
            book.setPrimitiveValue("Other", forKey: "title")
            #expect(!book.hasChanges)
            #expect(book.primitiveValue(forKey: "title") as? String == "Other")
            #expect(book.changedValues().isEmpty)
        }
    }

    @Test func aPrimitiveValueCountsAsChangedWhereTheChangeIsAnnounced() throws {
        let stack = try TestStack()
        let id = try saved(stack)
        try stack.inContext { context in
            let book = context.object(with: id)
            book.willChangeValue(forKey: "title")
            book.setPrimitiveValue("Announced", forKey: "title")
            book.didChangeValue(forKey: "title")
            #expect(book.changedValues()["title"] as? String == "Announced")
            book.setPrimitiveValue("Still", forKey: "title")
            #expect(book.changedValues()["title"] as? String == "Still")
            book.setPrimitiveValue("x", forKey: "isbn")
            #expect(Set(book.changedValues().keys) == ["title"])
            try context.save()
            #expect(book.changedValues().isEmpty)
            book.setPrimitiveValue("y", forKey: "isbn")
            #expect(book.changedValues().isEmpty && !book.hasChanges)
            context.processPendingChanges()
            book.setValue("z", forKey: "isbn")
            #expect(book.changedValues()["isbn"] as? String == "z")
            try context.save()
        }
        #expect(try stack.sqlite("SELECT ZTITLE || ZISBN FROM ZBOOK") == "Stillz")
    }

    @Test func primitiveValuesOfANewObjectCount() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            book.setPrimitiveValue("New", forKey: "title")
            #expect(book.changedValues()["title"] as? String == "New")
            try context.save()
            context.refresh(book, mergeChanges: false)
            #expect(book.title == "New")
        }
    }

    // Behaviour 3.7
    @Test func settingAnEqualValueIsAChangeWithoutPersistentChanges() throws {
        let stack = try TestStack()
        let id = try saved(stack)
        try stack.inContext { context in
            let book = try #require(context.object(with: id) as? Book)
            book.title = "Emma"
            #expect(book.hasChanges)
            #expect(!book.hasPersistentChangedValues)
        }
    }

    // Behaviour 3.8
    @Test func transientValuesSurviveASaveAndAreLostOnRefresh() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let author = Author(context: context)
            try context.save()
            author.setValue("glad", forKey: "mood")
            #expect(author.hasChanges && !author.hasPersistentChangedValues && context.hasChanges)
            try context.save()
            #expect(author.value(forKey: "mood") as? String == "glad")
            context.refresh(author, mergeChanges: false)
            #expect(author.value(forKey: "mood") == nil)
        }
    }

    // Behaviour 3.13
    @Test(arguments: storeTypes) func rollbackRestoresAndDropsObjects(type: String) throws {
        let stack = try TestStack(type: type)
        let id = try saved(stack)
        try stack.inContext { context in
            let book = try #require(context.object(with: id) as? Book)
            let new = Book(context: context)
            book.title = "Other"
            context.delete(book)
            context.rollback()
            #expect(!context.hasChanges && context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
            #expect(book.title == "Emma" && !book.isDeleted)
            #expect(new.managedObjectContext == nil)
        }
    }

    // Behaviour 2.1
    @Test func cleanObjectsThatNobodyHoldsLeaveTheContext() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            do {
                for _ in 0..<10 { _ = Book(context: context) }
            }
            #expect(context.registeredObjects.count == 10)
            try context.save()
            #expect(context.registeredObjects.isEmpty)
        }
    }
}
