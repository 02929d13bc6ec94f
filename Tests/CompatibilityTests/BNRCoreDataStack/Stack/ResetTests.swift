import BNRCoreDataStack
import TestSupport
import Testing

/// Throwing all data away.
@MainActor struct ResetTests {
    // Feature BNR-15
    @Test(arguments: StoreKind.allCases) func aResetRightAfterASaveLeavesAFreshStore(_ kind: StoreKind) async throws {
        let library = try await LibraryStack(kind)
        let (main, persisting) = (library.main, library.persisting)
        let log = NotificationLog(persisting, [.NSManagedObjectContextDidSave])
        let worker = library.stack.newBackgroundWorkerMOC()
        try await worker.perform {
            for number in 0..<100 { Book(managedObjectContext: worker).title = "Book \(number)" }
            try worker.saveContextAndWait()
        }
        try await library.stack.reset()
        // What was on its way has reached the old store first.
        #expect(log.entries.map { $0.elements(NSInsertedObjectsKey).count } == [100])
        #expect(library.main !== main && library.persisting !== persisting)
        #expect(library.main.parent === library.persisting)
        #expect(try Book.countInContext(library.main) == 0)
        if kind == .sqlite { #expect(try library.booksInFile == 0) }
        try await library.shelve(["Solaris", "Momo"])
        #expect(try Book.countInContext(library.main) == 2)
        if kind == .sqlite { #expect(try library.booksInFile == 2) }
        #expect(library.errors.all.isEmpty)
    }

    // Feature BNR-15
    @Test(arguments: StoreKind.allCases) func contextsFromBeforeAreDead(_ kind: StoreKind) async throws {
        let library = try await LibraryStack(kind)
        try await library.shelve(["Solaris"])
        let (main, worker) = (library.main, library.stack.newBackgroundWorkerMOC())
        let batch = try await library.stack.batchContext()
        #expect(try await LibraryStack.titles(batch) == ["Solaris"])
        let held = try #require(try Book.findFirstInContext(main))
        let id = held.objectID
        try await library.stack.reset()
        for context in [main, worker, batch] {
            await #expect(throws: (any Error).self) { try await LibraryStack.titles(context) }
        }
        #expect(throws: (any Error).self) {
            main.refresh(held, mergeChanges: false)
            _ = try main.existingObject(with: id)
        }
        try await worker.perform {
            Book(managedObjectContext: worker).title = "Lost"
            try worker.save()
        }
        await main.perform(schedule: .enqueued) {}
        await main.parent?.perform(schedule: .enqueued) {}
        #expect(library.errors.count == 1)
        await #expect(throws: (any Error).self) {
            try await batch.perform {
                Book(managedObjectContext: batch).title = "Lost"
                try batch.save()
            }
        }
        #expect(try Book.countInContext(library.main) == 0)
    }

    // Feature BNR-15
    @Test func filesBesideTheStoreAreGoneToo() async throws {
        let library = try await LibraryStack()
        let worker = library.stack.newBackgroundWorkerMOC()
        let titles = (0..<200).map { "Book \($0) " + String(repeating: "x", count: 500) }
        try await worker.perform {
            for title in titles { Book(managedObjectContext: worker).title = title }
            try worker.saveContextToStoreAndWait()
        }
        let before = try library.sqlite("SELECT Z_UUID FROM Z_METADATA")
        let size = try FileManager.default.attributesOfItem(atPath: library.file.path + "-wal")[.size] as? Int
        #expect(try #require(size) > 100_000)
        try await library.stack.reset()
        #expect(try library.sqlite("SELECT Z_UUID FROM Z_METADATA") != before)
        #expect(try library.sqlite("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'") == "0")
        let other = try await LibraryStack(in: library.folder)
        #expect(try await LibraryStack.titles(other.main).isEmpty)
    }

    // Feature BNR-15
    @Test func aResetWaitsForTheOneBefore() async throws {
        let library = try await LibraryStack()
        try await library.shelve(["Solaris"])
        let order = Noted<Int>()
        let queue = DispatchQueue(label: "results")
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            for number in 1...3 {
                library.stack.resetStore(on: queue) { result in
                    if case .failure(let error) = result { Issue.record("\(error)") }
                    order.note(number)
                    if number == 3 { done.resume() }
                }
            }
        }
        #expect(order.all == [1, 2, 3])
        try await library.shelve(["Momo"])
        #expect(try library.booksInFile == 1)
    }

    // Feature BNR-15, BNR-5
    @Test(arguments: StoreKind.allCases) func aStoreThatIsTakenOutIsMissed(_ kind: StoreKind) async throws {
        let library = try await LibraryStack(kind)
        let coordinator = try #require(library.persisting.persistentStoreCoordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let missed: CoreDataStack.Error = kind == .sqlite ? .storeNotFound(at: library.file) : .inMemoryStoreMissing
        await #expect(throws: missed) { try await library.stack.reset() }
        await #expect(throws: missed) { _ = try await library.stack.batchContext() }
    }

    // Feature BNR-15
    @Test func aResetThatFailedCanBeTriedAgain() async throws {
        let library = try await LibraryStack()
        try await library.shelve(["Solaris"])
        let aside = library.folder.file("Aside.sqlite")
        try FileManager.default.moveItem(at: library.file, to: aside)
        try FileManager.default.createDirectory(at: library.file, withIntermediateDirectories: true)
        await #expect(throws: (any Error).self) { try await library.stack.reset() }
        try FileManager.default.removeItem(at: library.file)
        try await library.stack.reset()
        try await library.shelve(["Momo"])
        #expect(try library.booksInFile == 1)
    }

    // Feature BNR-15
    @Test func theNewStoreMayHaveOtherOptions() async throws {
        let library = try await LibraryStack()
        let result = await withCheckedContinuation { (done: CheckedContinuation<CoreDataStack.ResetResult, Never>) in
            library.stack.resetStore(with: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]) {
                done.resume(returning: $0)
            }
        }
        guard case .success = result else {
            Issue.record("\(result)")
            return
        }
        #expect(try library.sqlite("PRAGMA journal_mode") == "delete")
    }

    // Feature BNR-15
    @Test(.timeLimit(.minutes(5))) func savesAndResetsAtTheSameTimeDoNoHarm() async throws {
        let library = try await LibraryStack()
        library.stack.onBubbleError = { _ in }
        let stack = library.stack
        async let saves: Void = withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for round in 0..<40 {
                        let worker = stack.newBackgroundWorkerMOC()
                        await worker.perform {
                            Book(managedObjectContext: worker).title = "Book \(round)"
                            worker.saveContext()
                        }
                    }
                }
            }
        }
        for _ in 0..<10 { try await stack.reset() }
        await saves
        await library.settle()
        try await stack.reset()
        try await library.shelve(["Solaris"])
        #expect(try library.booksInFile == 1)
    }
}
