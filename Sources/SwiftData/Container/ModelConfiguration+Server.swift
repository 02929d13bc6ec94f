import CoreDataEngine

#if PostgreSQL
import OpenCoreDataPostgreSQL
#endif

extension ModelConfiguration {
    /// Whether the store is in a PostgreSQL database.
    var isOnServer: Bool { ["postgresql", "postgres"].contains(url.scheme?.lowercased() ?? "") }

    /// The type of the engine's store.
    ///
    /// - Throws: An error for a database if the package is built without the trait PostgreSQL.
    var storeType: String {
        get throws {
            guard isOnServer else { return NSSQLiteStoreType }
            #if PostgreSQL
            PostgreSQLStore.register()
            return PostgreSQLStore.type
            #else
            throw SwiftDataError(
                .loadIssueModelContainer,
                "The configuration '\(name)' has the URL of a PostgreSQL database, which needs the package's trait "
                    + "PostgreSQL.")
            #endif
        }
    }

    /// The path of the file, or the URL of the database without a password.
    var place: String {
        if url.isFileURL { return url.path }
        guard url.password != nil, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            return url.absoluteString
        }
        parts.password = nil
        return parts.string ?? name
    }
}
