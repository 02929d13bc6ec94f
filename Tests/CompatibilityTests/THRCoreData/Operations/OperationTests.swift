import THRCoreData
import TestSupport
import Testing

/// Operations that work in a context of their own, and what they build on.
struct OperationTests {
    /// Adds one to the rank of the song "a".
    // @unchecked Sendable as the class above: nothing is added.
    final class AddOne: CoreDataOperation, @unchecked Sendable {
        override func performWork(inContext context: NSManagedObjectContext) {
            Song.fetchOrInsertObject(withUniqueKeyValue: "a", inContext: context) { $0.rank += 1 }
            finish()
        }
    }

    /// Runs a closure as its work.
    // @unchecked Sendable as the class above: what is added is constant.
    final class Work: CoreDataOperation, @unchecked Sendable {
        private let body: @Sendable (Work, NSManagedObjectContext) -> Void

        init(_ manager: CoreDataManager, _ body: @escaping @Sendable (Work, NSManagedObjectContext) -> Void) {
            self.body = body
            super.init(coreDataManager: manager)
        }

        override func performWork(inContext context: NSManagedObjectContext) { body(self, context) }
    }

    /// Runs operations and waits for the end of all of them.
    private func run(_ operations: [Operation], inOrder: Bool = false, atOnce: Int? = nil) async {
        let queue = OperationQueue()
        if let atOnce { queue.maxConcurrentOperationCount = atOnce }
        if inOrder {
            for (former, next) in zip(operations, operations.dropFirst()) { next.addDependency(former) }
        }
        let done = Flag()
        let last = BlockOperation { done.set() }
        for operation in operations { last.addDependency(operation) }
        for operation in operations + [last] { queue.addOperation(operation) }
        await done.wait()
    }

    // Feature THR-24
    @Test func workIsDoneInAChildOfTheBackgroundContext() async throws {
        let studio = try Studio(.inMemory)
        let seen = Noted<Bool>()
        let operation = Work(studio.manager) { operation, context in
            seen.note(context.parent === operation.coreDataManager.backgroundContext)
            seen.note(context.isOnQueue)
            seen.note(!studio.manager.mainContext.isOnQueue && !Thread.isMainThread)
            operation.finish()
        }
        await run([operation])
        #expect(seen.all == [true, true, true])
        #expect(try operation.operationResult?.get() == .noChanges)
    }

    // Feature THR-24, THR-26
    @Test func operationsThatOverrideNothingEnd() async throws {
        let studio = try Studio(.inMemory)
        let operations = [CoreDataOperation(coreDataManager: studio.manager), ConcurrentOperation<Int>()]
        await run(operations)
        #expect(operations.allSatisfy { $0.isFinished && !$0.isExecuting })
    }

    // Feature THR-25
    @MainActor @Test(arguments: StoreKind.usual) func aHundredInARowAddUp(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        let operations = (0..<100).map { _ in AddOne(coreDataManager: studio.manager) }
        await run(operations, inOrder: true)
        #expect(Song.fetch(inContext: studio.main).map(\.rank) == [100])
        for operation in operations { #expect(try operation.operationResult?.get() == .saved) }
    }

    // Feature THR-25
    @MainActor @Test func anOperationIsFinishedOnceTheMainContextKnows() async throws {
        let studio = try Studio(.sqlite)
        try await studio.fill(["a"])
        let song = try #require(Song.fetchObject(withUniqueKeyValue: "a", inContext: studio.main))
        let first = AddOne(coreDataManager: studio.manager)
        let ranks = Noted<Int32>()
        let held = SendableBox(song)
        let second = BlockOperation { [main = studio.main] in ranks.note(main.performAndWait { held.value.rank }) }
        await run([first, second], inOrder: true)
        #expect(ranks.all == [1])
    }

    // Feature THR-25
    @MainActor @Test func finishingMayComeLaterAndCountsOnce() async throws {
        let studio = try Studio(.sqlite)
        let log = NotificationLog(studio.background, [.NSManagedObjectContextDidSave])
        let operation = Work(studio.manager) { operation, context in
            Song.insertObject(withUniqueKeyValue: "a", inContext: context)
            DispatchQueue.global().async {
                operation.completeAndSave()
                operation.finish()
            }
        }
        #expect(operation.operationResult == nil)
        await run([operation])
        operation.finish()
        #expect(try operation.operationResult?.get() == .saved)
        #expect(log.entries.count == 1)
        #expect(Song.count(inContext: studio.main) == 1)
    }

    // Feature THR-25
    @MainActor @Test func aCancelledOperationSavesNothing() async throws {
        let studio = try Studio(.sqlite)
        let operation = Work(studio.manager) { operation, context in
            Song.insertObject(withUniqueKeyValue: "a", inContext: context)
            operation.cancel()
            operation.finish()
        }
        let never = Work(studio.manager) { operation, _ in
            Issue.record("A cancelled operation ran.")
            operation.finish()
        }
        never.cancel()
        await run([operation, never])
        #expect(operation.isFinished && operation.isCancelled && operation.operationResult == nil)
        #expect(never.isFinished && never.operationResult == nil)
        #expect(Song.count(inContext: studio.main) == 0)
        let background = studio.background
        #expect(await background.perform { background.hasChanges } == false)
    }

    // Feature THR-25
    @MainActor @Test func anErrorOfTheSaveIsTheResult() async throws {
        let studio = try Studio(.sqlite)
        let bad = Work(studio.manager) { operation, context in
            Song.insertObject(withUniqueKeyValue: "a", inContext: context).setValue(nil, forKey: "title")
            operation.finish()
        }
        await run([bad, AddOne(coreDataManager: studio.manager)], inOrder: true)
        let error = #expect(throws: CocoaError.self) { try bad.operationResult?.get() }
        #expect(error?.code.rawValue == NSValidationMissingMandatoryPropertyError)
        // What failed does not get into the way of the next one.
        #expect(Song.fetch(inContext: studio.main).map(\.rank) == [1])
    }

    // MARK: The base

    /// Ends when it is told to.
    // @unchecked Sendable as the class above: what is added is constant.
    final class Slow: ConcurrentOperation<Int>, @unchecked Sendable {
        let number: Int
        let running: Running

        init(_ number: Int, _ running: Running) {
            self.number = number
            self.running = running
        }

        override func run() {
            running.enter(number)
            DispatchQueue.global().async {
                self.operationResult = .success(self.number * 2)
                self.running.leave()
                self.finish()
                self.finish()
            }
        }
    }

    /// Who runs at the same time, and in which order they came.
    // @unchecked Sendable because everything is only touched under `lock`.
    final class Running: @unchecked Sendable {
        private let lock = NSLock()
        private var now = 0
        private var most = 0
        private var came: [Int] = []

        func enter(_ number: Int) {
            lock.withLock {
                now += 1
                most = max(most, now)
                came.append(number)
            }
        }

        func leave() { lock.withLock { now -= 1 } }
        var highest: Int { lock.withLock { most } }
        var order: [Int] { lock.withLock { came } }
    }

    // Feature THR-26
    @Test func dependenciesWaitForTheEnd() async {
        let running = Running()
        let operations = (0..<20).map { Slow($0, running) }
        #expect(operations.allSatisfy { $0.isAsynchronous && !$0.isExecuting && !$0.isFinished })
        await run(operations, inOrder: true)
        #expect(running.order == Array(0..<20) && running.highest == 1)
        #expect(operations.map { try? $0.operationResult?.get() } == (0..<20).map { $0 * 2 })
    }

    // Feature THR-26
    @Test func aQueueRunsNoMoreThanItMay() async {
        let running = Running()
        await run((0..<40).map { Slow($0, running) }, atOnce: 3)
        #expect(running.order.count == 40 && running.highest <= 3)
        let alone = Running()
        await run((0..<20).map { Slow($0, alone) }, atOnce: 1)
        #expect(alone.order == Array(0..<20) && alone.highest == 1)
    }

    // Feature THR-26
    @Test func aQueueCanBeWaitedFor() async {
        let running = Running()
        let operations = (0..<10).map { Slow($0, running) }
        await withCheckedContinuation { continuation in
            // Not on a thread of the cooperative pool.
            Thread.detachNewThread {
                let queue = OperationQueue()
                for operation in operations { queue.addOperation(operation) }
                queue.waitUntilAllOperationsAreFinished()
                continuation.resume()
            }
        }
        #expect(operations.allSatisfy(\.isFinished) && running.order.count == 10)
    }

    // Feature THR-26
    @Test func anOperationThatWasCancelledBeforeDoesNotRun() async {
        let running = Running()
        let (first, second, third) = (Slow(1, running), Slow(2, running), Slow(3, running))
        second.cancel()
        await run([first, second, third], inOrder: true)
        // One that is cancelled waits for no other, so the third may be before the first.
        #expect(running.order.sorted() == [1, 3])
        #expect(second.isFinished && second.operationResult == nil)
        // By hand, too; and a second beginning does nothing.
        let (fourth, fifth) = (Slow(4, running), Slow(5, running))
        fourth.cancel()
        fourth.start()
        #expect(fourth.isFinished)
        let done = Flag()
        fifth.completionBlock = { done.set() }
        fifth.operationResult = .success(0)
        #expect(fifth.operationResult == nil)
        fifth.finish()
        #expect(!fifth.isFinished)
        fifth.start()
        fifth.start()
        await done.wait()
        #expect((try? fifth.operationResult?.get()) == 10)
        #expect(running.order.sorted() == [1, 3, 5])
    }
}
