import CoreDataMonk
import TestSupport
import Testing

/// Where the tests' objects are kept.
enum StoreKind: CaseIterable, Sendable {
    case database, memory
}

/// A stack over one store, with a main context, in a folder of its own.
@MainActor struct PeopleStack {
    let folder: TemporaryFolder
    let stack: CoreDataStack
    let world: CoreDataMainContext
    let errors = Noted<any Error>()

    var file: URL { folder.file("People.sqlite") }
    var main: NSManagedObjectContext { world.managedObjectContext }

    /// - Parameter kind: `nil` for a stack without stores.
    init(
        _ kind: StoreKind? = .database, in folder: TemporaryFolder? = nil,
        root: CoreDataStack.RootContextType = .shared,
        target: CoreDataContext.UpdateTarget = .mainContext, order: CoreDataContext.UpdateOrder = .default
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        stack = CoreDataStack(model: PeopleModel.make(), rootContext: root)
        switch kind {
        case .database: try stack.addDatabaseStore(fileURL: self.folder.file("People.sqlite"))
        case .memory: try stack.addInMemoryStore()
        case nil: break
        }
        world = try CoreDataMainContext(stack: stack, updateTarget: target, updateOrder: order)
        let errors = errors
        stack.onError = { errors.note($0) }
    }

    /// Runs an update that has to succeed, and waits until it is in the store.
    func update(_ block: (CoreDataUpdate) throws -> Void) async throws {
        world.beginUpdateAndWait { update in
            try block(update)
            try update.commit()
        }
        await settle()
        if let error = errors.all.last { throw error }
    }

    /// Waits until what was begun so far is done: blocks on the main queue, saves of the root context, and merges.
    func settle() async {
        for _ in 1...2 {
            await main.perform(schedule: .enqueued) {}
            await stack.rootManagedObjectContext?.perform(schedule: .enqueued) {}
        }
        await main.perform(schedule: .enqueued) {}
    }

    /// A context of another coordinator on the same file.
    func outsider() throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PeopleModel.make())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// What the `sqlite3` command answers about the file.
    func sqlite(_ sql: String) throws -> String { try SQLiteShell.run(sql, on: file) }

    /// How many people the file has.
    var peopleInFile: Int { get throws { Int(try sqlite("SELECT COUNT(*) FROM ZPERSON")) ?? -1 } }
}

/// A number that several threads count up.
// @unchecked Sendable because everything is only touched under `lock`.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0
    private var highest = 0

    var value: Int { lock.withLock { number } }
    var maximum: Int { lock.withLock { highest } }

    func add(_ step: Int = 1) {
        lock.withLock {
            number += step
            highest = max(highest, number)
        }
    }
}

/// Waits until something holds, and fails after a while.
@MainActor func eventually(
    _ what: String, _ location: SourceLocation = #_sourceLocation, _ condition: @MainActor () throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while try !condition() {
        guard ContinuousClock.now < end else {
            Issue.record("It never came that \(what).", sourceLocation: location)
            return
        }
        await Task.yield()
        try await Task.sleep(for: .milliseconds(1))
    }
}
