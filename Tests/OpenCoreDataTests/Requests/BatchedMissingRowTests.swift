import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A book that looks at all others when it awakes.
final class SociableBook: NSManagedObject {
    @TaskLocal static var others: SendableBox<[NSManagedObject]>?

    override func awakeFromFetch() {
        super.awakeFromFetch()
        for other in SociableBook.others?.value ?? [] { _ = other.value(forKey: "title") }
    }
}

/// Batches of a fetch whose rows were deleted by another context before an object was touched.
@Suite(.timeLimit(.minutes(5))) struct BatchedMissingRowTests {
    /// Says no to what becomes of a fault without a row, after looking at it and at the others.
    private final class Curious: NSManagedObjectContext, @unchecked Sendable {
        // Used on the context's queue alone.
        var books: [NSManagedObject] = []
        var asked = 0

        override func shouldHandleInaccessibleFault(
            _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
        ) -> Bool {
            asked += 1
            _ = fault.value(forKey: "title")
            for book in books { _ = book.value(forKey: "title") }
            return false
        }
    }

    private func fill(_ stack: TestStack, _ count: Int = 20) throws {
        try stack.inContext { context in
            for number in 0..<count {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("B\(number)", forKey: "title")
                book.setValue(number, forKey: "pages")
            }
            try context.save()
        }
    }

    private func request(_ size: Int = 5) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.fetchBatchSize = size
        request.returnsObjectsAsFaults = false
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        return request
    }

    /// Deletes with another coordinator.
    private func delete(where format: String, from stack: TestStack) throws {
        try TestStack(folder: stack.folder).inContext { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: format)
            for book in try context.fetch(request) { context.delete(book) }
            try context.save()
        }
    }

    private func title(_ book: NSManagedObject) -> String? { book.value(forKey: "title") as? String }

    @Test(arguments: [true, false], [5, 7, 1_000])
    func aBatchWhoseRowsAreGoneIsReadOnce(deletesInaccessible: Bool, size: Int) throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try fill(stack)
        try stack.inContext { context in
            context.shouldDeleteInaccessibleFaults = deletesInaccessible
            let books = try context.fetch(request(size))
            try delete(where: "pages >= 0", from: stack)
            log.clear()
            #expect(books.allSatisfy { title($0) == nil })
            #expect(books.allSatisfy { !$0.isFault })
            #expect(log.selects.count == (20 + size - 1) / size)
            #expect(context.deletedObjects == (deletesInaccessible ? Set(books) : []))
            if !deletesInaccessible {
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.code.rawValue == NSManagedObjectReferentialIntegrityError)
            }
            try context.save()
            #expect(!context.hasChanges)
        }
    }

    @Test func theRowsThatAreLeftAreThere() throws {
        let stack = try TestStack()
        try fill(stack)
        try stack.inContext { context in
            let books = try context.fetch(request())
            try delete(where: "pages IN {0, 3, 6, 19}", from: stack)
            let expected = (0..<20).map { [0, 3, 6, 19].contains($0) ? nil : "B\($0)" }
            #expect(books.map { title($0) } == expected)
        }
    }

    @Test func whoeverIsAskedAboutAMissingRowMayLookAtAllObjects() throws {
        let stack = try TestStack()
        try fill(stack)
        let context = Curious(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        try context.performAndWait {
            context.books = try context.fetch(request())
            try delete(where: "pages >= 0", from: stack)
            #expect(title(context.books[2]) == nil)
            #expect(context.books.allSatisfy { title($0) == nil && !$0.isFault })
            #expect(context.asked >= 20)
            context.books = []
        }
    }

    @Test(arguments: ["pages >= 0", "pages IN {0, 2, 4, 6, 13}"])
    func anObjectThatAwakesMayLookAtItsSiblings(gone: String) throws {
        let model = LibraryModel.make()
        model.entitiesByName["Book"]?.managedObjectClassName = NSStringFromClass(SociableBook.self)
        let stack = try TestStack(model: model)
        try fill(stack)
        let missing = gone.contains("IN") ? 5 : 20
        try stack.inContext { context in
            let books = try context.fetch(request())
            try delete(where: gone, from: stack)
            SociableBook.$others.withValue(SendableBox(books)) {
                #expect(books.count { title($0) == nil } == missing)
            }
            #expect(books.allSatisfy { !$0.isFault })
        }
    }

    @Test(arguments: [0.0, 1_000.0]) func anAgeLimitChangesNothing(interval: TimeInterval) throws {
        let stack = try TestStack()
        try fill(stack)
        try stack.inContext { context in
            context.stalenessInterval = interval
            let books = try context.fetch(request())
            try delete(where: "pages IN {0, 2, 4, 6, 13}", from: stack)
            #expect(books.count { title($0) == nil } == 5)
        }
    }

    @Test func aChildFindsThemMissingToo() throws {
        let stack = try TestStack()
        try fill(stack)
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait {
            let ids = try child.fetch(request()).map(\.objectID)
            child.reset()
            parent.performAndWait { parent.reset() }
            let books = ids.map { child.object(with: $0) }
            try delete(where: "pages IN {0, 3}", from: stack)
            #expect(books.count { title($0) == nil } == 2)
            try child.save()
        }
    }

    @Test func aBatchThatCannotBeReadStaysUnread() throws {
        let stack = try TestStack()
        try fill(stack)
        try stack.inContext { context in
            let books = try context.fetch(request())
            _ = try stack.sqlite("ALTER TABLE ZBOOK RENAME TO ZHIDDEN")
            #expect(books.prefix(5).allSatisfy { title($0) == nil && $0.isFault })
            #expect(throws: CocoaError.self) { try context.save() }
            #expect(throws: CocoaError.self) { try context.save() }
            _ = try stack.sqlite("ALTER TABLE ZHIDDEN RENAME TO ZBOOK")
            #expect(books.map { title($0) } == (0..<20).map { "B\($0)" })
            try context.save()
        }
    }
}
