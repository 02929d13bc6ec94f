public import EngineWorkload
public import Foundation
import OpenCoreData
import OpenCoreDataPostgreSQL

extension EngineServerWorkload {
    /// Writers on a store of their own that records its history, with a connection each.
    ///
    /// - Parameter server: The URL of any database of the server, by a role that may make databases.
    public static func writers(server: URL, count: Int) throws -> ConcurrentWriters {
        let databases = ServerDatabases(server: server, name: "writers", bookCount: count)
        let description = NSPersistentStoreDescription.postgreSQL(url: try databases.emptyScratchStore())
        description.setOption(NSNumber(value: count), forKey: NSPersistentStoreConnectionPoolMaxSizeKey)
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        return try ConcurrentWriters(description, count: count)
    }
}
