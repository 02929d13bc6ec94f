import Dispatch
import Sticky
import TestSupport
import Testing

/// A container that can't start.
private struct FailingContainer: PersistentContainerProtocol {
    var state: PersistentContainer.State { .failedToLoad(Refusal()) }

    func start() throws -> PersistentContainer.ContextProvider { throw Refusal() }

    func start(
        queue: DispatchQueue,
        completion: sending @escaping (Result<PersistentContainer.ContextProvider, any Error>) -> Void
    ) {
        completion(.failure(Refusal()))
    }
}

/// A container that takes its time, as with a long migration.
private struct SlowContainer: PersistentContainerProtocol {
    let container: PersistentContainer
    let migration: DispatchSemaphore

    var state: PersistentContainer.State { container.state }

    func start() throws -> PersistentContainer.ContextProvider {
        migration.wait()
        return try container.start()
    }

    func start(
        queue: DispatchQueue,
        completion: sending @escaping (Result<PersistentContainer.ContextProvider, any Error>) -> Void
    ) {
        DispatchQueue.global().async { [container, migration, completion = SendableCompletion(completion)] in
            migration.wait()
            container.start(queue: queue) { completion.call($0) }
        }
    }
}

/// Takes a completion to another queue.
// @unchecked Sendable because the completion is called once, by one caller.
private struct SendableCompletion: @unchecked Sendable {
    let call: (Result<PersistentContainer.ContextProvider, any Error>) -> Void

    init(_ call: @escaping (Result<PersistentContainer.ContextProvider, any Error>) -> Void) { self.call = call }
}

/// Contexts without a container.
private struct FakeProvider: ContextProviding {
    let viewContext: NSManagedObjectContext
    let stack: TestStack

    init() throws {
        stack = try TestStack(model: BookModel.make(), type: NSInMemoryStoreType)
        viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        viewContext.persistentStoreCoordinator = stack.coordinator
    }

    func newBackgroundContext() -> NSManagedObjectContext { stack.context() }
}

/// Applications that are tested with containers of another make.
@Suite struct MockingTests {
    /// What an application shows after its launch.
    private func screen(of container: any PersistentContainerProtocol) async -> String {
        do {
            return count(try await container.start())
        } catch {
            return "Can't open: \(error)"
        }
    }

    private func count(_ provider: some ContextProviding) -> String {
        let count = try? provider.newBackgroundContext().performAndWait { try $0.fetch(Book.self).count }
        return "\(count.map(String.init) ?? "?") books"
    }

    private func blocking(_ container: any PersistentContainerProtocol) throws -> String {
        count(try container.start())
    }

    // Feature STICKY-10
    @Test func aFailureIsShown() async {
        #expect(await screen(of: FailingContainer()) == "Can't open: Refusal(reason: \"on purpose\")")
        #expect(throws: Refusal()) { try blocking(FailingContainer()) }
    }

    // Feature STICKY-10
    @Test func aSlowStartIsWaitedFor() async throws {
        let stack = try BookStack()
        let slow = SlowContainer(container: stack.container, migration: DispatchSemaphore(value: 0))
        async let screen = screen(of: slow)
        guard case .reset = slow.state else {
            Issue.record("The state is \(slow.state).")
            return
        }
        slow.migration.signal()
        #expect(await screen == "0 books")
    }

    // Feature STICKY-10
    @Test func aSlowStartMayBlock() throws {
        let stack = try BookStack()
        let slow = SlowContainer(container: stack.container, migration: DispatchSemaphore(value: 0))
        slow.migration.signal()
        #expect(try blocking(slow) == "0 books")
    }

    // Feature STICKY-9
    @Test func aProviderCanBeReplaced() async throws {
        let fake = try FakeProvider()
        #expect(count(fake) == "0 books")
        try fake.add("Momo")
        #expect(count(fake) == "1 books")
        let real: any ContextProviding = try await BookStack().container.start()
        #expect(count(real) == "0 books")
    }

    // Feature STICKY-11
    @Test func whatTheContainerAsksForIsCounted() throws {
        let stack = try BookStack()
        #expect(stack.spy.loads == 0 && stack.spy.contexts == 0)
        let provider = try stack.start()
        #expect(stack.spy.loads == 1 && stack.spy.contexts == 0)
        _ = provider.newBackgroundContext()
        _ = provider.newBackgroundContext()
        #expect(stack.spy.contexts == 2)
        #expect(provider.viewContext === stack.spy.inner.viewContext)
    }
}
