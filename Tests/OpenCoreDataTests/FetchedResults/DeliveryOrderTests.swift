import Foundation
import OpenCoreData
import TestSupport
import Testing

/// In which order a pass is reported: objects leave before their section, and come after it.
@Suite struct DeliveryOrderTests {
    private func withShelves(
        _ body: (NSManagedObjectContext, NSFetchedResultsController<Book>, ChangeRecorder) throws -> Void
    ) throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        try stack.inContext { context in
            for number in 1...4 {
                let book = Book(context: context)
                book.title = "\(number)"
                book.pages = Int32(number % 2)
            }
            try context.save()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = ["pages", "title"].map { NSSortDescriptor(key: $0, ascending: true) }
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "pages", cacheName: nil)
            let recorder = ChangeRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            recorder.show(controller)
            try body(context, controller, recorder)
            #expect(recorder.failures.isEmpty, "\(recorder.failures)")
        }
    }

    private func steps(_ recorder: ChangeRecorder) -> [String] {
        recorder.events.compactMap { event in
            switch event {
            case .section(let name, _, let type): "section \(name) \(type == .insert ? "came" : "went")"
            case .object(_, let old, let type, let new):
                type == .move
                    ? "moved" : type == .update ? "updated" : old == nil ? "came" : new == nil ? "went" : "?"
            default: nil
            }
        }
    }

    @Test func objectsGoBeforeTheirSection() throws {
        try withShelves { context, controller, recorder in
            for book in controller.fetchedObjects ?? [] where book.pages == 0 { context.delete(book) }
            context.processPendingChanges()
            #expect(steps(recorder) == ["went", "went", "section 0 went"])
        }
    }

    @Test func objectsMoveOutBeforeTheirSectionGoesAndAfterTheOtherCame() throws {
        try withShelves { context, controller, recorder in
            for book in controller.fetchedObjects ?? [] where book.pages == 0 { book.pages = 2 }
            context.processPendingChanges()
            #expect(steps(recorder) == ["section 2 came", "moved", "moved", "section 0 went"])
        }
    }

    @Test func objectsComeAfterTheirSection() throws {
        try withShelves { context, _, recorder in
            Book(context: context).pages = 7
            context.processPendingChanges()
            #expect(steps(recorder) == ["section 7 came", "came"])
        }
    }

    @Test func sectionsAreEqualIfTheyAreTheSame() throws {
        try withShelves { _, controller, _ in
            let sections = try #require(controller.sections)
            let array = NSArray(array: sections)
            #expect(array.index(of: sections[1]) == 1 && array.contains(sections[0]))
            #expect(NSSet(array: sections).count == 2 && NSSet(array: sections + sections).count == 2)
            #expect(array == NSArray(array: controller.sections ?? []))
        }
    }
}
