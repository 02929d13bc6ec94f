public import Foundation
import Synchronization

/// A model, a coordinator with its stores, and contexts on it, set up together.
///
/// Safe to use from any thread; the contexts have their own rules.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Library")
/// container.loadPersistentStores { description, error in
///     if let error { print("\(description): \(error)") }
/// }
/// let context = container.viewContext
/// ```
// @unchecked Sendable because what can change is behind `descriptions`' lock, and the error is set before the container
// is used.
open class NSPersistentContainer: NSObject, _MadeFromType, @unchecked Sendable {
    private let descriptions: Mutex<SendableBox<[NSPersistentStoreDescription]>>
    private let mainContext: NSManagedObjectContext
    private let containerName: String
    private let coordinator: NSPersistentStoreCoordinator
    /// Why there is no model; loading the stores reports it.
    private var modelError: (any Error)?

    /// Creates a container with the model of the same name.
    ///
    /// The model is looked for as `name.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel` in the main bundle, in all
    /// bundles that are loaded or lie next to the executable, and in the current directory and its folder `Models`.
    /// When it is not there, or can't be read, ``loadPersistentStores(completionHandler:)`` reports the error.
    ///
    /// - Parameter name: The name of the model, and of the default store's file.
    public convenience init(name: String) {
        let model = Result { try ModelFinder.model(named: name) }
        self.init(name: name, managedObjectModel: (try? model.get()) ?? NSManagedObjectModel())
        if case .failure(let error) = model { modelError = error }
    }

    /// Creates a container with a model.
    ///
    /// The description of one SQLite store, `name.sqlite` in ``defaultDirectoryURL()``, is in
    /// ``persistentStoreDescriptions``. No file is created or opened before
    /// ``loadPersistentStores(completionHandler:)``; until then the contexts can't fetch or save.
    ///
    /// - Parameters:
    ///   - name: The name of the default store's file.
    ///   - model: The model, which can't be changed afterwards.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        containerName = name
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        mainContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        descriptions = Mutex(SendableBox([]))
        super.init()
        let folder = type(of: self).defaultDirectoryURL()
        let url = folder.appendingPathComponent(name).appendingPathExtension("sqlite")
        persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        mainContext.persistentStoreCoordinator = coordinator
    }

    /// The name of the container.
    open var name: String { containerName }
    /// The context of the main queue.
    open var viewContext: NSManagedObjectContext { mainContext }
    /// The model of the coordinator.
    open var managedObjectModel: NSManagedObjectModel { coordinator.managedObjectModel }
    /// The coordinator of all the container's contexts.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator }

    /// The stores that ``loadPersistentStores(completionHandler:)`` adds. One SQLite store, unless set.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
        get { descriptions.withLock { $0 }.value }
        set {
            let box = SendableBox(newValue)
            descriptions.withLock { $0 = box }
        }
    }

    /// The folder of default stores: the user's application support folder, and there one of the program's name.
    ///
    /// The folder is named, not created. Override it in a subclass to have default stores elsewhere.
    open class func defaultDirectoryURL() -> URL {
        let manager = FileManager.default
        let folder =
            manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? manager.homeDirectoryForCurrentUser.appendingPathComponent(".local/share")
        return folder.appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
    }

    /// Adds the described stores. Folders that are missing are made.
    ///
    /// A description that fails doesn't keep the others from being added. If the model of `init(name:)` wasn't found,
    /// each description gets that error, and no store is added. Called again, it adds the stores again, which fails for
    /// files that are loaded already. If the folder can't be created, the error is `NSPersistentStoreOpenError`.
    ///
    /// - Parameter block: Called once for each description, with the error if there was one: before this returns, or on
    ///   a background queue for stores that are added asynchronously.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            if let modelError {
                block(description, modelError)
            } else {
                description.load(completionHandler: block) { try self.add($0) }
            }
        }
    }

    /// Adds the store of a description, on this thread, after making its folder.
    private func add(_ description: NSPersistentStoreDescription) throws {
        try makeFolder(of: description)
        try persistentStoreCoordinator.add(description)
    }

    private func makeFolder(of description: NSPersistentStoreDescription) throws {
        guard description.type != NSInMemoryStoreType, !description.isReadOnly, let url = description.url,
            url.isFileURL, !ScratchStores.contain(url)
        else { return }
        let folder = url.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "The folder \(folder.path) of the store can't be created.", path: url.path,
                underlying: error)
        }
    }

    /// Makes a context with a queue of its own. It doesn't merge what others save unless its
    /// `automaticallyMergesChangesFromParent` is set.
    ///
    /// Each call creates another context. Use it, and its objects, inside of its `perform` blocks only; keep a
    /// reference to it as long as its objects are used.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block with a new context, on the context's queue, and returns at once.
    ///
    /// Blocks of several calls have contexts and queues of their own and may run at the same time. Changes that the
    /// block doesn't save are lost.
    ///
    /// - Parameter block: Gets the context, which lives until the block ends. The block has to save it.
    open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        let boxed = SendableBox(block)
        context.perform { boxed.value(context) }
    }

    /// Runs a block with a new context, on the context's queue, and returns its result without blocking a thread.
    ///
    /// Tasks of several calls have contexts and queues of their own and may run at the same time. Changes that the
    /// block doesn't save are lost. Cancelling the task doesn't stop the block.
    ///
    /// - Parameter block: Gets the context, which lives until the block ends. The block has to save it.
    /// - Returns: What the block returns. Don't return managed objects: they belong to the context.
    /// - Throws: What the block throws.
    public func performBackgroundTask<Result>(
        _ block: @escaping (NSManagedObjectContext) throws -> Result
    ) async rethrows -> Result {
        let context = newBackgroundContext()
        let boxed = SendableBox(block)
        let outcome: SendableBox<Swift.Result<Result, any Error>> = await withCheckedContinuation { continuation in
            context.perform {
                continuation.resume(returning: SendableBox(Swift.Result { try boxed.value(context) }))
            }
        }
        func unwrap(_ body: () throws -> Result) rethrows -> Result { try body() }
        return try unwrap { try outcome.value.get() }
    }
}

/// Gives a class that has a method `defaultDirectoryURL()` the property of the same name, which can't be a member too.
public protocol DefaultDirectoryProviding {}

extension NSPersistentContainer: DefaultDirectoryProviding {}

extension DefaultDirectoryProviding where Self: NSPersistentContainer {
    /// The folder of default stores, as ``NSPersistentContainer/defaultDirectoryURL()`` gives it.
    public static var defaultDirectoryURL: URL { defaultDirectoryURL() }
}
