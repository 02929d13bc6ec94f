import Foundation
import OpenCoreDataKit

#if CAMPAIGN_POSTGRESQL
import OpenCoreDataPostgreSQL
#endif

/// Where histories are kept: in a file, or in a schema of the server of `Scripts/with-postgres`, in a build for it.
enum HistoryStore {
    /// A place for one history.
    static func place(in folder: URL) -> URL {
        ServerStore.place("h") ?? folder.appendingPathComponent("history.sqlite")
    }

    static func store(at url: URL) -> Store {
        #if CAMPAIGN_POSTGRESQL
        if !url.isFileURL { return .postgreSQL(url, watched: false) }
        #endif
        return .sqlite(at: url)
    }
}
