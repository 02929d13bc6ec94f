extension Database {
    /// Opens a database in a SQLite file in a folder, by default the program's own.
    ///
    /// - Parameters:
    ///   - name: The name of the file, and of the model by default.
    ///   - model: The source of the model.
    ///   - folder: The folder of the file.
    /// - Throws: The errors of ``open(_:)``.
    public static func open(
        name: String, model: ModelSource = .byName, in folder: Store.Folder = .applicationSupport
    ) async throws -> Database {
        try await open(Configuration(name: name, model: model, stores: [.sqlite(in: folder)]))
    }

    /// Opens a database in a SQLite file in a folder, by default the program's own.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - model: The model.
    ///   - folder: The folder of the file.
    /// - Throws: The errors of ``open(_:)``.
    public static func open(
        name: String, model: NSManagedObjectModel, in folder: Store.Folder = .applicationSupport
    ) async throws -> Database {
        try await open(name: name, model: .value(model), in: folder)
    }

    /// Opens a database in a SQLite file.
    ///
    /// - Parameters:
    ///   - url: The file. Its name without the extension is the database's name.
    ///   - model: The source of the model.
    /// - Throws: The errors of ``open(_:)``.
    public static func open(at url: URL, model: ModelSource = .byName) async throws -> Database {
        try await open(
            Configuration(
                name: url.deletingPathExtension().lastPathComponent, model: model, stores: [.sqlite(at: url)]))
    }

    /// Opens a database in a SQLite file.
    ///
    /// - Parameters:
    ///   - url: The file. Its name without the extension is the database's name.
    ///   - model: The model.
    /// - Throws: The errors of ``open(_:)``.
    public static func open(at url: URL, model: NSManagedObjectModel) async throws -> Database {
        try await open(at: url, model: .value(model))
    }

    /// A database has no unsaved changes of its own.
    @available(
        *, unavailable,
        message: "Change objects in database.write { … }; database.main.saveToStore() saves the main context."
    )
    public func save() throws {}
}

extension Database.Configuration {
    /// Creates a configuration with a model.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - model: The model.
    ///   - stores: The stores.
    ///   - layout: The parents of the contexts, and which contexts merge each other's saves.
    ///   - onBackgroundError: A handler for errors of work that no caller awaits.
    public init(
        name: String, model: NSManagedObjectModel, stores: [Store] = [.sqlite()], layout: Layout = .standard,
        onBackgroundError: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.init(
            name: name, model: .value(model), stores: stores, layout: layout, onBackgroundError: onBackgroundError)
    }
}
