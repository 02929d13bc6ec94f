/// A store of a database: where and how it keeps data.
public struct Store: Sendable, Hashable {
    /// The folder of a store's file.
    public enum Folder: Sendable, Hashable {
        /// A folder with the program's name in the user's application support folder.
        case applicationSupport
        /// The user's documents folder.
        case documents
        /// Any folder.
        case at(URL)
    }

    /// The action for a file that doesn't match the model and can't be migrated.
    public enum Unfit: Sendable, Hashable {
        /// Opening throws ``DatabaseError/incompatibleStore(url:cause:)``, and the file is unchanged.
        case fail
        /// The content of the file is deleted, and the store starts empty. Other failures throw an error.
        case recreate
    }

    /// The location of the file, or in memory.
    package enum Location: Sendable, Hashable {
        /// In a folder; the name of the file is that of the database unless given.
        case folder(Folder, name: String?)
        case file(URL)
        /// In a database server.
        case server(URL)
        case memory
    }

    /// The type: SQLite, binary or in memory.
    public var type: NSPersistentStore.StoreType
    package var location: Location
    /// The configuration of the model whose entities the store keeps; `nil` for all.
    public var configuration: String?
    /// Whether a file of another version of the model is migrated when it is opened.
    public var migrates: Bool
    /// The action for a file that doesn't match the model.
    public var ifIncompatible: Unfit
    /// Whether changes that other processes make to the file are reported, as commits of the kind `external`. The store
    /// then records its history, of which ``keepHistory`` says how long it is kept.
    public var watched: Bool
    /// How long a watched store keeps its history: seven days, unless set. What is older is deleted while the database is
    /// open, but nothing that it hasn't read itself.
    public var keepHistory = HistoryRetention.days(7)
    /// Whether the file is opened read-only.
    public var isReadOnly: Bool
    /// The limits of a SQLite store.
    public var limits: StoreLimits
    /// The stages of the migration of an older file, if it needs several with code of your own.
    public var stagedMigration: NSStagedMigrationManager? {
        get { stages?.manager }
        set { stages = newValue.map { Stages(manager: $0) } }
    }
    private var stages: Stages?

    /// A manager, which is not changed once it is handed over.
    // @unchecked Sendable because it is only read from, when the store is opened.
    private struct Stages: @unchecked Sendable, Hashable {
        let manager: NSStagedMigrationManager
    }

    /// What the type of store has of its own; `nil` for those in files.
    package var serverOptions: ServerOptions?

    package init(type: NSPersistentStore.StoreType, location: Location, configuration: String? = nil) {
        self.type = type
        self.location = location
        self.configuration = configuration
        migrates = true
        ifIncompatible = .fail
        watched = false
        isReadOnly = false
        limits = StoreLimits()
    }

    /// A SQLite file in a folder.
    ///
    /// The file exists after the database was opened. Two stores of one database must not have the same file; give them
    /// names or configurations. The default name has the configuration in it, as in `Library-Cache.sqlite`. Other
    /// settings, such as ``isReadOnly`` and ``limits``, are properties of the result.
    ///
    /// - Parameters:
    ///   - folder: The folder, which is created if it doesn't exist.
    ///   - name: The name of the file; by default the database's name with the extension `sqlite`.
    ///   - configuration: The configuration of the model whose entities it keeps; `nil` for all.
    ///   - migrate: Whether a file of another version of the model is migrated.
    ///   - ifIncompatible: What to do about a file that doesn't match the model.
    ///   - watched: Whether changes by other processes are reported.
    ///   - keepHistory: How long a watched store keeps its history.
    /// - Returns: The store, which isn't opened yet.
    public static func sqlite(
        in folder: Folder = .applicationSupport, named name: String? = nil, configuration: String? = nil,
        migrate: Bool = true, ifIncompatible: Unfit = .fail, watched: Bool = false,
        keepHistory: HistoryRetention = .days(7)
    ) -> Store {
        var store = Store(type: .sqlite, location: .folder(folder, name: name), configuration: configuration)
        store.migrates = migrate
        store.ifIncompatible = ifIncompatible
        store.watched = watched
        store.keepHistory = keepHistory
        return store
    }

    /// A SQLite file.
    ///
    /// The file can have any extension; none is added. Other settings, such as ``isReadOnly`` and ``limits``, are
    /// properties of the result.
    ///
    /// - Parameters:
    ///   - url: The file. Its folder is created if it doesn't exist.
    ///   - configuration: The configuration of the model whose entities it keeps; `nil` for all.
    ///   - migrate: Whether a file of another version of the model is migrated.
    ///   - ifIncompatible: What to do about a file that doesn't match the model.
    ///   - watched: Whether changes by other processes are reported.
    ///   - keepHistory: How long a watched store keeps its history.
    /// - Returns: The store, which isn't opened yet.
    public static func sqlite(
        at url: URL, configuration: String? = nil, migrate: Bool = true, ifIncompatible: Unfit = .fail,
        watched: Bool = false, keepHistory: HistoryRetention = .days(7)
    ) -> Store {
        var store = Store(type: .sqlite, location: .file(url), configuration: configuration)
        store.migrates = migrate
        store.ifIncompatible = ifIncompatible
        store.watched = watched
        store.keepHistory = keepHistory
        return store
    }

    /// A binary file in a folder, which is read as a whole when it is opened, and written as a whole at each save.
    ///
    /// For small amounts of data: all objects are in memory, and each save costs as much as the whole store. Changes of
    /// other processes aren't seen. Use ``sqlite(in:named:configuration:migrate:ifIncompatible:watched:keepHistory:)``
    /// otherwise.
    ///
    /// - Parameters:
    ///   - folder: The folder, which is created if it doesn't exist.
    ///   - name: The name of the file; by default the database's name with an extension.
    ///   - configuration: The configuration of the model whose entities it keeps; `nil` for all.
    ///   - migrate: Whether a file of another version of the model is migrated.
    ///   - ifIncompatible: What to do about a file that doesn't match the model.
    /// - Returns: The store, which isn't opened yet.
    public static func binary(
        in folder: Folder = .applicationSupport, named name: String? = nil, configuration: String? = nil,
        migrate: Bool = true, ifIncompatible: Unfit = .fail
    ) -> Store {
        var store = Store(type: .binary, location: .folder(folder, name: name), configuration: configuration)
        store.migrates = migrate
        store.ifIncompatible = ifIncompatible
        return store
    }

    /// A binary file, which is read as a whole when it is opened, and written as a whole at each save.
    ///
    /// For small amounts of data: all objects are in memory, and each save costs as much as the whole store.
    ///
    /// - Parameters:
    ///   - url: The file. Its folder is created if it doesn't exist.
    ///   - configuration: The configuration of the model whose entities it keeps; `nil` for all.
    ///   - migrate: Whether a file of another version of the model is migrated.
    ///   - ifIncompatible: What to do about a file that doesn't match the model.
    /// - Returns: The store, which isn't opened yet.
    public static func binary(
        at url: URL, configuration: String? = nil, migrate: Bool = true, ifIncompatible: Unfit = .fail
    ) -> Store {
        var store = Store(type: .binary, location: .file(url), configuration: configuration)
        store.migrates = migrate
        store.ifIncompatible = ifIncompatible
        return store
    }

    /// A store in memory, which lasts as long as the database.
    ///
    /// For tests, previews and caches. Each database that is opened with it has data of its own; nothing is shared, and
    /// nothing is left after closing.
    ///
    /// - Parameter configuration: The configuration of the model whose entities it keeps; `nil` for all.
    /// - Returns: The store, which isn't opened yet.
    public static func memory(configuration: String? = nil) -> Store {
        Store(type: .inMemory, location: .memory, configuration: configuration)
    }
}
