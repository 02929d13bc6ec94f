import Foundation

#if CAMPAIGN_POSTGRESQL
import OpenCoreDataPostgreSQL
#endif

/// Stores in schemas of the server that `Scripts/with-postgres` starts, in a build for it.
enum ServerStore {
    /// The type of the stores, if there is a server.
    static var type: String? {
        #if CAMPAIGN_POSTGRESQL
        if ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL"] != nil { return PostgreSQLStore.type }
        #endif
        return nil
    }

    /// A schema for one store.
    static func place(_ prefix: String) -> URL? {
        #if CAMPAIGN_POSTGRESQL
        if let server = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL"] {
            let name = UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
            return URL(string: "\(server)?schema=\(prefix)_\(name)")
        }
        #endif
        return nil
    }

    /// Makes the type of the stores known to coordinators.
    static func register() {
        #if CAMPAIGN_POSTGRESQL
        PostgreSQLStore.register()
        #endif
    }
}
