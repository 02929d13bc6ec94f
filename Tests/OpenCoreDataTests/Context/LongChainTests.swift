import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Long chains of objects, of which each leads to the next.
@Suite(.serialized) struct LongChainTests {
    private static func model(hasInverse: Bool) -> NSManagedObjectModel {
        let link = NSEntityDescription()
        link.name = "Link"
        link.properties = [
            LibraryModel.attribute("number", .integer64AttributeType),
            LibraryModel.relationship("next", to: link, rule: .cascadeDeleteRule),
            LibraryModel.relationship("previous", to: link, rule: .nullifyDeleteRule),
        ]
        if hasInverse { LibraryModel.pair(link, "next", link, "previous") }
        let model = NSManagedObjectModel()
        model.entities = [link]
        return model
    }

    private func chain(_ length: Int, _ context: NSManagedObjectContext) -> [NSManagedObject] {
        let links = (0..<length).map { number in
            let link = NSEntityDescription.insertNewObject(forEntityName: "Link", into: context)
            link.setValue(number, forKey: "number")
            return link
        }
        for number in 1..<length { links[number - 1].setValue(links[number], forKey: "next") }
        return links
    }

    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start) / .seconds(1)
    }

    @Test(arguments: [true, false]) func deletingTakesTimeInProportion(hasInverse: Bool) throws {
        func time(_ length: Int) throws -> Double {
            let stack = try TestStack(model: Self.model(hasInverse: hasInverse), type: NSInMemoryStoreType)
            return try stack.inContext { context in
                let links = chain(length, context)
                try context.save()
                let time = try seconds {
                    context.delete(links[0])
                    context.processPendingChanges()
                    #expect(context.deletedObjects.count == length)
                    try context.save()
                }
                #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Link")) == 0)
                return time
            }
        }
        _ = try time(500)
        let ratio = try time(16_000) / time(2_000)
        #expect(ratio < 20, "8 times the length took \(ratio) times as long")
    }

    @Test func deletingWithAnUndoManagerTakesTimeInProportion() throws {
        let stack = try TestStack(model: Self.model(hasInverse: true), type: NSInMemoryStoreType)
        try stack.inContext { context in
            let links = chain(20_000, context)
            try context.save()
            context.undoManager = UndoManager()
            context.delete(links[0])
            context.processPendingChanges()
            try context.save()
            context.undo()
            try context.save()
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Link")) == 20_000)
            #expect(links[10_000].value(forKey: "next") as? NSManagedObject === links[10_001])
        }
    }

    /// The end of the first link isn't the end of the second within it, which would fill the stack.
    @Test func theEndOfAChainNeedsNoDeepStack() async throws {
        let stack = try TestStack(model: Self.model(hasInverse: false), type: NSInMemoryStoreType)
        // A thread with a small stack.
        await withCheckedContinuation { continuation in
            let thread = Thread {
                stack.inContext { context in
                    var links = self.chain(100_000, context)
                    var first: NSManagedObject? = links[0]
                    context.rollback()
                    links = []
                    #expect(first?.value(forKey: "number") != nil || first != nil)
                    first = nil
                }
                continuation.resume()
            }
            thread.stackSize = 256 * 1024
            thread.start()
        }
    }

    @Test(arguments: [true, false]) func deletedObjectsAreFreed(hasInverse: Bool) throws {
        let stack = try TestStack(model: Self.model(hasInverse: hasInverse))
        try stack.inContext { context in
            var links: [NSManagedObject] = chain(10, context)
            weak let head = links.first
            weak let tail = links.last
            try context.save()
            context.delete(links[0])
            try context.save()
            links = []
            #expect(head == nil && tail == nil)
            var others = chain(10, context)
            weak let other = others.first
            context.rollback()
            others = []
            #expect(other == nil)
        }
    }
}
