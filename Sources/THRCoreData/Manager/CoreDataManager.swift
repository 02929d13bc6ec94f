public import OpenCoreDataKit
import Synchronization

/// The name that the library's documentation has for its manager.
public typealias PersistentContainer = CoreDataManager

/// A model, its store, and two contexts side by side that merge each other's saves.
///
/// Making one costs nothing: model, store and contexts are made when a context is first asked for. There should be one
/// manager for a store: a second one on the same file works, but neither is notified of the other's saves. Safe to use from any
/// thread; contexts have their own rules.
public final class CoreDataManager: Sendable {
    /// The type and location of the store.
    public let storeType: StoreType
    private let configuration: Database.Configuration
    private let opened = Mutex<Database?>(nil)

    /// Creates a manager of a model in a bundle.
    ///
    /// A model that is missing, or a store that can't be opened, stops the program when a context is first asked for;
    /// ``open(modelName:storeType:bundle:)`` throws instead.
    ///
    /// - Parameters:
    ///   - modelName: The model's name, and that of the store's file.
    ///   - storeType: How the objects are kept; in a SQLite file in the user's documents directory if omitted.
    ///   - bundle: Where the model is, or the bundles of resources in it; the program's if omitted.
    public convenience init(
        modelName: String, storeType: StoreType = .sqlite(CoreDataManager.defaultDirectoryURL), bundle: Bundle = .main
    ) {
        self.init(modelName, .named(modelName, in: bundle), storeType)
    }

    /// Creates a manager of a model that is there already.
    ///
    /// A store that can't be opened stops the program when a context is first asked for;
    /// ``open(name:model:storeType:)`` throws instead.
    ///
    /// - Parameters:
    ///   - name: The name of the store's file.
    ///   - model: The model, which can't be changed afterwards.
    ///   - storeType: How the objects are kept; in a SQLite file in the user's documents directory if omitted.
    public convenience init(
        name: String, model: NSManagedObjectModel,
        storeType: StoreType = .sqlite(CoreDataManager.defaultDirectoryURL)
    ) {
        self.init(name, .value(model), storeType)
    }

    private init(_ name: String, _ model: ModelSource, _ storeType: StoreType) {
        self.storeType = storeType
        var layout = Layout.siblings
        layout.policies.writer = .mergeByPropertyStoreTrumpMergePolicyType
        layout.policies.main = .mergeByPropertyStoreTrumpMergePolicyType
        layout.refusesLostEdits = false
        configuration = Database.Configuration(
            name: name, model: model, stores: [storeType.store(named: name)], layout: layout)
    }

    // MARK: Opening

    /// Makes a manager of a model in a bundle and opens its store at once. Blocks while a file of an older model is
    /// migrated.
    ///
    /// Use it where an error has to be shown or handled. The manager's contexts can be used right away.
    ///
    /// ```swift
    /// let manager = try CoreDataManager.open(modelName: "Library")
    /// ```
    ///
    /// - Parameters:
    ///   - modelName: The model's name, and that of the store's file.
    ///   - storeType: How the objects are kept; in a SQLite file in the user's documents directory if omitted.
    ///   - bundle: Where the model is, or the bundles of resources in it; the program's if omitted.
    /// - Returns: The manager.
    /// - Throws: `DatabaseError.modelNotFound`, `DatabaseError.incompatibleStore` or `DatabaseError.storeFailed`.
    public static func open(
        modelName: String, storeType: StoreType = .sqlite(CoreDataManager.defaultDirectoryURL), bundle: Bundle = .main
    ) throws -> CoreDataManager {
        let manager = CoreDataManager(modelName: modelName, storeType: storeType, bundle: bundle)
        _ = try manager.openOnce()
        return manager
    }

    /// Makes a manager of a model that is there already and opens its store at once. Blocks while a file of an older model
    /// is migrated.
    ///
    /// For a model that is made in code.
    ///
    /// - Parameters:
    ///   - name: The name of the store's file.
    ///   - model: The model, which can't be changed afterwards.
    ///   - storeType: How the objects are kept; in a SQLite file in the user's documents directory if omitted.
    /// - Returns: The manager.
    /// - Throws: `DatabaseError.incompatibleStore` or `DatabaseError.storeFailed`.
    public static func open(
        name: String, model: NSManagedObjectModel,
        storeType: StoreType = .sqlite(CoreDataManager.defaultDirectoryURL)
    ) throws -> CoreDataManager {
        let manager = CoreDataManager(name: name, model: model, storeType: storeType)
        _ = try manager.openOnce()
        return manager
    }

    /// Where a file is for which no directory is named: the user's documents directory, which is made when it is missing.
    public static var defaultDirectoryURL: URL { StoreOpening.url(of: .documents) }

    private func openOnce() throws -> Database {
        try opened.withLock { opened in
            if let opened { return opened }
            let database = try Database.openBlocking(configuration)
            opened = database
            return database
        }
    }

    private var tree: ContextTree {
        do {
            return try openOnce().tree
        } catch {
            programmerError(
                "The manager of \(source) can't be used: \(DatabaseError.sentence(error)) CoreDataManager.open throws "
                    + "such errors instead.")
        }
    }

    private var source: String {
        guard case .named(let name, let bundle) = configuration.model else { return "'\(configuration.name)'" }
        return "the model '\(name)' in the bundle \(bundle.bundlePath)"
    }

    // MARK: Contexts

    /// The context of the main queue, directly on the store. What others have saved wins over its unsaved changes,
    /// property by property.
    public var mainContext: NSManagedObjectContext { tree.main }

    /// The context of a queue of its own, directly on the store, one for the manager's life. What others have saved wins
    /// over its unsaved changes, property by property.
    public var backgroundContext: NSManagedObjectContext {
        let tree = tree
        guard let writer = tree.writer else {
            programmerError("The layout of a manager has lost its background context.")
        }
        return writer
    }

    /// A new context on top of one of the two: its changes become those of its parent when it is saved. See
    /// ``save(context:withCompletion:)``.
    ///
    /// Each call returns another context. It sees the unsaved changes of its parent. Opens the store if no context was
    /// asked for before.
    ///
    /// - Parameters:
    ///   - concurrencyType: A private queue, for a child of the background context, or the main queue, for one of the main
    ///     context. Confinement to a thread stops the program.
    ///   - mergePolicyType: What the context does about conflicts.
    /// - Returns: The context.
    public func createChildContext(
        withConcurrencyType concurrencyType: NSManagedObjectContextConcurrencyType = .mainQueueConcurrencyType,
        mergePolicyType: NSMergePolicyType = .mergeByPropertyObjectTrumpMergePolicyType
    ) -> NSManagedObjectContext {
        let parent: NSManagedObjectContext
        switch concurrencyType {
        case .privateQueueConcurrencyType: parent = backgroundContext
        case .mainQueueConcurrencyType: parent = mainContext
        case .confinementConcurrencyType:
            programmerError("A child context needs a queue: a private one or the main queue, not confinement.")
        }
        let child = NSManagedObjectContext(concurrencyType: concurrencyType)
        child.parent = parent
        child.mergePolicy = NSMergePolicy(merge: mergePolicyType)
        child.name = "\(parent.name ?? configuration.name).child"
        return child
    }
}
