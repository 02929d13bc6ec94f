import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Values and relationships that can't be read for a while: what is shown in their place never reaches the store.
@Suite(.enabled(if: SQLiteShell.isAvailable), .timeLimit(.minutes(5))) struct FailedReadTests {
    /// One store with an author of three notes and two books, a book of two tags, and a shelf of three books.
    private struct Library {
        let stack: TestStack
        let author, shelf: NSManagedObjectID
        let books: [NSManagedObjectID]

        init(model: NSManagedObjectModel = LibraryModel.make()) throws {
            stack = try TestStack(model: model)
            (author, shelf, books) = try stack.inContext { context in
                func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                    object.setValuesForKeys(values)
                    return object
                }
                let author = make("Author", ["name": "Ada"])
                for string in ["a", "b", "c"] { _ = make("Note", ["text": string, "author": author]) }
                let books = ["A", "B", "C"].map { make("Book", ["title": $0, "price": 2.0]) }
                for book in books.prefix(2) { book.setValue(author, forKey: "author") }
                books[0].setValue(
                    NSSet(array: [make("Label", ["name": "x"]), make("Label", ["name": "y"])]), forKey: "tags")
                let shelf = make(
                    "Shelf", ["label": "s", "books": NSOrderedSet(array: [books[2], books[0], books[1]])])
                try context.save()
                return (author.objectID, shelf.objectID, books.map(\.objectID))
            }
        }

        /// Makes a table unreadable.
        func hide(_ table: String) throws { _ = try stack.sqlite("ALTER TABLE \(table) RENAME TO ZHIDDEN") }

        /// What an error calls a table.
        func name(_ table: String) -> String { stack.isFile ? table : table.dropFirst().lowercased() }

        /// Makes it readable again.
        func show(_ table: String) throws { _ = try stack.sqlite("ALTER TABLE ZHIDDEN RENAME TO \(table)") }

        /// The table of the many-to-many between books and tags.
        var tagTable: String {
            get throws {
                guard stack.isFile else { return "ZBOOKTAGS" }
                return try stack.sqlite(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*' ORDER BY name LIMIT 1"
                )
            }
        }

        var tagCount: String { get throws { try stack.sqlite("SELECT count(*) FROM \(tagTable)") } }

        var shelfOrder: [String] {
            stack.inContext { context in
                let books = context.object(with: shelf).value(forKey: "books") as? NSOrderedSet
                return books?.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "title") as? String } ?? []
            }
        }
    }

    private func count(_ object: NSManagedObject, _ key: String) -> Int {
        switch object.value(forKey: key) {
        case let set as NSSet: set.count
        case let set as NSOrderedSet: set.count
        case let set as Set<NSManagedObject>: set.count
        default: -1
        }
    }

    /// The sentence of the error that a save fails with; empty when it doesn't.
    private func refusal(_ context: NSManagedObjectContext) -> String {
        do {
            try context.save()
            return ""
        } catch {
            return (error as? CocoaError)?.userInfo[NSLocalizedDescriptionKey] as? String ?? "\(error)"
        }
    }

    // MARK: To-manys

    @Test func aToManyThatCannotBeReadStaysUnreadAndKeepsTheContextFromBeingSaved() throws {
        let library = try Library()
        try library.stack.inContext { context in
            let author = try context.existingObject(with: library.author)
            try library.hide("ZNOTE")
            #expect(count(author, "notes") == 0)
            #expect(author.hasFault(forRelationshipNamed: "notes"))
            author.setValue("Ada L.", forKey: "name")
            for _ in 0..<3 {
                let sentence = refusal(context)
                #expect(sentence.contains("'notes'") && sentence.contains("Author"))
                #expect(sentence.contains(library.name("ZNOTE")))
                #expect(sentence.contains(library.author.uriRepresentation().absoluteString))
            }
            #expect(try library.stack.sqlite("SELECT ZNAME FROM ZAUTHOR") == "Ada")
            try library.show("ZNOTE")
            #expect(count(author, "notes") == 3)
            try context.save()
        }
        #expect(try library.stack.sqlite("SELECT ZNAME FROM ZAUTHOR") == "Ada L.")
    }

    @Test func aReadThatFailedIsReportedOnceThoughItSucceededLater() throws {
        let library = try Library()
        try library.stack.inContext { context in
            let author = try context.existingObject(with: library.author)
            try library.hide("ZNOTE")
            let shown = count(author, "notes")
            try library.show("ZNOTE")
            #expect(count(author, "notes") == 3)
            author.setValue("\(shown) notes", forKey: "name")
            #expect(refusal(context).contains("'notes'"))
            try context.save()
        }
    }

    @Test func aSaveReadsAgainWhatCouldNotBeRead() throws {
        let library = try Library()
        try library.stack.inContext { context in
            let author = try context.existingObject(with: library.author)
            try library.hide("ZNOTE")
            #expect(count(author, "notes") == 0)
            #expect(refusal(context).contains("'notes'"))
            try library.show("ZNOTE")
            try context.save()
            #expect(count(author, "notes") == 3)
        }
    }

    @Test func aMemberThatIsAddedJoinsThoseThatCouldNotBeRead() throws {
        let library = try Library()
        try library.stack.inContext { context in
            let book = try context.existingObject(with: library.books[0])
            let table = try library.tagTable
            try library.hide(table)
            #expect(count(book, "tags") == 0)
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Label", into: context)
            tag.setValue("z", forKey: "name")
            book.mutableSetValue(forKey: "tags").add(tag)
            #expect(count(book, "tags") == 1)
            #expect(!refusal(context).isEmpty)
            #expect(!refusal(context).isEmpty)
            try library.show(table)
            try context.save()
            #expect(count(book, "tags") == 3)
        }
        #expect(try library.tagCount == "3")
    }

    @Test(arguments: [false, true])
    func membersAreNotReplacedByWhatWasMadeOfTooFew(isReadableBySetting: Bool) throws {
        let library = try Library()
        try library.stack.inContext { context in
            let book = try #require(context.existingObject(with: library.books[0]) as? Book)
            let tag = Label(context: context)
            tag.name = "z"
            let table = try library.tagTable
            try library.hide(table)
            var tags = book.tags
            tags.insert(tag)
            if isReadableBySetting { try library.show(table) }
            book.tags = tags
            #expect(!refusal(context).isEmpty)
            if !isReadableBySetting { try library.show(table) }
            // What was to be set is not known any more.
            #expect(refusal(context).contains("'tags'"))
            #expect(refusal(context).contains("refreshed"))
            context.refresh(book, mergeChanges: true)
            #expect(book.tags.count == 2)
            book.tags.insert(tag)
            try context.save()
        }
        #expect(try library.tagCount == "3")
    }

    @Test(arguments: [false, true]) func theOrderOfWhatCouldNotBeReadIsKept(isLive: Bool) throws {
        let library = try Library()
        try library.stack.inContext { context in
            let shelf = try context.existingObject(with: library.shelf)
            let book = try context.existingObject(with: library.books[1])
            try library.hide("ZBOOK")
            if isLive {
                let live = shelf.mutableOrderedSetValue(forKey: "books")
                #expect(live.count == 0)
                try library.show("ZBOOK")
                live.insert(book, at: 0)
            } else {
                shelf.setValue(NSOrderedSet(array: [book]), forKey: "books")
                try library.show("ZBOOK")
            }
            #expect(!refusal(context).isEmpty)
            #expect(!refusal(context).isEmpty)
            context.rollback()
            try context.save()
        }
        #expect(library.shelfOrder == ["C", "A", "B"])
    }

    @Test func prefetchingThrowsWhatItCannotRead() throws {
        let library = try Library()
        try library.stack.inContext { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.relationshipKeyPathsForPrefetching = ["notes"]
            try library.hide("ZNOTE")
            #expect(throws: CocoaError.self) { try context.fetch(request) }
            try context.save()
            try library.show("ZNOTE")
            #expect(try context.fetch(request).map { count($0, "notes") } == [3])
        }
    }

    @Test func deleteRulesAreFollowedOnceTheyCanBe() throws {
        let library = try Library()
        try library.stack.inContext { context in
            let author = try context.existingObject(with: library.author)
            try library.hide("ZNOTE")
            context.delete(author)
            context.processPendingChanges()
            #expect(!refusal(context).isEmpty)
            #expect(!refusal(context).isEmpty)
            try library.show("ZNOTE")
            try context.save()
        }
        #expect(try library.stack.sqlite("SELECT count(*) FROM ZNOTE") == "0")
        #expect(try library.stack.sqlite("SELECT count(*) FROM ZBOOK WHERE ZAUTHOR NOT NULL") == "0")
    }

    @Test func aDestinationThatCannotBeReadDoesNotKeepADeletedObject() throws {
        let library = try Library()
        try library.stack.inContext { context in
            let author = try context.existingObject(with: library.author)
            let books = library.books.map { context.object(with: $0) }
            #expect(count(author, "notes") == 3)
            #expect(author.objectIDs(forRelationshipNamed: "books").count == 2)
            for book in books { context.refresh(book, mergeChanges: false) }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectIDsKey: library.books], into: [context])
            try library.hide("ZBOOK")
            context.delete(author)
            context.processPendingChanges()
            #expect(!refusal(context).isEmpty)
            try library.show("ZBOOK")
            try context.save()
        }
        #expect(try library.stack.sqlite("SELECT count(*) FROM ZBOOK WHERE ZAUTHOR NOT NULL") == "0")
    }

    @Test func aDenyRuleDoesNotPassOnWhatCannotBeRead() throws {
        let library = try Library()
        try library.stack.inContext { context in
            let shelf = try context.existingObject(with: library.shelf)
            try library.hide("ZBOOK")
            #expect(throws: CocoaError.self) { try shelf.validateForDelete() }
            context.delete(shelf)
            #expect(refusal(context).contains("'books'"))
            try library.show("ZBOOK")
            #expect(refusal(context).contains("can't be deleted"))
        }
        #expect(try library.stack.sqlite("SELECT count(*) FROM ZSHELF") == "1")
    }

    // MARK: Rows

    @Test func anObjectWhoseRowCannotBeReadStaysAFault() throws {
        let library = try Library()
        try library.stack.inContext { context in
            let book = try #require(context.object(with: library.books[0]) as? Book)
            try library.hide("ZBOOK")
            #expect(book.title == "" && book.price == 0 && book.isFault)
            #expect(throws: CocoaError.self) { try book.validateForUpdate() }
            book.price = 5
            #expect(refusal(context).contains(library.name("ZBOOK")))
            #expect(refusal(context).contains(library.books[0].uriRepresentation().absoluteString))
            try library.show("ZBOOK")
            try context.save()
            #expect(book.title == "A" && book.price == 5 && !book.isFault)
        }
        #expect(
            try library.stack.sqlite("SELECT ZTITLE, ZAUTHOR FROM ZBOOK WHERE ZTITLE = 'A' AND ZPRICE = 5") == "A|1")
    }

    @Test func aRelationshipOfWhatCannotBeReadIsNotSetBlindly() throws {
        let library = try Library()
        try library.stack.inContext { context in
            let other = Author(context: context)
            let book = try #require(context.object(with: library.books[0]) as? Book)
            try library.hide("ZBOOK")
            book.author = other
            #expect(!refusal(context).isEmpty)
            try library.show("ZBOOK")
            #expect(refusal(context).contains("'author'"))
            context.refresh(book, mergeChanges: true)
            #expect(book.author === other && book.title == "A")
            try context.save()
        }
    }

    @Test func undoingDoesNotPutNothingInPlaceOfWhatCannotBeRead() throws {
        let library = try Library()
        try library.stack.inContext { context in
            context.undoManager = UndoManager()
            let book = try #require(context.object(with: library.books[0]) as? Book)
            try library.hide("ZBOOK")
            book.title = "other"
            context.processPendingChanges()
            try library.show("ZBOOK")
            context.undo()
            _ = refusal(context)
            _ = refusal(context)
        }
        let titles = try library.stack.sqlite("SELECT ZTITLE FROM ZBOOK ORDER BY ZTITLE")
        #expect(titles == "A\nB\nC")
    }

    @Test(arguments: ["rollback", "refresh", "reset", "refreshAll"])
    func whoeverGivesTheObjectUpCanSave(way: String) throws {
        let library = try Library()
        try library.stack.inContext { context in
            let author = try context.existingObject(with: library.author)
            try library.hide("ZNOTE")
            #expect(count(author, "notes") == 0)
            author.setValue(NSSet(), forKey: "notes")
            #expect(!refusal(context).isEmpty)
            switch way {
            case "rollback": context.rollback()
            case "refresh": context.refresh(author, mergeChanges: false)
            case "reset": context.reset()
            default: context.refreshAllObjects()
            }
            let label = NSEntityDescription.insertNewObject(forEntityName: "Label", into: context)
            label.setValue(way, forKey: "name")
            try context.save()
            try library.show("ZNOTE")
        }
        #expect(try library.stack.sqlite("SELECT count(*) FROM ZNOTE WHERE ZAUTHOR NOT NULL") == "3")
    }

    @Test func aValueOfAWrongTypeForAFaultIsNoFailedRead() throws {
        let library = try Library()
        try library.stack.inContext { context in
            context.undoManager = UndoManager()
            let book = context.object(with: library.books[0])
            book.setValue("no number", forKey: "price")
            book.setValue(4.0, forKey: "price")
            context.detectConflicts(for: context.object(with: library.books[1]))
            try context.save()
        }
        #expect(try library.stack.sqlite("SELECT ZTITLE FROM ZBOOK WHERE ZPRICE = 4.0") == "A")
    }

    // MARK: Children

    @Test func aChildIsToldWhatItsParentCannotRead() throws {
        let library = try Library()
        let parent = library.stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        let grandchild = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        grandchild.parent = child
        for context in [child, grandchild] {
            for former in [grandchild, child, parent] { former.performAndWait { former.reset() } }
            try context.performAndWait {
                let author = try context.existingObject(with: library.author)
                try library.hide("ZNOTE")
                #expect(count(author, "notes") == 0)
                author.setValue("Bo", forKey: "name")
                #expect(refusal(context).contains("'notes'"))
                #expect(refusal(context).contains("'notes'"))
                try parent.performAndWait { try parent.save() }
                try library.show("ZNOTE")
                #expect(count(author, "notes") == 3)
                try context.save()
            }
        }
    }

    @Test func aChildGetsNoMadeUpRows() throws {
        let library = try Library()
        let parent = library.stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait {
            let book = try #require(child.object(with: library.books[0]) as? Book)
            try library.hide("ZBOOK")
            #expect(book.title == "" && book.isFault)
            #expect(throws: (any Error).self) { try child.existingObject(with: library.books[1]) }
            book.price = 7
            #expect(refusal(child).contains(library.name("ZBOOK")))
            try library.show("ZBOOK")
            #expect(book.title == "A" && book.price == 7)
            try child.save()
            try parent.performAndWait { try parent.save() }
        }
        let saved = try library.stack.sqlite("SELECT ZTITLE, ZPRICE FROM ZBOOK WHERE ZPRICE = 7.0")
        #expect(saved == (library.stack.isFile ? "A|7.0" : "A|7"))
    }

    @Test func aChildsOrderIsNotPutOverOneThatItsParentCannotRead() throws {
        let library = try Library()
        let parent = library.stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait {
            let shelf = try child.existingObject(with: library.shelf)
            let books = shelf.mutableOrderedSetValue(forKey: "books")
            #expect(books.count == 3)
            books.exchangeObject(at: 0, withObjectAt: 2)
            parent.performAndWait { parent.reset() }
            try library.hide("ZBOOK")
            #expect(throws: (any Error).self) { try child.save() }
            try library.show("ZBOOK")
            try child.save()
            try parent.performAndWait { try parent.save() }
        }
        #expect(library.shelfOrder == ["B", "A", "C"])
    }

    // MARK: Fetched properties

    @Test func aFetchedPropertyThatCannotBeReadIsReported() throws {
        let model = LibraryModel.make()
        let fetched = NSFetchedPropertyDescription()
        fetched.name = "allNotes"
        fetched.fetchRequest = NSFetchRequest(entityName: "Note")
        model.entitiesByName["Author"]?.properties.append(fetched)
        let library = try Library(model: model)
        try library.stack.inContext { context in
            let author = try context.existingObject(with: library.author)
            try library.hide("ZNOTE")
            #expect(author.value(forKey: "allNotes") == nil)
            #expect(refusal(context).contains("'allNotes'"))
            #expect(refusal(context).contains("'allNotes'"))
            try library.show("ZNOTE")
            #expect((author.value(forKey: "allNotes") as? [NSManagedObject])?.count == 3)
            try context.save()
        }
    }
}
