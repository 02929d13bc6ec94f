import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Accessors of to-one relationships as applications write them: `didChangeValue` keeps the inverse.
@Suite struct PrimitiveToOneTests {
    private func set(_ value: NSManagedObject?, _ key: String, of object: NSManagedObject) {
        object.willChangeValue(forKey: key)
        object.setPrimitiveValue(value, forKey: key)
        object.didChangeValue(forKey: key)
    }

    @Test(arguments: UndoWalkTests.types) func theInverseToManyFollows(_ type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let (jane, leo, book) = (Author(context: context), Author(context: context), Book(context: context))
            set(jane, "author", of: book)
            #expect(jane.books == [book])
            try context.save()
            context.refreshAllObjects()
            set(leo, "author", of: book)
            #expect(jane.books.isEmpty && leo.books == [book] && jane.hasChanges && leo.hasChanges)
            try context.save()
            set(nil, "author", of: book)
            #expect(leo.books.isEmpty)
            set(jane, "author", of: book)
            context.delete(jane)
            context.processPendingChanges()
            #expect(book.author == nil)
        }
    }

    @Test(arguments: UndoWalkTests.types) func theInverseToOneAndOrderedToManyFollow(_ type: String) throws {
        let stack = try TestStack(model: UndoWalk.model(), type: type)
        try stack.inContext { context in
            func new(_ name: String) -> NSManagedObject {
                NSEntityDescription.insertNewObject(forEntityName: name, into: context)
            }
            let (one, two, lid, page) = (new("Box"), new("Box"), new("Lid"), new("Page"))
            set(one, "box", of: lid)
            #expect(one.value(forKey: "lid") as? NSManagedObject === lid)
            set(lid, "lid", of: two)
            #expect(one.value(forKey: "lid") == nil && lid.value(forKey: "box") as? NSManagedObject === two)
            set(two, "box", of: page)
            #expect((two.value(forKey: "pages") as? NSOrderedSet)?.array as? [NSManagedObject] == [page])
            try context.save()
            context.reset()
            let boxes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box"))
            #expect(boxes.count { $0.value(forKey: "lid") != nil } == 1)
            #expect(boxes.compactMap { ($0.value(forKey: "pages") as? NSOrderedSet)?.count }.sorted() == [0, 1])
        }
    }

    @Test func undoTakesBothSidesBack() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let (jane, book) = (Author(context: context), Book(context: context))
            try context.save()
            context.undoManager = UndoManager()
            set(jane, "author", of: book)
            #expect(jane.books == [book])
            context.undo()
            #expect(jane.books.isEmpty && book.author == nil && !context.hasChanges)
        }
    }

    /// A tracked write between the two calls has kept the inverse already.
    @Test func aTrackedWriteBetweenTheCallsCountsOnce() throws {
        let stack = try TestStack(model: UndoWalk.model())
        try stack.inContext { context in
            let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
            let page = NSEntityDescription.insertNewObject(forEntityName: "Page", into: context)
            page.willChangeValue(forKey: "box")
            page.setValue(box, forKey: "box")
            page.didChangeValue(forKey: "box")
            #expect((box.value(forKey: "pages") as? NSOrderedSet)?.count == 1)
            page.willChangeValue(forKey: "box")
            page.setValue(nil, forKey: "box")
            page.setPrimitiveValue(box, forKey: "box")
            page.didChangeValue(forKey: "box")
            #expect((box.value(forKey: "pages") as? NSOrderedSet)?.count == 1)
            try context.save()
        }
    }

    @Test func anObjectOfAnotherEntityIsReportedByTheSave() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let (book, label) = (Book(context: context), Label(context: context))
            set(label, "author", of: book)
            #expect(book.author == nil)
            #expect(throws: CocoaError.self) { try context.save() }
            set(nil, "author", of: book)
            try context.save()
        }
    }
}
