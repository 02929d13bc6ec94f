import Dispatch
import Sticky
import Synchronization
import TestSupport
import Testing

/// Starting containers.
@Suite struct StartTests {
    private func isReset(_ container: PersistentContainer) -> Bool {
        if case .reset = container.state { true } else { false }
    }

    private func isLoading(_ container: PersistentContainer) -> Bool {
        if case .loading = container.state { true } else { false }
    }

    private func providerOfState(_ container: PersistentContainer) -> PersistentContainer.ContextProvider? {
        if case .loaded(let provider) = container.state { provider } else { nil }
    }

    private func errorOfState(_ container: PersistentContainer) -> (any Error)? {
        if case .failedToLoad(let error) = container.state { error } else { nil }
    }

    private func isRefusedStart(_ error: any Error) -> Bool {
        if case PersistentContainer.Error.invalidStateToCallStartFrom = error { true } else { false }
    }

    // MARK: Blocking

    // Feature STICKY-4, STICKY-7
    @Test(arguments: StoreKind.allCases) func startingGivesTheProvider(_ kind: StoreKind) throws {
        let stack = try BookStack(kind)
        #expect(isReset(stack.container))
        #expect(try stack.files.isEmpty)
        let provider = try stack.start()
        #expect(providerOfState(stack.container) === provider)
        #expect(stack.spy.loads == 1)
        try provider.add("Momo")
        #expect(try provider.titles == ["Momo"])
    }

    // Feature STICKY-4, STICKY-7, STICKY-25
    @Test func allStoresAreTriedAndThoseThatFailAreNamed() throws {
        let folder = try TemporaryFolder()
        try Data("no database at all".utf8).write(to: folder.file("Broken.sqlite"))
        let stack = try BookStack(in: folder, files: ["Broken.sqlite", "Books.sqlite"])
        let thrown = #expect(throws: PersistentContainer.Error.self) { try stack.start() }
        guard case .failedToLoadPersistentStores(let failures) = thrown else {
            Issue.record("It was \(String(describing: thrown)).")
            return
        }
        #expect(failures.keys.map(\.url) == [folder.file("Broken.sqlite")])
        #expect(thrown?.localizedDescription.contains("Broken.sqlite") == true)
        #expect(stack.spy.persistentStoreCoordinator.persistentStores.map(\.url) == [folder.file("Books.sqlite")])
        guard case PersistentContainer.Error.failedToLoadPersistentStores? = errorOfState(stack.container) else {
            Issue.record("The state is \(stack.container.state).")
            return
        }
        let original = try #require(stack.spy.persistentStoreDescriptions.first)
        #expect(failures[original] != nil)
    }

    // Feature STICKY-4
    @Test func aFileOfSomethingElseIsRefusedAndStaysAsItIs() throws {
        let folder = try TemporaryFolder()
        let stranger = try BookStack(in: folder, model: BookModel.make(entities: ["Novel"]))
        try stranger.start().add("Momo")
        for store in stranger.spy.persistentStoreCoordinator.persistentStores {
            try stranger.spy.persistentStoreCoordinator.remove(store)
        }
        let thrown = #expect(throws: PersistentContainer.Error.self) { try BookStack(in: folder).start() }
        guard case .failedToLoadPersistentStores(let failures) = thrown,
            case DatabaseError.incompatibleStore(let url, _)? = failures.values.first
        else {
            Issue.record("It was \(String(describing: thrown)).")
            return
        }
        #expect(url == folder.file("Books.sqlite"))
        #expect(try BookStack(in: folder, model: BookModel.make(entities: ["Novel"])).start().titles == ["Momo"])
    }

    @Test func whatAFailedStartGivesIsACopy() throws {
        let stack = try BookStack()
        stack.spy.fail(with: Refusal())
        let thrown = #expect(throws: PersistentContainer.Error.self) { try stack.start() }
        stack.spy.persistentStoreDescriptions.first?.type = NSBinaryStoreType
        guard case .failedToLoadPersistentStores(let failures) = thrown else {
            Issue.record("It was \(String(describing: thrown)).")
            return
        }
        #expect(failures.map(\.key.type) == [NSSQLiteStoreType])
        #expect(failures.values.map { $0 as? Refusal } == [Refusal()])
    }

    // MARK: In the background

    /// Where a completion was called, and with what.
    private struct Outcome: Sendable {
        var provider: PersistentContainer.ContextProvider?
        var error: (any Error)?
        var wasOnQueue = false
        var stateWasFinal = false
    }

    private static let key = DispatchSpecificKey<Bool>()

    private func queue() -> DispatchQueue {
        let queue = DispatchQueue(label: "StartTests")
        queue.setSpecific(key: Self.key, value: true)
        return queue
    }

    /// Starts in the background, and waits for the completion.
    private func outcome(
        _ container: PersistentContainer, on queue: DispatchQueue, whileLoading: @escaping () -> Void = {}
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            container.start(queue: queue) { [weak container] result in
                var outcome = Outcome()
                outcome.wasOnQueue = DispatchQueue.getSpecific(key: Self.key) == true
                switch (result, container?.state) {
                case (.success(let provider), .loaded(let known)):
                    outcome.provider = provider
                    outcome.stateWasFinal = known === provider
                case (.failure(let error), .failedToLoad):
                    outcome.error = error
                    outcome.stateWasFinal = true
                case (.failure(let error), _):
                    outcome.error = error
                default: break
                }
                continuation.resume(returning: outcome)
            }
            whileLoading()
        }
    }

    // Feature STICKY-5, STICKY-7
    @Test func startingInTheBackgroundCallsBackOnTheQueue() async throws {
        let stack = try BookStack()
        let gate = stack.spy.holdBack()
        let outcome = await outcome(stack.container, on: queue()) {
            // The caller continues while the stores are loaded.
            #expect(isLoading(stack.container))
            #expect(stack.spy.loads == 1)
            gate.signal()
        }
        #expect(outcome.provider != nil && outcome.wasOnQueue && outcome.stateWasFinal)
    }

    // Feature STICKY-5
    @Test func aMigrationDoesNotHoldTheCallerUp() async throws {
        let folder = try TemporaryFolder()
        try BookStack(in: folder).start().add("Momo")
        let stack = try BookStack(in: folder, model: BookModel.make(extra: "isbn"))
        let gate = stack.spy.holdBack()
        let outcome = await outcome(stack.container, on: queue()) {
            #expect(isLoading(stack.container))
            gate.signal()
        }
        #expect(try outcome.provider?.titles == ["Momo"], "\(outcome)")
    }

    // Feature STICKY-5
    @Test @MainActor func theMainQueueIsCalledBackWhenNoneIsNamed() async throws {
        let stack = try BookStack()
        let isOnMain = await withCheckedContinuation { continuation in
            stack.container.start { _ in
                DispatchQueue.main.async { continuation.resume(returning: true) }
                dispatchPrecondition(condition: .onQueue(.main))
            }
            #expect(isLoading(stack.container))
        }
        #expect(isOnMain && providerOfState(stack.container) != nil)
    }

    // Feature STICKY-5, STICKY-7
    @Test func aFailureInTheBackgroundIsDelivered() async throws {
        let stack = try BookStack(files: ["One.sqlite", "Two.sqlite"])
        stack.spy.fail(with: Refusal())
        let outcome = await outcome(stack.container, on: queue())
        guard case PersistentContainer.Error.failedToLoadPersistentStores(let failures)? = outcome.error else {
            Issue.record("It was \(outcome).")
            return
        }
        #expect(failures.count == 2 && outcome.wasOnQueue && outcome.stateWasFinal)
    }

    // Feature STICKY-5
    @Test func theContainerLivesUntilItHasCalledBack() async throws {
        let folder = try TemporaryFolder()
        func begin(_ done: @escaping @Sendable (Bool) -> Void) throws {
            let stack = try BookStack(in: folder)
            stack.container.start(queue: queue()) { [weak container = stack.container] result in
                done(container != nil && (try? result.get()) != nil)
            }
        }
        let wasThere = try await withCheckedThrowingContinuation { continuation in
            do {
                try begin { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(wasThere)
    }

    // Feature STICKY-5
    @Test func aStartCanBeAwaited() async throws {
        let stack = try BookStack()
        let provider = try await stack.container.start()
        #expect(providerOfState(stack.container) === provider)
        await #expect(throws: PersistentContainer.Error.self) { try await stack.container.start() }
        #expect(providerOfState(stack.container) === provider)
    }

    // MARK: Once

    // Feature STICKY-6, STICKY-25
    @Test func aContainerStartsOnce() async throws {
        let stack = try BookStack()
        func startAgain() throws {
            let provider = try stack.start()
            #expect {
                try stack.start()
            } throws: {
                isRefusedStart($0) && $0.localizedDescription.contains("loaded")
            }
            #expect(providerOfState(stack.container) === provider)
        }
        try startAgain()
        let outcome = await outcome(stack.container, on: queue())
        #expect(outcome.error.map(isRefusedStart) == true && outcome.wasOnQueue)
        #expect(stack.spy.loads == 1 && providerOfState(stack.container) != nil)
    }

    // Feature STICKY-6
    @Test func aStartThatIsUnderWayIsNotDisturbed() async throws {
        let stack = try BookStack()
        let gate = stack.spy.holdBack()
        let outcome = await outcome(stack.container, on: queue()) {
            #expect {
                try stack.start()
            } throws: {
                isRefusedStart($0) && $0.localizedDescription.contains("loading")
            }
            gate.signal()
        }
        #expect(outcome.provider != nil && stack.spy.loads == 1)
    }

    // Feature STICKY-6
    @Test func anotherTryAfterAFailureNeedsAnotherContainer() throws {
        let stack = try BookStack()
        stack.spy.fail(with: Refusal())
        #expect(throws: PersistentContainer.Error.self) { try stack.start() }
        #expect { try stack.start() } throws: { isRefusedStart($0) }
        #expect(stack.spy.loads == 1)
        try BookStack(in: stack.folder).start()
    }

    // Feature STICKY-6
    @Test func ofTwentyStartsAtOnceOneSucceeds() throws {
        let stack = try BookStack()
        let log = Mutex((succeeded: 0, refused: 0))
        DispatchQueue.concurrentPerform(iterations: 20) { _ in
            do {
                try stack.container.start()
                log.withLock { $0.succeeded += 1 }
            } catch {
                if isRefusedStart(error) { log.withLock { $0.refused += 1 } }
            }
        }
        #expect(log.withLock { $0 } == (1, 19))
        #expect(stack.spy.loads == 1)
    }

    // Feature STICKY-7
    @Test func aFailedStartIsTheLastState() throws {
        let stack = try BookStack()
        stack.spy.fail(with: Refusal())
        #expect(isReset(stack.container))
        _ = try? stack.start()
        #expect(errorOfState(stack.container) != nil)
        _ = try? stack.start()
        #expect(errorOfState(stack.container) != nil)
    }
}
