public import OpenCoreDataKit

extension CoreDataStack {
    /// The errors of a stack's store. Errors of opening, reading and writing the store are a `DatabaseError`.
    public enum Error: Swift.Error, Hashable {
        /// The store's file is not attached to the stack any longer.
        case storeNotFound(at: URL)
        /// The store in memory is not attached to the stack any longer.
        case inMemoryStoreMissing
        /// The folder of the store can't be created.
        case unableToCreateStore(at: URL)
    }

    /// The result of creating a stack.
    public enum SetupResult: Sendable {
        /// The stack, ready to use.
        case success(CoreDataStack)
        /// A `DatabaseError` or a ``CoreDataStack/Error``.
        case failure(any Swift.Error)
    }

    /// The result of creating a context for a large import.
    public enum BatchContextResult: Sendable {
        /// The context, ready to use on its own queue.
        case success(NSManagedObjectContext)
        /// A `DatabaseError` or a ``CoreDataStack/Error``.
        case failure(any Swift.Error)
    }

    /// The result of creating a coordinator.
    public enum CoordinatorResult: Sendable {
        /// The coordinator with its store.
        case success(NSPersistentStoreCoordinator)
        /// A `DatabaseError` or a ``CoreDataStack/Error``.
        case failure(any Swift.Error)
    }

    /// The result of an operation that returns no value.
    public enum SuccessResult: Sendable {
        /// It is done.
        case success
        /// It failed.
        case failure(any Swift.Error)
    }

    /// The result of a save.
    public typealias SaveResult = SuccessResult
    /// The result of a reset.
    public typealias ResetResult = SuccessResult

    /// Gets a new stack.
    public typealias SetupCallback = @Sendable (SetupResult) -> Void
    /// Gets a context for a large import.
    public typealias BatchContextCallback = @Sendable (BatchContextResult) -> Void
    /// Is notified that the store was reset.
    public typealias StoreResetCallback = @Sendable (ResetResult) -> Void
    /// Gets a new coordinator.
    public typealias CoordinatorCallback = @Sendable (CoordinatorResult) -> Void
    /// Is notified that a context was saved.
    public typealias SaveCallback = @Sendable (SaveResult) -> Void
}

extension CoreDataStack.Error: LocalizedError, CustomStringConvertible {
    /// The sentence that `localizedDescription` gives.
    public var errorDescription: String? { description }

    /// A description in one line.
    public var description: String {
        switch self {
        case .storeNotFound(let url): "The stack no longer has a store at \(url.path)."
        case .inMemoryStoreMissing: "The stack no longer has an in-memory store."
        case .unableToCreateStore(let url):
            "The store \(url.path) can't be created, because its folder can't be created."
        }
    }
}

extension CoreDataStack.SuccessResult {
    /// Does something and says what became of it.
    init(catching body: () throws -> Void) {
        do {
            try body()
            self = .success
        } catch {
            self = .failure(error)
        }
    }
}

/// The same as ``CoreDataStack/SetupCallback``.
public typealias CoreDataStackSetupCallback = CoreDataStack.SetupCallback
/// The same as ``CoreDataStack/StoreResetCallback``.
public typealias CoreDataStackSQLiteResetCallback = CoreDataStack.StoreResetCallback
/// The same as ``CoreDataStack/BatchContextCallback``.
public typealias CoreDataStackBatchMOCCallback = CoreDataStack.BatchContextCallback
/// The same as ``CoreDataStack/SaveCallback``.
public typealias CoreDataStackSaveCompletion = CoreDataStack.SaveCallback
