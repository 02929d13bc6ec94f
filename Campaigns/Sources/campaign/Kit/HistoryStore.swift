import Foundation
import OpenCoreDataKit

#if CAMPAIGN_POSTGRESQL
    import OpenCoreDataPostgreSQL
#endif

/// Where histories are kept: in a file, or in a schema of the server of `Scripts/with-postgres`, in a build for it.
enum HistoryStore {
    /// A place for one history.
    static func place(in folder: URL) -> URL {
        #if CAMPAIGN_POSTGRESQL
            if let server = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL"] {
                let name = UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
                if let url = URL(string: "\(server)?schema=h_\(name)") { return url }
            }
        #endif
        return folder.appendingPathComponent("history.sqlite")
    }

    static func store(at url: URL) -> Store {
        #if CAMPAIGN_POSTGRESQL
            if !url.isFileURL { return .postgreSQL(url, watched: false) }
        #endif
        return .sqlite(at: url)
    }
}
