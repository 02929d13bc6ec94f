public import EngineWorkload
public import Foundation
import OpenCoreData
import OpenCoreDataKit
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

    /// Small saves with the kit, in a database of their own, as the kit opens it.
    ///
    /// - Parameter server: The URL of any database of the server, by a role that may make databases.
    public static func smallSaves(server: URL, count: Int) throws -> SmallSaves {
        let databases = ServerDatabases(server: server, name: "small", bookCount: count)
        return SmallSaves(.postgreSQL(try databases.emptyScratchStore()), count: count)
    }
}
