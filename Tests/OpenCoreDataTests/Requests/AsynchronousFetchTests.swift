import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// `NSAsynchronousFetchRequest`: results, progress and cancellation.
@Suite struct AsynchronousFetchTests {
    /// Executes a request and waits for its completion block.
    private func complete<T>(
        _ request: NSFetchRequest<T>, in context: NSManagedObjectContext, estimate: Int = 0,
        _ started: @escaping @Sendable (NSPersistentStoreAsynchronousResult) -> Void = { _ in }
    ) async throws -> NSAsynchronousFetchResult<T> {
        let box = SendableBox(request)
        return try await withCheckedThrowingContinuation { continuation in
            context.performAndWait {
                let asynchronous = NSAsynchronousFetchRequest(fetchRequest: box.value) { result in
                    continuation.resume(returning: SendableBox(result))
                }
                asynchronous.estimatedResultCount = estimate
                do {
                    let result = try context.execute(asynchronous)
                    if let result = result as? NSPersistentStoreAsynchronousResult { started(result) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }.value
    }

    private func fill(_ stack: TestStack, _ count: Int) throws {
        try stack.inContext { context in
            let rows: [[String: Any]] = (0..<count).map { ["title": "B\($0)", "pages": $0] }
            _ = try context.execute(NSBatchInsertRequest(entityName: "Book", objects: rows))
        }
    }

    @Test(arguments: BatchModel.storeTypes) func theResultFillsAndTheBlockIsCalledOnTheQueue(type: String) async throws
    {
        let stack = try TestStack(type: type)
        try fill(stack, 20)
        let context = stack.context()
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(format: "pages >= 15")
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)]
        let wasEmpty = Mutex(false)
        let result = try await complete(request, in: context) { result in
            // The context's queue is busy until `execute` has returned, so nothing can be there yet.
            wasEmpty.withLock { $0 = (result as? NSAsynchronousFetchResult<Book>)?.finalResult == nil }
        }
        context.performAndWait {
            #expect(result.finalResult?.map(\.pages) == [19, 18, 17, 16, 15])
            #expect(result.operationError == nil && result.managedObjectContext === context)
            #expect(result.finalResult?.first?.managedObjectContext === context)
        }
        #expect(wasEmpty.withLock { $0 })
        #expect(result.fetchRequest.fetchRequest === request)
        // A call after the end changes nothing.
        result.cancel()
        #expect(result.operationError == nil)
    }

    @Test(arguments: BatchModel.storeTypes) func unsavedChangesAndEveryResultTypeCount(type: String) async throws {
        let stack = try TestStack(type: type)
        try fill(stack, 5)
        let context = stack.context()
        context.performAndWait { Book(context: context).title = "unsaved" }
        let objects = try await complete(NSFetchRequest<Book>(entityName: "Book"), in: context)
        #expect(context.performAndWait { objects.finalResult?.count } == 6)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
        ids.resultType = .managedObjectIDResultType
        #expect(try await complete(ids, in: context).finalResult?.count == 6)
        let count = NSFetchRequest<NSNumber>(entityName: "Book")
        count.resultType = .countResultType
        #expect(try await complete(count, in: context).finalResult == [6])
        let rows = NSFetchRequest<[String: Any]>(entityName: "Book")
        rows.resultType = .dictionaryResultType
        rows.propertiesToFetch = ["title"]
        #expect(try await complete(rows, in: context).finalResult?.count == 5)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        let inChild = try await complete(NSFetchRequest<Book>(entityName: "Book"), in: child)
        #expect(child.performAndWait { inChild.finalResult?.count } == 6)
    }

    /// The queue is busy until another context has changed and deleted what was read, and until that is merged.
    @Test(arguments: BatchModel.storeTypes) func whatIsMergedBeforeTheObjectsAreMadeIsNotOverwritten(type: String)
        async throws
    {
        let stack = try TestStack(type: type)
        try fill(stack, 4)
        let context = stack.context()
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        // One of them is a fault that is known already.
        let known = try context.performAndWait { try context.fetch(request)[1] }
        context.performAndWait { context.refresh(known, mergeChanges: false) }
        let result = try await complete(request, in: context) { _ in
            // The rows are read in the meantime.
            usleep(200_000)
            let other = stack.context()
            other.performAndWait {
                let books = (try? other.fetch(NSFetchRequest<Book>(entityName: "Book"))) ?? []
                let ids = books.map(\.objectID)
                for book in books { book.title = "new " + book.title }
                #expect(throws: Never.self) { try other.save() }
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
            }
        }
        context.performAndWait {
            #expect(result.finalResult?.map(\.title) == ["new B0", "new B1", "new B2", "new B3"])
            #expect(result.finalResult?[1] === known)
        }
    }

    // Behaviour 6.15
    @Test(arguments: [3_000, 0, 17, 100_000]) func thereIsProgressWhereThereIsACurrentOne(estimate: Int) async throws {
        let stack = try TestStack()
        try fill(stack, 3_000)
        let request = NSFetchRequest<Book>(entityName: "Book")
        let plain = try await complete(request, in: stack.context())
        #expect(plain.progress == nil)
        let overall = Progress(totalUnitCount: 1)
        let context = stack.context()
        let box = SendableBox(request)
        let result = await withCheckedContinuation { continuation in
            context.performAndWait {
                overall.becomeCurrent(withPendingUnitCount: 1)
                let asynchronous = NSAsynchronousFetchRequest(fetchRequest: box.value) { result in
                    continuation.resume(returning: SendableBox(result))
                }
                asynchronous.estimatedResultCount = estimate
                _ = try? context.execute(asynchronous)
                overall.resignCurrent()
            }
        }.value
        let progress = try #require(result.progress)
        #expect(progress.totalUnitCount == 3_000 && progress.completedUnitCount == 3_000)
        #expect(overall.fractionCompleted == 1)
        #expect(context.performAndWait { result.finalResult?.count } == 3_000)
    }

    @Test func cancellingInterruptsTheStatement() async throws {
        // Cancels on the thread that reads, when the statement is about to run: the latest moment at which nothing runs yet.
        let action = Mutex<(@Sendable () -> Void)?>(nil)
        let isArmed = Atomic(false)
        let isStarted = DispatchSemaphore(value: 0)
        let recorder: @Sendable (String) -> Void = { sql in
            guard isArmed.load(ordering: .acquiring), sql.contains("ZBOOK"), sql.hasPrefix("SELECT") else { return }
            isStarted.wait()
            action.withLock { $0 }?()
        }
        let stack = try TestStack(options: [SQLiteStore.statementRecorderOption: recorder])
        try fill(stack, 5_000)
        let context = stack.context()
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(format: "title CONTAINS[cd] '999'")
        isArmed.store(true, ordering: .releasing)
        let result = try await complete(request, in: context) { result in
            let box = SendableBox(result)
            action.withLock { $0 = { box.value.cancel() } }
            isStarted.signal()
        }
        isArmed.store(false, ordering: .releasing)
        action.withLock { $0 = nil }
        let error = try #require(result.operationError as? CocoaError)
        #expect(error.code == .userCancelled && result.finalResult == nil)
        // It was SQLite that stopped, not the result that was thrown away.
        #expect((error.underlying as? SQLiteError)?.code == 9)
        // The connection works as before.
        let again = try await complete(request, in: context)
        #expect(context.performAndWait { again.finalResult?.count } == 5)
    }

    @Test func cancellingTheProgressCancelsTheFetch() async throws {
        let stack = try TestStack()
        try fill(stack, 10)
        let context = stack.context()
        let overall = Progress(totalUnitCount: 1)
        let result = await withCheckedContinuation { continuation in
            context.performAndWait {
                overall.becomeCurrent(withPendingUnitCount: 1)
                let asynchronous = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Book>(entityName: "Book")) {
                    continuation.resume(returning: SendableBox($0))
                }
                _ = try? context.execute(asynchronous)
                overall.resignCurrent()
                // The block waits for this one to end.
                overall.cancel()
            }
        }.value
        #expect((result.operationError as? CocoaError)?.code == .userCancelled && result.finalResult == nil)
    }

    @Test func errorsOfTheStoreAreInTheResultAndThoseOfTheRequestAreThrown() async throws {
        let stack = try TestStack()
        try fill(stack, 1)
        let context = stack.context()
        let unknown = NSFetchRequest<Book>(entityName: "Nothing")
        await #expect(throws: CocoaError.self) { _ = try await complete(unknown, in: context) }
        let wrong = NSFetchRequest<Book>(entityName: "Book")
        wrong.predicate = NSPredicate(format: "nothing = 1")
        let result = try await complete(wrong, in: context)
        #expect(result.finalResult == nil)
        #expect("\(try #require(result.operationError))".contains("nothing"))
    }
}

extension CocoaError {
    fileprivate var underlying: (any Error)? { userInfo[NSUnderlyingErrorKey] as? any Error }
}
