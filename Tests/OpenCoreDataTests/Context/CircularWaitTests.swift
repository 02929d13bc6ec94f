import Dispatch
import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Threads that would wait for each other's contexts for good are let through.
@Suite(.serialized) struct CircularWaitTests {
    private let stack: TestStack
    private var request: NSFetchRequest<Book> { NSFetchRequest(entityName: "Book") }

    init() throws { stack = try TestStack(type: NSInMemoryStoreType) }

    private func context(_ type: NSManagedObjectContextConcurrencyType) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: type)
        context.persistentStoreCoordinator = stack.coordinator
        return context
    }

    private func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        return child
    }

    /// Runs a block on a thread of its own; fails if it doesn't return within a minute.
    private func returns(_ body: @escaping @Sendable () throws -> Void) async throws {
        let done = Flag()
        let thread = Thread {
            do { try body() } catch { Issue.record(error) }
            done.set()
        }
        thread.start()
        #expect(try await eventually { done.isSet })
    }

    @Test func theMainQueueWaitsForAChildThatMergesWhatItsParentSaved() async throws {
        let parent = context(.mainQueueConcurrencyType)
        let child = child(of: parent)
        child.automaticallyMergesChangesFromParent = true
        try await MainActor.run {
            let book = Book(context: parent)
            book.title = "Emma"
            try parent.save()
            let same = try child.performAndWait {
                let same = try #require(try child.existingObject(with: book.objectID) as? Book)
                #expect(same.title == "Emma")
                return same
            }
            for index in 0..<20 {
                book.title = "Emma \(index)"
                try parent.save()
                child.performAndWait { #expect(same.title == "Emma \(index)") }
            }
        }
    }

    @Test func theMainQueueWaitsForAChildThatCounts() async throws {
        let parent = context(.mainQueueConcurrencyType)
        let child = child(of: parent)
        let counts = Noted<Int>()
        try await MainActor.run {
            for _ in 0..<3 { _ = Book(context: parent) }
            try parent.save()
            for _ in 0..<20 {
                count(in: child, counts)
                child.performAndWait { counts.note(-1) }
            }
        }
        #expect(counts.all == Array(repeating: [3, -1], count: 20).flatMap { $0 })
    }

    private func count(in child: NSManagedObjectContext, _ counts: Noted<Int>) {
        child.perform { counts.note((try? child.count(for: NSFetchRequest<Book>(entityName: "Book"))) ?? -2) }
    }

    @Test func aGrandchildOfTheMainQueueAsksThroughItsParent() async throws {
        let parent = context(.mainQueueConcurrencyType)
        let child = child(of: parent)
        let grandchild = self.child(of: child)
        let counts = Noted<Int>()
        try await MainActor.run {
            _ = Book(context: parent)
            try parent.save()
            for _ in 0..<20 {
                count(in: grandchild, counts)
                count(in: child, counts)
                let seen = try grandchild.performAndWait { try grandchild.count(for: request) }
                #expect(seen == 1)
            }
        }
        child.performAndWait {}
        #expect(counts.all == Array(repeating: 1, count: 40))
    }

    @Test func aPrivateParentWaitsForAChildThatReadsFromIt() async throws {
        let parent = context(.privateQueueConcurrencyType)
        let child = child(of: parent)
        try await returns {
            let request = NSFetchRequest<Book>(entityName: "Book")
            for _ in 0..<50 {
                try parent.performAndWait {
                    _ = Book(context: parent)
                    child.perform { _ = try? child.count(for: NSFetchRequest<Book>(entityName: "Book")) }
                    let count = try child.performAndWait { try child.count(for: request) }
                    #expect(count > 0)
                }
            }
        }
    }

    @Test func twoContextsWaitForEachOther() async throws {
        let (one, two) = (context(.privateQueueConcurrencyType), context(.privateQueueConcurrencyType))
        let other = Flag()
        DispatchQueue.global().async {
            for _ in 0..<500 { one.performAndWait { two.performAndWait { _ = one.hasChanges || two.hasChanges } } }
            other.set()
        }
        try await returns {
            for _ in 0..<500 { two.performAndWait { one.performAndWait { _ = one.hasChanges || two.hasChanges } } }
        }
        #expect(try await eventually { other.isSet })
    }

    @Test func threeContextsWaitInACircle() async throws {
        let contexts = (0..<3).map { _ in context(.privateQueueConcurrencyType) }
        let flags = (0..<3).map { _ in Flag() }
        for position in 0..<3 {
            let (one, two) = (contexts[position], contexts[(position + 1) % 3])
            DispatchQueue.global().async {
                for _ in 0..<300 { one.performAndWait { two.performAndWait { _ = two.hasChanges } } }
                flags[position].set()
            }
        }
        #expect(try await eventually { flags.allSatisfy(\.isSet) })
    }

    @Test func blocksOfOneContextNeverRunAtTheSameTime() async throws {
        let context = context(.privateQueueConcurrencyType)
        context.performAndWait { context.userInfo["count"] = 0 }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for turn in 0..<500 {
                        if turn.isMultiple(of: 2) {
                            context.performAndWait { increment(context) }
                        } else {
                            await context.perform { increment(context) }
                        }
                    }
                }
            }
        }
        #expect(context.performAndWait { context.userInfo["count"] as? Int } == 2000)
    }

    private func increment(_ context: NSManagedObjectContext) {
        context.userInfo["count"] = ((context.userInfo["count"] as? Int) ?? 0) + 1
    }

    @Test func performAndWaitRunsOnTheCallingThreadAfterWhatWaitsAlready() async throws {
        let context = context(.privateQueueConcurrencyType)
        try await returns {
            let order = Noted<Int>()
            for round in 0..<100 {
                context.perform { order.note(round * 2) }
                let thread = Thread.current
                context.performAndWait {
                    #expect(Thread.current === thread)
                    order.note(round * 2 + 1)
                }
            }
            #expect(order.all == Array(0..<200))
        }
    }

    @Test func coordinatorAndContextWaitForEachOther() async throws {
        let context = context(.privateQueueConcurrencyType)
        let coordinator = stack.coordinator
        let other = Flag()
        DispatchQueue.global().async {
            for _ in 0..<300 { coordinator.performAndWait { context.performAndWait { _ = context.hasChanges } } }
            other.set()
        }
        try await returns {
            for _ in 0..<300 {
                context.performAndWait {
                    coordinator.performAndWait { context.performAndWait { coordinator.performAndWait {} } }
                }
            }
        }
        #expect(try await eventually { other.isSet })
    }

    @Test func resetAndUndoWhileAChildWaits() async throws {
        let parent = context(.mainQueueConcurrencyType)
        let child = child(of: parent)
        child.automaticallyMergesChangesFromParent = true
        try await MainActor.run {
            parent.undoManager = UndoManager()
            for _ in 0..<10 {
                let book = Book(context: parent)
                try parent.save()
                let id = book.objectID
                child.perform { _ = try? child.existingObject(with: id) }
                book.title = "Persuasion"
                parent.processPendingChanges()
                parent.undo()
                child.performAndWait { child.reset() }
                book.title = "Emma"
                try parent.save()
                child.perform { _ = try? child.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title) }
                parent.reset()
                child.performAndWait { child.reset() }
            }
            let count = try parent.count(for: request)
            #expect(try parent.fetch(request).count == count)
        }
    }
}
