import Dispatch
import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Contexts below contexts: what children see, and what their saves do to the parent.
@Suite(.serialized) struct ParentChildTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    private func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        return child
    }

    private func titles(_ context: NSManagedObjectContext, _ format: String? = nil) throws -> [String] {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return try context.fetch(request).map(\.title)
    }

    /// The parent keeps what it knew of the row while the child builds on it, even if only the child needs its object.
    @Test(arguments: storeTypes, [false, true])
    func aRowThatOthersChangedSinceTheChildReadItIsAConflict(type: String, hasSavedBefore: Bool) throws {
        let stack = try TestStack(type: type)
        let id = try stack.inContext { context in
            let book = Book(context: context)
            book.title = "old"
            try context.save()
            return book.objectID
        }
        let parent = stack.context()
        let child = child(of: parent)
        let book = try child.performAndWait {
            let book = try #require(child.object(with: id) as? Book)
            #expect(book.title == "old")
            if hasSavedBefore {
                book.pages = 1
                try child.save()
                try parent.performAndWait { try parent.save() }
            }
            return SendableBox(book)
        }
        try stack.inContext { context in
            (try context.existingObject(with: id) as? Book)?.title = "theirs"
            try context.save()
        }
        try child.performAndWait {
            book.value.title = "ours"
            try child.save()
        }
        try parent.performAndWait {
            let error = #expect(throws: CocoaError.self) { try parent.save() }
            #expect(error?.code.rawValue == NSManagedObjectMergeError)
            parent.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            try parent.save()
        }
        try stack.inContext { context in
            let titles = try titles(context)
            #expect(titles == ["theirs"])
        }
    }

    // Behaviour 5.13
    @Test(arguments: storeTypes) func childChangesReachTheParentWithTheSaveAndTheStoreWithTheParents(type: String)
        throws
    {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = child(of: parent)
        try parent.performAndWait {
            let (edited, deleted) = (Book(context: parent), Book(context: parent))
            edited.title = "old"
            deleted.title = "deleted"
            try parent.save()
            try child.performAndWait {
                (child.object(with: edited.objectID) as? Book)?.title = "edited"
                child.delete(child.object(with: deleted.objectID))
                Book(context: child).title = "new"
                #expect(edited.title == "old" && !parent.hasChanges)
                try child.save()
                #expect(!child.hasChanges)
                let found = try titles(child)
                #expect(found == ["edited", "new"])
            }
            #expect(edited.title == "edited" && edited.isUpdated && deleted.isDeleted)
            #expect(parent.insertedObjects.count == 1)
            let stored = try stack.inContext { try titles($0) }
            #expect(stored == ["deleted", "old"])
            try parent.save()
            let saved = try stack.inContext { try titles($0) }
            #expect(saved == ["edited", "new"] && !parent.hasChanges)
        }
    }

    @Test(arguments: storeTypes) func relationshipsOfBothKindsReachTheParent(type: String) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = child(of: parent)
        try child.performAndWait {
            let author = Author(context: child)
            author.name = "Jane"
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: child)
            let books = ["c", "a", "b"].map { title in
                let book = Book(context: child)
                book.title = title
                book.author = author
                return book
            }
            let tag = Label(context: child)
            tag.name = "classic"
            tag.books = Set(books.prefix(2))
            shelf.setValue(NSOrderedSet(array: books), forKey: "books")
            try child.save()
        }
        func check(_ context: NSManagedObjectContext, _ expected: [String], author: Int, tag: Int) throws {
            let shelf = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).first)
            let ordered = (shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [Book]
            #expect(ordered?.map(\.title) == expected)
            let writer = try #require(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            #expect(writer.books.count == author && writer.books.allSatisfy { $0.author === writer })
            let label = try #require(try context.fetch(NSFetchRequest<Label>(entityName: "Label")).first)
            #expect(label.books.count == tag && label.books.allSatisfy { $0.tags == [label] })
        }
        try parent.performAndWait {
            try check(parent, ["c", "a", "b"], author: 3, tag: 2)
            try parent.save()
        }
        try child.performAndWait {
            let shelf = try #require(try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).first)
            let books = shelf.mutableOrderedSetValue(forKey: "books")
            books.moveObjects(at: IndexSet(integer: 2), to: 0)
            let label = try #require(try child.fetch(NSFetchRequest<Label>(entityName: "Label")).first)
            label.books = []
            let author = try #require(try child.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            let one = try #require(author.books.first { $0.title == "a" })
            author.books.remove(one)
            try child.save()
        }
        try parent.performAndWait {
            try check(parent, ["b", "c", "a"], author: 2, tag: 0)
            try parent.save()
        }
        try stack.inContext { try check($0, ["b", "c", "a"], author: 2, tag: 0) }
    }

    @Test(arguments: storeTypes) func deleteRulesOfAChildReachTheStore(type: String) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = child(of: parent)
        try child.performAndWait {
            let author = Author(context: child)
            let book = Book(context: child)
            book.author = author
            for _ in 0..<3 {
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: child).setValue(
                    author, forKey: "author")
            }
            try child.save()
        }
        try parent.performAndWait { try parent.save() }
        try child.performAndWait {
            let author = try #require(try child.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            child.delete(author)
            try child.save()
        }
        try parent.performAndWait { try parent.save() }
        try stack.inContext { context in
            let notes = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
            let book = try #require(try context.fetch(NSFetchRequest<Book>(entityName: "Book")).first)
            #expect(notes == 0 && book.author == nil)
        }
    }

    @Test(arguments: storeTypes) func aChildWorksOnAfterTheParentsSaveGaveItsObjectsPermanentIDs(type: String) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = child(of: parent)
        try child.performAndWait {
            let book = Book(context: child)
            book.title = "first"
            try child.save()
            #expect(book.objectID.isTemporaryID)
            try parent.performAndWait { try parent.save() }
            book.title = "second"
            try child.save()
            try parent.performAndWait { try parent.save() }
            let count = try child.count(for: NSFetchRequest<Book>(entityName: "Book"))
            #expect(count == 1)
            child.refreshAllObjects()
            #expect(book.title == "second")
        }
        let stored = try stack.inContext { try titles($0) }
        #expect(stored == ["second"])
    }

    @Test(arguments: storeTypes) func permanentIDsCanBeObtainedInAChild(type: String) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = child(of: parent)
        let id = try child.performAndWait {
            let book = Book(context: child)
            book.title = "first"
            try child.save()
            try child.obtainPermanentIDs(for: [book])
            #expect(!book.objectID.isTemporaryID)
            try parent.performAndWait { try parent.save() }
            return book.objectID
        }
        try stack.inContext { context in
            let book = try context.existingObject(with: id) as? Book
            #expect(book?.title == "first")
        }
    }

    @Test(arguments: storeTypes) func permanentIDsObtainedBeforeTheChildsSaveAreKept(type: String) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = child(of: parent)
        let id = try child.performAndWait {
            let book = Book(context: child)
            book.title = "first"
            try child.obtainPermanentIDs(for: [book])
            let id = book.objectID
            #expect(!id.isTemporaryID)
            try child.save()
            #expect(book.objectID == id)
            return id
        }
        try parent.performAndWait {
            #expect(parent.insertedObjects.map(\.objectID) == [id])
            try parent.save()
        }
        try stack.inContext { context in
            let book = try context.existingObject(with: id) as? Book
            #expect(book?.title == "first")
        }
    }

    @Test(arguments: storeTypes) func grandchildrenSaveStepByStep(type: String) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = child(of: parent)
        let grandchild = self.child(of: child)
        try grandchild.performAndWait {
            let author = Author(context: grandchild)
            author.name = "Jane"
            Book(context: grandchild).author = author
            try grandchild.save()
        }
        try child.performAndWait {
            #expect(child.insertedObjects.count == 2)
            #expect(parent.performAndWait { !parent.hasChanges })
            try child.save()
        }
        try parent.performAndWait { try parent.save() }
        try grandchild.performAndWait {
            let author = try #require(try grandchild.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            #expect(author.name == "Jane" && author.books.count == 1)
        }
    }

    @Test(arguments: storeTypes) func aChildFetchSeesTheParentsUnsavedChanges(type: String) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = child(of: parent)
        try parent.performAndWait {
            let (kept, deleted) = (Book(context: parent), Book(context: parent))
            kept.title = "kept"
            deleted.title = "deleted"
            try parent.save()
            kept.title = "edited"
            parent.delete(deleted)
            let new = Book(context: parent)
            new.title = "new"
            new.author = Author(context: parent)
            new.author?.name = "Jane"
        }
        try child.performAndWait {
            let all = try titles(child)
            #expect(all == ["edited", "new"])
            let some = try titles(child, "title == 'edited'")
            #expect(some == ["edited"])
            let count = try child.count(for: NSFetchRequest<Book>(entityName: "Book"))
            #expect(count == 2)
            let joined = try titles(child, "author.name == 'Jane'")
            #expect(joined == ["new"])
            // The child's own changes lie on top of the parent's.
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "title == 'new'")
            let new = try #require(try child.fetch(request).first)
            #expect(new.author?.name == "Jane" && new.author?.books == [new])
            new.title = "newer"
            Book(context: child).title = "child's"
            let mixed = try titles(child)
            #expect(mixed == ["child's", "edited", "newer"])
            let gone = try titles(child, "title == 'new'")
            #expect(gone.isEmpty)
            request.predicate = nil
            request.resultType = .managedObjectResultType
            request.fetchLimit = 2
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
            let limited = try child.fetch(request).map(\.title)
            #expect(limited == ["newer", "edited"])
        }
    }

    @Test(arguments: storeTypes) func aWindowOfAChildIsOneOfWhatItsParentHas(type: String) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = child(of: parent)
        try parent.performAndWait {
            let books = ["a", "b", "c", "d", "e"].map { title in
                let book = Book(context: parent)
                book.title = title
                return book
            }
            try parent.save()
            parent.delete(books[0])
            books[1].title = "z"
            Book(context: parent).title = "bb"
        }
        func titles(_ limit: Int, offset: Int = 0) throws -> [String?] {
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            (request.fetchLimit, request.fetchOffset) = (limit, offset)
            #expect(try child.count(for: request) == child.fetch(request).count)
            return try child.fetch(request).map(\.title)
        }
        let windows = try child.performAndWait {
            try [titles(3), titles(2, offset: 1), titles(0, offset: 3), titles(.max, offset: 4), titles(9, offset: 9)]
        }
        #expect(windows == [["bb", "c", "d"], ["c", "d"], ["e", "z"], ["z"], []])
        try parent.performAndWait { try parent.save() }
        let saved = try child.performAndWait { try titles(2, offset: 1) }
        #expect(saved == ["c", "d"])
    }

    @Test(arguments: storeTypes) func refreshInAChildReadsTheParentsValue(type: String) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = child(of: parent)
        try parent.performAndWait {
            let book = Book(context: parent)
            book.title = "first"
            try parent.save()
            try child.performAndWait {
                let mine = try #require(child.object(with: book.objectID) as? Book)
                #expect(mine.title == "first")
                book.title = "unsaved"
                #expect(mine.title == "first")
                child.refresh(mine, mergeChanges: false)
                #expect(mine.title == "unsaved")
                mine.pages = 4
                child.rollback()
                #expect(mine.pages == 0 && !child.hasChanges)
            }
        }
    }

    @Test(arguments: storeTypes) func dictionaryAndIDFetchesWorkInAChild(type: String) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = child(of: parent)
        try parent.performAndWait {
            for index in 0..<3 { Book(context: parent).pages = Int32(index) }
            try parent.save()
        }
        try child.performAndWait {
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["pages"]
            request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
            let pages = try child.fetch(request).map { $0["pages"] as? Int }
            #expect(pages == [0, 1, 2])
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            ids.resultType = .managedObjectIDResultType
            let found = try child.fetch(ids)
            #expect(found.count == 3 && found.allSatisfy { !$0.isTemporaryID })
        }
    }

    // 12: prefetching in a child is not ignored.
    @Test func aChildWalksRelationshipsWithoutOneStatementPerObject() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try stack.inContext { context in
            for _ in 0..<20 {
                let author = Author(context: context)
                for _ in 0..<3 { Book(context: context).author = author }
            }
            try context.save()
        }
        let child = child(of: stack.context())
        try child.performAndWait {
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.relationshipKeyPathsForPrefetching = ["books"]
            log.clear()
            let authors = try child.fetch(request)
            let fetched = log.selects.count
            var count = 0
            for author in authors { count += author.books.count }
            #expect(count == 60)
            #expect(fetched <= 4, "\(log.selects)")
            #expect(log.selects.count == fetched, "\(log.selects)")
        }
    }

    /// The parent's row names the destination as it was called before the grandparent's save gave it its identity.
    @Test(arguments: storeTypes) func aNewChildHasOneObjectForADestinationThatWasSavedSince(type: String) throws {
        let stack = try TestStack(type: type)
        let root = stack.context()
        let parent = child(of: root)
        let first = child(of: parent)
        let bookID = try first.performAndWait {
            let book = Book(context: first)
            book.title = "SPQR"
            book.author = Author(context: first)
            book.author?.name = "Beard"
            try first.save()
            return book.objectID
        }
        try parent.performAndWait { try parent.save() }
        try root.performAndWait { try root.save() }
        let second = child(of: parent)
        try second.performAndWait {
            let author = try #require(try second.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            let book = try #require(try second.fetch(NSFetchRequest<Book>(entityName: "Book")).first)
            #expect(!author.objectID.isTemporaryID)
            #expect(book.author === author)
            #expect(second.object(with: bookID) === book)
            #expect(second.registeredObjects.count == 2)
            #expect(author.books == [book])
            second.delete(author)
            try second.save()
        }
        try parent.performAndWait {
            let books = try parent.fetch(NSFetchRequest<Book>(entityName: "Book"))
            #expect(books.map { $0.author == nil } == [true])
        }
    }

    /// A batch took the member away, and the parent still has it in the set that it read before.
    @Test func aChildGetsNoMemberThatHasLeftTheParent() throws {
        let stack = try TestStack()
        let parent = stack.context()
        let authorID = try parent.performAndWait {
            let author = Author(context: parent)
            author.name = "Beard"
            for title in ["SPQR", "Pompeii"] {
                let book = Book(context: parent)
                book.title = title
                book.author = author
            }
            try parent.save()
            #expect(author.books.count == 2)
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
            fetch.predicate = NSPredicate(format: "title == 'SPQR'")
            let request = NSBatchDeleteRequest(fetchRequest: fetch)
            request.resultType = .resultTypeObjectIDs
            let ids = (try parent.execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID]
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: ids ?? []], into: [parent])
            try parent.save()
            return author.objectID
        }
        let child = child(of: parent)
        try child.performAndWait {
            let author = try #require(try child.existingObject(with: authorID) as? Author)
            #expect(author.books.map(\.title) == ["Pompeii"])
            child.delete(author)
            try child.save()
        }
        try parent.performAndWait { try parent.save() }
    }

    @Test func childrenComeAndGoOnSeveralThreads() throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        let (parent, coordinator) = (stack.context(), stack.coordinator)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<1_000 {
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = parent
                let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                other.persistentStoreCoordinator = coordinator
            }
        }
        let last = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        last.parent = parent
        #expect(last.parent === parent)
    }
}
