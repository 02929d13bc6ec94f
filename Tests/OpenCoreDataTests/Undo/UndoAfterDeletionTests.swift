import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Objects that are changed although they are deleted, and that come back.
@Suite struct UndoAfterDeletionTests {
    @Test(arguments: [NSInMemoryStoreType, NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType], [false, true])
    func anObjectThatWasChangedAfterItsDeletionComesBackAsItWas(type: String, isSaved: Bool) throws {
        try TestStack(type: type).inContext { context in
            let book = Book(context: context)
            book.title = "before"
            try context.save()
            let undo = UndoManager()
            undo.groupsByEvent = false
            context.undoManager = undo
            undo.beginUndoGrouping()
            context.delete(book)
            context.processPendingChanges()
            book.title = "after"
            context.processPendingChanges()
            undo.endUndoGrouping()
            func saveIfAsked(_ stored: [String]) throws {
                guard isSaved else { return }
                try context.save()
                #expect(try titles(in: context) == stored)
            }
            try saveIfAsked([])
            for _ in 0..<2 {
                undo.undo()
                #expect(book.managedObjectContext === context)
                #expect(!book.isDeleted)
                #expect(book.title == "before")
                try saveIfAsked(["before"])
                undo.redo()
                try saveIfAsked([])
            }
            undo.undo()
            try context.save()
            #expect(try titles(in: context) == ["before"])
        }
    }

    /// What another context finds.
    private func titles(in context: NSManagedObjectContext) throws -> [String] {
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = context.persistentStoreCoordinator
        return try other.performAndWait { try other.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title) }
    }
}
