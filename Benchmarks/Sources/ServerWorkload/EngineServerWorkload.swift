public import Bookshelf
public import EngineWorkload
public import Foundation
import OpenCoreData
import OpenCoreDataPostgreSQL

/// The engine on a PostgreSQL server.
public enum EngineServerWorkload {
    public static let name = "engine-postgresql"

    /// - Parameters:
    ///   - server: The URL of any database of the server, by a role that may make databases.
    ///   - library: makes or answers the generated data; called only by operations that write it.
    public static func make(
        server: URL, bookCount: Int, lookupOrder: LookupOrder, library: @escaping () -> Library
    ) -> EngineWorkload {
        var options = PostgreSQLOptions()
        options.checksOwners = false
        return EngineWorkload(
            name: name,
            settings: "on PostgreSQL as the kit opens stores: an author's version stays when only the books change",
            stores: ServerDatabases(server: server, name: name, bookCount: bookCount), bookCount: bookCount,
            lookupOrder: lookupOrder, library: library
        ) { .postgreSQL(url: $0, options: options) }
    }
}
