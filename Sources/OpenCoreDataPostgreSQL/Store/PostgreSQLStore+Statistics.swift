#if PostgreSQL
import Foundation
package import OpenCoreData

extension PostgreSQLStore: MeasuredStore {
    package var statistics: StoreStatistics? {
        guard let connections = try? runtime().connections, let url = URL(string: displayName) else { return nil }
        let usage = connections.usage
        var statistics = StoreStatistics(
            storeURL: url, connections: connections.limits.maximum, inUse: usage.connections - usage.idle,
            waiting: usage.waiting, pinnedGenerations: connections.pinned, cachedRows: rowCache.count)
        statistics.feedDelay = feed.delay.seconds
        statistics.work = connections.work.work
        rowCache.add(to: &statistics.work)
        return statistics
    }
}
#endif
