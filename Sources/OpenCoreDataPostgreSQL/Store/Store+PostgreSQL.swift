#if PostgreSQL
public import Foundation
import OpenCoreData
public import OpenCoreDataKit

extension Store {
    /// A schema of a PostgreSQL database, which many machines share.
    ///
    /// Nothing is connected before the database is opened. Unless the options say otherwise, a change of a to-many
    /// relationship alone gives its owner no new version (``PostgreSQLOptions/checksOwners``).
    ///
    /// ```swift
    /// let database = try await Database.open(.init(name: "Library", stores: [.postgreSQL(url)]))
    /// ```
    ///
    /// - Parameters:
    ///   - url: `postgresql://user@host:port/database?schema=name`, with libpq's other parameters; `public` where
    ///     no schema is named. What is missing comes from libpq's variables, such as `PGPASSWORD`.
    ///   - configuration: The configuration of the model whose entities it keeps; `nil` for all.
    ///   - watched: Whether changes by other processes are reported, as commits of the kind `external`. The store
    ///     then records its history, by which it also finds out what became of a save whose answer was lost.
    ///   - keepHistory: How long a watched store keeps its history.
    ///   - options: How the connections behave, and which replicas there are.
    /// - Returns: The store, which isn't opened yet.
    public static func postgreSQL(
        _ url: URL, configuration: String? = nil, watched: Bool = true, keepHistory: HistoryRetention = .days(7),
        options: PostgreSQLOptions? = nil
    ) -> Store {
        PostgreSQLStore.register()
        var store = Store(
            type: NSPersistentStore.StoreType(rawValue: PostgreSQLStore.type), location: .server(url),
            configuration: configuration)
        store.watched = watched
        store.keepHistory = keepHistory
        var options = options ?? PostgreSQLOptions()
        options.checksOwners = options.checksOwners ?? false
        store.serverOptions = ServerOptions(key: PostgreSQLStore.optionsOption, options)
        return store
    }
}
#endif
