import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Long chains of objects, of which each leads to the next. `OPENCOREDATA_CHAIN_LENGTH=1000000` asks for a chain of that
/// length too.
@Suite(.serialized) struct LongChainTests {
    private static let longest = ProcessInfo.processInfo.environment["OPENCOREDATA_CHAIN_LENGTH"].flatMap { Int($0) }

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

    /// How long it takes to delete a chain that was saved.
    private func deletion(_ length: Int, hasInverse: Bool, type: String = NSInMemoryStoreType) throws -> Double {
        let stack = try TestStack(model: Self.model(hasInverse: hasInverse), type: type)
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

    @Test(arguments: [true, false]) func deletingTakesTimeInProportion(hasInverse: Bool) throws {
        _ = try deletion(500, hasInverse: hasInverse)
        let ratio =
            try deletion(8_000, hasInverse: hasInverse) / deletion(1_000, hasInverse: hasInverse)
        #expect(ratio < 20, "8 times the length took \(ratio) times as long")
    }

    @Test(
        .enabled(if: longest != nil, "OPENCOREDATA_CHAIN_LENGTH asks for it"), arguments: [true, false],
        [NSInMemoryStoreType, NSSQLiteStoreType])
    func deletingALongOneTakesTimeInProportionOnASmallStack(hasInverse: Bool, type: String) async throws {
        let length = try #require(Self.longest)
        try await onASmallStack {
            let short = try deletion(length / 10, hasInverse: hasInverse, type: type)
            let long = try deletion(length, hasInverse: hasInverse, type: type)
            print("Deleting \(length) in \(type): \(long) s, a tenth of them \(short) s")
            #expect(long < 20 * short, "10 times the length took \(long / short) times as long")
        }
    }

    /// Runs a block on a thread whose stack has no room for a call for each link.
    private func onASmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread { continuation.resume(with: Result(catching: body)) }
            thread.stackSize = 256 * 1024
            thread.start()
        }
    }

    @Test func deletingWithAnUndoManagerTakesTimeInProportion() throws {
        let stack = try TestStack(model: Self.model(hasInverse: true), type: NSInMemoryStoreType)
        try stack.inContext { context in
            let links = chain(5_000, context)
            try context.save()
            context.undoManager = UndoManager()
            context.delete(links[0])
            context.processPendingChanges()
            try context.save()
            context.undo()
            try context.save()
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Link")) == 5_000)
            #expect(links[2_500].value(forKey: "next") as? NSManagedObject === links[2_501])
        }
    }

    /// The end of the first link isn't the end of the second within it, which would fill the stack.
    @Test func theEndOfAChainNeedsNoDeepStack() async throws {
        let stack = try TestStack(model: Self.model(hasInverse: false), type: NSInMemoryStoreType)
        try await onASmallStack {
            stack.inContext { context in
                var links = chain(20_000, context)
                var first: NSManagedObject? = links[0]
                context.rollback()
                links = []
                #expect(first?.value(forKey: "number") != nil || first != nil)
                first = nil
            }
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
