import Dispatch
import Sticky
import Synchronization
import TestSupport

/// A container that counts what is asked of it, and that can be slow or fail.
final class ContainerSpy: NSPersistentContainerProtocol {
    private struct Record {
        var loads = 0
        var contexts = 0
        var error: (any Error)?
        var gate: DispatchSemaphore?
    }

    let inner: NSPersistentContainer
    private let record = Mutex(Record())
    /// Where the files are, which are there as long as a provider.
    private let folder: TemporaryFolder

    init(_ inner: NSPersistentContainer, in folder: TemporaryFolder) {
        self.inner = inner
        self.folder = folder
    }

    /// How often stores were loaded.
    var loads: Int { record.withLock { $0.loads } }
    /// How many background contexts were made.
    var contexts: Int { record.withLock { $0.contexts } }

    /// Lets the loading of each store fail.
    func fail(with error: any Error) { record.withLock { $0.error = error } }

    /// Holds the loading of stores back, each of them until the semaphore is signalled.
    func holdBack() -> DispatchSemaphore {
        let gate = DispatchSemaphore(value: 0)
        record.withLock { $0.gate = gate }
        return gate
    }

    var persistentStoreCoordinator: NSPersistentStoreCoordinator { inner.persistentStoreCoordinator }

    var persistentStoreDescriptions: [NSPersistentStoreDescription] {
        get { inner.persistentStoreDescriptions }
        set { inner.persistentStoreDescriptions = newValue }
    }

    var viewContext: NSManagedObjectContext { inner.viewContext }

    func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let (gate, override) = record.withLock { record in
            record.loads += 1
            return (record.gate, record.error)
        }
        inner.loadPersistentStores { description, error in
            gate?.wait()
            block(description, override ?? error)
        }
    }

    func newBackgroundContext() -> NSManagedObjectContext {
        record.withLock { $0.contexts += 1 }
        return inner.newBackgroundContext()
    }
}

/// A file manager that counts what is asked of it, and that can fail.
final class FileManagerSpy: FileManagerProtocol {
    private let asked = Mutex<[String]>([])
    private let removed = Mutex<[String]>([])
    private let error: (any Error & Sendable)?

    init(error: (any Error)? = nil) { self.error = error }

    /// The names of the files that were asked for.
    var askedNames: [String] { asked.withLock { $0 } }
    /// The names of the files that were to be removed.
    var removedNames: [String] { removed.withLock { $0 } }

    func fileExists(atPath path: String) -> Bool {
        asked.withLock { $0.append(URL(fileURLWithPath: path).lastPathComponent) }
        return FileManager.default.fileExists(atPath: path)
    }

    func removeItem(atPath path: String) throws {
        removed.withLock { $0.append(URL(fileURLWithPath: path).lastPathComponent) }
        if let error { throw error }
        try FileManager.default.removeItem(atPath: path)
    }
}
