import BNRCoreDataStack
import TestSupport
import Testing

/// Saving with the helpers of contexts.
@MainActor struct SaveHelperTests {
    /// A context on top of a stack's worker: it saves one level up, and nothing goes on from there.
    private func pair() async throws -> (LibraryStack, NSManagedObjectContext, NSManagedObjectContext) {
        let library = try await LibraryStack(.memory)
        let parent = library.stack.newBackgroundWorkerMOC()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        return (library, parent, child)
    }

    private func outcome(
        _ begin: (@escaping CoreDataStack.SaveCallback) -> Void
    ) async -> (any Swift.Error)? {
        await withCheckedContinuation { continuation in
            begin { result in
                switch result {
                case .success: continuation.resume(returning: nil)
                case .failure(let error): continuation.resume(returning: error)
                }
            }
        }
    }

    // Feature BNR-10
    @Test func aSaveGoesOneLevelUpFromWhereverItIsAsked() async throws {
        let (library, parent, child) = try await pair()
        // From the main queue.
        await child.perform { Book(managedObjectContext: child).title = "Solaris" }
        #expect(await outcome { child.saveContext($0) } == nil)
        await child.perform { Book(managedObjectContext: child).title = "Momo" }
        try child.saveContextAndWait()
        // From a background queue.
        try await Task.detached {
            child.performAndWait { Book(managedObjectContext: child).title = "Emil" }
            try child.saveContextAndWait()
        }.value
        // From the context's own block.
        try await child.perform {
            Book(managedObjectContext: child).title = "Ficciones"
            try child.saveContextAndWait()
            Book(managedObjectContext: child).title = "Dune"
            child.saveContext()
            #expect(child.hasChanges)
        }
        #expect(await child.perform(schedule: .enqueued) { child.hasChanges } == false)
        #expect(try await LibraryStack.titles(parent) == ["Dune", "Emil", "Ficciones", "Momo", "Solaris"])
        #expect(await parent.perform { parent.insertedObjects.count } == 5)
        #expect(try Book.countInContext(library.main) == 0)
    }

    // Feature BNR-10
    @Test func theMainContextSavesItself() async throws {
        let library = try await LibraryStack()
        Book(managedObjectContext: library.main).title = "Solaris"
        try library.main.saveContextAndWait()
        #expect(!library.main.hasChanges)
        Book(managedObjectContext: library.main).title = "Momo"
        #expect(await outcome { library.main.saveContext($0) } == nil)
        Book(managedObjectContext: library.main).title = "Emil"
        let main = library.main
        try await Task.detached { try main.saveContextAndWait() }.value
        #expect(!library.main.hasChanges)
        await library.settle()
        #expect(try library.booksInFile == 3)
    }

    // Feature BNR-10
    @Test func nothingToSaveIsASuccess() async throws {
        let (_, _, child) = try await pair()
        #expect(await outcome { child.saveContext($0) } == nil)
        try child.saveContextAndWait()
        child.saveContext()
    }

    // Feature BNR-10
    @Test func anErrorComesToTheCompletionAndIsThrown() async throws {
        let (_, parent, child) = try await pair()
        await child.perform { Author(managedObjectContext: child).setValue(nil, forKey: "name") }
        let completed = Noted<Bool>()
        let error = await outcome { done in
            child.saveContext { result in
                completed.note(NSManagedObjectContext.current === child)
                done(result)
            }
        }
        #expect((error as? CocoaError)?.code.rawValue == NSValidationMissingMandatoryPropertyError)
        #expect(completed.all == [true])
        #expect(throws: CocoaError.self) { try child.saveContextAndWait() }
        #expect(await parent.perform { parent.hasChanges } == false)
    }

    // Feature BNR-11
    @Test(arguments: [true, false]) func aSaveToTheStoreGoesThroughAllLevels(waits: Bool) async throws {
        let library = try await LibraryStack()
        let worker = library.stack.newBackgroundWorkerMOC()
        await worker.perform {
            for number in 0..<5 { Book(managedObjectContext: worker).title = "Book \(number)" }
        }
        if waits {
            try worker.saveContextToStoreAndWait()
        } else {
            #expect(await outcome { worker.saveContextToStore($0) } == nil)
        }
        #expect(try library.booksInFile == 5)
        for context in [worker, library.main, library.persisting] {
            let (hasChanges, count) = try await context.perform {
                (context.hasChanges, try Book.countInContext(context))
            }
            #expect(!hasChanges && count == 5)
        }
        await library.settle()
        #expect(library.errors.all.isEmpty)
    }

    // Feature BNR-11
    @Test func theFirstErrorStopsTheSave() async throws {
        let library = try await LibraryStack()
        library.stack.onBubbleError = { _ in }
        let author = Author(managedObjectContext: library.main)
        author.setValue(nil, forKey: "name")
        let worker = library.stack.newBackgroundWorkerMOC()
        await worker.perform { Book(managedObjectContext: worker).title = "Solaris" }
        #expect(throws: CocoaError.self) { try worker.saveContextToStoreAndWait() }
        let error = await outcome { worker.saveContextToStore($0) }
        #expect((error as? CocoaError)?.code.rawValue == NSValidationMissingMandatoryPropertyError)
        #expect(await worker.perform { worker.hasChanges } == false)
        #expect(library.main.hasChanges)
        #expect(try library.booksInFile == 0)
    }

    // Feature BNR-12
    @Test func aWaitGivesBackWhatTheBlockReturnsOrThrows() async throws {
        struct Refusal: Error {}
        let library = try await LibraryStack(.memory)
        let worker = library.stack.newBackgroundWorkerMOC()
        let count = try worker.performAndWaitOrThrow {
            Book(managedObjectContext: worker).title = "Solaris"
            return try worker.performAndWaitOrThrow { try Book.countInContext(worker) }
        }
        #expect(count == 1)
        #expect(throws: Refusal.self) { try worker.performAndWaitOrThrow { throw Refusal() } }
        let coordinator = try #require(library.persisting.persistentStoreCoordinator)
        let stores = coordinator.performAndWaitOrThrow {
            coordinator.performAndWaitOrThrow { coordinator.persistentStores.count }
        }
        #expect(stores == 1)
        #expect(throws: Refusal.self) { try coordinator.performAndWaitOrThrow { throw Refusal() } }
    }

    // Feature BNR-8, BNR-10
    @Test func olderNamesOfPerformWork() async throws {
        let library = try await LibraryStack(.memory)
        let worker = library.stack.newBackgroundWorkerMOC()
        let ran = Noted<Bool>()
        worker.performBlock { ran.note(NSManagedObjectContext.current === worker) }
        worker.performBlockAndWait { ran.note(NSManagedObjectContext.current === worker) }
        #expect(ran.all == [true, true])
    }
}
