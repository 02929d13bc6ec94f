import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Undo and redo move the results of a controller back and forth, and its delegate is told how.
@Suite struct UndoTrackingTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    @Test(arguments: storeTypes) func resultsFollowUndoAndRedo(type: String) throws {
        try TestStack(type: type).inContext { context in
            for title in ["a", "b", "c"] { Book(context: context).title = title }
            try context.save()
            let undo = UndoManager()
            undo.groupsByEvent = false
            context.undoManager = undo
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            let recorder = ChangeRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            recorder.show(controller)
            let books = try #require(controller.fetchedObjects)
            var titles: [String] { controller.fetchedObjects?.map(\.title) ?? [] }
            func step(_ expected: [String], _ change: () -> Void) throws {
                recorder.clear()
                change()
                context.processPendingChanges()
                #expect(titles == expected)
                #expect(titles == (try context.fetch(request)).map(\.title))
                #expect(recorder.failures.isEmpty && !recorder.events.isEmpty)
                #expect(recorder.shown == ChangeRecorder.sections(of: controller))
            }
            func group(_ change: () -> Void) {
                undo.beginUndoGrouping()
                change()
                context.processPendingChanges()
                undo.endUndoGrouping()
            }
            try step(["b", "c", "z"]) { group { books[0].title = "z" } }
            try step(["b", "bb", "c", "z"]) { group { Book(context: context).title = "bb" } }
            try step(["bb", "c", "z"]) { group { context.delete(books[1]) } }
            try step(["b", "bb", "c", "z"]) { undo.undo() }
            try step(["b", "c", "z"]) { undo.undo() }
            try step(["a", "b", "c"]) { undo.undo() }
            try step(["b", "c", "z"]) { undo.redo() }
            try step(["b", "bb", "c", "z"]) { undo.redo() }
            try step(["bb", "c", "z"]) { undo.redo() }
            try context.save()
            #expect(titles == ["bb", "c", "z"])
            try step(["b", "bb", "c", "z"]) { undo.undo() }
            try context.save()
            #expect(titles == ["b", "bb", "c", "z"])
        }
    }
}
