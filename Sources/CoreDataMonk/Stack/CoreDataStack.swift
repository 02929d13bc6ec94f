public import OpenCoreDataKit
import Synchronization

/// A coordinator with its stores and, unless asked otherwise, a root context that saves in the background.
///
/// Safe to use from any thread.
public final class CoreDataStack: Sendable {
    /// Whether there is a context between the main context and the stores.
    public enum RootContextType: Sendable, Hashable {
        /// No root context: the main context is directly on the stores.
        case none
        /// One for all contexts of the stack.
        case shared
    }

    /// The coordinator of the stores.
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// The root context, on a queue of its own; `nil` for a stack without.
    public let rootManagedObjectContext: NSManagedObjectContext?
    let stores: StoreRegister
    private let errors = UnawaitedErrors(label: "CoreDataMonk", "An update failed")
    private let last = Mutex<(any Error)?>(nil)

    /// Creates a stack without stores from a model in a bundle.
    ///
    /// Add a store before reading or writing. If several bundles have a model of the name, the program's own is used.
    ///
    /// - Parameters:
    ///   - modelName: The model's name; that of the bundle if omitted, else the only model there is.
    ///   - bundle: Where the model is, or the bundles of resources in it; the program's if omitted.
    ///   - rootContext: Whether there is a root context.
    /// - Throws: `DatabaseError.modelNotFound`, with what was looked for, where, and what is there.
    public convenience init(
        modelName: String? = nil, bundle: Bundle? = nil, rootContext: RootContextType = .shared
    ) throws {
        let folders = ModelSearch.folders(of: bundle ?? .main)
        let name = modelName ?? (bundle ?? .main).object(forInfoDictionaryKey: "CFBundleName") as? String
        let isAnyThere = !ModelSearch.candidates(in: folders).isEmpty
        self.init(
            model: try ModelSearch.model(named: name ?? (isAnyThere ? nil : "CoreData"), in: folders),
            rootContext: rootContext)
    }

    /// Creates a stack without stores.
    ///
    /// Add a store before reading or writing. The root context saves with the merge policy
    /// `NSMergeByPropertyObjectTrumpMergePolicy`.
    ///
    /// - Parameters:
    ///   - model: The model, which can't be changed afterwards.
    ///   - rootContext: Whether there is a root context.
    public init(model: NSManagedObjectModel, rootContext: RootContextType = .shared) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        persistentStoreCoordinator = coordinator
        stores = StoreRegister(coordinator)
        guard rootContext == .shared else {
            rootManagedObjectContext = nil
            return
        }
        let root = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        root.name = "CoreDataMonk root"
        root.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        root.persistentStoreCoordinator = coordinator
        rootManagedObjectContext = root
    }

    // MARK: Errors

    /// A handler for errors that no caller awaits: those of update blocks, and of saves on their way to the stores. It
    /// is called where the error occurred, and may use the stack. By default the errors are logged.
    public var onError: (@Sendable (any Error) -> Void)? {
        get { errors.handler }
        set { errors.handler = newValue }
    }

    /// The last of these errors.
    public var lastError: (any Error)? { last.withLock { $0 } }

    /// Reports an error: it becomes the last one and goes to ``onError``, or to the log.
    ///
    /// May be called on any thread, also by the program itself.
    ///
    /// - Parameter error: The error.
    public func handleError(_ error: any Error) {
        last.exchange(error)
        errors.report(error)
    }
}
