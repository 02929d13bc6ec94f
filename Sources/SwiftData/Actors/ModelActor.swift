import CoreDataEngine

/// An actor with a context of its own. `@ModelActor` makes one.
public protocol ModelActor: Actor {
    /// Where the models are kept.
    nonisolated var modelContainer: ModelContainer { get }
    /// What runs the actor's work, and has the context.
    nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
    /// The executor of the actor's work.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        guard let executor = modelExecutor as? any SerialExecutor else {
            programmerError("The executor of a ModelActor must be a SerialModelExecutor.")
        }
        return executor.asUnownedSerialExecutor()
    }

    /// The actor's context.
    public var modelContext: ModelContext { modelExecutor.modelContext }

    /// The model with an identifier; nil where the store has none.
    ///
    /// The model belongs to the actor's context. A model that the context has already is returned without a query, with
    /// its unsaved changes.
    ///
    /// - Parameters:
    ///   - id: The identifier, which may come from another context.
    ///   - type: The class.
    /// - Returns: The model; `nil` also for a model of another class.
    public subscript<T: PersistentModel>(id: PersistentIdentifier, as type: T.Type) -> T? {
        modelContext.existingModel(for: id)
    }
}

/// What runs work that uses a context.
public protocol ModelExecutor: Executor {
    /// The context, for the work that the executor runs.
    var modelContext: ModelContext { get }
}

/// What runs work that uses a context, one piece after the other.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

// @unchecked Sendable because the context is used by the work alone, which runs on one serial queue.
/// Runs work on a queue of its own.
public final class DefaultSerialModelExecutor: @unchecked Sendable, SerialModelExecutor {
    /// The context.
    public let modelContext: ModelContext
    private let queue = DispatchQueue(label: "SwiftData.ModelExecutor")

    /// Creates an executor that runs work on a queue of its own.
    ///
    /// The context should be made in the actor's initializer, and must not be used outside of the actor.
    ///
    /// - Parameter modelContext: The context.
    public init(modelContext: ModelContext) { self.modelContext = modelContext }

    /// Runs a piece of work after those before.
    ///
    /// Called by the concurrency runtime. Jobs run one at a time, on a queue that belongs to this executor.
    ///
    /// - Parameter job: The job.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// The executor as tasks refer to it.
    ///
    /// Called by the concurrency runtime. The reference doesn't keep the executor alive; the actor does.
    ///
    /// - Returns: The reference.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
