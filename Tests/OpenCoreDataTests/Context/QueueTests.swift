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

    @Test func aQueueThatIsFreeIsEnteredWithoutTheLockThatAllShare() async throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        let context = stack.context()
        let done = Flag()
        let thread = Thread {
            QueueWait.lock.withLock {
                for _ in 0..<100 { context.performAndWait { _ = context.hasChanges } }
                stack.coordinator.performAndWait {}
                context.perform {}
            }
            done.set()
        }
        thread.start()
        #expect(try await eventually { done.isSet })
    }

    @Test func blocksThatAreWaitedForKeepTheirPlaceAmongThoseThatAreNot() async throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        let context = stack.context()
        let order = Noted<Int>()
        let done = Flag()
        let thread = Thread {
            for index in 0..<2_000 {
                if index % 3 == 0 {
                    context.performAndWait { order.note(index) }
                } else {
                    Self.note(index, order, context)
                }
            }
            context.performAndWait { done.set() }
        }
        thread.start()
        #expect(try await eventually { done.isSet })
        #expect(order.all == Array(0..<2_000))
    }

    private static func note(_ index: Int, _ order: Noted<Int>, _ context: NSManagedObjectContext) {
        context.perform { order.note(index) }
    }

    @Test func manyThreadsAndTasksTakeTurns() async throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        let contexts = (0..<4).map { _ in stack.context() }
        for context in contexts { context.userInfo["count"] = 0 }
        let done = Noted<Int>()
        for index in 0..<6 {
            let thread = Thread {
                for turn in 0..<500 { Self.count(contexts[(index + turn) % 4], from: contexts[(index * turn) % 4]) }
                done.note(index)
            }
            thread.start()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<6 {
                group.addTask {
                    for turn in 0..<500 {
                        let context = contexts[(index + turn) % 4]
                        await context.perform(schedule: .enqueued) { Self.increment(context) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await eventually { done.count == 6 })
        let counts = contexts.map { context in context.performAndWait { context.userInfo["count"] as? Int ?? 0 } }
        #expect(counts.reduce(0, +) == 6_000)
    }

    /// Counts in one context, inside of a block of another.
    private static func count(_ context: NSManagedObjectContext, from other: NSManagedObjectContext) {
        other.performAndWait { context.performAndWait { increment(context) } }
    }

    /// Loses counts unless one block runs at a time.
    private static func increment(_ context: NSManagedObjectContext) {
        let count = context.userInfo["count"] as? Int ?? 0
        context.userInfo["count"] = count + 1
    }

    @Test func aTaskThatWasCancelledStillRunsItsBlock() async throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        let context = stack.context()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await context.perform { Task.isCancelled ? 1 : 2 }
        }
        #expect(await task.value > 0)
        let after = await context.perform(schedule: .enqueued) { context.hasChanges }
        #expect(!after)
    }

    @Test func theMainContextIsWaitedForInsideOfAnotherQueueOfTheMainActor() async throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        let background = stack.context()
        let done = Noted<Int>()
        Task { @MainActor in
            let queue = DispatchQueue(label: "the program's own")
            let count = queue.sync { () -> Int in
                context.performAndWait { () -> Int in
                    _ = Book(context: context)
                    return DispatchQueue(label: "another").sync { () -> Int in
                        context.performAndWait { () -> Int in context.insertedObjects.count }
                    }
                }
            }
            done.note(count)
            let again = queue.sync { () -> Int in
                background.performAndWait { () -> Int in
                    context.performAndWait { () -> Int in context.insertedObjects.count }
                }
            }
            done.note(again)
        }
        #expect(try await eventually { done.count == 2 })
        #expect(done.all == [1, 1])
    }
}
