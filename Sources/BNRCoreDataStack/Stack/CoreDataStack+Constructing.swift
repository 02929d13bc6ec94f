public import Dispatch
public import OpenCoreDataKit

extension CoreDataStack {
    // MARK: SQLite

    /// Makes a stack over a SQLite file, in the background. Returns at once; a migration may take its time.
    ///
    /// The store has the options of `stockSQLiteStoreOptions`. A model that is missing, and a file that can't be
    /// opened, are failures of the callback.
    ///
    /// - Parameters:
    ///   - modelName: The model's name.
    ///   - bundle: Where the model is, or the bundles of resources in it.
    ///   - storeURL: The file, whose folder is created if necessary. When left out: a file of the model's name in the
    ///     user's documents folder.
    ///   - callback: Called once, on a background queue.
    @preconcurrency
    public static func constructSQLiteStack(
        withModelName modelName: String, inBundle bundle: Bundle = .main, withStoreURL storeURL: URL? = nil,
        callback: @escaping SetupCallback
    ) {
        constructSQLiteStack(modelName: modelName, in: bundle, at: storeURL, callback: callback)
    }

    /// Makes a stack over a SQLite file, in the background. Returns at once; a migration may take its time.
    ///
    /// A model that is missing, and a file that can't be opened, are failures of the callback. A file that doesn't
    /// match the model and can't be migrated stays unchanged.
    ///
    /// - Parameters:
    ///   - modelName: The model's name.
    ///   - bundle: Where the model is, or the bundles of resources in it.
    ///   - storeURL: The file, whose folder is created if necessary. When left out: a file of the model's name in the
    ///     user's documents folder.
    ///   - persistentStoreOptions: Options of the store; none for `nil`.
    ///   - callbackQueue: Where the callback is called; a background queue if omitted.
    ///   - callback: Called once.
    @preconcurrency
    public static func constructSQLiteStack(
        modelName: String, in bundle: Bundle = .main, at storeURL: URL? = nil,
        persistentStoreOptions: [AnyHashable: Any]? = NSPersistentStoreCoordinator.stockSQLiteStoreOptions,
        on callbackQueue: DispatchQueue? = nil, callback: @escaping SetupCallback
    ) {
        let folders = ModelSearch.folders(of: bundle)
        construct(
            at: storeURL ?? documents("\(modelName).sqlite"), persistentStoreOptions, on: callbackQueue, callback
        ) {
            try ModelSearch.model(named: modelName, in: folders)
        }
    }

    /// Makes a stack over a SQLite file, in the background. Returns at once; a migration may take its time.
    ///
    /// A file that can't be opened is a failure of the callback. It stays unchanged.
    ///
    /// - Parameters:
    ///   - model: The model, which can't be changed afterwards.
    ///   - storeURL: The file, whose folder is created if necessary. When left out: `database.sqlite` in the user's
    ///     documents folder.
    ///   - persistentStoreOptions: Options of the store; none for `nil`.
    ///   - callbackQueue: Where the callback is called; a background queue if omitted.
    ///   - callback: Called once.
    @preconcurrency
    public static func constructSQLiteStack(
        model: NSManagedObjectModel, at storeURL: URL? = nil,
        persistentStoreOptions: [AnyHashable: Any]? = NSPersistentStoreCoordinator.stockSQLiteStoreOptions,
        on callbackQueue: DispatchQueue? = nil, callback: @escaping SetupCallback
    ) {
        construct(at: storeURL ?? documents("database.sqlite"), persistentStoreOptions, on: callbackQueue, callback) {
            model
        }
    }

    private static func construct(
        at url: URL, _ options: [AnyHashable: Any]?, on queue: DispatchQueue?, _ callback: @escaping SetupCallback,
        model: @escaping @Sendable () throws -> NSManagedObjectModel
    ) {
        let options = SendableBox(options ?? [:])
        background.async {
            let result = SetupResult {
                try CoreDataStack(StackStore(model: model(), url: url, options: options.value))
            }
            (queue ?? background).async { callback(result) }
        }
    }

    private static func documents(_ name: String) -> URL {
        StoreOpening.url(of: .documents).appendingPathComponent(name)
    }

    // MARK: SQLite, awaited

    /// Makes a stack over a SQLite file. A migration may take its time, and blocks no thread of the caller's.
    ///
    /// The store has the options of `stockSQLiteStoreOptions`.
    ///
    /// ```swift
    /// let stack = try await CoreDataStack.constructSQLiteStack(withModelName: "Library")
    /// ```
    ///
    /// - Parameters:
    ///   - modelName: The model's name.
    ///   - bundle: Where the model is, or the bundles of resources in it.
    ///   - storeURL: The file; one of the model's name in the user's documents folder if omitted.
    /// - Returns: The stack.
    /// - Throws: A `DatabaseError` or a ``CoreDataStack/Error``.
    public static func constructSQLiteStack(
        withModelName modelName: String, inBundle bundle: Bundle = .main, withStoreURL storeURL: URL? = nil
    ) async throws -> CoreDataStack {
        try await awaiting { constructSQLiteStack(modelName: modelName, in: bundle, at: storeURL, callback: $0) }
    }

    /// Makes a stack over a SQLite file. A migration may take its time, and blocks no thread of the caller's.
    ///
    /// The store has the options of `stockSQLiteStoreOptions`. A file that doesn't match the model and can't be
    /// migrated stays unchanged.
    ///
    /// - Parameters:
    ///   - model: The model, which can't be changed afterwards.
    ///   - storeURL: The file; `database.sqlite` in the user's documents folder if omitted.
    /// - Returns: The stack.
    /// - Throws: A `DatabaseError` or a ``CoreDataStack/Error``.
    public static func constructSQLiteStack(
        model: NSManagedObjectModel, at storeURL: URL? = nil
    ) async throws -> CoreDataStack {
        try await awaiting { constructSQLiteStack(model: model, at: storeURL, callback: $0) }
    }

    private static func awaiting(_ construct: (@escaping SetupCallback) -> Void) async throws -> CoreDataStack {
        try await CalledBack.value { callBack in
            construct { result in
                switch result {
                case .success(let stack): callBack(.success(stack))
                case .failure(let error): callBack(.failure(error))
                }
            }
        }
    }

    // MARK: In memory

    /// Creates a stack whose data is in memory.
    ///
    /// Use it in tests. Each stack has data of its own.
    ///
    /// - Parameters:
    ///   - modelName: The model's name.
    ///   - bundle: Where the model is, or the bundles of resources in it.
    /// - Returns: The stack.
    /// - Throws: A `DatabaseError`.
    public static func constructInMemoryStack(
        withModelName modelName: String, inBundle bundle: Bundle = .main
    ) throws -> CoreDataStack {
        try constructInMemoryStack(modelName: modelName, in: bundle)
    }

    /// Creates a stack whose data is in memory.
    ///
    /// Use it in tests. Each stack has data of its own.
    ///
    /// - Parameters:
    ///   - modelName: The model's name.
    ///   - bundle: Where the model is, or the bundles of resources in it.
    /// - Returns: The stack.
    /// - Throws: A `DatabaseError`.
    public static func constructInMemoryStack(
        modelName: String, in bundle: Bundle = .main
    ) throws -> CoreDataStack {
        try constructInMemoryStack(
            model: ModelSearch.model(named: modelName, in: ModelSearch.folders(of: bundle)))
    }

    /// Creates a stack whose data is in memory.
    ///
    /// Use it in tests. Each stack has data of its own, even if several stacks have the same model.
    ///
    /// - Parameter model: The model, which can't be changed afterwards.
    /// - Returns: The stack.
    /// - Throws: A `DatabaseError`.
    public static func constructInMemoryStack(model: NSManagedObjectModel) throws -> CoreDataStack {
        try CoreDataStack(StackStore(model: model, url: nil, options: [:]))
    }
}
