import Foundation
import OpenCoreData
import TestSupport
import Testing

/// How work gets onto a context's queue.
@Suite(.serialized) struct QueueTests {
    private struct Refusal: Error, Equatable {}

    @Test func performAndWaitNests() throws {
        let stack = try TestStack()
        let (first, second) = (stack.context(), stack.context())
        let depth = first.performAndWait {
            first.performAndWait {
                second.performAndWait {
                    first.performAndWait {
                        second.performAndWait { first.registeredObjects.count + second.registeredObjects.count + 5 }
                    }
                }
            }
        }
        #expect(depth == 5)
    }

    @Test func performAndWaitPassesErrorsOn() throws {
        let stack = try TestStack()
        #expect(throws: Refusal.self) { try stack.context().performAndWait { throw Refusal() } }
    }

    @Test func asynchronousPerformReturnsAndThrows() async throws {
        let stack = try TestStack()
        let context = stack.context()
        let count = try await context.perform {
            for _ in 0..<3 { _ = Book(context: context) }
            try context.save()
            return try context.count(for: NSFetchRequest<Book>(entityName: "Book"))
        }
        #expect(count == 3)
        await #expect(throws: Refusal.self) { try await context.perform { throw Refusal() } }
        let enqueued = await context.perform(schedule: .enqueued) { context.registeredObjects.count }
        #expect(enqueued == 0)
    }

    private func enqueue(_ index: Int, _ context: NSManagedObjectContext) {
        context.perform {
            context.userInfo["order"] = ((context.userInfo["order"] as? [Int]) ?? []) + [index]
        }
    }

    @Test func enqueuedBlocksRunInOrder() async throws {
        let stack = try TestStack()
        let context = stack.context()
        for index in 0..<50 { enqueue(index, context) }
        let order = await context.perform(schedule: .enqueued) { context.userInfo["order"] as? [Int] }
        #expect(order == Array(0..<50))
    }

    @Test func aChildOfTheMainContextWorksInTheBackgroundWithoutDeadlock() async throws {
        let stack = try TestStack()
        let parent = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        parent.persistentStoreCoordinator = stack.coordinator
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try await child.perform {
            for index in 0..<20 { Book(context: child).title = "\(index)" }
            try child.save()
            #expect(try child.fetch(NSFetchRequest<Book>(entityName: "Book")).count == 20)
        }
        // From the main queue into the child, which reads from its parent on the main queue.
        let titles = try await MainActor.run {
            try child.performAndWait { try child.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title).sorted() }
        }
        #expect(titles.count == 20)
        try await MainActor.run {
            #expect(parent.insertedObjects.count == 20)
            try parent.save()
            try child.performAndWait {
                Book(context: child).title = "last"
                try child.save()
            }
            #expect(parent.insertedObjects.count == 1)
        }
    }

    @Test func twoContextsThatWaitForEachOtherInTurnDoNotBlock() async throws {
        let stack = try TestStack()
        let parent = stack.context()
        let children = (0..<4).map { _ in
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            return child
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for child in children {
                group.addTask {
                    for _ in 0..<10 {
                        try await child.perform {
                            _ = Book(context: child)
                            try child.save()
                            _ = try child.fetch(NSFetchRequest<Book>(entityName: "Book"))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await parent.perform {
            try parent.save()
            #expect(try parent.count(for: NSFetchRequest<Book>(entityName: "Book")) == 40)
        }
    }

    @Test func contextsOfOneCoordinatorReadAndWriteSideBySide() async throws {
        let stack = try TestStack()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                let context = stack.context()
                group.addTask {
                    for index in 0..<20 {
                        try await context.perform {
                            Book(context: context).title = "\(writer)-\(index)"
                            try context.save()
                        }
                    }
                }
            }
            for _ in 0..<3 {
                let context = stack.context()
                group.addTask {
                    for _ in 0..<20 {
                        try await context.perform {
                            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
                            #expect(books.allSatisfy { $0.title.contains("-") })
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let count = try stack.sqlite("SELECT count(*) FROM ZBOOK")
        #expect(count == "60")
    }
}
