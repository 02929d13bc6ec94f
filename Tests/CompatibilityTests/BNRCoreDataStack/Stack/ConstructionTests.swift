import BNRCoreDataStack
import TestSupport
import Testing

/// Making stacks.
@Suite struct ConstructionTests {
    // Feature BNR-1
    @Test func aStackIsMadeInTheBackground() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a/b/Library.sqlite")
        let models = try ModelFolder("TestModel", in: folder.url)
        let bundle = try #require(Bundle(url: models.url))
        let returned = DispatchSemaphore(value: 0)
        let calls = Noted<DispatchTimeoutResult>()
        let stack: CoreDataStack = try await withCheckedThrowingContinuation { continuation in
            CoreDataStack.constructSQLiteStack(withModelName: "TestModel", inBundle: bundle, withStoreURL: file) {
                calls.note(returned.wait(timeout: .now() + 60))
                switch $0 {
                case .success(let stack): continuation.resume(returning: stack)
                case .failure(let error): continuation.resume(throwing: error)
                }
            }
            returned.signal()
        }
        #expect(calls.all == [.success])
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(stack.mainQueueContext.concurrencyType == .mainQueueConcurrencyType)
        #expect(stack.privateQueueContext.concurrencyType == .privateQueueConcurrencyType)
        #expect(stack.mainQueueContext.persistentStoreCoordinator?.persistentStores.map(\.url) == [file])
    }

    // Feature BNR-1
    @Test func aPlaceThatCanHaveNoFolderIsAFailure() async throws {
        let folder = try TemporaryFolder()
        try Data("no folder".utf8).write(to: folder.file("File"))
        let location = folder.file("File/Library.sqlite")
        await #expect(throws: CoreDataStack.Error.unableToCreateStore(at: location)) {
            try await CoreDataStack.constructSQLiteStack(model: LibraryModel.make(), at: location)
        }
    }

    // Feature BNR-1
    @Test func aMissingModelIsAFailureThatNamesModelAndBundle() async throws {
        let folder = try TemporaryFolder()
        let models = try ModelFolder("TestModel", in: folder.url)
        let bundle = try #require(Bundle(url: models.url))
        let error = await #expect(throws: DatabaseError.self) {
            try await CoreDataStack.constructSQLiteStack(
                withModelName: "Missing", inBundle: bundle, withStoreURL: folder.file("Library.sqlite"))
        }
        let said = try #require(error).description
        #expect(said.contains("'Missing'") && said.contains(models.url.path) && said.contains("TestModel"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("Library.sqlite").path))
    }

    // Feature BNR-1
    @Test func withoutAPlaceTheFileIsInTheDocuments() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .success) { [home = folder.url.path as String] in
            setenv("HOME", home, 1)
            setenv("CFFIXED_USER_HOME", home, 1)
            let documents = try #require(
                FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first)
            try #require(documents.path.hasPrefix(home))
            let models = try ModelFolder("TestModel")
            defer { withExtendedLifetime(models) {} }
            let named = try await CoreDataStack.constructSQLiteStack(withModelName: "TestModel")
            #expect(named.file == documents.appendingPathComponent("TestModel.sqlite"))
            let given = try await CoreDataStack.constructSQLiteStack(model: LibraryModel.make())
            #expect(given.file == documents.appendingPathComponent("database.sqlite"))
        }
    }

    // Feature BNR-1
    @Test func optionsOfTheStoreAreThoseGiven() async throws {
        let folder = try TemporaryFolder()
        let stock: CoreDataStack = try await construct(folder.file("Stock.sqlite"), nil)
        #expect(try SQLiteShell.run("PRAGMA journal_mode", on: folder.file("Stock.sqlite")) == "wal")
        let own: CoreDataStack = try await construct(
            folder.file("Own.sqlite"), [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
        #expect(try SQLiteShell.run("PRAGMA journal_mode", on: folder.file("Own.sqlite")) == "delete")
        withExtendedLifetime((stock, own)) {}
    }

    private func construct(_ file: URL, _ options: [AnyHashable: Any]?) async throws -> CoreDataStack {
        let callback: (CheckedContinuation<CoreDataStack, any Error>) -> CoreDataStack.SetupCallback = { continuation in
            { result in
                switch result {
                case .success(let stack): continuation.resume(returning: stack)
                case .failure(let error): continuation.resume(throwing: error)
                }
            }
        }
        return try await withCheckedThrowingContinuation { continuation in
            if let options {
                CoreDataStack.constructSQLiteStack(
                    model: LibraryModel.make(), at: file, persistentStoreOptions: options,
                    callback: callback(continuation))
            } else {
                CoreDataStack.constructSQLiteStack(
                    model: LibraryModel.make(), at: file, callback: callback(continuation))
            }
        }
    }

    // Feature BNR-4
    @Test func aStackInMemoryHasTheSameTiers() async throws {
        let folder = try TemporaryFolder()
        let models = try ModelFolder("TestModel", in: folder.url)
        let bundle = try #require(Bundle(url: models.url))
        let onDisk = try await CoreDataStack.constructSQLiteStack(
            withModelName: "TestModel", inBundle: bundle, withStoreURL: folder.file("Library.sqlite"))
        for stack in [
            onDisk, try CoreDataStack.constructInMemoryStack(withModelName: "TestModel", inBundle: bundle),
            try CoreDataStack.constructInMemoryStack(modelName: "TestModel", in: bundle),
            try CoreDataStack.constructInMemoryStack(model: LibraryModel.make()),
        ] {
            let worker = stack.newBackgroundWorkerMOC()
            #expect(worker.parent === stack.mainQueueContext)
            #expect(stack.mainQueueContext.parent === stack.privateQueueContext)
            #expect(stack.privateQueueContext.parent == nil)
            #expect(stack.privateQueueContext.persistentStoreCoordinator?.persistentStores.count == 1)
            #expect(stack.store(ofType: NSInMemoryStoreType) == (stack !== onDisk))
        }
        #expect(throws: DatabaseError.self) {
            try CoreDataStack.constructInMemoryStack(withModelName: "Missing", inBundle: bundle)
        }
    }

    // Feature BNR-4
    @Test func dataInMemoryIsGoneWithTheStack() async throws {
        weak var gone: CoreDataStack?
        weak var context: NSManagedObjectContext?
        do {
            let library = try await LibraryStack(.memory)
            try await library.shelve(["Solaris"])
            #expect(try await LibraryStack.titles(library.persisting) == ["Solaris"])
            (gone, context) = (library.stack, library.persisting)
        }
        #expect(try await eventually { gone == nil && context == nil })
        #expect(try await LibraryStack.titles(LibraryStack(.memory).main).isEmpty)
    }

    // Feature BNR-5
    @Test func everyResultCanBeMatched() async throws {
        let stack = try CoreDataStack.constructInMemoryStack(model: LibraryModel.make())
        let error: any Swift.Error = CoreDataStack.Error.inMemoryStoreMissing
        for result in [CoreDataStack.SetupResult.success(stack), .failure(error)] {
            switch result {
            case .success(let found): #expect(found === stack)
            case .failure(let found): #expect(found as? CoreDataStack.Error == .inMemoryStoreMissing)
            }
        }
        for result in [CoreDataStack.BatchContextResult.success(stack.privateQueueContext), .failure(error)] {
            switch result {
            case .success(let found): #expect(found === stack.privateQueueContext)
            case .failure(let found): #expect(found as? CoreDataStack.Error == .inMemoryStoreMissing)
            }
        }
        let coordinator = try #require(stack.privateQueueContext.persistentStoreCoordinator)
        for result in [CoreDataStack.CoordinatorResult.success(coordinator), .failure(error)] {
            switch result {
            case .success(let found): #expect(found === coordinator)
            case .failure(let found): #expect(found as? CoreDataStack.Error == .inMemoryStoreMissing)
            }
        }
        var seen: [String] = []
        for result in [CoreDataStack.SuccessResult.success, .failure(error)] {
            switch result {
            case .success: seen.append("success")
            case .failure(let found): seen.append("\(found)")
            }
        }
        #expect(seen == ["success", "The stack no longer has an in-memory store."])
        let url = URL(fileURLWithPath: "/library/Library.sqlite")
        for error in [CoreDataStack.Error.storeNotFound(at: url), .inMemoryStoreMissing, .unableToCreateStore(at: url)]
        {
            switch error {
            case .storeNotFound(let location): #expect(location == url)
            case .inMemoryStoreMissing: #expect(error.localizedDescription.contains("in-memory"))
            case .unableToCreateStore(let location):
                #expect(location == url && error.localizedDescription.contains(url.path))
            }
        }
    }

    // Feature BNR-5
    @Test func callbacksHaveTheirNames() async throws {
        let stack = try CoreDataStack.constructInMemoryStack(model: LibraryModel.make())
        let calls = Noted<String>()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let saved: CoreDataStackSaveCompletion = { (_: CoreDataStack.SaveResult) in done.resume() }
            let reset: CoreDataStackSQLiteResetCallback = { (_: CoreDataStack.ResetResult) in
                calls.note("reset")
                stack.mainQueueContext.saveContext(saved)
            }
            let batch: CoreDataStackBatchMOCCallback = { _ in
                calls.note("batch")
                stack.resetSQLiteStore(resetCallback: reset)
            }
            let setup: CoreDataStackSetupCallback = { _ in
                calls.note("set up")
                stack.newBatchOperationContext(setupCallback: batch)
            }
            CoreDataStack.constructSQLiteStack(withModelName: "Missing", callback: setup)
        }
        #expect(calls.all == ["set up", "batch", "reset"])
    }
}

extension CoreDataStack {
    fileprivate var file: URL? { privateQueueContext.persistentStoreCoordinator?.persistentStores.first?.url }

    fileprivate func store(ofType type: String) -> Bool {
        privateQueueContext.persistentStoreCoordinator?.persistentStores.first?.type == type
    }
}
