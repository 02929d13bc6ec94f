import BNRCoreDataStack
import TestSupport
import Testing

/// The examples of the library's own documentation, in its order and its spelling, against a database and against memory.
///
/// What differs from the text: `.Success` and `.Failure` are `.success` and `.failure`; what the text leaves to the
/// application is filled in around the examples. They run in a process with a home of its own, where the file of the first
/// example goes.
@Suite(.serialized) struct SeedExamplesTests {
    // Feature BNR-1, BNR-4, BNR-6, BNR-7, BNR-8, BNR-9, BNR-10, BNR-13, BNR-14, BNR-15
    @Test(arguments: StoreKind.allCases) func theExamplesRun(_ kind: StoreKind) async throws {
        let home = try TemporaryFolder()
        let models = try ModelFolder("TestModel")
        await #expect(processExitsWith: .success) {
            [home = home.url.path as String, kind = kind.rawValue as String] in
            setenv("HOME", home, 1)
            setenv("CFFIXED_USER_HOME", home, 1)
            try await Application().run(try #require(StoreKind(rawValue: kind)))
        }
        let file = home.file("Documents/TestModel.sqlite")
        #expect(FileManager.default.fileExists(atPath: file.path) == (kind == .sqlite))
        withExtendedLifetime(models) {}
    }
}

/// An application as the examples assume it.
// @unchecked Sendable because `stored` is only touched under `lock`.
private final class Application: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: CoreDataStack?

    private var myCoreDataStack: CoreDataStack! {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    /// Waits for something that others do.
    private func wait(_ what: String, _ condition: () async throws -> Bool) async throws {
        for _ in 0..<60_000 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(1))
        }
        Issue.record("It never came that \(what).")
    }

    func run(_ kind: StoreKind) async throws {
        switch kind {
        case .sqlite: constructSQLiteStack()
        case .memory: constructInMemoryStack()
        }
        try await wait("there is a stack") { myCoreDataStack != nil }
        #expect(rootContext.parent == nil && uiContext.parent === rootContext)
        try await work()
        try await importMuch()
        try await startOver()
    }

    // MARK: Constructing Your Stack

    private func constructSQLiteStack() {
        CoreDataStack.constructSQLiteStack(withModelName: "TestModel") { result in
            switch result {
            case .success(let stack):
                self.myCoreDataStack = stack
                print("Success")
            case .failure(let error):
                print(error)
            }
        }
    }

    private func constructInMemoryStack() {
        do {
            myCoreDataStack = try CoreDataStack.constructInMemoryStack(withModelName: "TestModel")
        } catch {
            print(error)
        }
    }

    // MARK: Working with Managed Object Contexts

    private var rootContext: NSManagedObjectContext {
        myCoreDataStack.privateQueueContext
    }

    private var uiContext: NSManagedObjectContext {
        myCoreDataStack.mainQueueContext
    }

    private func work() async throws {
        let workerContext = myCoreDataStack.newBackgroundWorkerMOC()
        workerContext.performBlock {
            // fetch data from web-service
            // update local data
            Book(managedObjectContext: workerContext).title = "Solaris"
            workerContext.saveContext()
        }
        let root = rootContext
        try await wait("the book is in the store") {
            try await root.perform { try Book.countInContext(root) == 1 && !root.hasChanges }
        }
    }

    private func importMuch() async throws {
        let done = Noted<Bool>()
        myCoreDataStack.newBatchOperationContext { result in
            switch result {
            case .success(let batchContext):
                // my big import operation
                batchContext.performBlock {
                    for number in 0..<1_000 { Book(managedObjectContext: batchContext).title = "Book \(number)" }
                    done.note((try? batchContext.save()) != nil)
                }
            case .failure(let error):
                print(error)
            }
        }
        try await wait("the import is done") { done.all == [true] }
        let main = uiContext
        #expect(try await main.perform { try Book.countInContext(main) } == 1_001)
    }

    // MARK: Resetting The Stack

    private func startOver() async throws {
        let done = Noted<Bool>()
        myCoreDataStack.resetSQLiteStore { result in
            switch result {
            case .success:
                // proceed with fresh CoreData Stack
                done.note(true)
            case .failure(let error):
                print(error)
            }
        }
        try await wait("the stack is fresh") { done.all == [true] }
        let main = uiContext
        #expect(try await main.perform { try Book.countInContext(main) } == 0)
    }
}
