/// One figure of a store's statistics as servers report it.
package struct StoreFigure: Sendable {
    package enum Kind: Sendable {
        /// What is now.
        case gauge
        /// How often something has happened.
        case count
        /// How long something has taken altogether.
        case seconds
    }

    /// The name in a metrics system; sums that only grow end with `_total`, as Prometheus recommends.
    package let name: String
    package let help: String
    package let kind: Kind
    package let value: @Sendable (StoreStatistics) -> Double

    private init(
        _ name: String, _ help: String, _ kind: Kind = .gauge, _ value: @escaping @Sendable (StoreStatistics) -> Double
    ) {
        (self.name, self.help, self.kind, self.value) = ("opencoredata_\(name)", help, kind, value)
    }

    package static let all: [StoreFigure] = [
        StoreFigure("log_bytes", "Length of the write-ahead log.") { Double($0.logBytes) },
        StoreFigure("readers_limit", "Connections that may read at a time.") { Double($0.maximumReaders) },
        StoreFigure("readers_in_use", "Connections that read.") { Double($0.readersInUse) },
        StoreFigure("readers_waiting", "Threads that wait for a reader.") { Double($0.waitingReaders) },
        StoreFigure("writers_waiting", "Threads that wait for the writer.") { Double($0.waitingWriters) },
        StoreFigure("pinned_generations", "Query generations that are pinned.") { Double($0.pinnedGenerations) },
        StoreFigure("cached_rows", "Rows in memory.") { Double($0.cachedRows) },
        StoreFigure("feed_delay_seconds", "How long an older transaction has held back others' changes.") {
            $0.feedDelay
        },
        StoreFigure("reads_total", "How often a connection was used to read.", .count) { Double($0.work.reads) },
        StoreFigure("read_seconds_total", "How long these reads took.", .seconds) { $0.work.readTime },
        StoreFigure("writes_total", "How often a connection was used to write.", .count) { Double($0.work.writes) },
        StoreFigure("write_seconds_total", "How long these writes took.", .seconds) { $0.work.writeTime },
        StoreFigure("waits_total", "How often a thread waited for a connection.", .count) { Double($0.work.waits) },
        StoreFigure("wait_seconds_total", "How long threads waited for connections.", .seconds) { $0.work.waitTime },
        StoreFigure("retries_total", "Transactions that were repeated because of others.", .count) {
            Double($0.work.retries)
        },
        StoreFigure("conflicts_total", "Saves that found rows that others had changed.", .count) {
            Double($0.work.conflicts)
        },
        StoreFigure("cache_hits_total", "Faults that were filled with rows in memory.", .count) {
            Double($0.work.cacheHits)
        },
        StoreFigure("cache_misses_total", "Faults that were filled by reading.", .count) {
            Double($0.work.cacheMisses)
        },
        StoreFigure("log_warnings_total", "How often the log became too long.", .count) { Double($0.logWarnings) },
        StoreFigure("refused_writes_total", "Writes refused because of that.", .count) { Double($0.refusedWrites) },
    ]
}
