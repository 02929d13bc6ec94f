import BNRCoreDataStack
import TestSupport
import Testing

/// Contexts for large imports.
@MainActor struct BatchTests {
    // Feature BNR-13
    @Test func aBatchContextHasItsOwnCoordinatorOnTheSameFile() async throws {
        let library = try await LibraryStack()
        let batch = try await library.stack.batchContext()
        #expect(batch.concurrencyType == .privateQueueConcurrencyType && batch.parent == nil)
        #expect((batch.mergePolicy as? NSMergePolicy)?.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
        let coordinator = try #require(batch.persistentStoreCoordinator)
        #expect(coordinator !== library.persisting.persistentStoreCoordinator)
        #expect(coordinator.persistentStores.map(\.url) == [library.file])
        #expect(try await library.stack.batchContext() !== batch)
    }

    // Feature BNR-13, BNR-14
    @Test(arguments: [(StoreKind.sqlite, 10_000), (.memory, 1_000)])
    func thousandsOfObjectsAreSavedAtOnce(_ kind: StoreKind, _ count: Int) async throws {
        let library = try await LibraryStack(kind)
        try await library.shelve(["Solaris"])
        let held = try #require(try Book.findFirstInContext(library.main))
        #expect(held.pages == 0)
        let log = NotificationLog(
            library.persisting, [.NSManagedObjectContextDidSave, .NSManagedObjectContextObjectsDidChange])
        let batch = try await library.stack.batchContext()
        let saving = Noted<Int>()
        let main = library.main
        try await batch.perform {
            for number in 0..<count { Book(managedObjectContext: batch).title = "Book \(number)" }
            try Book.findFirstInContext(batch, predicate: NSPredicate(format: "title == %@", "Solaris"))?.pages = 204
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextWillSave, object: batch, queue: nil
            ) { _ in
                // Reading goes on while the batch saves.
                saving.note((try? main.performAndWait { try Book.countInContext(main) }) ?? -1)
            }
            defer { NotificationCenter.default.removeObserver(observer) }
            try batch.save()
        }
        #expect(saving.all == [1])
        await library.settle()
        #expect(log.entries.isEmpty)
        #expect(try Book.countInContext(main) == count + 1)
        #expect(held.pages == 0)
        main.refreshAllObjects()
        #expect(try pages(of: held, in: library) == 204)
        #expect(library.errors.all.isEmpty)
    }

    /// The persisting context between the main context and the store has an older row too.
    private func pages(of book: Book, in library: LibraryStack) throws -> Int32 {
        library.persisting.performAndWait { library.persisting.refreshAllObjects() }
        library.main.refresh(book, mergeChanges: false)
        return book.pages
    }

    // Feature BNR-13
    @Test func aBatchWinsOverTheStoreAndTheStoreOverThePersistingContext() async throws {
        let library = try await LibraryStack()
        try await library.shelve(["Solaris"])
        let persisting = library.persisting
        let held = try await persisting.perform {
            let book = try #require(try Book.findFirstInContext(persisting))
            book.pages = 1
            return SendableBox(book)
        }
        let batch = try await library.stack.batchContext()
        try await batch.perform {
            let book = try #require(try Book.findFirstInContext(batch))
            book.pages = 2
            try batch.save()
        }
        try persisting.saveContextAndWait()
        #expect(try library.sqlite("SELECT ZPAGES FROM ZBOOK") == "2")
        #expect(await persisting.perform { held.value.pages } == 2)
        try await batch.perform {
            let book = try #require(try Book.findFirstInContext(batch))
            book.pages = 3
            _ = try library.sqlite("UPDATE ZBOOK SET ZPAGES = 4, Z_OPT = Z_OPT + 1")
            try batch.save()
        }
        #expect(try library.sqlite("SELECT ZPAGES FROM ZBOOK") == "3")
    }

    // Feature BNR-14
    @Test func aBatchContextInMemorySeesTheSameData() async throws {
        let library = try await LibraryStack(.memory)
        try await library.shelve(["Solaris"])
        let batch = try await library.stack.batchContext()
        #expect(batch.parent == nil)
        #expect((batch.mergePolicy as? NSMergePolicy)?.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
        #expect(try await LibraryStack.titles(batch) == ["Solaris"])
        try await batch.perform {
            Book(managedObjectContext: batch).title = "Momo"
            try batch.save()
        }
        #expect(try await LibraryStack.titles(library.main) == ["Momo", "Solaris"])
    }

    // Feature BNR-13
    @Test func optionsOfABatchContextMayBeOthers() async throws {
        let library = try await LibraryStack()
        let result = await withCheckedContinuation {
            (done: CheckedContinuation<CoreDataStack.BatchContextResult, Never>) in
            library.stack.newBatchOperationContext(with: [NSReadOnlyPersistentStoreOption: true]) {
                done.resume(returning: $0)
            }
        }
        guard case .success(let batch) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(batch.persistentStoreCoordinator?.persistentStores.map(\.isReadOnly) == [true])
    }
}
