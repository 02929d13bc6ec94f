import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A child has one object for a row, also when its parent saves it while the child asks for it.
@Suite(.serialized) struct AdoptedIdentityTests {
    private let stack: TestStack
    private let parent: NSManagedObjectContext
    private let child: NSManagedObjectContext

    init() throws {
        stack = try TestStack()
        parent = stack.context()
        child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
    }

    private var request: NSFetchRequest<Book> {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return request
    }

    /// Has the parent save as soon as its queue is free, and lets the child go on before that.
    private func queueSave() {
        let parent = parent
        parent.perform {
            Thread.sleep(forTimeInterval: 0.05)
            do { try parent.save() } catch { Issue.record(error) }
        }
    }

    /// A new book that the child has saved and the parent is about to.
    private func saving(_ body: (Book) throws -> Void) throws {
        try child.performAndWait {
            let author = Author(context: child)
            let book = Book(context: child)
            book.title = "Emma"
            book.author = author
            try child.save()
            queueSave()
            try body(book)
        }
    }

    @Test func aFetchFindsTheObjectThatThereIs() throws {
        try saving { book in
            let found = try child.fetch(request)
            #expect(found.count == 1 && found.first === book && !book.objectID.isTemporaryID)
            #expect(child.registeredObjects.count == 2)
            book.title = "Persuasion"
            try child.save()
        }
        try parent.performAndWait { try parent.save() }
        #expect(try stack.sqlite("SELECT ZTITLE FROM ZBOOK") == "Persuasion")
    }

    @Test func aPermanentIdentifierLeadsToTheObjectThatThereIs() throws {
        try saving { book in
            let id = parent.performAndWait { parent.registeredObjects.first { $0 is Book }?.objectID }
            let found = try #require(id)
            #expect(!found.isTemporaryID)
            // The table of the store is known to the child now, which must not keep it from asking for identities.
            #expect(child.object(with: found) === book && child.registeredObject(for: found) === book)
            #expect(try child.existingObject(with: found) === book)
            #expect(child.registeredObjects.count == 2)
        }
    }

    @Test func aSaveHearsOfWhatTheParentSavedJustBefore() throws {
        try saving { book in
            let other = Book(context: child)
            other.title = "Persuasion"
            try child.save()
            let found = try child.fetch(request)
            #expect(found == [book, other] && !book.objectID.isTemporaryID)
            #expect(child.registeredObjects.count == 3)
        }
    }

    @Test func aFaultIsFilledWhileItsRowIsSaved() throws {
        try saving { book in
            child.refresh(book, mergeChanges: false)
            #expect(book.isFault && book.title == "Emma" && !book.objectID.isTemporaryID)
            let found = try child.fetch(request)
            #expect(found == [book])
        }
    }

    @Test func relationshipsLeadToTheObjectsThatThereAre() throws {
        try saving { book in
            let author = try #require(book.author)
            child.refresh(author, mergeChanges: false)
            #expect(author.books == [book])
            child.refresh(book, mergeChanges: false)
            #expect(book.author === author && child.registeredObjects.count == 2)
        }
    }

    @Test func countsAndIdentifiersDoNotMakeOthers() throws {
        try saving { book in
            let count = try child.count(for: request)
            #expect(count == 1)
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            ids.resultType = .managedObjectIDResultType
            let found = try child.fetch(ids)
            #expect(found == [book.objectID])
            #expect(child.registeredObjects.filter { $0 is Book } == [book])
        }
    }

    @Test func permanentIdentifiersAreAskedForWhileTheParentSaves() throws {
        try saving { book in
            try child.obtainPermanentIDs(for: [book])
            #expect(!book.objectID.isTemporaryID)
            #expect(try child.fetch(request).map(ObjectIdentifier.init) == [ObjectIdentifier(book)])
        }
        #expect(try stack.sqlite("SELECT count(*) FROM ZBOOK") == "1")
    }

    @Test func aGrandchildHasOneObjectAsWell() throws {
        let grandchild = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        grandchild.parent = child
        try grandchild.performAndWait {
            let book = Book(context: grandchild)
            book.title = "Emma"
            try grandchild.save()
            try child.performAndWait { try child.save() }
            queueSave()
            let found = try grandchild.fetch(request)
            #expect(found.count == 1 && found.first === book && !book.objectID.isTemporaryID)
        }
    }

    @Test func savesAndFetchesSideBySideKeepOneObjectForARow() throws {
        let parent = parent
        for round in 0..<50 {
            try child.performAndWait {
                let book = Book(context: child)
                book.title = "\(1000 + round)"
                try child.save()
                parent.perform { do { try parent.save() } catch { Issue.record(error) } }
                for _ in 0..<3 {
                    let found = try child.fetch(request)
                    #expect(found.count == round + 1 && found.last === book)
                    #expect(Set(found.map(\.title)).count == round + 1)
                }
                #expect(child.registeredObjects.filter { ($0 as? Book)?.title == book.title } == [book])
            }
        }
    }

    @Test func theStoreThatAChildAssignedIsKept() throws {
        let second = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.file("second.sqlite"), options: nil)
        let grandchild = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        grandchild.parent = child
        try grandchild.performAndWait {
            for (index, title) in ["one", "two", "three"].enumerated() {
                let book = Book(context: grandchild)
                book.title = title
                if index > 0 { grandchild.assign(book, to: second) }
                if index == 2 {
                    try grandchild.obtainPermanentIDs(for: [book])
                    #expect(book.objectID.persistentStore === second)
                }
            }
            try grandchild.save()
        }
        for context in [child, parent] { try context.performAndWait { try context.save() } }
        let titles = try parent.performAndWait {
            let request = request
            request.affectedStores = [second]
            return try parent.fetch(request).map(\.title)
        }
        #expect(titles == ["three", "two"])
    }
}
