extension Database {
    /// Opens a database that is a SQLite file in a folder, by default the program's own.
    ///
    /// - Parameters:
    ///   - name: The name: of the file, and of the model that is looked for unless one is given.
    ///   - model: Where the model comes from.
    ///   - folder: Where the file is.
    /// - Throws: As ``open(_:)``.
    public static func open(
        name: String, model: ModelSource = .byName, in folder: Store.Folder = .applicationSupport
    ) async throws -> Database {
        try await open(Configuration(name: name, model: model, stores: [.sqlite(in: folder)]))
    }

    /// Opens a database that is a SQLite file in a folder, by default the program's own.
    ///
    /// - Throws: As ``open(_:)``.
    public static func open(
        name: String, model: NSManagedObjectModel, in folder: Store.Folder = .applicationSupport
    ) async throws -> Database {
        try await open(name: name, model: .value(model), in: folder)
    }

    /// Opens a database that is a SQLite file.
    ///
    /// - Parameters:
    ///   - url: The file. The database is called as it is, without the ending.
    ///   - model: Where the model comes from.
    /// - Throws: As ``open(_:)``.
    public static func open(at url: URL, model: ModelSource = .byName) async throws -> Database {
        try await open(
            Configuration(
                name: url.deletingPathExtension().lastPathComponent, model: model, stores: [.sqlite(at: url)]))
    }

    /// Opens a database that is a SQLite file.
    ///
    /// - Throws: As ``open(_:)``.
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
    /// Describes a database with a model that is there already.
    public init(
        name: String, model: NSManagedObjectModel, stores: [Store] = [.sqlite()], layout: Layout = .standard,
        onBackgroundError: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.init(
            name: name, model: .value(model), stores: stores, layout: layout, onBackgroundError: onBackgroundError)
    }
}
