import BNRCoreDataStack
import TestSupport
import Testing

/// The tiers of a stack.
@MainActor struct ContextTests {
    // Feature BNR-6
    @Test(arguments: StoreKind.allCases) func thePersistingContextSitsOnTheStore(_ kind: StoreKind) async throws {
        let library = try await LibraryStack(kind)
        let context = library.persisting
        #expect(context.concurrencyType == .privateQueueConcurrencyType)
        #expect(context.parent == nil && context.persistentStoreCoordinator?.persistentStores.count == 1)
        #expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .mergeByPropertyStoreTrumpMergePolicyType)
        #expect(context.name?.isEmpty == false)
        #expect(library.stack.privateQueueContext === context)
    }

    // Feature BNR-6
    @Test(arguments: StoreKind.allCases) func requestsOfTheStoreWorkOnIt(_ kind: StoreKind) async throws {
        let library = try await LibraryStack(kind)
        try await library.shelve(["Solaris", "Momo"])
        let context = library.persisting
        let changed = try await context.perform {
            let request = NSBatchUpdateRequest(entityName: "Book")
            request.propertiesToUpdate = ["pages": 204]
            request.resultType = .updatedObjectsCountResultType
            return ((try context.execute(request) as? NSBatchUpdateResult)?.result as? NSNumber)?.intValue
        }
        #expect(changed == 2)
        let pages = await withCheckedContinuation { (done: CheckedContinuation<[Int32], Never>) in
            context.performBlock {
                let request = NSFetchRequest<Book>(entityName: "Book")
                _ = try? context.execute(
                    NSAsynchronousFetchRequest(fetchRequest: request) { result in
                        for book in result.finalResult ?? [] { context.refresh(book, mergeChanges: false) }
                        done.resume(returning: (result.finalResult ?? []).map(\.pages))
                    })
            }
        }
        #expect(pages == [204, 204])
    }

    // Feature BNR-7
    @Test(arguments: StoreKind.allCases) func theMainContextSitsOnThePersistingOne(_ kind: StoreKind) async throws {
        let library = try await LibraryStack(kind)
        #expect(library.main.concurrencyType == .mainQueueConcurrencyType)
        #expect(library.main.parent === library.persisting)
        Book(managedObjectContext: library.main).title = "Solaris"
        try library.main.save()
        await library.persisting.perform(schedule: .enqueued) {}
        #expect(await library.persisting.perform { library.persisting.hasChanges } == false)
        #expect(
            try await LibraryStack.titles(LibraryStack(in: library.folder).main) == (kind == .sqlite ? ["Solaris"] : [])
        )
    }

    // Feature BNR-7
    @Test func aMainQueueThatWaitsForTheSetUpDoesNotHang() throws {
        let folder = try TemporaryFolder()
        let made = Noted<CoreDataStack>()
        let done = DispatchSemaphore(value: 0)
        CoreDataStack.constructSQLiteStack(model: LibraryModel.make(), at: folder.file("Library.sqlite")) { result in
            if case .success(let stack) = result { made.note(stack) }
            done.signal()
        }
        // Nothing else can run on the main queue until then.
        #expect(done.wait(timeout: .now() + 60) == .success)
        let context = try #require(made.all.first?.mainQueueContext)
        #expect(try Book.countInContext(context) == 0)
    }

    // Feature BNR-8
    @Test(arguments: StoreKind.allCases) func workersAreChildrenOfTheMainContext(_ kind: StoreKind) async throws {
        let library = try await LibraryStack(kind)
        let (first, second) = (library.stack.newBackgroundWorkerMOC(), library.stack.newBackgroundWorkerMOC())
        #expect(first !== second)
        for worker in [first, second] {
            #expect(worker.concurrencyType == .privateQueueConcurrencyType)
            #expect(worker.parent === library.main)
            #expect((worker.mergePolicy as? NSMergePolicy)?.mergeType == .mergeByPropertyStoreTrumpMergePolicyType)
        }
        await first.perform { Book(managedObjectContext: first).title = "Solaris" }
        #expect(try await LibraryStack.titles(second).isEmpty)
        #expect(try await LibraryStack.titles(first) == ["Solaris"])
        try await first.perform { try first.save() }
        #expect(try await LibraryStack.titles(second) == ["Solaris"])
    }

    // Feature BNR-8
    @Test func childrenMayBeOfTheMainQueue() async throws {
        let library = try await LibraryStack(.memory)
        let unnamed = library.stack.newChildContext()
        #expect(unnamed.name == "Main Queue Context Child")
        #expect(unnamed.concurrencyType == .privateQueueConcurrencyType)
        let child = library.stack.newChildContext(type: .mainQueueConcurrencyType, name: "Form")
        #expect(child.name == "Form" && child.parent === library.main)
        Book(managedObjectContext: child).title = "Solaris"
        try child.save()
        #expect(try Book.countInContext(library.main) == 1)
        await library.settle()
        #expect(!library.main.hasChanges)
    }

    // Feature BNR-8
    @Test func aMainQueueChildAskedForElsewhereStopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try CoreDataStack.constructInMemoryStack(model: LibraryModel.make())
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                _ = stack.newChildContext(type: .mainQueueConcurrencyType)
                done.signal()
            }
            await withCheckedContinuation { (never: CheckedContinuation<Void, Never>) in
                DispatchQueue.global().async {
                    done.wait()
                    never.resume()
                }
            }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("newChildContext") && said.contains("main queue"))
    }
}
