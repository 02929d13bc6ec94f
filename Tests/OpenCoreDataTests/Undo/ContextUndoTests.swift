import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Undoing in a context. Numbers are section.fact.
@Suite(.serialized) struct ContextUndoTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    /// Runs a block on a context with an undo manager whose groups the block opens and closes itself.
    private func undoing(
        _ stack: TestStack, _ body: (NSManagedObjectContext, UndoManager) throws -> Void
    ) rethrows {
        try stack.inContext { context in
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            try body(context, manager)
        }
    }

    private func step(_ context: NSManagedObjectContext, _ body: () throws -> Void) rethrows {
        context.undoManager?.beginUndoGrouping()
        try body()
        context.undoManager?.endUndoGrouping()
    }

    private func titles(_ context: NSManagedObjectContext) throws -> [String] {
        try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title).sorted()
    }

    /// What a fresh context finds in the store.
    private func stored(_ stack: TestStack) throws -> [String] { try stack.inContext { try titles($0) } }

    // Behaviour 3.14
    @Test func withoutAManagerUndoDoesNothing() throws {
        let stack = try TestStack()
        stack.inContext { context in
            #expect(context.undoManager == nil)
            let book = Book(context: context)
            context.processPendingChanges()
            context.undo()
            context.redo()
            #expect(context.insertedObjects == [book])
        }
    }

    // Behaviour 3.14
    @Test(arguments: storeTypes) func undoRemovesTheInsertsOfTheGroupAndRedoRestoresThem(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            context.undoManager = UndoManager()
            for title in ["a", "b"] { Book(context: context).title = title }
            context.processPendingChanges()
            for title in ["c", "d"] { Book(context: context).title = title }
            #expect(context.insertedObjects.count == 4)
            context.undo()
            #expect(context.insertedObjects.isEmpty && context.registeredObjects.isEmpty && !context.hasChanges)
            context.redo()
            #expect(context.insertedObjects.count == 4)
            try context.save()
        }
        #expect(try stored(stack) == ["a", "b", "c", "d"])
    }

    // Behaviour 3.14
    @Test(arguments: storeTypes) func whatIsNotRegisteredIsNotUndone(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let manager = UndoManager()
            context.undoManager = manager
            Book(context: context).title = "a"
            context.processPendingChanges()
            manager.disableUndoRegistration()
            let kept = Book(context: context)
            kept.title = "kept"
            context.processPendingChanges()
            manager.enableUndoRegistration()
            Book(context: context).title = "b"
            context.undo()
            #expect(context.insertedObjects == [kept])
            context.redo()
            let all = try titles(context)
            #expect(all == ["a", "b", "kept"])
        }
    }

    @Test(arguments: storeTypes) func valuesComeBackStepByStep(type: String) throws {
        let stack = try TestStack(type: type)
        try undoing(stack) { context, manager in
            let book = Book(context: context)
            book.title = "first"
            book.setValue(["a", "b"], forKey: "extra")
            try context.save()
            manager.removeAllActions()
            step(context) {
                book.title = "second"
                book.title = "third"
                book.pages = 7
            }
            step(context) { book.setValue(["c"], forKey: "extra") }
            #expect(manager.undoCount == 2)
            context.undo()
            #expect(book.value(forKey: "extra") as? [String] == ["a", "b"])
            #expect(book.title == "third" && book.isUpdated)
            context.undo()
            #expect(book.title == "first" && book.pages == 0)
            #expect(!book.hasChanges && !context.hasChanges)
            context.redo()
            #expect(
                book.title == "third" && book.pages == 7 && book.changedValues().keys.sorted() == ["pages", "title"])
            context.redo()
            #expect(book.value(forKey: "extra") as? [String] == ["c"])
            context.undo()
            try context.save()
        }
        #expect(try stored(stack) == ["third"])
    }

    @Test(arguments: storeTypes) func relationshipsComeBackOnBothSides(type: String) throws {
        let stack = try TestStack(type: type)
        try undoing(stack) { context, manager in
            let (jane, leo) = (Author(context: context), Author(context: context))
            let books = (0..<4).map { _ in Book(context: context) }
            let label = Label(context: context)
            jane.books = Set(books)
            label.books = [books[0]]
            try context.save()
            manager.removeAllActions()
            step(context) {
                books[0].author = leo
                leo.books.insert(books[1])
                label.books = [books[2], books[3]]
            }
            context.undo()
            #expect(jane.books == Set(books) && leo.books.isEmpty && label.books == [books[0]])
            #expect(books.allSatisfy { $0.author === jane } && books[0].tags == [label] && books[3].tags.isEmpty)
            #expect(!context.hasChanges)
            context.redo()
            #expect(leo.books == [books[0], books[1]] && jane.books == [books[2], books[3]])
            #expect(books[1].author === leo && label.books == [books[2], books[3]] && books[0].tags.isEmpty)
            try context.save()
            context.undo()
            #expect(context.hasChanges && jane.books == Set(books))
            try context.save()
        }
        try stack.inContext { context in
            let label = try #require(try context.fetch(NSFetchRequest<Label>(entityName: "Label")).first)
            #expect(label.books.count == 1 && label.books.first?.author?.books.count == 4)
        }
    }

    /// What a link to an unread to-many leaves when it is taken back is no change.
    @Test(arguments: storeTypes) func linksOfUnreadToManysLeaveNothing(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let (book, label) = (Book(context: context), Label(context: context))
            book.tags = [label]
            label.name = "novel"
            Label(context: context).name = "essay"
            try context.save()
        }
        try undoing(stack) { context, _ in
            let book = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))[0]
            let labels = try context.fetch(NSFetchRequest<Label>(entityName: "Label"))
            let linked = try #require(labels.first { $0.books == [book] })
            let other = try #require(labels.first { $0 !== linked })
            context.refreshAllObjects()
            step(context) { other.books = [book] }
            context.undo()
            #expect(!context.hasChanges && book.changedValues().isEmpty)
            step(context) { linked.books = [] }
            context.undo()
            #expect(!context.hasChanges && book.changedValues().isEmpty)
            step(context) { linked.books = [] }
            step(context) { linked.books = [book] }
            context.undo()
            #expect(book.hasChanges && linked.books.isEmpty && book.tags.isEmpty)
            context.undo()
            #expect(!context.hasChanges && book.tags == [linked])
            context.refreshAllObjects()
            step(context) { linked.books = [] }
            try context.save()
            context.undo()
            try context.save()
        }
        try stack.inContext { context in
            let book = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))[0]
            #expect(book.tags.map(\.name) == ["novel"])
        }
    }

    @Test func toManysThatWereNotReadAreNotReadForUnordered() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        let id = try stack.inContext { context in
            let author = Author(context: context)
            for _ in 0..<3 { Book(context: context).author = author }
            try context.save()
            return author.objectID
        }
        try undoing(stack) { context, _ in
            let author = try #require(try context.existingObject(with: id) as? Author)
            log.clear()
            step(context) { Book(context: context).author = author }
            context.undo()
            context.redo()
            context.undo()
            #expect(log.selects.isEmpty && author.hasFault(forRelationshipNamed: "books"))
            #expect(author.books.count == 3 && !context.hasChanges)
        }
    }

    @Test(arguments: storeTypes) func ordersComeBack(type: String) throws {
        let stack = try TestStack(type: type)
        try undoing(stack) { context, manager in
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let books = (0..<5).map { index in
                let book = Book(context: context)
                book.title = "\(index)"
                return book
            }
            shelf.setValue(NSOrderedSet(array: books), forKey: "books")
            try context.save()
            manager.removeAllActions()
            func order() -> String {
                ((shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [Book])?.map(\.title).joined() ?? ""
            }
            step(context) { shelf.mutableOrderedSetValue(forKey: "books").moveObjects(at: [4], to: 0) }
            step(context) { books[2].setValue(nil, forKey: "shelf") }
            step(context) { context.delete(books[1]) }
            #expect(order() == "403")
            context.undo()
            #expect(order() == "4013")
            context.undo()
            #expect(order() == "40123")
            context.undo()
            #expect(order() == "01234" && !context.hasChanges)
            for _ in 0..<3 { context.redo() }
            #expect(order() == "403" && books[1].isDeleted)
            try context.save()
            for _ in 0..<3 { context.undo() }
            #expect(order() == "01234" && context.insertedObjects == [books[1]])
            try context.save()
        }
        try stack.inContext { context in
            let shelf = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).first)
            let found = (shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [Book]
            #expect(found?.map(\.title) == ["0", "1", "2", "3", "4"])
        }
    }

    @Test(arguments: storeTypes) func deletionsComeBackWithWhatTheRulesDid(type: String) throws {
        let stack = try TestStack(type: type)
        try undoing(stack) { context, manager in
            let (author, book) = (Author(context: context), Book(context: context))
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            author.name = "Jane"
            book.author = author
            note.setValue(author, forKey: "author")
            try context.save()
            manager.removeAllActions()
            step(context) { context.delete(author) }
            #expect(context.deletedObjects == [author, note] && book.author == nil)
            let log = NotificationLog(context)
            context.undo()
            #expect(!context.hasChanges && book.author === author && author.books == [book] && !note.isDeleted)
            let change = log.entries(.NSManagedObjectContextObjectsDidChange).first
            #expect(change?.objects(NSInsertedObjectsKey) == [author, note])
            #expect(change?.objects(NSUpdatedObjectsKey) == [book])
            context.redo()
            #expect(context.deletedObjects == [author, note] && book.author == nil)
            #expect(log.entries.last?.objects(NSDeletedObjectsKey) == [author, note])
            context.undo()
            try context.save()
            #expect(author.value(forKey: "notes") as? Set<NSManagedObject> == [note])
        }
    }

    @Test func anObjectThatComesBackWithoutItsStoreIsAMemberOnce() throws {
        let model = LibraryModel.make()
        model.entitiesByName["Book"]?.relationshipsByName["author"]?.deleteRule = .noActionDeleteRule
        let stack = try TestStack(model: model)
        let second = try TemporaryFolder()
        try undoing(stack) { context, manager in
            let (author, book) = (Author(context: context), Book(context: context))
            author.name = "Jane Austen"
            book.title = "Emma"
            book.author = author
            try context.save()
            step(context) {
                context.delete(book)
                context.processPendingChanges()
            }
            try context.save()
            let store = try #require(stack.coordinator.persistentStores.first)
            try stack.coordinator.remove(store)
            try stack.coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: second.file("Second.sqlite"))
            manager.undo()
            #expect(book.isInserted && book.objectID.isTemporaryID)
            #expect(author.books == [book])
            author.mutableSetValue(forKey: "books").add(book)
            #expect(author.mutableSetValue(forKey: "books").count == 1)
        }
    }

    /// A save lies between a change and its undoing: what comes back is written by the next save.
    @Test(arguments: storeTypes) func undoReachesBehindASave(type: String) throws {
        let stack = try TestStack(type: type)
        try undoing(stack) { context, _ in
            let book = Book(context: context)
            let (author, label) = (Author(context: context), Label(context: context))
            step(context) {
                book.title = "Emma"
                book.author = author
                label.books = [book]
            }
            try context.save()
            let id = book.objectID
            step(context) {
                context.delete(book)
                context.delete(author)
            }
            try context.save()
            #expect(book.managedObjectContext == nil)
            context.undo()
            #expect(context.insertedObjects == [book, author] && context.hasChanges)
            #expect(book.objectID == id && context.registeredObject(for: id) === book)
            #expect(book.title == "Emma" && book.author === author && label.books == [book])
            try context.save()
            #expect(!context.hasChanges && book.objectID == id)
            context.redo()
            #expect(context.deletedObjects == [book, author] && label.books.isEmpty)
            context.undo()
            context.undo()
            #expect(context.deletedObjects.count == 3)
            try context.save()
            #expect(try context.count(for: NSFetchRequest<Book>(entityName: "Book")) == 0)
            context.redo()
            try context.save()
            #expect(label.books == [book] && book.author === author && book.objectID == id)
        }
        try stack.inContext { context in
            let book = try #require(try context.fetch(NSFetchRequest<Book>(entityName: "Book")).first)
            #expect(book.title == "Emma" && book.author?.books == [book] && book.tags.first?.books == [book])
        }
    }

    @Test func rowsOfObjectsThatNobodyReadComeBackToo() throws {
        let model = LibraryModel.make()
        model.entitiesByName["Book"]?.attributesByName["cover"]?.allowsExternalBinaryDataStorage = true
        let stack = try TestStack(model: model)
        let big = Data(repeating: 7, count: 300_000)
        try stack.inContext { context in
            let label = Label(context: context)
            label.name = "unread"
            let book = Book(context: context)
            book.title = "large"
            book.setValue(big, forKey: "cover")
            try context.save()
        }
        try undoing(stack) { context, _ in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Label")
            request.includesPropertyValues = false
            let labels = try context.fetch(request)
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            step(context) { for object in labels + books { context.delete(object) } }
            try context.save()
            context.undo()
            try context.save()
        }
        try stack.inContext { context in
            let label = try context.fetch(NSFetchRequest<Label>(entityName: "Label")).first
            let book = try context.fetch(NSFetchRequest<Book>(entityName: "Book")).first
            #expect(label?.name == "unread" && book?.value(forKey: "cover") as? Data == big)
        }
    }

    @Test func rollbackAndResetForgetWhatCouldBeUndone() throws {
        let stack = try TestStack()
        undoing(stack) { context, manager in
            step(context) { Book(context: context).title = "a" }
            #expect(manager.canUndo)
            context.rollback()
            #expect(!manager.canUndo)
            let book = Book(context: context)
            context.rollback()
            context.processPendingChanges()
            #expect(!manager.canUndo && book.managedObjectContext == nil)
            step(context) { Book(context: context).title = "b" }
            context.reset()
            #expect(!manager.canUndo)
        }
    }

    @Test func aFailedSaveDoesNotHarmUndo() throws {
        let stack = try TestStack()
        try undoing(stack) { context, _ in
            let book = Book(context: context)
            let bad = Label(context: context)
            bad.setValue(nil, forKey: "name")
            context.processPendingChanges()
            step(context) { context.delete(book) }
            #expect(throws: CocoaError.self) { try context.save() }
            context.undo()
            bad.name = "good"
            #expect(context.insertedObjects == [book, bad])
            try context.save()
        }
        #expect(try stack.sqlite("SELECT count(*) FROM ZBOOK; SELECT count(*) FROM ZLABEL") == "1\n1")
    }

    @Test func objectsHearWhatWasUndone() throws {
        let stack = try TestStack(model: HookItem.model())
        try undoing(stack) { context, _ in
            let item = HookItem(context: context)
            try context.save()
            step(context) { item.name = "edited" }
            context.undo()
            #expect(item.snapshotEvents == [.undoUpdate])
            step(context) { context.delete(item) }
            context.undo()
            #expect(item.snapshotEvents == [.undoUpdate, .undoDeletion] && !context.hasChanges)
            context.undoManager?.removeAllActions()
            let new = HookItem(context: context)
            context.undo()
            #expect(new.snapshotEvents == [.undoInsertion] && new.managedObjectContext == nil)
            item.name = "edited"
            context.rollback()
            #expect(item.snapshotEvents.last == .rollback && item.calls["awakeFromInsert"] == 1)
        }
    }

    @Test func theEndOfABlockEndsItsGroup() async throws {
        let stack = try TestStack()
        let context = stack.context()
        await context.perform {
            context.undoManager = UndoManager()
            Book(context: context).title = "a"
        }
        await context.perform(schedule: .enqueued) {
            Book(context: context).title = "b"
            context.undoManager?.setActionName("Add")
        }
        try await context.perform(schedule: .enqueued) {
            #expect(context.undoManager?.undoCount == 2 && context.undoManager?.groupingLevel == 0)
            context.undo()
            let left = try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title)
            #expect(left == ["a"])
        }
    }

    @Test @MainActor func aMainQueueContextUndoesTurnByTurn() async throws {
        let stack = try TestStack()
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        context.undoManager = UndoManager()
        for title in ["a", "b"] {
            Book(context: context).title = title
            for _ in 0..<3 {
                await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
            }
        }
        #expect(context.undoManager?.undoCount == 2)
        context.undo()
        #expect(try titles(context) == ["a"])
        context.undo()
        #expect(!context.hasChanges)
    }

    @Test(arguments: storeTypes) func aChildUndoesWhatItsParentWasGiven(type: String) throws {
        let stack = try TestStack(type: type)
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        let id = try parent.performAndWait {
            let book = Book(context: parent)
            book.title = "Emma"
            try parent.save()
            return book.objectID
        }
        try child.performAndWait {
            child.undoManager = UndoManager()
            let book = try #require(try child.existingObject(with: id) as? Book)
            child.delete(book)
            try child.save()
            child.undo()
            #expect(child.insertedObjects == [book])
            try child.save()
        }
        try parent.performAndWait {
            #expect(parent.deletedObjects.isEmpty)
            try parent.save()
        }
        #expect(try stored(stack) == ["Emma"])
    }

    @Test func aContextThatGoesAwayIsForgotten() throws {
        let stack = try TestStack()
        let manager = UndoManager()
        do {
            let context = stack.context()
            context.performAndWait {
                context.undoManager = manager
                _ = Book(context: context)
                context.processPendingChanges()
                #expect(manager.canUndo)
            }
        }
        #expect(!manager.canUndo)
        manager.undo()
        #expect(!manager.canRedo)
    }

    @Test func theGroupOfPerformAndWaitStaysOpen() throws {
        let stack = try TestStack()
        let context = stack.context()
        context.performAndWait {
            context.undoManager = UndoManager()
            Book(context: context).title = "a"
            context.processPendingChanges()
        }
        try context.performAndWait {
            #expect(context.undoManager?.groupingLevel == 1)
            Book(context: context).title = "b"
            context.undo()
            let left = try titles(context)
            #expect(left.isEmpty && context.undoManager?.groupingLevel == 0)
        }
    }
}
