extension Database {
    /// Opens a database in a SQLite file in a folder, by default the program's own.
    ///
    /// The same as opening a ``Configuration`` with one SQLite store and all other settings at their defaults. A
    /// missing file is created, and a file of an older version of the model is migrated.
    ///
    /// ```swift
    /// let database = try await Database.open(name: "Library")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the file, and of the model by default.
    ///   - model: The source of the model.
    ///   - folder: The folder of the file.
    /// - Returns: The open database.
    /// - Throws: The errors of ``open(_:)``.
    public static func open(
        name: String, model: ModelSource = .byName, in folder: Store.Folder = .applicationSupport
    ) async throws -> Database {
        try await open(Configuration(name: name, model: model, stores: [.sqlite(in: folder)]))
    }

    /// Opens a database in a SQLite file in a folder, by default the program's own.
    ///
    /// For a model that is made in code. The database can't be opened if the file doesn't match the model and can't be
    /// migrated to it.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - model: The model.
    ///   - folder: The folder of the file.
    /// - Returns: The open database.
    /// - Throws: The errors of ``open(_:)``.
    public static func open(
        name: String, model: NSManagedObjectModel, in folder: Store.Folder = .applicationSupport
    ) async throws -> Database {
        try await open(name: name, model: .value(model), in: folder)
    }

    /// Opens a database in a SQLite file.
    ///
    /// Folders on the way to the file are created. Use ``open(_:)`` for a file with settings of its own, such as a
    /// read-only one.
    ///
    /// - Parameters:
    ///   - url: The file. Its name without the extension is the database's name.
    ///   - model: The source of the model.
    /// - Returns: The open database.
    /// - Throws: The errors of ``open(_:)``.
    public static func open(at url: URL, model: ModelSource = .byName) async throws -> Database {
        try await open(
            Configuration(
                name: url.deletingPathExtension().lastPathComponent, model: model, stores: [.sqlite(at: url)]))
    }

    /// Opens a database in a SQLite file.
    ///
    /// For a model that is made in code. Folders on the way to the file are created.
    ///
    /// - Parameters:
    ///   - url: The file. Its name without the extension is the database's name.
    ///   - model: The model.
    /// - Returns: The open database.
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
    /// For a model that is made in code. The name is that of files without a name of their own; no model is looked up
    /// by it.
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
