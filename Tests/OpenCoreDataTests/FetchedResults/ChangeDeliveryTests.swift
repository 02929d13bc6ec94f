import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Section 8: what a controller reports to its delegate. Numbers are section.fact.
@Suite(.serialized) struct ChangeDeliveryTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    /// A controller over books by title, with a recorder.
    private struct Setup {
        let context: NSManagedObjectContext
        let controller: NSFetchedResultsController<Book>
        let recorder = ChangeRecorder()

        init(
            _ context: NSManagedObjectContext, sections: String? = nil,
            sort: [NSSortDescriptor] = [NSSortDescriptor(key: "title", ascending: true)],
            configure: (NSFetchRequest<Book>) -> Void = { _ in }
        ) throws {
            self.context = context
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = sort
            configure(request)
            controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: nil)
            controller.delegate = recorder
            try controller.performFetch()
            recorder.show(controller)
        }

        /// Processes changes and gives back what was told.
        func told() -> [ChangeRecorder.Event] {
            recorder.clear()
            context.processPendingChanges()
            #expect(recorder.failures.isEmpty)
            return recorder.events
        }

        var titles: [String] { controller.fetchedObjects?.map(\.title) ?? [] }
    }

    @discardableResult
    private func book(_ title: String, _ context: NSManagedObjectContext, isbn: String? = nil) -> Book {
        let book = Book(context: context)
        book.title = title
        book.setValue(isbn, forKey: "isbn")
        return book
    }

    private func path(_ row: Int, _ section: Int = 0) -> IndexPath { IndexPath(row: row, section: section) }

    private func withBooks(
        _ type: String, _ titles: [String], _ body: (NSManagedObjectContext, [Book]) throws -> Void
    ) throws {
        try TestStack(type: type).inContext { context in
            let books = titles.map { book($0, context) }
            try context.save()
            try body(context, books)
        }
    }

    // Behaviour 8.2
    @Test(arguments: storeTypes) func insertsDeletesUpdatesAndMovesAreToldOncePerPass(type: String) throws {
        try withBooks(type, ["b", "d", "f"]) { context, books in
            let setup = try Setup(context)
            let fresh = book("c", context)
            #expect(setup.recorder.events.isEmpty)
            #expect(setup.told() == [.willChange, .object(fresh, nil, .insert, path(1)), .didChange])
            #expect(setup.told().isEmpty)
            context.delete(books[0])
            #expect(setup.told() == [.willChange, .object(books[0], path(0), .delete, nil), .didChange])
            books[1].pages = 7
            #expect(setup.told() == [.willChange, .object(books[1], path(1), .update, path(1)), .didChange])
            books[2].title = "a"
            #expect(setup.told() == [.willChange, .object(books[2], path(2), .move, path(0)), .didChange])
            #expect(setup.titles == ["a", "c", "d"])
            setup.recorder.clear()
            try context.save()
            #expect(setup.recorder.events.isEmpty)
        }
    }

    // Behaviour 8.1
    @Test(arguments: storeTypes) func editsOfAnUnannouncedInsertAreNoUpdate(type: String) throws {
        try withBooks(type, ["a", "c"]) { context, _ in
            let fresh = book("b", context)
            let setup = try Setup(context)
            #expect(setup.titles == ["a", "b", "c"])
            fresh.pages = 3
            #expect(setup.told().isEmpty)
            fresh.pages = 4
            #expect(setup.told() == [.willChange, .object(fresh, path(1), .update, path(1)), .didChange])
        }
        try withBooks(type, ["a", "c"]) { context, _ in
            let fresh = book("b", context)
            let setup = try Setup(context)
            fresh.title = "d"
            #expect(setup.told() == [.willChange, .object(fresh, path(1), .move, path(2)), .didChange])
        }
    }

    // Behaviour 8.3
    @Test(arguments: storeTypes) func sortKeyEditsThatKeepThePlaceAreUpdates(type: String) throws {
        try withBooks(type, ["a", "c", "e"]) { context, books in
            let setup = try Setup(context)
            books[1].title = "d"
            #expect(setup.told() == [.willChange, .object(books[1], path(1), .update, path(1)), .didChange])
            books[1].title = "f"
            #expect(setup.told() == [.willChange, .object(books[1], path(1), .move, path(2)), .didChange])
        }
    }

    // Behaviour 8.4
    @Test(arguments: storeTypes) func enteringAndLeavingThePredicate(type: String) throws {
        try withBooks(type, ["a", "b", "c"]) { context, books in
            books[1].pages = 10
            try context.save()
            let setup = try Setup(context) { $0.predicate = NSPredicate(format: "pages < 5") }
            #expect(setup.titles == ["a", "c"])
            books[1].pages = 1
            #expect(setup.told() == [.willChange, .object(books[1], nil, .insert, path(1)), .didChange])
            books[0].pages = 9
            #expect(setup.told() == [.willChange, .object(books[0], path(0), .delete, nil), .didChange])
            books[0].pages = 8
            book("d", context).pages = 6
            Author(context: context).name = "an author"
            #expect(setup.told().isEmpty)
        }
    }

    // Behaviour 8.5
    @Test(arguments: storeTypes) func changesOfARelationshipAreUpdates(type: String) throws {
        try withBooks(type, ["a", "b"]) { context, books in
            let setup = try Setup(context)
            let label = Label(context: context)
            label.name = "new"
            books[1].tags.insert(label)
            #expect(setup.told() == [.willChange, .object(books[1], path(1), .update, path(1)), .didChange])
            label.books = [books[0], books[1]]
            #expect(setup.told() == [.willChange, .object(books[0], path(0), .update, path(0)), .didChange])
        }
    }

    // Behaviour 8.6
    @Test(arguments: storeTypes) func sectionsComeAndGo(type: String) throws {
        try TestStack(type: type).inContext { context in
            let first = book("1", context, isbn: "apple")
            let second = book("2", context, isbn: "cherry")
            try context.save()
            let order = ["isbn", "title"].map { NSSortDescriptor(key: $0, ascending: true) }
            let setup = try Setup(context, sections: "isbn", sort: order)
            #expect(setup.controller.sections?.map(\.name) == ["apple", "cherry"])
            #expect(setup.controller.sections?.map(\.indexTitle) == ["A", "C"])
            let fresh = book("3", context, isbn: "banana")
            #expect(
                setup.told() == [
                    .willChange, .section("banana", 1, .insert), .object(fresh, nil, .insert, path(0, 1)), .didChange,
                ])
            #expect(setup.recorder.sectionCounts == [1])
            context.delete(first)
            #expect(
                setup.told() == [
                    .willChange, .object(first, path(0, 0), .delete, nil), .section("apple", 0, .delete), .didChange,
                ])
            #expect(setup.recorder.sectionCounts == [0])
            second.setValue("banana", forKey: "isbn")
            #expect(
                setup.told() == [
                    .willChange, .object(second, path(0, 1), .move, path(0, 0)), .section("cherry", 1, .delete),
                    .didChange,
                ])
            #expect(setup.controller.sectionIndexTitles == ["B"])
        }
    }

    // Behaviour 8.7
    @Test(arguments: storeTypes) func refreshingAllGivesUpdatesOrMoves(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let books = ["a", "b", "c"].map { book($0, context) }
            try context.save()
            let setup = try Setup(context)
            setup.recorder.clear()
            context.refreshAllObjects()
            #expect(setup.recorder.changes == [.update, .update, .update])
            try stack.inContext { other in
                (try #require(other.object(with: books[0].objectID) as? Book)).title = "d"
                try other.save()
            }
            setup.recorder.clear()
            context.refreshAllObjects()
            #expect(setup.recorder.changes == [.move, .update, .update])
            #expect(setup.titles == ["b", "c", "d"] && setup.recorder.failures.isEmpty)
        }
    }

    // Behaviour 8.8
    @Test(arguments: storeTypes) func aResetTellsNothing(type: String) throws {
        try withBooks(type, ["a", "b"]) { context, _ in
            let setup = try Setup(context)
            context.reset()
            #expect(setup.recorder.events.isEmpty)
            book("c", context)
            #expect(setup.told().isEmpty)
            try setup.controller.performFetch()
            setup.recorder.show(setup.controller)
            #expect(setup.titles == ["a", "b", "c"])
            book("d", context)
            #expect(setup.told().count == 3)
            #expect(setup.titles == ["a", "b", "c", "d"])
        }
    }

    // Behaviour 8.9
    @Test(arguments: storeTypes) func mergedSavesAreTold(type: String) throws {
        let stack = try TestStack(type: type)
        let ids = try stack.inContext { context in
            let books = ["a", "b", "c"].map { book($0, context) }
            try context.save()
            return books.map(\.objectID)
        }
        try stack.inContext { context in
            let setup = try Setup(context)
            let other = stack.context()
            let log = NotificationLog(other)
            try other.performAndWait {
                book("aa", other)
                (try #require(other.object(with: ids[0]) as? Book)).pages = 5
                (try #require(other.object(with: ids[1]) as? Book)).title = "0"
                other.delete(other.object(with: ids[2]))
                Author(context: other).name = "nobody"
                try other.save()
            }
            let saved = try #require(log.entries(.NSManagedObjectContextDidSave).first).notification
            setup.recorder.clear()
            context.mergeChanges(fromContextDidSave: saved)
            #expect(setup.recorder.changes == [.delete, .insert, .move, .update])
            #expect(setup.titles == ["0", "a", "aa"] && setup.recorder.failures.isEmpty)
            #expect(setup.controller.fetchedObjects?[1].pages == 5)
            #expect(context.registeredObjects.isSuperset(of: setup.controller.fetchedObjects ?? []))
        }
    }

    // Behaviour 8.10
    @Test(arguments: storeTypes) func anEmptyOrderIsAcceptedAndNoneIsAnError(type: String) throws {
        try withBooks(type, ["b", "a"]) { context, _ in
            let setup = try Setup(context, sort: [])
            #expect(setup.titles.count == 2)
            let fresh = book("0", context)
            #expect(setup.told() == [.willChange, .object(fresh, nil, .insert, path(2)), .didChange])
            let controller = NSFetchedResultsController(
                fetchRequest: NSFetchRequest<Book>(entityName: "Book"), managedObjectContext: context,
                sectionNameKeyPath: nil, cacheName: nil)
            #expect { try controller.performFetch() } throws: { error in
                (error as? CocoaError)?.localizedDescription.contains("needs sort descriptors") == true
            }
            #expect(controller.fetchedObjects == nil && controller.sections == nil)
        }
    }

    // Behaviour 8.11
    @Test(arguments: storeTypes) func aMixedPassAddsUp(type: String) throws {
        try withBooks(type, ["b", "d", "f", "h"]) { context, books in
            let setup = try Setup(context)
            book("a", context)
            book("i", context)
            context.delete(books[0])
            books[1].title = "g"
            books[2].pages = 1
            books[3].pages = 2
            _ = setup.told()
            #expect(setup.recorder.changes == [.delete, .insert, .insert, .move, .update, .update])
            #expect(setup.titles == ["a", "f", "g", "h", "i"])
        }
    }

    // Behaviour 5.14
    @Test(arguments: storeTypes) func batchResultsArriveByMerging(type: String) throws {
        try withBooks(type, ["a", "b"]) { context, _ in
            let setup = try Setup(context)
            setup.recorder.clear()
            let insert = NSBatchInsertRequest(entityName: "Book", objects: [["title": "aa"]])
            insert.resultType = .objectIDs
            let inserted = try #require(try context.execute(insert) as? NSBatchInsertResult).result
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.predicate = NSPredicate(format: "title == 'a'")
            update.propertiesToUpdate = ["title": "c"]
            update.resultType = .updatedObjectIDsResultType
            let updated = try #require(try context.execute(update) as? NSBatchUpdateResult).result
            let doomed = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
            doomed.predicate = NSPredicate(format: "title == 'b'")
            let delete = NSBatchDeleteRequest(fetchRequest: doomed)
            delete.resultType = .resultTypeObjectIDs
            let deleted = try #require(try context.execute(delete) as? NSBatchDeleteResult).result
            context.processPendingChanges()
            #expect(setup.recorder.events.isEmpty && setup.titles == ["a", "b"])
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [
                    NSInsertedObjectsKey: inserted ?? [], NSUpdatedObjectsKey: updated ?? [],
                    NSDeletedObjectsKey: deleted ?? [],
                ], into: [context])
            #expect(setup.titles == ["aa", "c"] && setup.recorder.failures.isEmpty)
            #expect(setup.recorder.changes == [.delete, .insert, .update])
        }
    }

    // Behaviour 5.15
    @Test func mergingWhatIsThereAlreadyTellsNothing() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let saved = book("a", context)
            try context.save()
            let setup = try Setup(context) { $0.predicate = NSPredicate(format: "title == 'x'") }
            setup.recorder.clear()
            let fresh = stack.context()
            fresh.performAndWait {
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: [NSUpdatedObjectsKey: [saved.objectID]], into: [fresh])
                #expect(fresh.registeredObjects.isEmpty)
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: [saved.objectID]], into: [context])
            #expect(setup.recorder.events.isEmpty)
        }
    }

    // What Apple's framework misses: an object that isn't in memory begins to match after a change of another context.
    @Test(arguments: storeTypes) func objectsThatWereNeverMetMayEnter(type: String) throws {
        let stack = try TestStack(type: type)
        let id = try stack.inContext { context in
            let book = book("a", context)
            book.pages = 100
            try context.save()
            return book.objectID
        }
        try stack.inContext { context in
            let setup = try Setup(context) { $0.predicate = NSPredicate(format: "pages < 5") }
            let other = stack.context()
            let log = NotificationLog(other)
            try other.performAndWait {
                (try #require(other.object(with: id) as? Book)).pages = 1
                try other.save()
            }
            context.mergeChanges(
                fromContextDidSave: try #require(log.entries(.NSManagedObjectContextDidSave).first).notification)
            #expect(setup.recorder.changes == [.insert] && setup.titles == ["a"])
        }
    }

    @Test(arguments: storeTypes) func rollbackTakesInsertsOut(type: String) throws {
        try withBooks(type, ["a", "b"]) { context, books in
            let setup = try Setup(context)
            book("c", context)
            books[0].title = "x"
            context.delete(books[1])
            _ = setup.told()
            #expect(setup.titles == ["c", "x"])
            setup.recorder.clear()
            context.rollback()
            #expect(setup.titles == ["a", "b"] && setup.recorder.failures.isEmpty)
            #expect(setup.recorder.changes.filter { $0 == .delete }.count == 1)
        }
    }

    /// The deletion came by merging; giving up the context's own changes does not bring the row back.
    @Test(arguments: storeTypes, [false, true])
    func rollbackBringsNothingBackThatOthersDeleted(type: String, isChild: Bool) throws {
        let stack = try TestStack(type: type)
        let other = stack.context()
        try other.performAndWait {
            for title in ["a", "b", "c"] { book(title, other) }
            try other.save()
        }
        let context = isChild ? NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType) : stack.context()
        if isChild { context.parent = other }
        let setup = try context.performAndWait { try SendableBox(Setup(context)) }
        let log = NotificationLog(other, [.NSManagedObjectContextDidSave])
        try other.performAndWait {
            for book in try other.fetch(NSFetchRequest<Book>(entityName: "Book")) where book.title == "b" {
                other.delete(book)
            }
            try other.save()
        }
        let notification = try #require(log.entries.first).notification
        try context.performAndWait {
            let setup = setup.value
            context.mergeChanges(fromContextDidSave: notification)
            #expect(setup.titles == ["a", "c"])
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            try #require(books.first { $0.title == "a" }).title = "x"
            context.processPendingChanges()
            #expect(setup.titles == ["c", "x"])
            context.rollback()
            #expect(setup.titles == ["a", "c"] && setup.recorder.failures.isEmpty)
            #expect(try context.count(for: NSFetchRequest<Book>(entityName: "Book")) == 2)
        }
    }
}
