import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Controllers whose request has an offset or a limit: what others save shifts what is cut out, whether this context has
/// met the objects or not.
@Suite struct WindowTrackingTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    private final class Listener: NSObject, NSFetchedResultsControllerDelegate {}

    private struct Setup {
        let stack: TestStack
        let context: NSManagedObjectContext
        let controller: NSFetchedResultsController<Book>
        let request = NSFetchRequest<Book>(entityName: "Book")
        private let listener = Listener()

        /// A controller over the books with pages, by title, from the third on.
        init(_ type: String, offset: Int = 2) throws {
            stack = try TestStack(type: type)
            try stack.inContext { context in
                for (number, title) in "abcdefg".enumerated() {
                    let book = Book(context: context)
                    book.title = String(title)
                    book.pages = number == 0 ? 0 : 1
                }
                try context.save()
            }
            context = stack.context()
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            request.predicate = NSPredicate(format: "pages > 0")
            request.fetchOffset = offset
            controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            controller.delegate = listener
        }

        var titles: [String] { controller.fetchedObjects?.map(\.title) ?? [] }

        func book(_ title: String, in context: NSManagedObjectContext) throws -> Book {
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "title == %@", title)
            return try #require(try context.fetch(request).first)
        }

        /// What another context saves, ready to be merged.
        func saved(_ change: (NSManagedObjectContext) throws -> Void) throws -> Notification {
            let other = stack.context()
            let log = NotificationLog(other)
            try other.performAndWait {
                try change(other)
                try other.save()
            }
            return try #require(log.entries(.NSManagedObjectContextDidSave).last).notification
        }
    }

    @Test(arguments: storeTypes) func aRowThatWasNeverMetIsDeleted(type: String) throws {
        let setup = try Setup(type)
        try setup.context.performAndWait {
            try setup.controller.performFetch()
            #expect(setup.titles == ["d", "e", "f", "g"])
            let saved = try setup.saved { $0.delete(try setup.book("b", in: $0)) }
            setup.context.mergeChanges(fromContextDidSave: saved)
            #expect(setup.titles == ["e", "f", "g"])
            #expect(setup.titles == (try setup.context.fetch(setup.request)).map(\.title))
        }
    }

    @Test(arguments: storeTypes, [false, true])
    func aRowThatIsDeletedHereIsChangedOrDeletedElsewhere(type: String, isDeleted: Bool) throws {
        let setup = try Setup(type)
        try setup.context.performAndWait {
            let first = try setup.book(isDeleted ? "b" : "a", in: setup.context)
            setup.context.delete(first)
            setup.context.processPendingChanges()
            try setup.controller.performFetch()
            #expect(setup.titles == (try setup.context.fetch(setup.request)).map(\.title))
            let saved = try setup.saved { other in
                if isDeleted {
                    other.delete(try setup.book("b", in: other))
                } else {
                    try setup.book("a", in: other).pages = 7
                }
            }
            setup.context.mergeChanges(fromContextDidSave: saved)
            #expect(setup.titles == (try setup.context.fetch(setup.request)).map(\.title))
        }
    }

    @Test(arguments: storeTypes, [0, 2]) func anInsertionThatWasMetBeforeItIsTold(type: String, offset: Int) throws {
        let setup = try Setup(type, offset: offset)
        try setup.context.performAndWait {
            try setup.controller.performFetch()
            let saved = try setup.saved { other in
                let book = Book(context: other)
                book.title = "cc"
                book.pages = 1
            }
            #expect(try setup.book("cc", in: setup.context).pages == 1)
            setup.context.mergeChanges(fromContextDidSave: saved)
            #expect(setup.titles == (offset == 0 ? ["b", "c", "cc", "d", "e", "f", "g"] : ["cc", "d", "e", "f", "g"]))
        }
    }
}
